// What others are told of payouts and their batches.
import { batchMachine } from '@cowrie/contract/payouts/batches'
import { disbursementMachine } from '@cowrie/contract/payouts/disbursements'
import { countWaiting, type Declarations, withinMonth } from '#core/declarations.ts'

export const declared = {
  unfinished: [countWaiting(disbursementMachine), countWaiting(batchMachine)],
  leaving: {
    objects: ['disbursements'],
    open: {
      'a payout has not come to its end': `
      -- all merchants: a month leaves for all of them
      select d.id from disbursements d where ${withinMonth('d.id')} and d.status not in ('SUCCESS', 'FAILED', 'REVERSED', 'EXPIRED')`,
      'a batch has rows that have not come to their end': `
      -- all merchants: a month leaves for all of them
      select b.id from batches b where ${withinMonth('b.id')} and b.status not in ('COMPLETED', 'EXPIRED')`,
    },
    ahead: [
      `
      -- all merchants: a month leaves for all of them
      select d.id from disbursements d where ${withinMonth('d.id')} and d.batch_id >= $2::bigint`,
    ],
    places: {
      batches: `
      -- all merchants: a month leaves for all of them
      select b.merchant_id, b.place from batches b where ${withinMonth('b.id')}`,
    },
  },
} satisfies Declarations
