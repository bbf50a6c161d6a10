// What others are told of refunds.
import * as timers from '@cowrie/contract/kit/timers'
import { refundMachine } from '@cowrie/contract/payouts/refunds'
import { countWaiting, type Declarations, withinMonth } from '#core/declarations.ts'
import { ACCOUNT, CARD, kept, REFERENCE, words } from '#core/personal/judging.ts'

export const declared = {
  unfinished: [countWaiting(refundMachine)],
  leaving: {
    open: {
      'a refund is not over': `
      -- all merchants: a month leaves for all of them
      select r.id from refunds r where r.status = 'PENDING' and (${withinMonth('r.id')} or ${withinMonth('r.transaction_id')})`,
    },
  },
  waiting: {
    REFUND: {
      waits: `select id, merchant_id, refund_reference as reference, status as state, kobo, created_at as since, null::int as questions,
      null::timestamptz as question_at, null::text as session_id from refunds where status = 'PENDING'`,
      machine: 'refund',
      timers: [timers.APPROVE_REFUND],
    },
  },
  personal: {
    refunds: {
      by: ['transaction_id', 'transactions'],
      columns: {
        ...words('account_name', 'reason', 'customer_note'),
        ...kept(ACCOUNT, 'account_number', 'bank_code'),
        ...kept(REFERENCE, 'refund_reference'),
        ...kept(CARD, 'masked_pan'),
      },
    },
  },
  notPersonal: {
    refunds: 'reference transaction_reference status type strategy comment charge_reference approval',
  },
} satisfies Declarations
