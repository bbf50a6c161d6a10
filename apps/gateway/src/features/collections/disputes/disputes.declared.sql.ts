// What others are told of disputes.
import type { Declarations } from '#core/declarations.ts'
import { words } from '#core/personal/judging.ts'

export const declared = {
  waiting: {
    DISPUTE: {
      waits: `select 0::bigint as id, merchant_id, reference, state, kobo, reported_at as since, null::int as questions, null::timestamptz as question_at,
      null::text as session_id from card_disputes where state in ('OPENED', 'ANSWERED')`,
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
} satisfies Declarations
