// The statements of a merchant's limits.

import type { LimitKind } from '@cowrie/contract/access/limits'
import { insertInto } from '#core/insert-into.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type LimitRow = {
  kind: LimitKind
  per_payment_kobo: bigint | null
  per_day_kobo: bigint | null
  valid_from: Date | null
}

const LIST: Statement = {
  name: 'limits_list',
  text: `select kind, per_payment_kobo, per_day_kobo, valid_from from merchant_limits where merchant_id = $1
order by valid_from desc, id desc`,
}
/** All that were set, the newest first. */
export const list = (read: Read, merchantId: bigint): Promise<LimitRow[]> => read.query(LIST, [merchantId])

const PAYOUTS: Statement = {
  name: 'limits_payouts',
  text: `select 'PAYOUTS' as kind, per_transfer_kobo as per_payment_kobo, per_day_kobo, null::timestamptz as valid_from
from disbursement_settings where merchant_id = $1`,
}
/** Those of payouts as they are in force. */
export const payouts = async (read: Read, merchantId: bigint): Promise<LimitRow | null> =>
  (await read.query<LimitRow>(PAYOUTS, [merchantId]))[0] ?? null

export type OverviewRow = LimitRow & { merchant_name: string; api_key: Rows['merchants']['api_key'] }
const OVERVIEW: Statement = {
  name: 'limits_overview',
  text: `
-- all merchants: the operator compares what they may move
select l.kind, l.per_payment_kobo, l.per_day_kobo, l.valid_from, m.api_key, m.name as merchant_name
from merchants m cross join lateral (
  select 'COLLECTIONS' as kind, c.per_payment_kobo, c.per_day_kobo, c.valid_from from (
    select per_payment_kobo, per_day_kobo, valid_from from merchant_limits
    where merchant_id = m.id and kind = 'COLLECTIONS' order by valid_from desc, id desc limit 1
  ) as c
  union all
  select 'PAYOUTS', s.per_transfer_kobo, s.per_day_kobo,
    (select max(valid_from) from merchant_limits where merchant_id = m.id and kind = 'PAYOUTS')
  from disbursement_settings s where s.merchant_id = m.id
) as l
where ($1::text is null or l.kind = $1) and ($2::text is null or m.api_key = $2 or position(lower($2) in lower(m.name)) > 0)
order by lower(m.name), m.api_key, l.kind limit $3`,
}
/** Those in force, of all merchants; one without a limit on what it collects has no row of that kind. */
export const overview = (
  read: Read,
  asked: { readonly kind?: string; readonly search?: string },
  most: number,
): Promise<OverviewRow[]> => read.query(OVERVIEW, [asked.kind ?? null, asked.search ?? null, most])

export const insert = (t: Tx, row: Rows['merchant_limits']): Promise<unknown> => insertInto('merchant_limits', t, row)

const SET_PAYOUTS: Statement = {
  name: 'limits_set_payouts',
  text: 'update disbursement_settings set per_transfer_kobo = $2, per_day_kobo = $3 where merchant_id = $1',
}
export const setPayouts = (t: Tx, merchantId: bigint, { per_payment_kobo, per_day_kobo }: LimitRow): Promise<unknown> =>
  t.query(SET_PAYOUTS, [merchantId, per_payment_kobo, per_day_kobo])
const LOCK: Statement = { name: 'limits_lock', text: 'select id from merchants where id = $1 for update' }
/** One change of a merchant's limits after the other: the newest row is the one in force. */
export const lock = (t: Tx, merchantId: bigint): Promise<unknown> => t.query(LOCK, [merchantId])
