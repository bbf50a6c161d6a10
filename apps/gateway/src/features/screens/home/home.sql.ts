// The statements of the first screen. Old payments are summed by sealed blocks (transactions/blocks.ts), what
// is younger row by row.
import type { Rows } from '#core/rows.ts'
import type { Read, Statement } from '#kit/ctx.ts'

const WITHIN = `(t.created_at, t.id) > (s.after_at, s.after_id) and (t.created_at, t.id) <= (s.last_at, s.last_id)`
const SEGMENTS = `
  select b.number, b.after_at, b.after_id, b.last_at, b.last_id, b.sealed from search_blocks b where b.merchant_id = $1 and b.last_at >= $2::timestamptz
  union all
  select null, coalesce(b.last_at, '-infinity'), coalesce(b.last_id, 0), 'infinity', 0, false
  from (values (1)) as one left join lateral (
    select last_at, last_id from search_blocks where merchant_id = $1 order by number desc limit 1
  ) b on true`

// A block that lies within a day and knows what was paid is read as it is; of the others, the rows of that
// day.
const DAYS: Statement = {
  name: 'home_days',
  text: `
select d.day, p.status, sum(p.rows)::int as payments, sum(p.paid_kobo)::bigint as kobo
from unnest($3::text[], $4::timestamptz[], $5::timestamptz[]) as d(day, from_at, to_at)
cross join lateral (
  select s.*, s.sealed and s.after_at >= d.from_at and s.last_at < d.to_at
    and not exists (select from search_parts q where q.merchant_id = $1 and q.number = s.number and q.paid_kobo is null) as whole
  from (${SEGMENTS}) s where s.last_at >= d.from_at and s.after_at < d.to_at
) s
cross join lateral (
  select q.status, q.rows::bigint, q.paid_kobo from search_parts q where s.whole and q.merchant_id = $1 and q.number = s.number
  union all
  select t.status, count(*), sum(t.paid_kobo)::bigint from transactions t
  where not s.whole and t.merchant_id = $1 and ${WITHIN} and t.created_at >= d.from_at and t.created_at < d.to_at group by t.status
) p
group by d.day, p.status`,
}
export type Span = { readonly day: string; readonly from: Date; readonly to: Date }
export type DayRow = { day: string; status: string; payments: number; kobo: bigint }
/** Payments that were asked for on each day, by state, and what was paid of them. The first day comes
 *  first. */
export const days = (read: Read, merchantId: bigint, spans: readonly [Span, ...Span[]]): Promise<DayRow[]> =>
  read.query<DayRow>(DAYS, [
    merchantId,
    spans[0].from,
    spans.map(({ day }) => day),
    spans.map(({ from }) => from),
    spans.map(({ to }) => to),
  ])

// What waits is in no sealed block.
const WAITING: Statement = {
  name: 'home_waiting',
  text: `
select coalesce(sum(p.rows), 0)::int as payments, coalesce(sum(p.kobo), 0)::bigint as kobo
from (${SEGMENTS}) s cross join lateral (
  select count(*) as rows, sum(t.kobo) as kobo from transactions t where not s.sealed and t.merchant_id = $1 and ${WITHIN} and t.status = 'PENDING'
) p`,
}
export type SumRow = { payments: number; kobo: bigint }
export const waiting = async (read: Read, merchantId: bigint): Promise<SumRow> =>
  (await read.query<SumRow>(WAITING, [merchantId, '-infinity']))[0] ?? { payments: 0, kobo: 0n }

const HELD: Statement = {
  name: 'home_held',
  text: `select count(*)::int as items, coalesce(sum(kobo), 0)::bigint as kobo, min(decide_by) filter (where status = 'HELD' and owner = 'merchant') as decide_by
    from suspense_items where merchant_id = $1 and closed_at is null`,
}
export type HeldRow = { items: number; kobo: bigint; decide_by: Date | null }
export const held = async (read: Read, merchantId: bigint): Promise<HeldRow> =>
  (await read.query<HeldRow>(HELD, [merchantId]))[0] ?? { items: 0, kobo: 0n, decide_by: null }

const FAILING: Statement = {
  name: 'home_failing',
  text: `select url, status, failing_since from endpoints
    where merchant_id = $1 and (status = 'ENABLED' and failing_since is not null or status = 'DISABLED' and disabled_reason <> 'BY_MERCHANT')
    order by id limit 10`,
}
export type EndpointRow = Pick<Rows['endpoints'], 'url' | 'status' | 'failing_since'>
export const failing = (read: Read, merchantId: bigint): Promise<EndpointRow[]> =>
  read.query<EndpointRow>(FAILING, [merchantId])
