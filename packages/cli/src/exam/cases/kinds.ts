// Whether the handler lives with what it does not know: every kind of the contract, one of tomorrow, a new
// field.
import { successfulTransaction } from '@cowrie/contract/events/collections'
import { EVENTS } from '@cowrie/contract/events/endpoints'
import { credited, deliver, inTurn, PRICE_KOBO, paid, payment, renamed } from '../bodies.ts'
import type { PlannedCase } from '../case.ts'

/** Not in the contract, on purpose. */
const UNKNOWN_TYPE = 'SOMETHING_OF_TOMORROW'
const UNKNOWN_FIELDS = { addedLater: { since: 'tomorrow', list: [1, null] } }

/** Those that cases of their own send. */
const ELSEWHERE: ReadonlySet<string> = new Set([successfulTransaction.type])

export const KIND_CASES: readonly PlannedCase[] = [
  {
    name: 'card',
    title: 'Paid by card',
    sends: 'A payment by card: no account that it came from, and details of the card instead.',
    why: 'Handlers that were written for transfers read the first entry of paymentSourceInformation, which is empty for a card, and crash.',
    fix: 'Read paymentSourceInformation, destinationAccountInformation and cardDetails only after looking whether anything is in them.',
    plan: (make) => inTurn(credited(make, PRICE_KOBO), deliver(paid(make, { method: 'CARD' }))),
  },
  {
    name: 'cash-out',
    title: 'Cash that left at an agent',
    sends: 'A SUCCESSFUL_TRANSACTION of a paycode: product.type is OFFLINE_PAYMENT_AGENT, settlementAmount 0.00.',
    why: 'It reports money that was paid out of your wallet. Whoever credits it gives the same money away twice.',
    fix: 'Answer 200.',
    fixCredit: 'Credit nothing when product.type is OFFLINE_PAYMENT_AGENT; mark the paycode as paid out.',
    plan: (make) => inTurn(credited(make, 0n), deliver(paid(make, { method: 'CASH' }))),
  },
  {
    name: 'every-kind',
    title: 'Every other kind of event',
    sends: `One event of each other kind there is: ${EVENTS.length - ELSEWHERE.size} in all.`,
    why: 'An event that you do not need is not an error. What is not answered 200 is sent again for three days, and an address that answers nothing else is disabled after five.',
    fix: 'Answer 200 to every event with a valid signature, also when you do nothing with it.',
    plan: (make) => ({
      steps: EVENTS.filter(({ type }) => !ELSEWHERE.has(type)).map((spec, index) => {
        const [sample] = spec.samples
        const eventData = renamed(sample.eventData, make.referenceOf(index + 1))
        return [deliver(make.made(spec, { ...sample, eventData }, 1))]
      }),
      credits: [],
    }),
  },
  {
    name: 'unknown-kind',
    title: 'A kind of tomorrow',
    sends: `An event of the type ${UNKNOWN_TYPE}, which does not exist, with the fields of a payment.`,
    why: 'New kinds are added without notice. A handler that answers them with an error gets them again and again; one that treats them as payments credits what is none.',
    fix: 'Decide by eventType, and answer 200 to the ones that you do not know.',
    fixCredit: 'Credit only where eventType is SUCCESSFUL_TRANSACTION.',
    plan: (make) =>
      inTurn(credited(make, 0n), deliver(make.made({ type: UNKNOWN_TYPE }, { eventData: payment(make.reference) }, 2))),
  },
  {
    name: 'unknown-field',
    title: 'A new field',
    sends: 'A payment with a field that does not exist yet.',
    why: 'Fields are added without notice. A handler that refuses unknown ones stops on that day.',
    fix: 'Read the fields that you need and ignore the others; turn strict checking of the body off.',
    plan: (make) => {
      const eventData = { ...payment(make.reference), ...UNKNOWN_FIELDS }
      return inTurn(credited(make, PRICE_KOBO), deliver(make.made(successfulTransaction, { eventData }, 2)))
    },
  },
]
