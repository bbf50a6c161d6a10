// What others are told of refunds.
import * as timers from '@cowrie/contract/kit/timers'
import { refundMachine } from '@cowrie/contract/payouts/refunds'
import { countWaiting, type Declarations, withinMonth } from '#core/declarations.ts'
import { underEach } from '#core/findable.ts'
import { ACCOUNT, CARD, kept, REFERENCE, words } from '#core/personal/judging.ts'

const ORDERED = `(
   -- all merchants: a session is of one order
   select o.subject from bank_orders o where o.session_id = $1 and o.purpose = 'REFUND')`
/** By what the network calls it. */
const ORDERED_AS = `(
   -- all merchants: a network names an order of any of them
   select o.subject from payout_details n join bank_orders o on o.session_id = n.session_id where n.network_reference = $1 and o.purpose = 'REFUND')`

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
  findable: [
    {
      kind: 'REFUND',
      row: {
        merchant: 'r.merchant_id',
        reference: 'r.refund_reference',
        name: 'r.account_name',
        kobo: 'r.kobo',
        state: 'r.status',
        at: 'r.created_at',
      },
      own: {
        named: [
          ['refunds r', 'r.refund_reference = $2'],
          ['refunds r', 'r.reference = $2'],
        ],
      },
      everywhere: {
        ours: [
          ['refunds r', 'r.reference = $1'],
          ['refunds r', `r.id = ${ORDERED}`],
          ['refunds r', `r.id in ${ORDERED_AS}`],
        ],
        theirs: [[underEach('refunds', 'refund_reference', 'r'), 'true']],
      },
    },
  ],
  unerasable: [
    `select 'The refund ' || refund_reference || ' is not finished.' as says from refunds
      where merchant_id = $1 and transaction_id = any($2::bigint[]) and status = 'PENDING'`,
  ],
} satisfies Declarations
