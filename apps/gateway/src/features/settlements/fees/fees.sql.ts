// The statements of fee schedules, and the tariff for all in the words of SQL.

import { VERIFICATION_FEES } from '@cowrie/contract/collections/verification'
import type { FeeRule } from '@cowrie/contract/kit/money'
import { PAYOUT_FEES, payoutFee } from '@cowrie/contract/payouts/disbursements'
import { REFUND_FEE_KOBO } from '@cowrie/contract/payouts/refunds'
import type { Bearer, FeeMethod } from '@cowrie/contract/settlements/fees'
import type { Rows } from '#core/rows.ts'
import { numbers, texts } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

/** What is charged where a merchant has no schedule of its own. */
export const TARIFF = {
  payout: (kobo: string): string =>
    `case ${PAYOUT_FEES.map(({ upToKobo, feeKobo }) => `when ${kobo} <= ${upToKobo} then ${feeKobo}`).join(' ')} else ${payoutFee(10n ** 15n)} end`,
  refund: String(REFUND_FEE_KOBO),
  verification: (product: string): string =>
    `case ${product} ${Object.entries(VERIFICATION_FEES)
      .map(([name, kobo]) => `when '${name}' then ${kobo}`)
      .join(' ')} end`,
}

export type ScheduleRow = Pick<
  Rows['fee_schedules'],
  'id' | 'basis_points' | 'flat_kobo' | 'cap_kobo' | 'valid_from'
> & {
  method: FeeMethod
  bearer: Bearer
}

const LIST: Statement = {
  name: 'fees_list',
  text: `select id, method, basis_points, flat_kobo, cap_kobo, bearer, valid_from from fee_schedules where merchant_id = $1
order by method, valid_from desc`,
}
/** All schedules of a merchant, of each method the newest first. */
export const list = (read: Read, merchantId: bigint): Promise<ScheduleRow[]> => read.query(LIST, [merchantId])

export type OverviewRow = ScheduleRow & {
  state: 'IN_FORCE' | 'COMING' | 'PAST'
  merchant_name: Rows['merchants']['name']
  api_key: Rows['merchants']['api_key']
}
const OVERVIEW: Statement = {
  name: 'fees_overview',
  text: `
-- all merchants: the operator compares what they are charged
select * from (
  select f.id, f.method, f.basis_points, f.flat_kobo, f.cap_kobo, f.bearer, f.valid_from, m.api_key, m.name as merchant_name,
    case when f.valid_from > $1 then 'COMING'
      when f.valid_from = max(f.valid_from) filter (where f.valid_from <= $1) over (partition by f.merchant_id, f.method) then 'IN_FORCE'
      else 'PAST' end as state
  from fee_schedules f join merchants m on m.id = f.merchant_id
  where ($3::text is null or f.method = $3) and ($4::text is null or m.api_key = $4 or position(lower($4) in lower(m.name)) > 0)
) as f where $2::text is null or f.state = $2
order by lower(merchant_name), api_key, method, valid_from desc limit $5`,
}
/** Of all merchants. A schedule is a row for each change that two people made: there are few. */
export const overview = (
  read: Read,
  asked: { readonly state?: string; readonly method?: string; readonly search?: string },
  most: number,
): Promise<OverviewRow[]> =>
  read.query(OVERVIEW, [read.now, asked.state ?? null, asked.method ?? null, asked.search ?? null, most])

const INSERT: Statement = {
  name: 'fees_insert',
  text: `insert into fee_schedules (id, merchant_id, method, basis_points, flat_kobo, cap_kobo, bearer, valid_from, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict on constraint fee_schedules_one_per_instant do nothing returning id`,
}
/** False when the method has a schedule from that instant on already. */
export const insert = async (t: Tx, merchantId: bigint, row: ScheduleRow): Promise<boolean> => {
  const { id, method, basis_points, flat_kobo, cap_kobo, bearer, valid_from } = row
  const values = [id, merchantId, method, basis_points, flat_kobo, cap_kobo, bearer, valid_from, t.now]
  return (await t.query(INSERT, values)).length > 0
}

const charge = (when: 'now' | 'proposed'): string => `sum(case
    when r.cap_${when} is null then coalesce(p.tariff, 0)
    when p.collected then least(p.kobo, r.cap_${when}, r.flat_${when} + (p.kobo * r.points_${when} + 5000) / 10000)
    else least(r.cap_${when}, r.flat_${when} + (p.kobo * r.points_${when} + 5000) / 10000) end)::bigint as fee_${when}`

const TRAFFIC: Statement = {
  name: 'fees_traffic',
  text: `
with p as (
  select t.payment_method as method, true as collected, t.paid_kobo - case when t.quoted_fee_kobo is null then 0 else t.fee_kobo end as kobo,
    null::bigint as tariff
  from transactions t
  where t.merchant_id = $1 and t.created_at >= $2 and t.created_at < $3 and t.paid_kobo > 0
  union all
  select 'PAYOUT', false, d.kobo, ${TARIFF.payout('d.kobo')} from disbursements d
  where d.merchant_id = $1 and d.created_at >= $2 and d.created_at < $3 and d.status = 'SUCCESS'
  union all
  select 'PAYOUT', false, c.kobo, ${TARIFF.payout('c.kobo')} from paycodes c
  where c.merchant_id = $1 and c.created_at >= $2 and c.created_at < $3 and c.status = 'COMPLETED'
  union all
  select 'REFUND', false, f.kobo, ${TARIFF.refund} from refunds f
  where f.merchant_id = $1 and f.created_at >= $2 and f.created_at < $3 and f.status = 'COMPLETED'
  union all
  select 'VERIFICATION', false, 0, ${TARIFF.verification('v.product')} from verifications v
  where v.merchant_id = $1 and v.created_at >= $2 and v.created_at < $3 and v.outcome = 'ANSWERED'
)
select r.method, count(*)::int as count, sum(p.kobo)::bigint as volume, ${charge('now')}, ${charge('proposed')}
from p join unnest($4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[])
  as r(method, points_now, flat_now, cap_now, points_proposed, flat_proposed, cap_proposed) on r.method = p.method
group by r.method order by r.method`,
}
export type Priced = { readonly method: FeeMethod; readonly now: FeeRule | null; readonly proposed: FeeRule | null }
export type TrafficRow = { method: FeeMethod; count: number; volume: bigint; fee_now: bigint; fee_proposed: bigint }
/** What a merchant's traffic of a time costs by one set of rules and by another; without a rule, by the
 *  tariff for all. */
export const traffic = (
  read: Read,
  merchantId: bigint,
  from: Date,
  to: Date,
  rules: readonly Priced[],
): Promise<TrafficRow[]> => {
  const of = (when: 'now' | 'proposed') => [
    numbers(rules.map((rule) => rule[when]?.basisPoints ?? null)),
    numbers(rules.map((rule) => rule[when]?.flatKobo ?? null)),
    numbers(rules.map((rule) => rule[when]?.capKobo ?? null)),
  ]
  return read.query(TRAFFIC, [
    ...[merchantId, from, to, texts(rules.map(({ method }) => method))],
    ...of('now'),
    ...of('proposed'),
  ])
}
