// The statements of account numbers that banks issue.
import type { Rows } from '#core/rows.ts'
import { texts } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type BankNumber = Readonly<Pick<Rows['bank_numbers'], 'account_number' | 'bank_code'>>

/** Those that were taken longest ago come first. Like numbers of ranges (core/cells/numbers.ts): one that
 *  closed less than the quarantine ago is passed over, and who had it last is kept, because somebody may pay
 *  them late. */
const TAKE: Statement = {
  name: 'bank_numbers_take',
  text: `
-- all merchants: whoever had these numbers last
with c as materialized (
  select n.account_number, n.bank_code from bank_numbers n
  where n.connector = $1::smallint and (n.taken_at is null or n.taken_at < $4::timestamptz)
    and (n.valid_until is null or n.valid_until > $3::timestamptz)
    and not exists (select from virtual_accounts v where v.account_number = n.account_number and v.bank_code = n.bank_code and v.expires_at >= $4::timestamptz)
  order by n.taken_at nulls first limit $5 for update of n skip locked
), moved as (
  update bank_numbers n set taken_at = $2::timestamptz from c where n.account_number = c.account_number and n.bank_code = c.bank_code
), released as (
  delete from virtual_accounts v using c where v.account_number = c.account_number and v.bank_code = c.bank_code
  returning v.account_number, v.bank_code, v.merchant_id, v.transaction_id, v.opened_at, v.expires_at
), kept as (
  insert into former_holders as f (account_number, bank_code, merchant_id, transaction_id, opened_at, expires_at)
  select account_number, bank_code, merchant_id, transaction_id, opened_at, expires_at from released where transaction_id is not null
  on conflict (account_number, bank_code) do update set merchant_id = excluded.merchant_id, transaction_id = excluded.transaction_id,
    opened_at = excluded.opened_at, expires_at = excluded.expires_at
)
select account_number, bank_code from c`,
}
export const take = (
  t: Tx,
  connector: number,
  { count, validUntil, closedBefore }: { count: number; validUntil: Date; closedBefore: Date },
): Promise<BankNumber[]> => t.query(TAKE, [connector, t.now, validUntil, closedBefore, count])

const HERE: Statement = {
  name: 'bank_numbers_here',
  text: `select x.account_number, x.bank_code from unnest($1::text[], $2::text[]) as x(account_number, bank_code)
join bank_numbers n on n.account_number = x.account_number and n.bank_code = x.bank_code`,
}
/** Those of them that this cell was given. */
export const here = (read: Read, numbers: readonly BankNumber[]): Promise<BankNumber[]> =>
  read.query(HERE, [texts(numbers.map((one) => one.account_number)), texts(numbers.map((one) => one.bank_code))])
