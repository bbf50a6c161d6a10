// What others are told of paycodes.
import { paycodeMachine } from '@cowrie/contract/payouts/paycodes'
import { countWaiting, type Declarations, withinMonth } from '#core/declarations.ts'

export const declared = {
  unfinished: [countWaiting(paycodeMachine)],
  leaving: {
    open: {
      'a paycode is not over': `
      -- all merchants: a month leaves for all of them
      select p.id from paycodes p where p.status = 'PENDING' and ${withinMonth('p.id')}`,
    },
  },
} satisfies Declarations
