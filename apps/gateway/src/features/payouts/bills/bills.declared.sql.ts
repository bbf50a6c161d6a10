// What others are told of bills.
import { billMachine } from '@cowrie/contract/payouts/bills'
import { countWaiting, type Declarations, withinMonth } from '#core/declarations.ts'

export const declared = {
  unfinished: [countWaiting(billMachine)],
  leaving: {
    objects: ['bills'],
    open: {
      'a bill has not come to its end': `
      -- all merchants: a month leaves for all of them
      select b.id from bills b where ${withinMonth('b.id')} and b.status = 'IN_PROGRESS'`,
    },
  },
} satisfies Declarations
