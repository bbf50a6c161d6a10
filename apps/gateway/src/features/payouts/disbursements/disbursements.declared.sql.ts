// What others are told of payouts and their batches.
import * as timers from '@cowrie/contract/kit/timers'
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
  waiting: {
    PAYOUT: {
      waits: `select id, merchant_id, reference, status as state, kobo, created_at as since, questions, question_at, session_id
      from disbursements where status in ('AWAITING_PROCESSING', 'PENDING')`,
      machine: 'disbursement',
      timers: [timers.SEND_DISBURSEMENT, timers.APPROVE_DISBURSEMENT, timers.INQUIRE_DISBURSEMENT],
      ask: {
        name: 'work_ask_disbursements',
        text: 'update disbursements set question_at = $3 where merchant_id = $1 and id = $2 and question_at > $3',
      },
    },
  },
} satisfies Declarations
