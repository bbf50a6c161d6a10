// What others are told of bills.
import * as timers from '@cowrie/contract/kit/timers'
import { billMachine } from '@cowrie/contract/payouts/bills'
import { countWaiting, type Declarations, withinMonth } from '#core/declarations.ts'
import { kept } from '#core/personal/judging.ts'

const SERVED =
  'whom the biller served, and with what: part of the record of what was bought; no name or address is there'

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
  waiting: {
    BILL: {
      waits: `select id, merchant_id, reference, status as state, kobo, created_at as since, questions, question_at, null::text as session_id
      from bills where status = 'IN_PROGRESS'`,
      machine: 'bill',
      timers: [timers.INQUIRE_BILL],
      ask: {
        name: 'work_ask_bills',
        text: 'update bills set question_at = $3 where merchant_id = $1 and id = $2 and question_at > $3',
      },
    },
  },
  personal: {
    bills: { columns: kept(SERVED, 'customer_id', 'token') },
  },
  notPersonal: {
    bills: `reference transaction_reference status product_code product_name biller_code biller_name description session_id`,
    bill_references: 'reference',
  },
} satisfies Declarations
