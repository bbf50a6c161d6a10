// What others are told of bank orders.
import { bankOrderMachine } from '@cowrie/contract/bank/bank-orders'
import { countWaiting, type Declarations, withinMonth } from '#core/declarations.ts'

export const declared = {
  unfinished: [countWaiting(bankOrderMachine)],
  leaving: {
    open: {
      'an order to a bank is not over': `
      -- all merchants: a month leaves for all of them
      select o.id from bank_orders o
      where o.status in ('AWAITING', 'SENT') and (${withinMonth('o.id')} or ${withinMonth('o.subject')})`,
    },
  },
} satisfies Declarations
