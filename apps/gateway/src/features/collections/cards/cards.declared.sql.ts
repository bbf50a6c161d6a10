// What others are told of card charges.
import { cardChargeMachine } from '@cowrie/contract/collections/cards'
import { countWaiting, type Declarations, withinMonth } from '#core/declarations.ts'

export const declared = {
  unfinished: [countWaiting(cardChargeMachine)],
  leaving: {
    open: {
      'a card charge is not over': `
      -- all merchants: a month leaves for all of them
      select c.id from card_charges c
      where c.closed_at is null and c.status in ('SENT', 'OTP', 'CHALLENGE', 'INPUT', 'REVERSING') and ${withinMonth('c.transaction_id')}`,
    },
  },
} satisfies Declarations
