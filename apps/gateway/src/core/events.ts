// Events: written with their fact, numbered after the commit, delivered from then on. The number is given by a
// sequencer under a lock of its own, so that no payment waits for another's number and no number is left out: an event
// that was rolled back never had one.
import { EVENTS } from '@cowrie/contract'
import type { EventData, EventSpec } from '@cowrie/contract/kit'
import type { Ctx, Read, Statement, Tx } from '../kit/ctx.ts'
import type { CellId } from '../kit/ids.ts'
import { cellOf, engineTx } from './cells.ts'

/** The bytes of a notification. They equal JSON.stringify(JSON.parse(bytes)), because a widely used client verifies the
 *  signature over its own re-serialisation. Values that came through JSON already have that property. */
export function eventBody<E extends EventSpec>(spec: E, data: EventData<E>): string {
  return JSON.stringify({ eventData: data, eventType: spec.type })
}

const EVENT_TYPES = EVENTS.map((event) => event.type)
const EVENT_KINDS = EVENTS.map((event) => event.goesTo)
const BATCH = 500

const WAITING: Statement = {
  name: 'outbox_waiting',
  text: `
-- all merchants: the sequencer numbers every merchant's events
select id, event_id from outbox order by id limit ${BATCH}`,
}

const LOCK: Statement = { name: 'outbox_lock', text: `select pg_advisory_xact_lock(hashtext('cowrie.sequencer'))` }

const NUMBER: Statement = {
  name: 'events_number',
  text: `
-- all merchants: numbers are given per merchant_id within the statement
with x as materialized (
  select * from unnest($1::bigint[], $2::bigint[], $3::bigint[]) with ordinality as x(outbox_id, event_id, delivery_id, rank)
), fresh as materialized (
  select e.id, e.merchant_id, e.type, e.object_id, x.delivery_id,
    row_number() over (partition by e.merchant_id order by x.rank) as rank,
    count(*) over (partition by e.merchant_id) as total
  from x join events e on e.id = x.event_id
), counted as (
  insert into event_counters as c (merchant_id, last_number) select distinct merchant_id, total from fresh
  on conflict (merchant_id) do update set last_number = c.last_number + excluded.last_number
  returning merchant_id, last_number
), numbered as (
  insert into event_numbers (merchant_id, number, event_id)
  select f.merchant_id, c.last_number - f.total + f.rank, f.id from fresh f join counted c using (merchant_id)
  returning merchant_id, number, event_id
), addressed as (
  insert into deliveries (id, merchant_id, event_id, number, object_id, url, endpoint, state, due_at)
  select f.delivery_id, f.merchant_id, f.id, n.number, f.object_id, u.url, hashtextextended(u.url, f.merchant_id), 'PENDING', $6::timestamptz
  from fresh f join numbered n on n.event_id = f.id
  join unnest($4::text[], $5::text[]) as k(type, kind) on k.type = f.type
  join webhook_urls u on u.merchant_id = f.merchant_id and u.kind = k.kind
)
delete from outbox where id = any($1::bigint[])`,
}

/** Numbers what waits in the outbox and makes its deliveries; answers how many events that were. */
export async function sequence(ctx: Ctx, cellId: CellId): Promise<number> {
  const cell = cellOf(ctx, cellId)
  let done = 0
  for (;;) {
    const count = await engineTx(ctx, cellId, async (t) => {
      await t.query(LOCK, [])
      const rows = await t.query<{ id: bigint; event_id: bigint }>(WAITING, [])
      if (rows.length === 0) return 0
      await t.query(NUMBER, [
        rows.map((row) => row.id),
        rows.map((row) => row.event_id),
        await cell.takeIds(rows.length),
        EVENT_TYPES,
        EVENT_KINDS,
        t.now,
      ])
      return rows.length
    })
    done += count
    if (count < BATCH) return done
  }
}

const ANNOUNCE: Statement = {
  name: 'events_announce',
  text: `
with told as (
  insert into events (id, merchant_id, type, object, object_id, object_version, body, at) values ($1, $2, $3, $4, $5, $6, $7, $8)
)
insert into outbox (event_id, merchant_id) values ($1, $2)`,
}

/** An event that belongs to no move (money that fits nothing, for instance). Moves write theirs themselves. */
export async function announce(
  t: Tx,
  event: {
    id: bigint
    merchantId: bigint
    type: string
    object: string
    objectId: bigint
    objectVersion: number
    body: string
  },
): Promise<void> {
  const { id, merchantId, type, object, objectId, objectVersion, body } = event
  await t.query(ANNOUNCE, [id, merchantId, type, object, objectId, objectVersion, body, t.now])
}

const FEED: Statement = {
  name: 'events_feed',
  text: `
select n.number, e.type, e.object, e.object_version, e.at, e.body,
  coalesce((
    select json_agg(json_build_object('at', a.at, 'url', a.url, 'status', a.status, 'durationMs', a.duration_ms, 'error', a.error) order by a.attempt)
    from deliveries d join delivery_attempts a on a.delivery_id = d.id and a.merchant_id = $1
    where d.event_id = e.id and d.merchant_id = $1
  ), '[]') as attempts
from event_numbers n join events e on e.id = n.event_id and e.merchant_id = $1
where n.merchant_id = $1 and n.number > $2 order by n.number limit $3`,
}

export type FeedRow = {
  number: bigint
  type: string
  object: string
  object_version: number
  at: Date
  body: string
  attempts: { at: string; url: string; status: number | null; durationMs: number; error: string | null }[]
}

/** A merchant's events after a number, oldest first. */
export const feed = (read: Read, merchantId: bigint, after: bigint, limit: number): Promise<FeedRow[]> =>
  read.query<FeedRow>(FEED, [merchantId, after, limit])
