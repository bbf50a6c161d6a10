// What an account has taken: counted and read in the index of its transactions.
import type { Read, Statement } from '../../kit/ctx.ts'
import type { listView } from '../transactions/search.ts'

const OF_ACCOUNT = `t.product_type = 'RESERVED_ACCOUNT' and t.product_reference = $2`

const SUM: Statement = {
  name: 'reserved_accounts_sum',
  text: `
select count(*)::int as transactions, coalesce(sum(t.paid_kobo), 0)::bigint as kobo from transactions t
where t.merchant_id = $1 and ${OF_ACCOUNT} and t.paid_kobo > 0`,
}
/** What was credited. */
export const sum = async (
  read: Read,
  merchantId: bigint,
  reference: string,
): Promise<{ transactions: number; kobo: bigint }> =>
  (await read.query<{ transactions: number; kobo: bigint }>(SUM, [merchantId, reference]))[0] ?? {
    transactions: 0,
    kobo: 0n,
  }

const COUNT: Statement = {
  name: 'reserved_accounts_count',
  text: `select count(*)::int as transactions from transactions t where t.merchant_id = $1 and ${OF_ACCOUNT}`,
}
export const count = async (read: Read, merchantId: bigint, reference: string): Promise<number> =>
  (await read.query<{ transactions: number }>(COUNT, [merchantId, reference]))[0]?.transactions ?? 0

export type ListedRow = Parameters<typeof listView>[1] & { readonly provider_code: string | null }

const LIST: Statement = {
  name: 'reserved_accounts_list',
  text: `
with page as materialized (
  select t.id from transactions t where t.merchant_id = $1 and ${OF_ACCOUNT} order by t.created_at desc, t.id desc offset $3 limit $4
)
select t.*, (
  select c.bank_code from inbound_credits c where c.transaction_id = t.id and c.merchant_id = $1 order by c.received_at limit 1
) as provider_code
from page p cross join lateral (
  select 0 as number, t.id, t.reference, t.payment_reference, t.contract_code, t.status, t.kobo, t.paid_kobo, t.fee_kobo, t.customer_name,
    t.customer_email, t.description, t.methods, t.meta_data, t.payment_method, t.product_type, t.flagged, t.created_at, t.closed_at, false as drawn
  from transactions t where t.id = p.id and t.merchant_id = $1 offset 0
) t
order by t.created_at desc, t.id desc`,
}
export const list = (
  read: Read,
  merchantId: bigint,
  reference: string,
  page: { readonly offset: number; readonly size: number },
): Promise<ListedRow[]> => read.query<ListedRow>(LIST, [merchantId, reference, page.offset, page.size])
