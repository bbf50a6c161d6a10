// The statements of orders of account numbers.
import { insertInto } from '#core/insert-into.ts'
import type { Rows } from '#core/rows.ts'
import { texts } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type OrderRow = Pick<Rows['number_orders'], 'reference' | 'connector' | 'count'>

const OPEN: Statement = {
  name: 'number_orders_open',
  text: 'select reference, connector, count from number_orders where connector = $1::smallint and done_at is null',
}
export const openOrder = async (read: Read, connector: number): Promise<OrderRow | null> =>
  (await read.query<OrderRow>(OPEN, [connector]))[0] ?? null

const FREE: Statement = {
  name: 'bank_numbers_free',
  text: `select count(*)::int as free from (
  select from bank_numbers where connector = $1::smallint and withdrawn_at is null and (taken_at is null or taken_at < $2::timestamptz)
    and (valid_until is null or valid_until > $3::timestamptz) limit $4
) n`,
}
/** How many may be taken, counted no further than `most`. */
export const countFree = async (
  read: Read,
  connector: number,
  closedBefore: Date,
  validUntil: Date,
  most: number,
): Promise<number> =>
  (await read.query<{ free: number }>(FREE, [connector, closedBefore, validUntil, most]))[0]?.free ?? 0

/** Nothing when another worker has ordered meanwhile. */
export const insertOrder = (t: Tx, { reference, connector, count }: OrderRow): Promise<unknown> =>
  insertInto('number_orders', t, { reference, connector, count, ordered_at: t.now }, 'on conflict do nothing')

const KEEP: Statement = {
  name: 'bank_numbers_keep',
  text: `with new as (
  insert into bank_numbers (account_number, bank_code, connector, valid_until)
  select account_number, bank_code, $1::smallint, valid_until from unnest($2::text[], $3::text[], $4::timestamptz[])
    as x(account_number, bank_code, valid_until)
  on conflict do nothing returning account_number
)
select count(*)::int as kept from new`,
}
export type NewNumber = { accountNumber: string; bankCode: string; validUntil: string | null }
/** How many of them are new. */
export const keep = async (t: Tx, connector: number, numbers: readonly NewNumber[]): Promise<number> => {
  const values = [
    connector,
    texts(numbers.map((one) => one.accountNumber)),
    texts(numbers.map((one) => one.bankCode)),
    numbers.map((one) => one.validUntil),
  ]
  return (await t.query<{ kept: number }>(KEEP, values))[0]?.kept ?? 0
}

/** `taken_at` of a number that a customer keeps: it is never in stock. */
const KEEP_FOR_GOOD: Statement = {
  name: 'bank_numbers_keep_for_good',
  text: `with new as (
  insert into bank_numbers (account_number, bank_code, connector, taken_at) values ($1, $2, $3::smallint, 'infinity') on conflict do nothing
)
select coalesce((
  select n.connector = $3::smallint and coalesce(n.taken_at = 'infinity', false) and n.withdrawn_at is null from bank_numbers n where n.account_number = $1 and n.bank_code = $2
), true) as kept`,
}
/** False when it is in stock, another connector's, or was withdrawn: then the bank gave it twice. */
export const keepForGood = async (
  t: Tx,
  connector: number,
  { accountNumber, bankCode }: Pick<NewNumber, 'accountNumber' | 'bankCode'>,
): Promise<boolean> =>
  (await t.query<{ kept: boolean }>(KEEP_FOR_GOOD, [accountNumber, bankCode, connector]))[0]?.kept === true

const DONE: Statement = {
  name: 'number_orders_done',
  text: 'update number_orders set done_at = $2 where reference = $1 and done_at is null',
}
export const endOrder = (t: Tx, reference: string): Promise<unknown> => t.query(DONE, [reference, t.now])

const WITHDRAW: Statement = {
  name: 'bank_numbers_withdraw',
  text: `
-- all merchants: a bank speaks of a number that it issued, whosever it is
with was as materialized (
  select account_number, bank_code, withdrawn_at from bank_numbers
  where account_number = $1 and bank_code = $2 and connector = $3::smallint for update
), now as (
  update bank_numbers n set withdrawn_at = $4::timestamptz from was
  where n.account_number = was.account_number and n.bank_code = was.bank_code and was.withdrawn_at is null
)
select was.withdrawn_at is null as is_new,
  exists (select from virtual_accounts v where v.account_number = was.account_number and v.bank_code = was.bank_code and v.expires_at > $4::timestamptz) as is_held
from was`,
}
/** Null: the connector has issued no such number. */
export async function withdraw(
  t: Tx,
  connector: number,
  { accountNumber, bankCode }: Pick<NewNumber, 'accountNumber' | 'bankCode'>,
): Promise<{ readonly isNew: boolean; readonly isHeld: boolean } | null> {
  const [row] = await t.query<{ is_new: boolean; is_held: boolean }>(WITHDRAW, [
    accountNumber,
    bankCode,
    connector,
    t.now,
  ])
  return row ? { isNew: row.is_new, isHeld: row.is_held } : null
}
