// The statements of deliveries.

import { lockKey } from '#core/cells/holding.ts'
import type { Rows } from '#core/rows.ts'
import { moments, numbers, texts } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'
import type { Health } from './health.ts'

/** A delivery waits while an earlier one of the same object to the same endpoint is not through: order per
 *  object. Asked of each row for itself: written as `not exists` it was planned as one join of everything
 *  that waits with everything that waits, and a scan of 20,000 deliveries took 97 s. */
const IN_TURN = `(select p.number from deliveries p where p.endpoint_id = d.endpoint_id and p.object_id = d.object_id
      and p.state = 'PENDING' and p.number < d.number and p.merchant_id = d.merchant_id limit 1) is null`

/** Every endpoint that has something on its way: a loose scan over the index, which costs per endpoint, not
 *  per delivery. */
const WAITING = `waiting as ( -- all merchants: endpoints of every one of them
  (select endpoint_id from deliveries where state = 'PENDING' order by endpoint_id limit 1)
  union all
  select (select d.endpoint_id from deliveries d where d.state = 'PENDING' and d.endpoint_id > w.endpoint_id order by d.endpoint_id limit 1)
  from waiting w where w.endpoint_id is not null
)`

// One scan looks at every endpoint that has something on its way and holds those that have something due and
// are held by nobody.
export const SCAN: Statement = {
  name: 'deliveries_scan',
  text: `
-- all merchants: deliveries of every merchant are made by the same workers, fairly
with recursive ${WAITING}, due as materialized (
  select e.id, e.merchant_id, e.version, e.url, e.answered, e.failing_since, e.window_from, e.window_tries, e.window_failures,
    e.rest_until, e.rests as rest_count
  from waiting w join endpoints e on e.id = w.endpoint_id
  where e.status = 'ENABLED' and (e.rest_until is null or e.rest_until <= $1) and e.id <> all($2::bigint[])
    and (select true from deliveries d where d.endpoint_id = e.id and d.state = 'PENDING' and d.due_at <= $1 and ${IN_TURN}
      order by d.due_at, d.number limit 1)
  limit $3
)
select * from due where pg_try_advisory_lock(${lockKey('endpoint', 'due.id')})`,
}

export const LET_GO: Statement = {
  name: 'deliveries_let_go',
  text: `select pg_advisory_unlock(${lockKey('endpoint', 'id')}) from unnest($1::bigint[]) as id`,
}

export type HeldRow = Pick<
  Rows['endpoints'],
  | 'id'
  | 'merchant_id'
  | 'version'
  | 'url'
  | 'answered'
  | 'failing_since'
  | 'window_from'
  | 'window_tries'
  | 'window_failures'
  | 'rest_until'
> & {
  rest_count: Rows['endpoints']['rests']
}

export const toHealth = (row: HeldRow): Health => ({
  answered: row.answered,
  failingSince: row.failing_since,
  windowFrom: row.window_from,
  windowTries: row.window_tries,
  windowFailures: row.window_failures,
  restUntil: row.rest_until,
  restCount: row.rest_count,
})

export type DueDelivery = Pick<Rows['events'], 'object_version' | 'shape'> & {
  event_id: bigint
  endpoint_id: bigint
  merchant_id: bigint
  number: bigint
  due_at: Date
  attempts: number
  tries: number
  round: number
  /** What is stored of it. */
  body: Rows['events']['body']
  /** Of the request that caused it, where that named a trace. */
  traceparent: string | null
  url: Rows['endpoints']['url']
}

// A look takes one row, from the first half that has any; every other read has its rows from the second half
// alone. So no row can come from both.
const FETCH: Statement = {
  name: 'deliveries_fetch',
  text: `
-- all merchants: what is due at the endpoints this worker holds
select d.event_id, d.endpoint_id, d.merchant_id, d.number, d.due_at, d.attempts, d.tries, d.round, p.url, e.object_version, e.shape, e.body,
  (select t.traceparent from event_traces t where t.event_id = d.event_id and t.merchant_id = d.merchant_id) as traceparent
from unnest($2::bigint[], $3::int[], $4::timestamptz[], $5::bigint[], $6::boolean[]) as f(endpoint_id, most, after_at, after_number, look)
join endpoints p on p.id = f.endpoint_id and p.status = 'ENABLED'
cross join lateral (
  select * from (
    (select * from deliveries d where f.look and d.endpoint_id = f.endpoint_id and d.state = 'PENDING' and d.tries > 0 and d.due_at <= $1 and ${IN_TURN}
     order by d.due_at limit 1)
    union all
    (select * from deliveries d where d.endpoint_id = f.endpoint_id and d.state = 'PENDING' and d.due_at <= $1
      and (d.due_at, d.number) > (f.after_at, f.after_number) and ${IN_TURN}
     order by d.due_at, d.number limit f.most)
  ) d limit case when f.look then 1 else f.most end
) d
join events e on e.id = d.event_id
order by d.due_at, d.number`,
}

/** So many of an endpoint, after a place in the order of what is due; or a single one to look with. */
export type Want = {
  readonly id: bigint
  readonly most: number
  readonly after: Place | null
  /** One, to see whether anybody is there: rather one that was tried before, because some take nothing at the
   *  first try. */
  readonly look: boolean
}
export type Place = { readonly due_at: Date; readonly number: bigint }
const FIRST: Place = { due_at: new Date(0), number: 0n }

/** What is due, in order. */
export const fetch = (read: Read, wants: readonly Want[]): Promise<DueDelivery[]> =>
  read.query<DueDelivery>(FETCH, [
    read.now,
    numbers(wants.map(({ id }) => id)),
    numbers(wants.map(({ most }) => most)),
    moments(wants.map(({ after }) => (after ?? FIRST).due_at)),
    numbers(wants.map(({ after }) => (after ?? FIRST).number)),
    `{${wants.map(({ look }) => look).join(',')}}`,
  ])

export type AttemptRow = {
  readonly eventId: bigint
  readonly endpointId: bigint
  readonly merchantId: bigint
  readonly attempt: number
  readonly at: Date
  readonly url: string
  readonly status: number | null
  readonly durationMs: number
  readonly error: string | null
  readonly answer: string | null
  readonly state: 'PENDING' | 'DELIVERED' | 'GIVEN_UP'
  readonly tries: number
  readonly round: number
  readonly dueAt: Date
}

export type HealthRow = Health & { readonly endpointId: bigint; readonly version: number }

// An endpoint that was enabled, disabled or removed meanwhile has another version, and its health is its own
// again.
const RECORD: Statement = {
  name: 'deliveries_record',
  text: `
-- all merchants: what became of the attempts of this worker
with x as materialized (
  select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::int[], $5::timestamptz[], $6::text[], $7::int[], $8::int[], $9::text[],
    $10::text[], $11::text[], $12::int[], $13::timestamptz[], $23::int[])
    as x(event_id, endpoint_id, merchant_id, attempt, at, url, status, duration_ms, error, answer, state, tries, due_at, round)
), kept as (
  insert into delivery_attempts (event_id, endpoint_id, attempt, merchant_id, at, url, status, duration_ms, error, answer)
  select event_id, endpoint_id, attempt, merchant_id, at, url, status, duration_ms, error, answer from x
  on conflict do nothing
), judged as (
  update endpoints e set answered = h.answered, failing_since = h.failing_since, window_from = h.window_from, window_tries = h.window_tries,
    window_failures = h.window_failures, rest_until = h.rest_until, rests = h.rest_count
  from unnest($14::bigint[], $15::int[], $16::boolean[], $17::timestamptz[], $18::timestamptz[], $19::int[], $20::int[], $21::timestamptz[], $22::int[])
    as h(id, version, answered, failing_since, window_from, window_tries, window_failures, rest_until, rest_count)
  where e.id = h.id and e.version = h.version
)
update deliveries d set attempts = x.attempt, state = case when d.round = x.round then x.state else d.state end,
  tries = case when d.round = x.round then x.tries else d.tries end, due_at = case when d.round = x.round then x.due_at else d.due_at end
from x where d.event_id = x.event_id and d.endpoint_id = x.endpoint_id and d.state = 'PENDING'`,
}

export const record = (t: Tx, rows: readonly AttemptRow[], judged: readonly HealthRow[]): Promise<unknown[]> =>
  t.query(RECORD, [
    numbers(rows.map((row) => row.eventId)),
    numbers(rows.map((row) => row.endpointId)),
    numbers(rows.map((row) => row.merchantId)),
    numbers(rows.map((row) => row.attempt)),
    moments(rows.map((row) => row.at)),
    texts(rows.map((row) => row.url)),
    numbers(rows.map((row) => row.status)),
    numbers(rows.map((row) => row.durationMs)),
    texts(rows.map((row) => row.error)),
    texts(rows.map((row) => row.answer)),
    texts(rows.map((row) => row.state)),
    numbers(rows.map((row) => row.tries)),
    moments(rows.map((row) => row.dueAt)),
    numbers(judged.map((row) => row.endpointId)),
    numbers(judged.map((row) => row.version)),
    `{${judged.map((row) => row.answered).join(',')}}`,
    moments(judged.map((row) => row.failingSince)),
    moments(judged.map((row) => row.windowFrom)),
    numbers(judged.map((row) => row.windowTries)),
    numbers(judged.map((row) => row.windowFailures)),
    moments(judged.map((row) => row.restUntil)),
    numbers(judged.map((row) => row.restCount)),
    numbers(rows.map((row) => row.round)),
  ])

const OUTSTANDING: Statement = {
  name: 'deliveries_outstanding',
  text: `
-- all merchants: the earliest delivery of the cell that nothing holds up
with recursive ${WAITING}
select min(greatest(f.due_at, e.rest_until)) as due_at
from waiting w join endpoints e on e.id = w.endpoint_id and e.status = 'ENABLED'
cross join lateral (
  select d.due_at from deliveries d where d.endpoint_id = e.id and d.state = 'PENDING' and ${IN_TURN}
  order by d.due_at, d.number limit 1
) f`,
}

/** A walk of the sandbox's clock asks at each of its thousands of instants: what waits for later must cost
 *  nothing. */
export const outstanding = async (read: Read): Promise<Date | null> =>
  (await read.query<{ due_at: Date | null }>(OUTSTANDING, []))[0]?.due_at ?? null
