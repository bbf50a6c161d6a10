// The statements that read lines of wallets. A line has a number; a page is a range of them, and so is a
// time.

import { referenceOfMoneyIn } from '#core/routing/names.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement } from '#kit/ctx.ts'

const RANGE: Statement = {
  name: 'wallet_statement_range',
  text: `select (
    select m.number from wallet_movements m where m.merchant_id = $1 and m.account_id = $2 and m.at >= coalesce($3::timestamptz, '-infinity')
    order by m.at, m.number limit 1) as first,
  (
    select m.number from wallet_movements m where m.merchant_id = $1 and m.account_id = $2 and m.at <= coalesce($4::timestamptz, 'infinity')
    order by m.at desc, m.number desc limit 1) as last`,
}
export type Range = { readonly first: bigint; readonly last: bigint }
/** The numbers of the lines of a time, both ends with it; the last is before the first where there are
 *  none. */
export async function findRange(
  read: Read,
  merchantId: bigint,
  account: bigint,
  { from, to }: { readonly from: Date | null; readonly to: Date | null },
): Promise<Range> {
  const [row] = await read.query<{ first: bigint | null; last: bigint | null }>(RANGE, [merchantId, account, from, to])
  return row?.first && row.last ? { first: row.first, last: row.last } : { first: 1n, last: 0n }
}

export type Line = Pick<Rows['wallet_movements'], 'transfer_id' | 'kobo' | 'balance_kobo' | 'at'> & {
  /** Null when its posting has left with an earlier month. */
  kind: string | null
  reference: string | null
  narration: string | null
}

// Each by its own key and one after the other, whatever a plan believes of the tables; `+ 0` and `any` as in
// core/ledger/move.ts.
const LINES: Statement = {
  name: 'wallet_statement_lines',
  text: `
select m.transfer_id, m.kobo, m.balance_kobo, m.at, f.kind, o.reference, o.narration
from wallet_movements m
left join lateral (
  select f.kind, f.object, f.object_id from transfers f where f.id = any (array[m.transfer_id]) and f.merchant_id + 0 = $1 limit 1
) f on true
left join lateral (
  select d.transaction_reference as reference, d.narration from disbursements d
    where f.object = 'disbursement' and d.id = any (array[f.object_id]) and d.merchant_id + 0 = $1
  union all
  select b.transaction_reference, b.narration from batches b where f.object = 'batch' and b.id = f.object_id and b.merchant_id + 0 = $1
  union all
  select r.reference, r.reason from refunds r where f.object = 'refund' and r.id = f.object_id and r.merchant_id + 0 = $1
  union all
  select s.reference, null from settlements s where f.object = 'settlement' and s.id = f.object_id and s.merchant_id + 0 = $1
  union all
  select ${referenceOfMoneyIn('c.bank_reference')}, null from inbound_credits c
    where f.object = 'wallet_credit' and c.transfer_id = any (array[f.object_id]) and c.merchant_id + 0 = $1
  limit 1
) o on true
where m.merchant_id = $1 and m.account_id = $2 and m.number between $3 and $4 order by m.number desc`,
}
export const listLines = (read: Read, merchantId: bigint, account: bigint, { first, last }: Range): Promise<Line[]> =>
  read.query<Line>(LINES, [merchantId, account, first, last])
