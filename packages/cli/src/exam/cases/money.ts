// Whether the handler counts money as it is: too little, too much, too late, twice, and reversed.
import { rejectedPayment, reversedTransaction } from '@cowrie/contract/events/collections'
import { credited, deliver, inTurn, PRICE_KOBO, paid, rejection, reversal } from '../bodies.ts'
import type { Delivery, Maker, PlannedCase } from '../case.ts'

const SHORT_KOBO = PRICE_KOBO - 50_000n
const OVER_KOBO = PRICE_KOBO + 50_000n
const PART_KOBO = PRICE_KOBO / 3n

const rejected = (make: Maker, reason: Parameters<typeof rejection>[1]): Delivery =>
  deliver(make.made(rejectedPayment, { eventData: rejection(make.reference, reason) }, 1))

/** The payment of a part, one version before the whole. */
export const partly = (make: Maker): Delivery =>
  deliver(paid(make, { paidKobo: PART_KOBO, status: 'PARTIALLY_PAID' }, 2))

export const reversed = (make: Maker): Delivery =>
  deliver(make.made(reversedTransaction, { eventData: reversal(make.reference) }, 3))

export const MONEY_CASES: readonly PlannedCase[] = [
  {
    name: 'short',
    title: 'Paid too little',
    sends: 'A payment with paymentStatus PARTIALLY_PAID: 2,500 of 3,000 naira.',
    why: 'SUCCESSFUL_TRANSACTION says that money has arrived, not that it was enough. Whoever hands over the goods then gives 500 naira away.',
    fix: 'Answer 200: the event is in order, only the amount is not.',
    fixCredit:
      'Credit amountPaid, never totalPayable, and hand over only when paymentStatus is PAID or OVERPAID. Crediting nothing is accepted too.',
    plan: (make) => {
      const part = paid(make, { paidKobo: SHORT_KOBO, status: 'PARTIALLY_PAID' })
      return inTurn(credited(make, SHORT_KOBO, 0n), deliver(part))
    },
  },
  {
    name: 'over',
    title: 'Paid too much',
    sends: 'A payment with paymentStatus OVERPAID: 3,500 for 3,000 naira.',
    why: 'The customer has paid. A handler that knows only PAID leaves the order open.',
    fix: 'Answer 200.',
    fixCredit: 'Treat OVERPAID as paid: credit amountPaid, or the price, and refund the rest.',
    plan: (make) => {
      const much = paid(make, { paidKobo: OVER_KOBO, status: 'OVERPAID' })
      return inTurn(credited(make, OVER_KOBO, PRICE_KOBO), deliver(much))
    },
  },
  {
    name: 'topped-up',
    title: 'Paid in two parts',
    sends:
      'Two payments of one transaction: first 1,000 of 3,000 naira, then the rest. amountPaid is 1,000, then 3,000.',
    why: 'Amounts are those of the whole transaction. Adding them credits 4,000; looking only at the first leaves the customer with 1,000.',
    fix: 'Answer 200 to both.',
    fixCredit: 'Set what is credited to the amountPaid of the newest version (cowrie-object-version); do not add.',
    plan: (make) => inTurn(credited(make, PRICE_KOBO), partly(make), deliver(paid(make, {}, 3))),
  },
  {
    name: 'late',
    title: 'Paid too late',
    sends: 'A REJECTED_PAYMENT with the reason TRANSACTION_EXPIRED.',
    why: 'The money is returned to the payer. Whoever credits it hands over goods for nothing.',
    fix: 'Answer 200 to REJECTED_PAYMENT.',
    fixCredit: 'Credit nothing for REJECTED_PAYMENT; at most show the customer why.',
    plan: (make) => inTurn(credited(make, 0n), rejected(make, 'TRANSACTION_EXPIRED')),
  },
  {
    name: 'paid-twice',
    title: 'Paid twice',
    sends: 'A payment, then a REJECTED_PAYMENT with the reason TRANSACTION_COMPLETED for the same reference.',
    why: 'A customer sent the money twice, and the second is returned. It neither counts again nor undoes the first.',
    fix: 'Answer 200 to REJECTED_PAYMENT.',
    fixCredit: 'Leave the payment as it is when a REJECTED_PAYMENT follows.',
    plan: (make) => inTurn(credited(make, PRICE_KOBO), deliver(paid(make)), rejected(make, 'TRANSACTION_COMPLETED')),
  },
  {
    name: 'reversed',
    title: 'Paid, then reversed',
    sends: 'A payment, then a REVERSED_TRANSACTION of all of it.',
    why: 'The bank reversed the money, and it was debited to you. An order that still counts as paid is your loss.',
    fix: 'Answer 200 to REVERSED_TRANSACTION.',
    fixCredit:
      'On REVERSED_TRANSACTION set what is credited to amountLeft, and stop the order if it has not left. Choose this kind for your endpoint.',
    plan: (make) => inTurn(credited(make, 0n), deliver(paid(make)), reversed(make)),
  },
]
