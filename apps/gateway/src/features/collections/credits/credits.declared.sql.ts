// What others are told of money that came in.
import { suspenseMachine } from '@cowrie/contract/collections/suspense'
import * as timers from '@cowrie/contract/kit/timers'
import { countWaiting, type Declarations, withinMonth } from '#core/declarations.ts'
import { NO_TEXT } from '#core/findable.ts'
import { ACCOUNT, kept, words } from '#core/personal/judging.ts'
import { moneyNamesIn, referenceOfMoneyIn } from '#core/routing/names.ts'

export const declared = {
  unfinished: [countWaiting(suspenseMachine)],
  leaving: {
    open: {
      'money is in suspense': `
      -- all merchants: a month leaves for all of them
      select i.id from suspense_items i
      left join bank_sessions n on n.bank_reference = i.bank_reference
      where i.status not in ('RETURNED', 'REASSIGNED') and (${withinMonth('i.id')} or ${withinMonth('i.transaction_id')} or ${withinMonth('n.transfer_id')})`,
    },
    ahead: [
      `
      -- all merchants: a month leaves for all of them
      select c.transfer_id from inbound_credits c where ${withinMonth('c.transfer_id')} and c.transaction_id >= $2::bigint`,
    ],
  },
  waiting: {
    RETURN: {
      waits: `select id, merchant_id, ${referenceOfMoneyIn('bank_reference')} as reference, status as state, kobo, created_at as since, attempts as questions,
      null::timestamptz as question_at, ${referenceOfMoneyIn('bank_reference')} as session_id from suspense_items where status = 'RETURNING'`,
      machine: 'suspense_item',
      timers: [timers.RETURN_SUSPENSE],
    },
  },
  personal: {
    inbound_credits: {
      by: ['transaction_id', 'transactions'],
      columns: { ...words('sender_name'), ...kept(ACCOUNT, 'sender_account_number', 'sender_bank_code') },
    },
  },
  notPersonal: {
    inbound_credits: 'bank_reference outcome account_number bank_code',
    bank_sessions: 'bank_reference',
    credit_reversals: 'reversal_reference bank_reference outcome reason',
    suspense_items: 'bank_reference status reason owner refusal return_session_id',
  },
  findable: [
    {
      kind: 'SUSPENSE',
      row: {
        id: 'i.id::text',
        merchant: 'i.merchant_id',
        reference: referenceOfMoneyIn('i.bank_reference'),
        name: NO_TEXT,
        kobo: 'i.kobo',
        state: 'i.status',
        at: 'i.created_at',
      },
      everywhere: { ours: [['suspense_items i', `i.bank_reference in (${moneyNamesIn('$1')})`]] },
    },
  ],
  unerasable: [
    `select 'Money for the payment ' || t.reference || ' is held, or on its way back to its sender.' as says
      from suspense_items s join transactions t on t.id = s.transaction_id and t.merchant_id = $1
      where s.merchant_id = $1 and s.transaction_id = any($2::bigint[]) and s.status not in ('RETURNED', 'REASSIGNED')`,
  ],
} satisfies Declarations
