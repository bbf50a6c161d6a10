// Bank orders: instructions to pay a bank account for a refund or a settlement, or to return money to a card
// for a refund. Each belongs to one of those, which posts to the ledger and emits events for its outcome, in
// the same database transaction as the move.
import { machine } from '../kit/spec.ts'
import { INQUIRE_ORDER, SEND_ORDER } from '../kit/timers.ts'

export const ORDER_PURPOSES = ['REFUND', 'SETTLEMENT'] as const
export type OrderPurpose = (typeof ORDER_PURPOSES)[number]

export const bankOrderMachine = machine({
  name: 'bank_order',
  table: 'bank_orders',
  start: 'AWAITING',
  states: {
    AWAITING: { says: 'Its money is held; not sent to the bank yet.', waits: 'bank', timers: [SEND_ORDER] },
    SENT: {
      says: 'Sent to the bank, or about to be; the gateway inquires until the outcome is known.',
      waits: 'bank',
      timers: [INQUIRE_ORDER],
    },
    PAID: { says: 'Paid. A bank may still reverse it.' },
    FAILED: { says: 'Not paid, and never will be.' },
    REVERSED: { says: 'Paid, then reversed by the bank.' },
  },
  moves: [
    { on: 'send', from: ['AWAITING'], to: 'SENT' },
    { on: 'pay', from: ['SENT'], to: 'PAID' },
    { on: 'fail', from: ['SENT'], to: 'FAILED' },
    { on: 'reverse', from: ['PAID'], to: 'REVERSED' },
  ],
})
