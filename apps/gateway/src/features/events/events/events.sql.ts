// The statements of the event log: who has something new, how an event went, what is sent again.

import { EVENTS } from '@cowrie/contract'
import { EVERY_KIND } from '@cowrie/contract/events/endpoints'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

const LAST_NUMBERS: Statement = {
  name: 'events_last_numbers',
  text: `
-- all merchants: one look for every call that waits
select merchant_id, last_number from event_counters where merchant_id = any($1::bigint[])`,
}
export type LastNumberRow = Pick<Rows['event_counters'], 'merchant_id' | 'last_number'>
export const lastNumbers = (read: Read, merchantIds: readonly bigint[]): Promise<LastNumberRow[]> =>
  read.query<LastNumberRow>(LAST_NUMBERS, [merchantIds])

// ---- how an event went

export type LoggedRow = Pick<Rows['events'], 'type' | 'object' | 'object_version' | 'at'> & {
  event_id: bigint
  number: bigint
  deliveries: {
    /** Text: JSON has no whole numbers of this length. */
    id: string
    url: string
    state: 'PENDING' | 'DELIVERED' | 'GIVEN_UP'
    attempts: number
    due_at: string
    status: number | null
    duration_ms: number | null
  }[]
}
const logged = (name: string, numbers: string): Statement => ({
  name,
  text: `
with page as materialized (${numbers})
select p.event_id, p.number, e.type, e.object, e.object_version, e.at, coalesce(d.deliveries, '[]'::json) as deliveries
from page p join events e on e.id = p.event_id and e.merchant_id = $1
left join lateral (
  select json_agg(json_build_object('id', d.endpoint_id::text, 'url', o.url, 'state', d.state, 'attempts', d.attempts, 'due_at', d.due_at,
    'status', a.status, 'duration_ms', a.duration_ms) order by d.endpoint_id) as deliveries
  from deliveries d join endpoints o on o.id = d.endpoint_id and o.merchant_id = $1
  left join delivery_attempts a
    on a.event_id = d.event_id and a.endpoint_id = d.endpoint_id and a.attempt = d.attempts and a.merchant_id = $1
  where d.event_id = p.event_id and d.merchant_id = $1
) d on true
order by p.number desc`,
})
const NEWEST = logged(
  'events_newest',
  `select n.event_id, n.number from event_numbers n where n.merchant_id = $1 and ($2::bigint is null or n.number < $2)
    order by n.number desc limit $3`,
)
// Two endpoints may have given up on one event; it is there once.
const NEWEST_GIVEN_UP = logged(
  'events_newest_given_up',
  `select distinct d.event_id, d.number from deliveries d
    where d.merchant_id = $1 and d.state = 'GIVEN_UP' and ($2::bigint is null or d.number < $2) order by d.number desc limit $3`,
)
export const page = (
  read: Read,
  merchantId: bigint,
  asked: { readonly before: bigint | null; readonly givenUp: boolean; readonly limit: number },
): Promise<LoggedRow[]> =>
  read.query<LoggedRow>(asked.givenUp ? NEWEST_GIVEN_UP : NEWEST, [merchantId, asked.before, asked.limit])

export type DeliveryRow = Pick<Rows['deliveries'], 'endpoint_id' | 'state' | 'due_at'> & {
  url: Rows['endpoints']['url']
}
const DELIVERIES: Statement = {
  name: 'events_deliveries',
  text: `select d.endpoint_id, p.url, d.state, d.due_at from deliveries d join endpoints p on p.id = d.endpoint_id and p.merchant_id = $1
    where d.merchant_id = $1 and d.event_id = $2 order by d.endpoint_id`,
}
export const listDeliveries = (read: Read, merchantId: bigint, eventId: bigint): Promise<DeliveryRow[]> =>
  read.query<DeliveryRow>(DELIVERIES, [merchantId, eventId])

export type AttemptRow = Pick<
  Rows['delivery_attempts'],
  'endpoint_id' | 'at' | 'url' | 'status' | 'duration_ms' | 'error' | 'answer'
>
const ATTEMPTS: Statement = {
  name: 'events_attempts',
  text: `select endpoint_id, at, url, status, duration_ms, error, answer from delivery_attempts
    where merchant_id = $1 and event_id = $2 order by endpoint_id, attempt`,
}
export const listAttempts = (read: Read, merchantId: bigint, eventId: bigint): Promise<AttemptRow[]> =>
  read.query<AttemptRow>(ATTEMPTS, [merchantId, eventId])

// ---- sending again

/** Whether the month of an event has lost, or is losing, its bodies: nothing of it is sent again
 *  (webhooks/retention.ts). */
const leaves = (event: string): string =>
  `coalesce((select m.bodies from months m where m.month = ${event} / 1000000000000), 'KEPT') <> 'KEPT'`

const WITHOUT_BODY: Statement = {
  name: 'events_without_body',
  text: `select min(number) as number from event_numbers n where n.merchant_id = $1 and n.number between $2 and $3 and ${leaves('n.event_id')}`,
}
/** The first event of a range whose body has been deleted. */
export const firstWithoutBody = async (
  read: Read,
  merchantId: bigint,
  from: bigint,
  to: bigint,
): Promise<bigint | null> =>
  (await read.query<{ number: bigint | null }>(WITHOUT_BODY, [merchantId, from, to]))[0]?.number ?? null

const HOLD: Statement = {
  name: 'events_hold_endpoints',
  text: `select id from endpoints where merchant_id = $1 and status <> 'REMOVED' and ($2::bigint is null or id = $2)
    order by id for key share`,
}
/** The endpoints that can be sent to, or the one that is named. Whoever removes one of them waits until we
 *  are done, and then gives up what we made due; without that it would wait for an endpoint that is gone. */
export const holdEndpoints = async (t: Tx, merchantId: bigint, id: bigint | null): Promise<bigint[]> =>
  (await t.query<Pick<Rows['endpoints'], 'id'>>(HOLD, [merchantId, id])).map((row) => row.id)

/** Makes the deliveries of `chosen` due, in an order that is the same for everybody, so that two at once do
 *  not lock each other; counts their events. */
const sendChosen = (now: string, unless = ''): string => `
, again as (
  insert into deliveries as d (event_id, endpoint_id, merchant_id, number, object_id, state, due_at)
  select event_id, endpoint_id, $1, number, object_id, 'PENDING', ${now}::timestamptz from chosen order by event_id, endpoint_id
  on conflict (event_id, endpoint_id) do update set state = 'PENDING', tries = 0, round = d.round + 1, due_at = excluded.due_at ${unless}
  returning event_id
)
select count(distinct event_id)::int as found from again`
/** What was taken in the meantime stays taken. */
const UNLESS_TAKEN = `where d.state <> 'DELIVERED'`

const IN_RANGE = `
with emitted as materialized (
  select n.event_id, n.number, e.type, e.object_id from event_numbers n join events e on e.id = n.event_id and e.merchant_id = $1
  where n.merchant_id = $1 and n.number between $2 and $3 and ($4::text[] is null or e.type = any($4::text[]))
)`

// Where an event goes now is the rule of core/events.ts; where it went before it goes again.
const RANGE: Statement = {
  name: 'events_resend_range',
  text: `${IN_RANGE}, chosen as materialized (
  select t.event_id, p.id as endpoint_id, t.number, t.object_id
  from emitted t join endpoints p on p.merchant_id = $1 and p.id = any($5::bigint[])
  left join unnest($8::text[], $9::text[]) as k(type, activity) on k.type = t.type
  left join deliveries w on w.event_id = t.event_id and w.endpoint_id = p.id and w.merchant_id = $1
  where $6::boolean or w.event_id is not null or k.activity = any(p.activities) or p.event_types && array[t.type, '${EVERY_KIND}']
)${sendChosen('$7')}`,
}
const RANGE_FAILED: Statement = {
  name: 'events_resend_range_failed',
  text: `${IN_RANGE}, chosen as materialized (
  select w.event_id, w.endpoint_id, w.number, w.object_id from emitted t join deliveries w on w.event_id = t.event_id and w.merchant_id = $1
  where w.endpoint_id = any($5::bigint[]) and w.attempts > 0 and w.state <> 'DELIVERED'
)${sendChosen('$6', UNLESS_TAKEN)}`,
}
export type ResendRange = {
  readonly from: bigint
  readonly to: bigint
  readonly types: readonly string[] | null
  readonly endpoints: readonly bigint[]
  /** The endpoint was named: it gets the events whatever kinds it chose. */
  readonly named: boolean
  readonly onlyFailed: boolean
}
const TYPES = EVENTS.map((event) => event.type)
const ACTIVITIES = EVENTS.map((event) => event.goesTo)
/** Makes deliveries of a range of numbers due; answers how many events that are. */
export async function resendRange(t: Tx, merchantId: bigint, range: ResendRange): Promise<number> {
  const values = [merchantId, range.from, range.to, range.types, range.endpoints]
  const [row] = range.onlyFailed
    ? await t.query<{ found: number }>(RANGE_FAILED, [...values, t.now])
    : await t.query<{ found: number }>(RANGE, [...values, range.named, t.now, TYPES, ACTIVITIES])
  return row?.found ?? 0
}

// What should have arrived by now and has not, also if its first attempt is still under way and nobody can
// know yet. Two halves, because each has an index of its own. No join of one list with another: before the
// tables are analysed it was planned as a loop in a loop, and ten thousand events took more than 15 s.
const SPAN_FAILED: Statement = {
  name: 'events_resend_span_failed',
  text: `
with failed as materialized (
  select event_id, endpoint_id, number, object_id from deliveries
  where merchant_id = $1 and state = 'GIVEN_UP' and attempts > 0 and endpoint_id = any($2::bigint[])
  union all
  select event_id, endpoint_id, number, object_id from deliveries
  where merchant_id = $1 and state = 'PENDING' and (attempts > 0 or due_at <= $6) and endpoint_id = any($2::bigint[])
), chosen as materialized (
  select * from (
    select f.*, dense_rank() over (order by f.number) as place from failed f join events e on e.id = f.event_id and e.merchant_id = $1
    where e.at between $3 and $4 and not ${leaves('f.event_id')}
  ) f where place <= $5
)${sendChosen('$6', UNLESS_TAKEN)}`,
}
/** Makes what failed in a span of time due, of at most so many events; answers how many these are. */
export async function resendSpan(
  t: Tx,
  merchantId: bigint,
  span: { endpoints: readonly bigint[]; start: Date; end: Date; limit: number },
): Promise<number> {
  const { endpoints, start, end, limit } = span
  const [row] = await t.query<{ found: number }>(SPAN_FAILED, [merchantId, endpoints, start, end, limit, t.now])
  return row?.found ?? 0
}
