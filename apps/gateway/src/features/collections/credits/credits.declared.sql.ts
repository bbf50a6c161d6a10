// What others are told of money that came in.
import { suspenseMachine } from '@cowrie/contract/collections/suspense'
import { countWaiting, type Declarations, withinMonth } from '#core/declarations.ts'

export const declared = {
  unfinished: [countWaiting(suspenseMachine)],
  leaving: {
    open: {
      'money is in suspense': `
      -- all merchants: a month leaves for all of them
      select i.id from suspense_items i
      left join bank_sessions n on n.bank_reference = i.bank_reference
      where i.status not in ('RETURNED', 'REASSIGNED') and (${withinMonth('i.id')} or ${withinMonth('i.transaction_id')} or ${withinMonth('n.transfer_id')})`,
    },
    ahead: [
      `
      -- all merchants: a month leaves for all of them
      select c.transfer_id from inbound_credits c where ${withinMonth('c.transfer_id')} and c.transaction_id >= $2::bigint`,
    ],
  },
} satisfies Declarations
