// Every statement of limit profiles.
import type { Rows } from '#core/rows.ts'
import { numbers, texts } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type Limits = {
  readonly name: string
  readonly singleKobo: bigint
  readonly dayPayments: number
  readonly dayKobo: bigint
}
export type ProfileRow = Pick<
  Rows['limit_profiles'],
  'id' | 'code' | 'name' | 'single_kobo' | 'day_payments' | 'day_kobo' | 'created_at' | 'changed_at'
>
const COLUMNS = 'p.id, p.code, p.name, p.single_kobo, p.day_payments, p.day_kobo, p.created_at, p.changed_at'

const INSERT: Statement = {
  name: 'limit_profiles_insert',
  text: `
insert into limit_profiles as p (id, merchant_id, code, name, single_kobo, day_payments, day_kobo, created_at, changed_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
on conflict on constraint limit_profiles_name_key do nothing returning ${COLUMNS}`,
}
/** Null: the merchant has one of this name. */
export const insert = async (
  t: Tx,
  merchantId: bigint,
  { id, code }: { readonly id: bigint; readonly code: string },
  { name, singleKobo, dayPayments, dayKobo }: Limits,
): Promise<ProfileRow | null> =>
  (await t.query<ProfileRow>(INSERT, [id, merchantId, code, name, singleKobo, dayPayments, dayKobo, t.now]))[0] ?? null

const CHANGE: Statement = {
  name: 'limit_profiles_change',
  text: `
update limit_profiles p set name = $3, single_kobo = $4, day_payments = $5, day_kobo = $6, changed_at = $7
where p.merchant_id = $1 and p.code = $2 returning ${COLUMNS}`,
}
export const change = async (
  t: Tx,
  merchantId: bigint,
  code: string,
  { name, singleKobo, dayPayments, dayKobo }: Limits,
): Promise<ProfileRow | null> =>
  (await t.query<ProfileRow>(CHANGE, [merchantId, code, name, singleKobo, dayPayments, dayKobo, t.now]))[0] ?? null

const COUNT: Statement = {
  name: 'limit_profiles_count',
  text: 'select count(*)::int as profiles from limit_profiles where merchant_id = $1',
}
export const count = async (read: Read, merchantId: bigint): Promise<number> =>
  (await read.query<{ profiles: number }>(COUNT, [merchantId]))[0]?.profiles ?? 0

const LIST: Statement = {
  name: 'limit_profiles_list',
  text: `select ${COLUMNS} from limit_profiles p where p.merchant_id = $1 order by p.created_at desc, p.id desc offset $2 limit $3`,
}
export const list = (
  read: Read,
  merchantId: bigint,
  { offset, size }: { readonly offset: number; readonly size: number },
): Promise<ProfileRow[]> => read.query<ProfileRow>(LIST, [merchantId, offset, size])

const FIND: Statement = {
  name: 'limit_profiles_find',
  text: `select ${COLUMNS} from limit_profiles p where p.merchant_id = $1 and p.code = $2`,
}
export const find = async (read: Read, merchantId: bigint, code: string): Promise<ProfileRow | null> =>
  (await read.query<ProfileRow>(FIND, [merchantId, code]))[0] ?? null

const FIND_BY_ID: Statement = {
  name: 'limit_profiles_find_by_id',
  text: `select ${COLUMNS} from limit_profiles p where p.merchant_id = $1 and p.id = $2`,
}
export const findById = async (read: Read, merchantId: bigint, id: bigint): Promise<ProfileRow | null> =>
  (await read.query<ProfileRow>(FIND_BY_ID, [merchantId, id]))[0] ?? null

// ---- what accounts have taken

const DAY = (at: string) => `(${at}::timestamp at time zone 'Africa/Lagos')`
const START_USE: Statement = {
  name: 'limit_uses_start',
  text: `
insert into limit_uses (reserved_id, merchant_id, day, payments, kobo)
select $1, $2, $4::date, count(*), coalesce(sum(t.paid_kobo), 0) from transactions t
where t.merchant_id = $2 and t.product_type = 'RESERVED_ACCOUNT' and t.product_reference = $3 and t.paid_kobo > 0
  and t.created_at >= ${DAY('$4::date')} and t.created_at < ${DAY('($4::date + 1)')}
on conflict do nothing`,
}
/** Begins to count, with what the account has taken today; one whose use is counted already goes on. */
export const startUse = (
  t: Tx,
  account: { readonly id: bigint; readonly merchantId: bigint; readonly reference: string },
  day: string,
): Promise<unknown> => t.query(START_USE, [account.id, account.merchantId, account.reference, day])

const LOCK_USES: Statement = {
  name: 'limit_uses_lock',
  text: `
-- all merchants: a notice of the bank names an account, not a merchant
select reserved_id from limit_uses where reserved_id = any($1::bigint[]) order by reserved_id for update`,
}
const USES: Statement = {
  name: 'limit_uses_list',
  text: `
-- all merchants: those that were locked
select u.reserved_id, u.day::text as day, u.payments, u.kobo, p.single_kobo, p.day_payments, p.day_kobo
from limit_uses u join reserved_accounts r on r.id = u.reserved_id and r.merchant_id = u.merchant_id
join limit_profiles p on p.id = r.limit_profile_id and p.merchant_id = r.merchant_id
where u.reserved_id = any($1::bigint[])`,
}
export type UseRow = Pick<Rows['limit_uses'], 'reserved_id' | 'payments' | 'kobo'> &
  Pick<Rows['limit_profiles'], 'single_kobo' | 'day_payments' | 'day_kobo'> & {
    day: string
  }
/** Holds what accounts have taken until the transaction ends, always in the same order; then reads it, with
 *  the limits of this moment: what is read together with a lock is as old as the wait for it. */
export async function lockUses(t: Tx, reservedIds: readonly bigint[]): Promise<UseRow[]> {
  await t.query(LOCK_USES, [numbers(reservedIds)])
  return t.query<UseRow>(USES, [numbers(reservedIds)])
}

const SET_USES: Statement = {
  name: 'limit_uses_set',
  text: `
-- all merchants: under the locks of their rows
update limit_uses u set day = x.day::date, payments = x.payments, kobo = x.kobo
from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[]) as x(reserved_id, payments, kobo, day)
where u.reserved_id = x.reserved_id`,
}
export type Use = {
  readonly reservedId: bigint
  readonly day: string
  readonly payments: number
  readonly kobo: bigint
}
export const setUses = (t: Tx, uses: readonly Use[]): Promise<unknown> =>
  t.query(SET_USES, [
    numbers(uses.map((use) => use.reservedId)),
    numbers(uses.map((use) => use.payments)),
    numbers(uses.map((use) => use.kobo)),
    texts(uses.map((use) => use.day)),
  ])
