// What others are told of mandates and debits.
import * as timers from '@cowrie/contract/kit/timers'
import type { Declarations } from '#core/declarations.ts'
import { underEach } from '#core/findable.ts'
import { ACCOUNT, address, kept, REFERENCE, words } from '#core/personal/judging.ts'

export const declared = {
  contractOf: {
    mandateCode: {
      name: 'contract_of_mandate',
      text: 'select contract_code from mandates where merchant_id = $1 and code = $2',
    },
  },
  unfinished: [
    `select 'debit' as object, count(*) as count from debits d join transactions t on t.id = d.id
  where d.merchant_id = $1 and t.status = 'PENDING'`,
  ],
  waiting: {
    DEBIT: {
      waits: `select d.id, d.merchant_id, t.payment_reference as reference, t.status as state, d.kobo, t.created_at as since, d.questions, d.question_at,
        d.session_id from debits d join transactions t on t.id = d.id and t.merchant_id = d.merchant_id where t.status = 'PENDING'`,
      machine: 'transaction',
      timers: [timers.SEND_DEBIT, timers.INQUIRE_DEBIT],
      ask: {
        name: 'work_ask_debits',
        text: 'update debits set question_at = $3 where merchant_id = $1 and id = $2 and question_at > $3',
      },
    },
    MANDATE: {
      waits: `select id, merchant_id, code as reference, status as state, kobo, created_at as since, null::int as questions,
      null::timestamptz as question_at, null::text as session_id from mandates
        where (status = 'INITIATED' and authorization_link is null) or (status = 'ACTIVE' and cancel_asked_at is not null)`,
      machine: 'mandate',
      timers: [timers.REGISTER_MANDATE, timers.CLOSE_MANDATE],
    },
  },
  personal: {
    debits: { by: ['id', 'transactions'], columns: words('narration') },
    mandates: {
      by: ['id', 'mandates'],
      columns: {
        ...words('customer_name', 'customer_phone', 'customer_address', 'account_name', 'description'),
        ...words('authorization_message', 'authorization_link'),
        ...address('customer_email'),
        ...kept(ACCOUNT, 'account_number', 'bank_code'),
        ...kept(REFERENCE, 'reference'),
      },
    },
  },
  notPersonal: {
    mandates: 'code contract_code status',
    debits: 'session_id message',
  },
  findable: [
    {
      kind: 'MANDATE',
      row: {
        merchant: 'm.merchant_id',
        reference: 'm.reference',
        name: 'm.customer_name',
        kobo: 'm.kobo',
        state: 'm.status',
        at: 'm.created_at',
      },
      own: {
        named: [
          ['mandates m', 'm.reference = $2'],
          ['mandates m', 'm.code = $2'],
        ],
      },
      everywhere: {
        ours: [['mandates m', 'm.code = $1']],
        theirs: [[underEach('mandates', 'reference', 'm'), 'true']],
      },
    },
  ],
  unerasable: [
    `select 'The mandate ' || code || ' is not over.' as says from mandates
      where merchant_id = $1 and id = any($3::bigint[]) and status in ('INITIATED', 'ACTIVE')`,
  ],
} satisfies Declarations
