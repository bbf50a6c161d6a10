// What others are told of refunds.
import { refundMachine } from '@cowrie/contract/payouts/refunds'
import { countWaiting, type Declarations, withinMonth } from '#core/declarations.ts'

export const declared = {
  unfinished: [countWaiting(refundMachine)],
  leaving: {
    open: {
      'a refund is not over': `
      -- all merchants: a month leaves for all of them
      select r.id from refunds r where r.status = 'PENDING' and (${withinMonth('r.id')} or ${withinMonth('r.transaction_id')})`,
    },
  },
} satisfies Declarations
