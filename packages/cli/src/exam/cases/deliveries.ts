// Whether the handler lives with how events arrive: more than once, at once, in another sequence, late,
// large, and many.

import { successfulTransaction } from '@cowrie/contract/events/collections'
import { settlement } from '@cowrie/contract/events/payouts'
import { bigSettlement, credited, deliver, inTurn, PRICE_KOBO, paid, payment } from '../bodies.ts'
import type { Case, Exchange, LookBack, PlannedCase } from '../case.ts'
import { partly, reversed } from './money.ts'

const REPLAY_SECONDS = 600
const BIG_BYTES = 1024 * 1024
const MANY = 50

const FIX_ONCE =
  'Store the webhook-id under a unique constraint, in the same database transaction as the credit; when it is there already, answer 200 and do nothing.'
const FIX_ANSWER_DUPLICATE =
  'Answer 200 to an event that you have already processed: it was delivered, and that is all we ask.'

const PLANNED: readonly PlannedCase[] = [
  {
    name: 'duplicate',
    title: 'The same event twice',
    sends: 'One payment, delivered twice with the same webhook-id.',
    why: 'An event is delivered at least once: after a lost answer, a restart or a resend it arrives again. Crediting it again gives money away.',
    fix: FIX_ANSWER_DUPLICATE,
    fixCredit: FIX_ONCE,
    plan: (make) => {
      const made = paid(make)
      return inTurn(credited(make, PRICE_KOBO), deliver(made), deliver(made, { attempt: 2 }))
    },
  },
  {
    name: 'same-instant',
    title: 'The same event at one instant',
    sends: 'One payment, delivered twice at the same instant.',
    why: '"Look whether it is there, then credit" fails when both look before either writes.',
    fix: 'Answer 200 to both, or ask for the second again with 409, 429 or 503.',
    fixCredit: FIX_ONCE,
    plan: (make) => {
      const made = paid(make)
      const both = [
        deliver(made, { expects: 'taken or later' }),
        deliver(made, { expects: 'taken or later', attempt: 2 }),
      ]
      return { steps: [both], credits: credited(make, PRICE_KOBO) }
    },
  },
  {
    name: 'older-after-newer',
    title: 'An older version after a newer one',
    sends: 'A payment of 3,000 naira (version 3), then the earlier one of 1,000 of the same transaction (version 2).',
    why: 'Resent events arrive late. A handler that believes the last one it saw goes back to an amount that has been overtaken.',
    fix: 'Answer 200 to both.',
    fixCredit: 'Keep cowrie-object-version with each transaction, and ignore an event with a lower one than you have.',
    plan: (make) => inTurn(credited(make, PRICE_KOBO), deliver(paid(make, {}, 3)), partly(make)),
  },
  {
    name: 'reversed-first',
    title: 'The reversal before the payment',
    sends: 'A REVERSED_TRANSACTION (version 3), then the payment that it reverses (version 2).',
    why: 'The money has gone already. Whoever then credits the payment hands over goods for nothing.',
    fix: 'Answer 200 to both.',
    fixCredit:
      'Keep cowrie-object-version with each transaction, also when the first event of it is a reversal, and ignore lower ones.',
    plan: (make) => inTurn(credited(make, 0n), reversed(make), deliver(paid(make))),
  },
  {
    name: 'replay',
    title: 'A replay after ten minutes',
    sends:
      'A payment, then the same request again as somebody recorded it ten minutes ago: its signature is valid, its timestamp old.',
    why: 'A request that somebody recorded stays signed. It must not count a second time. Refusing it is right, and so is 200 without doing anything.',
    fix: 'Answer 200, or 401 because of the old webhook-timestamp; do not crash.',
    fixCredit: `${FIX_ONCE} If you check webhook-signature, also refuse a webhook-timestamp that is older than five minutes.`,
    plan: (make) => {
      const made = paid(make)
      const recorded = deliver(made, { agoSeconds: REPLAY_SECONDS, expects: 'taken or refused' })
      return inTurn(credited(make, PRICE_KOBO), deliver(made), recorded)
    },
  },
  {
    name: 'retry',
    title: 'A retry after a lost answer',
    sends: 'A payment, hung up on before the answer, then the second attempt of the same event.',
    why: 'A 500, a timeout and a lost answer are the same to us: the event is sent again. Yours may have been half done, or done.',
    fix: 'Answer 200 to the second attempt, whatever became of the first. If the first one failed half-way, its work must have been rolled back.',
    fixCredit: FIX_ONCE,
    plan: (make) => {
      const made = paid(make)
      return inTurn(credited(make, PRICE_KOBO), deliver(made, { expects: 'lost' }), deliver(made, { attempt: 2 }))
    },
  },
  {
    name: 'big-body',
    title: 'A body of one megabyte',
    sends: 'A SETTLEMENT with so many payments that its body is one megabyte.',
    why: 'A settlement lists its payments, and a busy day has thousands. Many frameworks refuse more than 100 kB, and a handler that works through the list before it answers is too late.',
    fix: 'Raise the limit of the body to 5 MB for this address, store the event, answer 200, and work through the list afterwards.',
    plan: (make) => ({
      steps: [[deliver(make.made(settlement, { eventData: bigSettlement(make.reference, BIG_BYTES) }, 1))]],
      credits: [],
    }),
  },
  {
    name: 'fifty',
    title: 'Fifty at once',
    sends: 'Fifty different payments at the same instant.',
    why: 'After an outage everything that waited is sent. What is lost under load is lost on your busiest day.',
    fix: 'Answer 200, or 429 or 503 to be sent it again. Give the handler a pool of database connections that queues, and keep slow work out of it.',
    fixCredit: 'Credit each payment in one database transaction of its own; do not read a balance, add and write it.',
    plan: (make) => {
      const numbers = Array.from({ length: MANY }, (_, index) => index + 1)
      const deliveries = numbers.map((number) => {
        const eventData = payment(make.referenceOf(number))
        return deliver(make.made(successfulTransaction, { eventData }, 2), { expects: 'taken or later' })
      })
      return {
        steps: [deliveries],
        credits: numbers.map((number) => ({ reference: make.referenceOf(number), oneOf: [PRICE_KOBO] })),
      }
    },
  },
]

const timedOut = ({ delivery, answer }: Exchange, limitSeconds: number): boolean =>
  delivery.expects !== 'lost' && answer.status === null && answer.ms >= limitSeconds * 1000

const casesOf = (exchanges: readonly Exchange[]): string =>
  [...new Set(exchanges.map(({ caseName }) => caseName))].join(', ')

const LOOKING_BACK: readonly LookBack[] = [
  {
    name: 'slow',
    title: 'Every answer in time',
    sends: 'Nothing more: the answers to all other cases were timed.',
    why: 'We wait 15 seconds. An answer after 20 is none: the event is sent again while the first is still worked on.',
    fix: 'Verify, store, answer 200, and do the rest (mails, stock, other services) afterwards, from a queue.',
    looksBack: (exchanges, limitSeconds) => {
      const slow = exchanges.filter((one) => timedOut(one, limitSeconds))
      const slowest = Math.max(0, ...exchanges.map(({ answer }) => answer.ms))
      return slow.length > 0
        ? { passed: false, came: `no answer within ${limitSeconds} s in: ${casesOf(slow)}` }
        : { passed: true, came: `${exchanges.length} answers, the slowest after ${slowest} ms` }
    },
  },
  {
    name: 'redirect',
    title: 'No redirects',
    sends: 'Nothing more: the answers to all other cases were looked at.',
    why: 'We do not follow redirects: a signed event must not travel to an address that you did not give us.',
    fix: 'Register the address where the redirect leads to: https instead of http, with or without the last slash, with or without www.',
    looksBack: (exchanges) => {
      const led = exchanges.filter(({ answer: { status } }) => status !== null && status >= 300 && status < 400)
      return led.length > 0
        ? { passed: false, came: `answered ${led[0]?.answer.status} in: ${casesOf(led)}` }
        : { passed: true, came: `${exchanges.length} answers, no redirect` }
    },
  },
]

export const DELIVERY_CASES: readonly Case[] = [...PLANNED, ...LOOKING_BACK]
