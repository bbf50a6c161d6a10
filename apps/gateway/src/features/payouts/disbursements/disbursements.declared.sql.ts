// What others are told of payouts and their batches.
import * as timers from '@cowrie/contract/kit/timers'
import { batchMachine } from '@cowrie/contract/payouts/batches'
import { disbursementMachine } from '@cowrie/contract/payouts/disbursements'
import { countWaiting, type Declarations, withinMonth } from '#core/declarations.ts'
import { NO_TEXT, underEach } from '#core/findable.ts'
import { kept, PAYEE } from '#core/personal/judging.ts'

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
  personal: {
    disbursements: {
      columns: kept(PAYEE, 'bank_code', 'account_number', 'account_name', 'given_name', 'narration', 'sender_info'),
    },
    batches: { columns: kept(PAYEE, 'title', 'narration') },
  },
  notPersonal: {
    batches: 'reference transaction_reference source_account status',
    disbursements: 'reference transaction_reference status source_account description session_id approval',
    payout_references: 'reference',
  },
  findable: [
    {
      kind: 'PAYOUT',
      row: {
        merchant: 'd.merchant_id',
        reference: 'd.reference',
        name: 'coalesce(d.account_name, d.given_name)',
        kobo: 'd.kobo',
        state: 'd.status',
        at: 'd.created_at',
      },
      own: {
        named: [
          [
            'payout_references p join disbursements d on d.id = p.disbursement_id',
            'p.merchant_id = $1 and p.reference = $2',
          ],
          ['disbursements d', 'd.transaction_reference = $2'],
          ['disbursements d', 'd.session_id = $2'],
        ],
      },
      everywhere: {
        ours: [
          ['disbursements d', 'd.transaction_reference = $1'],
          ['disbursements d', 'd.session_id = $1'],
          ['payout_details n join disbursements d on d.session_id = n.session_id', 'n.network_reference = $1'],
        ],
        theirs: [
          [
            `${underEach('payout_references', 'reference', 'k')} join disbursements d on d.id = k.disbursement_id`,
            'd.merchant_id = o.id',
          ],
        ],
      },
    },
    {
      kind: 'BATCH',
      row: {
        merchant: 'b.merchant_id',
        reference: 'b.reference',
        name: NO_TEXT,
        kobo: 'b.kobo',
        state: 'b.status',
        at: 'b.created_at',
      },
      own: {
        named: [
          ['batches b', 'b.reference = $2'],
          ['batches b', 'b.transaction_reference = $2'],
        ],
      },
      everywhere: {
        ours: [['batches b', 'b.transaction_reference = $1']],
        theirs: [[underEach('batches', 'reference', 'b'), 'true']],
      },
    },
  ],
} satisfies Declarations
