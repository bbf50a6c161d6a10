// The statements of deliveries.
import type { Read, Statement, Tx } from '../../kit/ctx.ts'

export type ClaimedDelivery = {
  id: bigint
  merchant_id: bigint
  event_id: bigint
  url: string
  endpoint: bigint
  attempts: number
  body: string
}

// One claim looks at every endpoint that has something due (a loose scan over the index: it costs per endpoint, not per
// delivery) and takes from each only what its in-flight limit leaves, so a dead endpoint never holds up another. A
// delivery waits while an earlier one of the same object to the same endpoint is not through: order per object.
const CLAIM: Statement = {
  name: 'deliveries_claim',
  text: `
-- all merchants: deliveries of every merchant are made by the same workers, fairly
with recursive endpoints as (
  (select endpoint from deliveries where state = 'PENDING' order by endpoint limit 1)
  union all
  select (select d.endpoint from deliveries d where d.state = 'PENDING' and d.endpoint > e.endpoint order by d.endpoint limit 1)
  from endpoints e where e.endpoint is not null
), free as (
  select e.endpoint, $3::int - coalesce(b.busy, 0) as places
  from endpoints e left join unnest($4::bigint[], $5::int[]) as b(endpoint, busy) on b.endpoint = e.endpoint
  where e.endpoint is not null
), due as (
  select d.id from free f cross join lateral (
    select d.id from deliveries d
    where d.endpoint = f.endpoint and d.state = 'PENDING' and d.due_at <= $1 and (d.lease_until is null or d.lease_until <= $1)
      and not exists (
        select from deliveries p where p.merchant_id = d.merchant_id and p.object_id = d.object_id and p.state = 'PENDING'
          and p.endpoint = d.endpoint and p.number < d.number)
    order by d.due_at, d.number limit greatest(f.places, 0) for update skip locked
  ) d limit $6
)
update deliveries d set lease_until = $2 from due, events e
where d.id = due.id and e.id = d.event_id
returning d.id, d.merchant_id, d.event_id, d.url, d.endpoint, d.attempts, e.body`,
}

export const claim = (
  t: Tx,
  options: { leaseUntil: Date; perEndpoint: number; busy: ReadonlyMap<bigint, number>; limit: number },
): Promise<ClaimedDelivery[]> =>
  t.query<ClaimedDelivery>(CLAIM, [
    t.now,
    options.leaseUntil,
    options.perEndpoint,
    [...options.busy.keys()],
    [...options.busy.values()],
    options.limit,
  ])

export type AttemptRow = {
  readonly deliveryId: bigint
  readonly merchantId: bigint
  readonly attempt: number
  readonly at: Date
  readonly url: string
  readonly status: number | null
  readonly durationMs: number
  readonly error: string | null
  readonly answer: string | null
  readonly state: 'PENDING' | 'DELIVERED' | 'GIVEN_UP'
  readonly dueAt: Date
}

const RECORD: Statement = {
  name: 'deliveries_record',
  text: `
-- all merchants: results of deliveries this worker holds the lease of
with x as materialized (
  select * from unnest($1::bigint[], $2::bigint[], $3::int[], $4::timestamptz[], $5::text[], $6::int[], $7::int[], $8::text[], $9::text[],
    $10::text[], $11::timestamptz[]) as x(delivery_id, merchant_id, attempt, at, url, status, duration_ms, error, answer, state, due_at)
), kept as (
  insert into delivery_attempts (delivery_id, attempt, merchant_id, at, url, status, duration_ms, error, answer)
  select delivery_id, attempt, merchant_id, at, url, status, duration_ms, error, answer from x
  on conflict do nothing
)
update deliveries d set state = x.state, attempts = x.attempt, due_at = x.due_at, lease_until = null
from x where d.id = x.delivery_id and d.state = 'PENDING'`,
}

export const record = (t: Tx, rows: readonly AttemptRow[]): Promise<unknown[]> =>
  t.query(RECORD, [
    rows.map((row) => row.deliveryId),
    rows.map((row) => row.merchantId),
    rows.map((row) => row.attempt),
    rows.map((row) => row.at),
    rows.map((row) => row.url),
    rows.map((row) => row.status),
    rows.map((row) => row.durationMs),
    rows.map((row) => row.error),
    rows.map((row) => row.answer),
    rows.map((row) => row.state),
    rows.map((row) => row.dueAt),
  ])

const NEXT: Statement = {
  name: 'deliveries_next',
  text: `
-- all merchants: the earliest delivery of the cell that nothing holds up (see the claim), and how many are in hand
select min(d.due_at) filter (where (d.lease_until is null or d.lease_until <= $1) and not exists (
    select from deliveries p where p.merchant_id = d.merchant_id and p.object_id = d.object_id and p.state = 'PENDING'
      and p.endpoint = d.endpoint and p.number < d.number)) as due_at,
  count(*) filter (where d.lease_until > $1) as in_hand
from deliveries d where d.state = 'PENDING'`,
}

export async function outstanding(read: Read): Promise<{ dueAt: Date | null; inHand: number }> {
  const [row] = await read.query<{ due_at: Date | null; in_hand: bigint }>(NEXT, [read.now])
  return { dueAt: row?.due_at ?? null, inHand: Number(row?.in_hand ?? 0n) }
}
