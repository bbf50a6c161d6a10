// The statements of what leaves without a second person.
import type { Rows } from '#core/rows.ts'
import { numbers, texts } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

const DAYS: Statement = {
  name: 'alone_days',
  text: `
-- all merchants: what each sent so today; a day has one row
select merchant_id, alone_kobo from disbursement_days where merchant_id = any($1::bigint[]) and day = $2`,
}
export async function readDays(
  read: Read,
  merchantIds: readonly bigint[],
  day: string,
): Promise<ReadonlyMap<bigint, bigint>> {
  const rows = await read.query<Pick<Rows['disbursement_days'], 'merchant_id' | 'alone_kobo'>>(DAYS, [
    numbers(merchantIds),
    day,
  ])
  return new Map(rows.map((row) => [row.merchant_id, row.alone_kobo]))
}

const ADD_DAYS: Statement = {
  name: 'alone_add_days',
  text: `
-- all merchants: under the locks of their wallets
insert into disbursement_days as d (merchant_id, day, kobo, alone_kobo) select merchant_id, $3, 0, kobo from unnest($1::bigint[], $2::bigint[]) as x(merchant_id, kobo)
on conflict (merchant_id, day) do update set alone_kobo = d.alone_kobo + excluded.alone_kobo`,
}
export const addDays = (t: Tx, sums: ReadonlyMap<bigint, bigint>, day: string): Promise<unknown> =>
  t.query(ADD_DAYS, [numbers([...sums.keys()]), numbers([...sums.values()]), day])

export type Account = Readonly<Pick<Rows['payees'], 'merchant_id' | 'bank_code' | 'account_number'>>
const accountsIn = (all: readonly Account[]) => [
  numbers(all.map(({ merchant_id }) => merchant_id)),
  texts(all.map(({ bank_code }) => bank_code)),
  texts(all.map(({ account_number }) => account_number)),
]
const KNOWN: Statement = {
  name: 'alone_payees',
  text: `
-- all merchants: each with its own accounts
select merchant_id, bank_code, account_number, first_at, alone_kobo, confirmed_at from payees
join unnest($1::bigint[], $2::text[], $3::text[]) as x(merchant_id, bank_code, account_number) using (merchant_id, bank_code, account_number)`,
}
export type Payee = Account & Readonly<Pick<Rows['payees'], 'first_at' | 'alone_kobo' | 'confirmed_at'>>
export const readPayees = (read: Read, all: readonly Account[]): Promise<Payee[]> =>
  all.length === 0 ? Promise.resolve([]) : read.query<Payee>(KNOWN, accountsIn(all))

const ADD_PAYEES: Statement = {
  name: 'alone_add_payees',
  text: `
-- all merchants: under the locks of their wallets
insert into payees as p (merchant_id, bank_code, account_number, first_at, alone_kobo)
select merchant_id, bank_code, account_number, $5, kobo
from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[]) as x(merchant_id, bank_code, account_number, kobo)
on conflict (merchant_id, bank_code, account_number) do update set alone_kobo = p.alone_kobo + excluded.alone_kobo`,
}
export const addPayees = (t: Tx, all: readonly (Account & { readonly kobo: bigint })[]): Promise<unknown> =>
  t.query(ADD_PAYEES, [...accountsIn(all), numbers(all.map(({ kobo }) => kobo)), t.now])

const CONFIRM: Statement = {
  name: 'alone_confirm_payees',
  text: `
-- all merchants: of one, under the lock of its wallet
insert into payees as p (merchant_id, bank_code, account_number, first_at, alone_kobo, confirmed_at)
select distinct merchant_id, bank_code, account_number, $4::timestamptz, 0, $4::timestamptz
from unnest($1::bigint[], $2::text[], $3::text[]) as x(merchant_id, bank_code, account_number)
on conflict (merchant_id, bank_code, account_number) do update set confirmed_at = coalesce(p.confirmed_at, excluded.confirmed_at)`,
}
export const confirmPayees = (t: Tx, all: readonly Account[]): Promise<unknown> =>
  t.query(CONFIRM, [...accountsIn(all), t.now])
