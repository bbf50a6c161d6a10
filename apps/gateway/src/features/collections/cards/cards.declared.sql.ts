// What others are told of card charges.

import { cardChargeMachine } from '@cowrie/contract/collections/cards'
import * as timers from '@cowrie/contract/kit/timers'
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
  waiting: {
    CARD_CHARGE: {
      waits: `select id, merchant_id, reference, status as state, kobo, created_at as since, null::int as questions, null::timestamptz as question_at,
      null::text as session_id from card_charges where status in ('SENT', 'OTP', 'CHALLENGE', 'INPUT', 'REVERSING') and closed_at is null`,
      machine: 'card_charge',
      timers: [timers.INQUIRE_CHARGE],
    },
  },
} satisfies Declarations
