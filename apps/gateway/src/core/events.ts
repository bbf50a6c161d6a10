// Events: written with their fact, numbered after the commit, delivered from then on. The number is given by
// a sequencer under a lock of its own, so that no payment waits for another's number and no number is left
// out: an event that was rolled back never had one.

import { EVENTS } from '@cowrie/contract'
import { toEventBody } from '@cowrie/contract/events/delivery'
import { EVERY_KIND } from '@cowrie/contract/events/endpoints'
import { parseExact } from '@cowrie/contract/kit/exact-json'
import type { EventData, EventMetaArg, EventSpec } from '@cowrie/contract/kit/spec'
import type { Rows } from '#core/rows.ts'
import { lines, linesArray, numbers, texts } from '#kit/arrays.ts'
import type { Ctx, Read, Statement, Tx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { traceOfEvents } from '#kit/trace.ts'
import { engineTx } from './cells/cells.ts'

/** The bytes of a notification. They equal JSON.stringify(JSON.parse(bytes)), because a widely used client
 *  verifies the signature over its own re-serialisation. Values that came through JSON already have that
 *  property, but for integers in metaData that no double holds: those keep their digits. */
export const eventBody = <E extends EventSpec>(
  spec: E,
  eventData: EventData<E>,
  ...metaData: EventMetaArg<E>
): string =>
  JSON.stringify(
    toEventBody(spec, { eventData: eventData as object, ...(metaData[0] ? { metaData: metaData[0] } : {}) }),
  )

const EVENT_TYPES = EVENTS.map((event) => event.type)
const ACTIVITIES = EVENTS.map((event) => event.goesTo)
const BATCH = 500

const WAITING: Statement = {
  name: 'outbox_waiting',
  text: `
-- all merchants: the sequencer numbers every merchant's events
select id, event_id from outbox order by id limit ${BATCH}`,
}

const LOCK: Statement = { name: 'outbox_lock', text: `select pg_advisory_xact_lock(hashtext('cowrie.sequencer'))` }

// An event goes to the address of its activity and to every endpoint that chose its kind. One that is
// disabled gets its deliveries too: they wait for it.
const NUMBER: Statement = {
  name: 'events_number',
  text: `
-- all merchants: numbers are given per merchant_id within the statement
with x as materialized (
  select * from unnest($1::bigint[], $2::bigint[]) with ordinality as x(outbox_id, event_id, rank)
), fresh as materialized (
  select e.id, e.merchant_id, e.type, e.object_id,
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
  insert into deliveries (event_id, endpoint_id, merchant_id, number, object_id, state, due_at)
  select f.id, p.id, f.merchant_id, n.number, f.object_id, 'PENDING', $5::timestamptz
  from fresh f join numbered n on n.event_id = f.id
  left join unnest($3::text[], $4::text[]) as k(type, activity) on k.type = f.type
  join endpoints p on p.merchant_id = f.merchant_id and p.status <> 'REMOVED'
    and (k.activity = any(p.activities) or p.event_types && array[f.type, '${EVERY_KIND}'])
)
delete from outbox where id = any($1::bigint[])`,
}

/** Nothing is numbered, and no delivery made, until the transaction ends. */
export const holdSequencer = (t: Tx): Promise<unknown> => t.query(LOCK, [])

/** Numbers what waits in the outbox and makes its deliveries; answers how many events that were. */
export async function sequence(ctx: Ctx, cellId: CellId): Promise<number> {
  let done = 0
  for (;;) {
    const count = await engineTx(ctx, cellId, async (t) => {
      await t.query(LOCK, [])
      const rows = await t.query<Pick<Rows['outbox'], 'id' | 'event_id'>>(WAITING, [])
      if (rows.length === 0) return 0
      await t.query(NUMBER, [
        rows.map((row) => row.id),
        rows.map((row) => row.event_id),
        EVENT_TYPES,
        ACTIVITIES,
        t.now,
      ])
      return rows.length
    })
    done += count
    if (count > 0) ctx.tellNumbered(cellId)
    if (count < BATCH) return done
  }
}

const announcing = (name: string, more = ''): Statement => ({
  name,
  text: `
with x as materialized (
  select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::int[], ${linesArray('$7')}, $9::smallint[]) with ordinality
    as x(id, merchant_id, type, object, object_id, object_version, body, shape, place)
), emitted as (
  insert into events (id, merchant_id, type, object, object_id, object_version, shape, body, at)
  select id, merchant_id, type, object, object_id, object_version, shape, body, $8 from x
)${more}
insert into outbox (event_id, merchant_id) select id, merchant_id from x order by place`,
})
const ANNOUNCE = announcing('events_announce')
const ANNOUNCE_TRACED = announcing(
  'events_announce_traced',
  `, traced as (insert into event_traces (event_id, merchant_id, traceparent) select id, merchant_id, $10 from x)`,
)

export type Announcement = {
  readonly id: bigint
  readonly merchantId: bigint
  readonly type: string
  readonly object: string
  readonly objectId: bigint
  readonly objectVersion: number
  readonly body: string
}

/** Events that belong to no move (unmatched money, for instance), in order. Moves write theirs themselves. */
export async function announceAll(t: Tx, events: readonly Announcement[]): Promise<void> {
  if (events.length === 0) return
  const stored = events.map((event) => t.shapes.pack(event.body))
  const trace = traceOfEvents()
  await t.query(trace === null ? ANNOUNCE : ANNOUNCE_TRACED, [
    numbers(events.map((event) => event.id)),
    numbers(events.map((event) => event.merchantId)),
    texts(events.map((event) => event.type)),
    texts(events.map((event) => event.object)),
    numbers(events.map((event) => event.objectId)),
    numbers(events.map((event) => event.objectVersion)),
    lines(stored.map(({ body }) => body)),
    t.now,
    numbers(stored.map(({ shape }) => shape)),
    ...(trace === null ? [] : [trace]),
  ])
}
export const announce = (t: Tx, event: Announcement): Promise<void> => announceAll(t, [event])

const EVENT_COLUMNS = `n.number, n.event_id, e.type, e.object, e.object_version, e.at, event_body(e.shape, e.body) as body`
const AFTER = `from event_numbers n join events e on e.id = n.event_id and e.merchant_id = $1
where n.merchant_id = $1 and n.number > $2 order by n.number limit $3`

export type EventRow = Pick<Rows['event_numbers'], 'number' | 'event_id'> &
  Pick<Rows['events'], 'type' | 'object' | 'object_version' | 'at'> & {
    body: string
  }

const LOG: Statement = { name: 'events_log', text: `select ${EVENT_COLUMNS} ${AFTER}` }
/** A merchant's events after a number, oldest first. */
export const log = (read: Read, merchantId: bigint, after: bigint, limit: number): Promise<EventRow[]> =>
  read.query<EventRow>(LOG, [merchantId, after, limit])

const FIND: Statement = {
  name: 'events_find',
  text: `select ${EVENT_COLUMNS} from events e join event_numbers n on n.event_id = e.id and n.merchant_id = $1 where e.merchant_id = $1 and e.id = $2`,
}
/** One event of a merchant, if it has a number. */
export const findEvent = async (read: Read, merchantId: bigint, id: bigint): Promise<EventRow | null> =>
  (await read.query<EventRow>(FIND, [merchantId, id]))[0] ?? null

const LAST: Statement = {
  name: 'events_last',
  text: 'select last_number from event_counters where merchant_id = $1',
}
/** The number of a merchant's newest event; 0 when there is none. */
export const lastNumber = async (read: Read, merchantId: bigint): Promise<bigint> =>
  (await read.query<Pick<Rows['event_counters'], 'last_number'>>(LAST, [merchantId]))[0]?.last_number ?? 0n

/** An event as every listing shows it. */
export const presentEvent = (row: EventRow) => ({
  number: Number(row.number),
  eventType: row.type,
  object: row.object,
  objectVersion: row.object_version,
  createdAt: row.at.toISOString(),
  body: row.body === '' ? null : parseExact(row.body),
})

const FEED: Statement = {
  name: 'events_feed',
  text: `
select ${EVENT_COLUMNS},
  coalesce((
    select json_agg(json_build_object('at', a.at, 'url', a.url, 'status', a.status, 'durationMs', a.duration_ms, 'error', a.error) order by a.at, a.endpoint_id, a.attempt)
    from delivery_attempts a where a.event_id = e.id and a.merchant_id = $1
  ), '[]') as attempts
${AFTER}`,
}

export type FeedRow = EventRow & {
  attempts: { at: string; url: string; status: number | null; durationMs: number; error: string | null }[]
}

/** The same with every attempt to deliver it. */
export const feed = (read: Read, merchantId: bigint, after: bigint, limit: number): Promise<FeedRow[]> =>
  read.query<FeedRow>(FEED, [merchantId, after, limit])
