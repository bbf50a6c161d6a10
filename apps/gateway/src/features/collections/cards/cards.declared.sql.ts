// What others are told of card charges.
import { cardChargeMachine } from '@cowrie/contract/collections/cards'
import * as timers from '@cowrie/contract/kit/timers'
import { countWaiting, type Declarations, withinMonth } from '#core/declarations.ts'
import { becomes, CARD, kept, words } from '#core/personal/judging.ts'
import { ASK_ANEW } from './cards.sql.ts'

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
      askAnew: ASK_ANEW,
    },
  },
  personal: {
    card_charges: {
      by: ['transaction_id', 'transactions'],
      columns: { token: becomes('null'), ...kept(CARD, 'bin', 'last4', 'exp_month', 'exp_year') },
    },
    card_tokens: {
      by: ['token', 'tokens'],
      deleted: true,
      columns: words('token', 'customer_email', 'issuer_reference', 'bin', 'last4', 'exp_month', 'exp_year'),
    },
    card_attempts: { columns: kept('keyed digests, deleted after an hour', 'card_digest', 'address_digest') },
  },
  notPersonal: {
    card_charges: `reference status channel scheme bank_code bank_name country_code code message otp_id input_id input_kind challenge_id challenge_page
      challenge_acs return_token`,
    card_tokens: 'scheme bank_code bank_name country_code',
  },
  unerasable: [
    `select 'A card is being charged, or a charge reversed, for the payment ' || t.reference || '.' as says
      from card_charges c join transactions t on t.id = c.transaction_id and t.merchant_id = $1
      where c.merchant_id = $1 and c.transaction_id = any($2::bigint[]) and c.status in ('SENT', 'OTP', 'CHALLENGE', 'INPUT', 'REVERSING')`,
  ],
} satisfies Declarations
