// The statements of account numbers that banks issue.
import type { Rows } from '#core/rows.ts'
import { texts } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'
import { KEPT, neverPaid, paidLate } from '../cells/numbers.ts'

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
  where n.connector = $1::smallint and n.withdrawn_at is null and (n.taken_at is null or n.taken_at < $4::timestamptz)
    and (n.valid_until is null or n.valid_until > $3::timestamptz)
    and not exists (select from virtual_accounts v where v.account_number = n.account_number and v.bank_code = n.bank_code and v.expires_at >= $4::timestamptz)
    -- put back because nobody had paid to it, and somebody has since
    and (n.taken_at is distinct from '-infinity' or not exists (
      select from former_holders f where f.account_number = n.account_number and f.bank_code = n.bank_code and ${paidLate('f', '$4')}))
  order by n.taken_at nulls first limit $5 for update of n skip locked
), moved as (
  update bank_numbers n set taken_at = $2::timestamptz from c where n.account_number = c.account_number and n.bank_code = c.bank_code
), released as (
  delete from virtual_accounts v using c where v.account_number = c.account_number and v.bank_code = c.bank_code
  returning v.account_number, v.bank_code, v.merchant_id, v.transaction_id, v.opened_at, v.expires_at
), kept as (${KEPT}
)
select account_number, bank_code from c`,
}
export const take = (
  t: Tx,
  connector: number,
  { count, validUntil, closedBefore }: { count: number; validUntil: Date; closedBefore: Date },
): Promise<BankNumber[]> => t.query(TAKE, [connector, t.now, validUntil, closedBefore, count])

/** `-infinity`: after those that were never taken, and before all others. */
const PUT_BACK: Statement = {
  name: 'bank_numbers_put_back',
  text: `
-- all merchants: whoever had these numbers last
with c as materialized (
  select n.account_number, n.bank_code from bank_numbers n
  join virtual_accounts v on v.account_number = n.account_number and v.bank_code = n.bank_code
  where n.connector = $1::smallint and n.withdrawn_at is null and n.taken_at >= $2::timestamptz and n.taken_at < $3::timestamptz
    and v.expires_at < $3::timestamptz and ${neverPaid('v')}
  order by n.taken_at limit $4 for update of n skip locked
), released as (
  delete from virtual_accounts v using c where v.account_number = c.account_number and v.bank_code = c.bank_code
  returning v.account_number, v.bank_code, v.merchant_id, v.transaction_id, v.opened_at, v.expires_at
), kept as (${KEPT}
), put as (
  update bank_numbers n set taken_at = '-infinity' from c where n.account_number = c.account_number and n.bank_code = c.bank_code
  returning 1
)
select count(*)::int as put from put`,
}
/** Back into stock with those that were taken since `closedBefore`, that nobody ever paid to, and whose
 *  payment closed before `unpaidBefore`; answers how many they were. */
export const putBack = async (
  t: Tx,
  connector: number,
  { closedBefore, unpaidBefore }: { closedBefore: Date; unpaidBefore: Date },
  limit: number,
): Promise<number> =>
  (await t.query<{ put: number }>(PUT_BACK, [connector, closedBefore, unpaidBefore, limit]))[0]?.put ?? 0

const HERE: Statement = {
  name: 'bank_numbers_here',
  text: `select x.account_number, x.bank_code from unnest($1::text[], $2::text[]) as x(account_number, bank_code)
join bank_numbers n on n.account_number = x.account_number and n.bank_code = x.bank_code`,
}
/** Those of them that this cell was given. */
export const here = (read: Read, numbers: readonly BankNumber[]): Promise<BankNumber[]> =>
  read.query(HERE, [texts(numbers.map((one) => one.account_number)), texts(numbers.map((one) => one.bank_code))])

const WITHDRAWN: Statement = {
  name: 'bank_numbers_withdrawn',
  text: `select n.account_number, n.bank_code from unnest($1::text[], $2::text[]) as x(account_number, bank_code)
join bank_numbers n on n.account_number = x.account_number and n.bank_code = x.bank_code and n.withdrawn_at is not null`,
}
/** Those of them that their bank has withdrawn. */
export const withdrawn = (read: Read, numbers: readonly BankNumber[]): Promise<BankNumber[]> =>
  read.query(WITHDRAWN, [texts(numbers.map((one) => one.account_number)), texts(numbers.map((one) => one.bank_code))])
