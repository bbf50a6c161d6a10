// What others are told of bank orders.
import { bankOrderMachine } from '@cowrie/contract/bank/bank-orders'
import * as timers from '@cowrie/contract/kit/timers'
import { countWaiting, type Declarations, withinMonth } from '#core/declarations.ts'
import { ACCOUNT, kept, words } from '#core/personal/judging.ts'

export const declared = {
  unfinished: [countWaiting(bankOrderMachine)],
  leaving: {
    open: {
      'an order to a bank is not over': `
      -- all merchants: a month leaves for all of them
      select o.id from bank_orders o
      where o.status in ('AWAITING', 'SENT') and (${withinMonth('o.id')} or ${withinMonth('o.subject')})`,
    },
  },
  waiting: {
    ORDER: {
      waits: `select id, merchant_id, id::text as reference, status as state, kobo, created_at as since, questions, question_at, session_id
      from bank_orders where status in ('AWAITING', 'SENT')`,
      machine: 'bank_order',
      timers: [timers.SEND_ORDER, timers.INQUIRE_ORDER],
      ask: {
        name: 'work_ask_bank_orders',
        text: 'update bank_orders set question_at = $3 where merchant_id = $1 and id = $2 and question_at > $3',
      },
    },
  },
  personal: {
    bank_orders: {
      by: ['subject', 'refunds'],
      where: `purpose = 'REFUND'`,
      columns: { ...words('account_name', 'narration'), ...kept(ACCOUNT, 'account_number', 'bank_code') },
    },
  },
  notPersonal: {
    bank_orders: 'purpose status session_id description charge_reference',
  },
} satisfies Declarations
