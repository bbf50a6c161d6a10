// The statements of money that arrives.

import type { CreditNotice } from '@cowrie/contract/bank/connector'
import { connectorOfMoneyIn } from '#core/routing/names.ts'
import type { Rows } from '#core/rows.ts'
import { texts } from '#kit/arrays.ts'
import type { Read, Statement } from '#kit/ctx.ts'

export type PayableRow = Pick<
  Rows['transactions'],
  | 'id'
  | 'merchant_id'
  | 'reference'
  | 'payment_reference'
  | 'status'
  | 'version'
  | 'kobo'
  | 'paid_kobo'
  | 'fee_kobo'
  | 'customer_name'
  | 'customer_email'
  | 'description'
  | 'meta_data'
  | 'expires_at'
  | 'closed_at'
  | 'split'
  | 'product_type'
  | 'product_reference'
  | 'flagged'
  | 'quoted_schedule_id'
> & {
  /** A page made it, and named the amount. */
  by_page: boolean
  at: bigint
  known: boolean
  opened_at: Date
  /** Somebody else had the number before. */
  reissued: boolean
  /** The number was issued on the hosted page. */
  on_page: Rows['virtual_accounts']['on_page']
  /** The fee that the payer bears, and the schedule that made it; null: the merchant bears it. */
  quoted_fee_kobo: Rows['transactions']['quoted_fee_kobo']
}

const BY_PAGE =
  'exists (select from page_openings o where o.transaction_id = t.id and o.merchant_id = t.merchant_id and o.by_page) as by_page'

/** `+ 0` and `any`: rows are found by their own key, never by walking through all of a merchant or of a month
 *  (core/hot-plans.test.ts, docs/decisions/0029-months.md). */
const PAYABLE: Statement = {
  name: 'credits_payable',
  text: `
-- all merchants: a notice of the bank names an account, not a merchant
select x.at, t.id, t.merchant_id, t.reference, t.payment_reference, t.status, t.version, t.kobo, t.paid_kobo, t.fee_kobo, t.customer_name,
  t.customer_email, t.description, t.meta_data, t.expires_at, t.closed_at, t.split, t.product_type, t.product_reference,
  t.flagged, t.quoted_fee_kobo, t.quoted_schedule_id, ${BY_PAGE}, v.opened_at, v.on_page, c.bank_reference is not null as known, f.transaction_id is not null as reissued
from unnest($1::text[], $2::text[], $3::text[]) with ordinality as x(account_number, bank_code, session_id, at)
join virtual_accounts v on v.account_number = x.account_number and v.bank_code = x.bank_code and v.connector = ${connectorOfMoneyIn('x.session_id')}
left join reserved_accounts r on r.id = v.reserved_id and r.merchant_id + 0 = v.merchant_id and r.status = 'RESERVED'
join transactions t on t.id = any (array[coalesce(v.transaction_id, r.invoice_id)]) and t.merchant_id + 0 = v.merchant_id
left join former_holders f on f.account_number = v.account_number and f.bank_code = v.bank_code
left join bank_sessions c on c.bank_reference = x.session_id`,
}

/** What each notice would pay: the transaction that the number was issued for, or that of the invoice its
 *  account was attached to last. Nothing for other numbers, nor for one of another bank than the one that
 *  speaks. */
export const listPayable = (read: Read, notices: readonly CreditNotice[]): Promise<(PayableRow | undefined)[]> =>
  listBy(PAYABLE, read, notices)

async function listBy(
  statement: Statement,
  read: Read,
  notices: readonly CreditNotice[],
): Promise<(PayableRow | undefined)[]> {
  const rows = await read.query<PayableRow>(statement, [
    texts(notices.map((notice) => notice.accountNumber)),
    texts(notices.map((notice) => notice.bankCode)),
    texts(notices.map((notice) => notice.sessionId)),
  ])
  const byPlace = new Map(rows.map((row) => [Number(row.at), row]))
  return notices.map((_, index) => byPlace.get(index + 1))
}

const FORMER: Statement = {
  name: 'credits_former',
  text: `
-- all merchants: a notice of the bank names an account, not a merchant
select x.at, t.id, t.merchant_id, t.reference, t.payment_reference, t.status, t.version, t.kobo, t.paid_kobo, t.fee_kobo, t.customer_name,
  t.customer_email, t.description, t.meta_data, t.expires_at, t.closed_at, t.split, t.product_type, t.product_reference,
  t.flagged, t.quoted_fee_kobo, t.quoted_schedule_id, ${BY_PAGE}, f.opened_at, false as on_page, c.bank_reference is not null as known, false as reissued
from unnest($1::text[], $2::text[], $3::text[]) with ordinality as x(account_number, bank_code, session_id, at)
join former_holders f on f.account_number = x.account_number and f.bank_code = x.bank_code
join transactions t on t.id = any (array[f.transaction_id]) and t.merchant_id + 0 = f.merchant_id
left join bank_sessions c on c.bank_reference = x.session_id`,
}

/** The transactions that had the numbers before those that have them now. */
export const listFormer = (read: Read, notices: readonly CreditNotice[]): Promise<(PayableRow | undefined)[]> =>
  listBy(FORMER, read, notices)

/** A counted credit comes with its move; these columns follow the move's `sideRow`. */
export const CREDIT_COLUMNS = {
  bank_reference: 'text',
  kobo: 'bigint',
  account_number: 'text',
  bank_code: 'text',
  sender_name: 'text',
  sender_account_number: 'text',
  sender_bank_code: 'text',
  received_at: 'timestamptz',
} as const

export type CountedRow = Pick<
  Rows['inbound_credits'],
  'bank_reference' | 'kobo' | 'sender_name' | 'sender_account_number' | 'sender_bank_code'
> & {
  transaction_id: bigint
}

const COUNTED: Statement = {
  name: 'credits_counted',
  text: `
-- all merchants: of transactions that take another transfer just now
select transaction_id, bank_reference, kobo, sender_name, sender_account_number, sender_bank_code from inbound_credits
where transaction_id = any($1::bigint[]) and outcome = 'COUNTED' order by received_at`,
}

/** The transfers that transactions have taken so far, in their order. */
export const listCounted = (read: Read, transactionIds: readonly bigint[]): Promise<CountedRow[]> =>
  read.query(COUNTED, [transactionIds])

const KNOWN: Statement = {
  name: 'credits_known',
  text: `
-- all merchants: a session of the bank, of whoever's money
select 1 from bank_sessions where bank_reference = $1`,
}
/** Whether a session was taken already. */
export const isKnown = async (read: Read, sessionId: string): Promise<boolean> =>
  (await read.query(KNOWN, [sessionId])).length > 0

const TAKEN: Statement = {
  name: 'credits_taken',
  text: `
-- all merchants: a session of the bank, of whoever's money
select c.merchant_id, c.kobo from bank_sessions s join inbound_credits c on c.transfer_id = s.transfer_id where s.bank_reference = $1`,
}
/** The money that was taken under a session. */
export const findTaken = async (read: Read, sessionId: string): Promise<{ merchant_id: bigint; kobo: bigint } | null> =>
  (await read.query<Pick<Rows['inbound_credits'], 'merchant_id' | 'kobo'>>(TAKEN, [sessionId]))[0] ?? null
