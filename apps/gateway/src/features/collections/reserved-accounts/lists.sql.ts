// What an account has taken: counted and read in the index of its transactions, or by the invoices that it
// was attached to.

import type { listView } from '#features/collections/transactions/search.ts'
import type { Read, Statement } from '#kit/ctx.ts'
import { ACCOUNT, type Row } from './reserved-accounts.sql.ts'

/** A general account makes a transaction of each credit. One of INVOICE type takes the payments of its
 *  invoices. */
type OfType = { readonly name: string; readonly text: string }
const GENERAL: OfType = { name: '', text: `t.product_type = 'RESERVED_ACCOUNT' and t.product_reference = $2` }
const INVOICE: OfType = {
  name: '_of_invoices',
  text: `t.paid_kobo > 0 and t.id in (
    select i.id from invoices i where i.merchant_id = $1
      and i.reserved_id = (select r.id from reserved_accounts r where r.merchant_id = $1 and r.reference = $2)
  )`,
}

export type Account = { readonly type: 'GENERAL' | 'INVOICE'; readonly reference: string }
const ofType = (statement: (of: OfType) => Statement): ((account: Account) => Statement) => {
  const statements = { GENERAL: statement(GENERAL), INVOICE: statement(INVOICE) }
  return ({ type }) => statements[type]
}

const sumOf = ofType(({ name, text }) => ({
  name: `reserved_accounts_sum${name}`,
  text: `
select count(*)::int as transactions, coalesce(sum(t.paid_kobo), 0)::bigint as kobo from transactions t
where t.merchant_id = $1 and ${text} and t.paid_kobo > 0`,
}))
/** What was credited. */
export const sum = async (
  read: Read,
  merchantId: bigint,
  account: Account,
): Promise<{ transactions: number; kobo: bigint }> =>
  (await read.query<{ transactions: number; kobo: bigint }>(sumOf(account), [merchantId, account.reference]))[0] ?? {
    transactions: 0,
    kobo: 0n,
  }

const countOf = ofType(({ name, text }) => ({
  name: `reserved_accounts_count${name}`,
  text: `select count(*)::int as transactions from transactions t where t.merchant_id = $1 and ${text}`,
}))
export const count = async (read: Read, merchantId: bigint, account: Account): Promise<number> =>
  (await read.query<{ transactions: number }>(countOf(account), [merchantId, account.reference]))[0]?.transactions ?? 0

export type ListedRow = Parameters<typeof listView>[1] & { readonly provider_code: string | null }

const listOf = ofType(({ name, text }) => ({
  name: `reserved_accounts_list${name}`,
  text: `
with page as materialized (
  select t.id from transactions t where t.merchant_id = $1 and ${text} order by t.created_at desc, t.id desc offset $3 limit $4
)
select t.*, (
  select c.bank_code from inbound_credits c where c.transaction_id = t.id and c.merchant_id = $1 order by c.received_at limit 1
) as provider_code
from page p cross join lateral (
  select 0 as number, t.id, t.reference, t.payment_reference, t.contract_code, t.status, t.kobo, t.paid_kobo, t.fee_kobo, t.quoted_fee_kobo, t.customer_name,
    t.customer_email, t.description, t.methods, t.meta_data, t.payment_method, t.product_type, t.on_page, t.flagged, t.created_at, t.closed_at, false as has_account
  from transactions t where t.id = p.id and t.merchant_id = $1 offset 0
) t
order by t.created_at desc, t.id desc`,
}))
export const list = (
  read: Read,
  merchantId: bigint,
  account: Account,
  page: { readonly offset: number; readonly size: number },
): Promise<ListedRow[]> =>
  read.query<ListedRow>(listOf(account), [merchantId, account.reference, page.offset, page.size])

const ACCOUNTS: Statement = {
  name: 'reserved_accounts_newest',
  text: `${ACCOUNT('$4')}
where r.merchant_id = $1 and r.status = 'RESERVED' and r.id < $2 order by r.id desc limit $3`,
}
/** The newest that are older than one. */
export const accounts = (
  read: Read,
  merchantId: bigint,
  before: string,
  limit: number,
  banks: readonly string[],
): Promise<Row[]> => read.query<Row>(ACCOUNTS, [merchantId, before, limit, banks])
