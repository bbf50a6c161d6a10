// What happened to a payment, as rows of one timeline: each a sentence with a subject, its facts, and the
// record behind it. Newest first.
import type { PaymentView } from '@cowrie/contract/screens/payments'
import { nairaOf } from '../../money.ts'
import { methodOf, STATES } from './words.ts'

export type Kind = 'STATE' | 'BANK' | 'BOOKS' | 'WEBHOOK' | 'REFUND' | 'REQUEST' | 'PERSON'
export const KINDS: readonly (readonly [kind: Kind, word: string])[] = [
  ['STATE', 'States'],
  ['BANK', 'Bank'],
  ['BOOKS', 'Books'],
  ['WEBHOOK', 'Webhooks'],
  ['REFUND', 'Refunds'],
  ['REQUEST', 'Requests'],
  ['PERSON', 'People'],
]
export type Happened = {
  readonly at: string
  readonly kind: Kind
  readonly title: string
  readonly facts?: string
  /** Beside the title: an answer and how long it took. */
  readonly figure?: string
  readonly tone?: 'bad' | 'good'
  /** A change of state: the knots that all else hangs on. */
  readonly strong?: true
  readonly later?: true
  readonly record: object
}
export type Posting = PaymentView['postings']['rows'][number]
export const isPosting = (record: object): record is Posting => 'entries' in record

const ACTIONS: Readonly<Record<string, string>> = {
  pay: 'Paid',
  payLess: 'Paid in part',
  payMore: 'Paid, and more than was asked for',
  topUp: 'Another part was paid',
  topUpAll: 'The rest was paid',
  topUpMore: 'More than the rest was paid',
  close: 'Closed with what was paid',
  expire: 'Expired unpaid',
  fail: 'Failed',
  cancel: 'Cancelled',
  reverse: 'Marked: the bank reversed money',
}
const OBJECTS = { transaction: '', refund: 'Refund', suspense_item: 'Money that does not fit' } as const
const plainly = (code: string): string => code.toLowerCase().replaceAll('_', ' ')

const states = ({ states: { rows } }: PaymentView): Happened[] =>
  rows.map((row) => ({
    at: row.at,
    kind: row.object === 'transaction' ? 'STATE' : row.object === 'refund' ? 'REFUND' : 'BANK',
    title:
      row.object === 'transaction'
        ? (ACTIONS[row.action] ?? row.action)
        : `${OBJECTS[row.object]}: ${plainly(row.state)}`,
    facts:
      row.from === row.state
        ? `It stays ${STATES[row.state]?.[1] ?? plainly(row.state)}`
        : `From ${STATES[row.from]?.[1] ?? plainly(row.from)} to ${STATES[row.state]?.[1] ?? plainly(row.state)}`,
    strong: true,
    record: row,
  }))

const bank = ({ credits, reversals, charges, held }: PaymentView): Happened[] => [
  ...credits.rows.map((row) => ({
    at: row.at,
    kind: 'BANK' as const,
    title: `${row.bankName} sent ${nairaOf(row.amount)}`,
    facts: `From ${row.accountName}, ${row.accountNumber.replaceAll('*', '·')}. ${row.outcome === 'COUNTED' ? 'It was counted.' : 'It does not fit this payment and is held.'}`,
    record: row,
  })),
  ...reversals.rows.map((row) => ({
    at: row.at,
    kind: 'BANK' as const,
    title: `The bank reversed ${nairaOf(row.amount)}`,
    facts: row.cause,
    tone: 'bad' as const,
    record: row,
  })),
  ...charges.rows.map((row) => ({
    at: row.completedAt ?? row.at,
    kind: 'BANK' as const,
    title: `Card ${row.cardType ?? ''} ${row.last4 && `···${row.last4}`}: ${plainly(row.state)}`.replace(
      / +(?=[ :])/g,
      '',
    ),
    facts: [row.bankName, row.message].filter(Boolean).join('. '),
    ...(row.state === 'DECLINED' ? { tone: 'bad' as const } : {}),
    record: row,
  })),
  ...held.rows.map((row) => ({
    at: row.at,
    kind: 'BANK' as const,
    title: `${nairaOf(row.amount)} does not fit`,
    facts: `${plainly(row.cause)}; ${plainly(row.state)}`,
    record: row,
  })),
]

const ofYou = ({ entries }: Posting, ledger: string): number =>
  entries.reduce((sum, entry) => (entry.party === 'YOU' && entry.ledger === ledger ? sum + entry.amount : sum), 0)
const books = ({ postings: { rows } }: PaymentView): Happened[] =>
  rows.map((row) => {
    const pending = ofYou(row, 'PENDING')
    return {
      at: row.at,
      kind: 'BOOKS',
      title:
        pending > 0 ? `Booked: ${nairaOf(pending)} is yours, waiting to be settled` : `Booked: ${plainly(row.kind)}`,
      facts: `Posting ${row.id}`,
      record: row,
    }
  })

const hostOf = (url: string): string => URL.parse(url)?.host ?? url
const NTH = ['', 'First', 'Second', 'Third', 'Fourth', 'Fifth']
type Attempt = PaymentView['attempts']['rows'][number]
const attemptOf = (row: Attempt, type: string): Happened => {
  const taken = row.status !== null && row.status >= 200 && row.status < 300
  const words = taken
    ? 'Your server took the event'
    : row.status === null
      ? 'Your server did not answer'
      : 'Your server answered with an error'
  const said = taken ? '' : (row.answer ?? row.error ?? '').slice(0, 120)
  return {
    at: row.at,
    kind: 'WEBHOOK',
    title: words,
    facts: `${NTH[row.attempt] ?? `${row.attempt}th`} attempt. ${type} to ${hostOf(row.url)}.${said === '' ? '' : ` “${said}”`}`,
    figure: `${row.status ?? 'no answer'} · ${row.durationMs.toLocaleString('en-GB')} ms`,
    tone: taken ? 'good' : 'bad',
    record: row,
  }
}
const webhooks = ({ events, attempts, deliveries }: PaymentView): Happened[] => {
  const types = new Map(events.rows.map((event) => [event.eventId, event.eventType]))
  const typeOf = (id: string): string => types.get(id) ?? id
  return [
    ...events.rows.map(
      (row): Happened => ({
        at: row.at,
        kind: 'WEBHOOK',
        title: `Announced: ${row.eventType}`,
        facts: row.number === null ? 'Not numbered yet' : `Event ${row.number.toLocaleString('en-GB')}`,
        record: row,
      }),
    ),
    ...events.rows.flatMap((row): Happened[] =>
      row.receiptSentAt === null
        ? []
        : [
            {
              at: row.receiptSentAt,
              kind: 'STATE',
              title: 'The receipt was mailed',
              record: { at: row.receiptSentAt },
            },
          ],
    ),
    ...attempts.rows.map((row) => attemptOf(row, typeOf(row.eventId))),
    ...deliveries.flatMap((row): Happened[] =>
      row.nextAttemptAt === null
        ? []
        : [
            {
              at: row.nextAttemptAt,
              kind: 'WEBHOOK',
              title: 'The next attempt',
              facts: `${typeOf(row.eventId)} to ${hostOf(row.url)}`,
              later: true,
              record: row,
            },
          ],
    ),
  ]
}

const people = ({ requests, persons, refunds }: PaymentView): Happened[] => [
  ...requests.rows.map(
    (row): Happened => ({
      at: row.at,
      kind: 'REQUEST',
      title: `Your program called ${row.route}`,
      facts: `${row.method} ${row.path}${row.code === null ? '' : `, refused: ${row.code}`}`,
      figure: `${row.status} · ${row.ms.toLocaleString('en-GB')} ms`,
      ...(row.status >= 400 ? { tone: 'bad' as const } : {}),
      record: row,
    }),
  ),
  ...persons.rows.map(
    (row): Happened => ({
      at: row.at,
      kind: 'PERSON',
      title: `${row.name} did ${row.what}`,
      facts: `${row.role === null ? '' : `As ${row.role}. `}Line ${row.number} of the audit trail`,
      record: row,
    }),
  ),
  ...refunds.rows.map(
    (row): Happened => ({
      at: row.at,
      kind: 'REFUND',
      title: `A refund of ${nairaOf(row.amount)} was asked for`,
      facts: `${row.refundReference}. ${row.refundReason}`,
      record: row,
    }),
  ),
]

const ends = (page: PaymentView): Happened[] => {
  const { payment, account, createdAt, expiresAt, checkoutUrl, money } = page
  const begun: Happened = {
    at: createdAt,
    kind: 'STATE',
    title: `${nairaOf(money.asked)} was asked for`,
    facts: payment.paymentDescription,
    strong: true,
    record: { createdAt, expiresAt, product: payment.product, collectionChannel: payment.collectionChannel },
  }
  const issued: Happened[] =
    account === null
      ? []
      : [
          {
            at: account.at,
            kind: 'BANK',
            title: 'An account to pay into was issued',
            facts: `${account.accountNumber}, ${account.bankName}`,
            record: account,
          },
        ]
  const open: Happened[] =
    checkoutUrl === null
      ? []
      : [
          {
            at: expiresAt,
            kind: 'STATE',
            title: 'Expires, unless it is paid before',
            facts: payment.paymentMethod
              ? `By ${methodOf(payment.paymentMethod).toLowerCase()}`
              : 'The payer has not chosen how to pay',
            later: true,
            record: { expiresAt, checkoutUrl },
          },
        ]
  return [begun, ...issued, ...open]
}

const settled = ({ settlements }: PaymentView): Happened[] =>
  settlements.flatMap((row): Happened[] =>
    row.at === null || row.settlementReference === null
      ? []
      : [
          {
            at: row.at,
            kind: 'STATE',
            title: `${nairaOf(row.amount)} was settled to ${row.party === 'YOU' ? 'you' : row.party}`,
            facts: `Settlement ${row.settlementReference}, ${plainly(row.state ?? '')}`,
            strong: true,
            record: row,
          },
        ],
  )

/** Of what happened in the same millisecond the cause stands below its consequence. */
const ORDER: readonly Kind[] = ['REQUEST', 'BANK', 'PERSON', 'STATE', 'REFUND', 'BOOKS', 'WEBHOOK']
export const happenedTo = (page: PaymentView): Happened[] =>
  [states, bank, books, webhooks, people, ends, settled]
    .flatMap((part) => part(page))
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at) || ORDER.indexOf(b.kind) - ORDER.indexOf(a.kind))

const LISTS = [
  'states',
  'credits',
  'reversals',
  'charges',
  'held',
  'attempts',
  'requests',
  'persons',
  'refunds',
] as const
/** How many rows there are that the page does not show. */
export const leftOut = (page: PaymentView): number =>
  LISTS.reduce((sum, list) => sum + page[list].total - page[list].rows.length, 0)

const GAP_MS = 60_000
const USUAL = 10
/** Silence is a row: longer than a minute and ten times the usual pause. Null where there is none above a
 *  row. */
export function silences(rows: readonly Happened[]): readonly (number | null)[] {
  const pauses = rows.map((row, nth) => {
    const newer = rows[nth - 1]
    return newer === undefined ? 0 : Date.parse(newer.at) - Date.parse(row.at)
  })
  const median = pauses.toSorted((a, b) => a - b)[Math.floor(pauses.length / 2)] ?? 0
  return pauses.map((pause) => (pause > GAP_MS && pause > USUAL * median ? pause : null))
}
/** Whose silence it was, by what ended it. */
export const silenceOf = ({ kind, later }: Happened): string => {
  if (later) return 'from now on, by schedule'
  if (kind === 'WEBHOOK') return 'until the next attempt, by schedule'
  if (kind === 'BANK') return 'of waiting for the payer'
  return kind === 'REFUND' || kind === 'PERSON' || kind === 'REQUEST' ? 'until somebody acted' : 'without anything'
}
export const lengthOf = (ms: number): string => {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 120) return `${minutes} min`
  return minutes < 2_880 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 1_440)} days`
}
