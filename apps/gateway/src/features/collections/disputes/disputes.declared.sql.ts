// What others are told of disputes.
import { OPEN_DISPUTES } from '@cowrie/contract/bank/v2/disputes'
import { type Declarations, withinMonth } from '#core/declarations.ts'
import { words } from '#core/personal/judging.ts'

const OPEN = `d.state in (${OPEN_DISPUTES.map((state) => `'${state}'`).join(', ')})`

export const declared = {
  leaving: {
    open: {
      'a card dispute is not over': `
      -- all merchants: a month leaves for all of them
      select d.transaction_id from card_disputes d where ${OPEN} and ${withinMonth('d.transaction_id')}`,
    },
  },
  waiting: {
    DISPUTE: {
      waits: `select 0::bigint as id, merchant_id, reference, state, kobo, reported_at as since, null::int as questions, null::timestamptz as question_at,
      null::text as session_id from card_disputes d where ${OPEN}`,
      machine: 'card_dispute',
      timers: [],
    },
  },
  personal: {
    card_disputes: { by: ['transaction_id', 'transactions'], columns: words('reason') },
  },
  notPersonal: {
    card_disputes: 'reference charge_reference state reason_code',
  },
  // The answer to the acquirer names the payer.
  unerasable: [
    `select 'The card dispute ' || d.reference || ' is not over.' as says
      from card_disputes d where d.merchant_id = $1 and d.transaction_id = any($2::bigint[]) and ${OPEN}`,
  ],
} satisfies Declarations
