// What must hold after a run: what was committed is compared with what arrived and with what the gateway
// believes.
import { checkBooks } from '../../../apps/gateway/test/kit/books.ts'
import { RETRY_DELAYS_SECONDS } from '../../../packages/contract/src/events/delivery.ts'
import { withClient } from '../kit/database.ts'
import { behaviourOf } from './behaviours.ts'
import { type FedEvent, referenceOf } from './feed.ts'
import type { ZooMerchant } from './plan.ts'
import type { Arrival, ZooReport } from './zoo.ts'

export const IN_FLIGHT_MAX = 5
const IN_HAND_MAX = IN_FLIGHT_MAX + 256 // on the wire, and answered but not yet recorded
const ATTEMPTS_MAX = RETRY_DELAYS_SECONDS.length
const SOONEST_AGAIN_MS = 5_000 * 0.8 - 50 // the first wait less its jitter, and a little for two clocks
const SERVED_WITHIN_MS = 20_000 // an attempt may take 15 s; an endpoint with due events is not left alone for longer
const SEEN_LATE_MS = 250 // by which a busy machine may notice too late that the other side has gone

export type DeliveryRow = {
  event_id: string
  endpoint_id: string
  state: string
  attempts: number
  due_at: Date
  /** An earlier one of the same object is not through. */
  blocked: boolean
}
export type EndpointRow = {
  merchant_id: string
  status: string
  rest_until: Date | null
  attempts: number
  last_at: Date | null
}

export type Evidence = {
  readonly merchants: readonly (ZooMerchant & { readonly id: bigint })[]
  readonly events: readonly FedEvent[]
  readonly report: ZooReport
  readonly deliveries: readonly DeliveryRow[]
  readonly endpoints: readonly EndpointRow[]
  readonly endedAt: number
  readonly kills: number
  /** When the database was lost, and with it every worker's hold on its endpoints. */
  readonly lostAt?: readonly number[]
}

export type Report = (kind: string, example: string) => void

const DELIVERIES = `select d.event_id, d.endpoint_id, d.state, d.attempts, d.due_at,
    exists (select from deliveries p where p.endpoint_id = d.endpoint_id and p.object_id = d.object_id and p.state = 'PENDING'
      and p.number < d.number) as blocked
  from deliveries d join events e on e.id = d.event_id where e.type = coalesce($1, e.type)`
const ENDPOINTS = `select p.merchant_id, p.status, p.rest_until, coalesce(a.attempts, 0)::int as attempts, a.last_at
  from endpoints p left join (select endpoint_id, count(*) as attempts, max(at) as last_at from delivery_attempts group by 1) a
    on a.endpoint_id = p.id
  where p.status <> 'REMOVED'`

/** Deliveries of events of one type, or of all (null). */
export const readGateway = (url: string, type: string | null): Promise<Pick<Evidence, 'deliveries' | 'endpoints'>> =>
  withClient(url, async (client) => ({
    deliveries: (await client.query<DeliveryRow>(DELIVERIES, [type])).rows,
    endpoints: (await client.query<EndpointRow>(ENDPOINTS)).rows,
  }))

const PENDING = `select (select count(*) from outbox) + (select count(*) from deliveries where state = 'PENDING' and merchant_id = any($1)) as count`
/** How many events of these merchants are still on their way. */
export const onTheirWay = (url: string, merchantIds: readonly bigint[]): Promise<number> =>
  withClient(url, async (client) =>
    Number((await client.query<{ count: string }>(PENDING, [merchantIds.map(String)])).rows[0]?.count),
  )

const takesOf = ({ behaviour }: ZooMerchant) => behaviourOf(behaviour).takes
export const isHonest = ({ behaviour }: ZooMerchant): boolean => behaviour.startsWith('honest')
const describe = (merchant: ZooMerchant | undefined, event: number): string =>
  `${referenceOf(event)} of ${merchant?.name} (${merchant?.behaviour})`

/** Whether an event may still wait: for its time, its turn, or an endpoint that is paused, is disabled or is
 *  being served. */
function mayWait(delivery: DeliveryRow, endpoint: EndpointRow, triedAt: number, endedAt: number): boolean {
  if (delivery.blocked || endpoint.status !== 'ENABLED') return true
  if (delivery.due_at.getTime() > endedAt || (endpoint.rest_until?.getTime() ?? 0) > endedAt) return true
  return triedAt > endedAt - SERVED_WITHIN_MS
}

/** When each merchant was last tried, as the gateway or the receivers know; 0 for never. */
function triedAt({ merchants, endpoints, report }: Evidence): number[] {
  const known = new Map(endpoints.map((row) => [row.merchant_id, row.last_at?.getTime() ?? 0]))
  const times = merchants.map(({ id, behaviour }) => {
    const { site } = behaviourOf(behaviour)
    const connected = ['web', 'alone', 'trusted'].includes(site) ? 0 : (report.connectedAt[site] ?? 0)
    return Math.max(known.get(String(id)) ?? 0, connected)
  })
  for (const { merchant, at } of report.arrivals) times[merchant] = Math.max(times[merchant] ?? 0, at)
  return times
}

/** Nothing is lost, and the gateway believes nothing that did not happen. */
function checkFates(evidence: Evidence, byEvent: ReadonlyMap<number, readonly Arrival[]>, report: Report): void {
  const tried = triedAt(evidence)
  const deliveries = Map.groupBy(evidence.deliveries, (row) => row.event_id)
  const endpoints = new Map(evidence.endpoints.map((row) => [row.merchant_id, row]))
  for (const [number, event] of evidence.events.entries()) {
    const merchant = evidence.merchants[event.merchant]
    const [delivery, second] = deliveries.get(String(event.id)) ?? []
    const endpoint = endpoints.get(String(merchant?.id))
    const what = describe(merchant, number)
    if (!merchant || !delivery || !endpoint || second) {
      report('an event does not have exactly one delivery', what)
      continue
    }
    const arrived = byEvent.get(number) ?? []
    const taken = arrived.some(({ status }) => status === 200)
    if (isHonest(merchant) && arrived.length === 0) report('an event is lost', what)
    if (isHonest(merchant) && delivery.state !== 'DELIVERED')
      report('an event of an honest merchant is not delivered', `${what}: ${delivery.state}`)
    if (delivery.state === 'DELIVERED' && !taken) report('an event is marked delivered but was never accepted', what)
    if (delivery.state === 'GIVEN_UP' && delivery.attempts < ATTEMPTS_MAX)
      report('an event was abandoned too early', `${what}: after ${delivery.attempts} attempts`)
    if (delivery.state === 'PENDING' && !mayWait(delivery, endpoint, tried[event.merchant] ?? 0, evidence.endedAt))
      report('an event is due and was not sent', `${what}: due ${delivery.due_at.toISOString()}`)
  }
}

/** Of one object, no event comes before the one before it has been taken. */
function checkOrder(
  evidence: Evidence,
  byEvent: ReadonlyMap<number, readonly Arrival[]>,
  places: ReadonlyMap<Arrival, number>,
  report: Report,
): void {
  const before = new Map<number, number>() // by object: the event before
  const place = (arrival: Arrival | undefined): number => (arrival && places.get(arrival)) ?? Number.POSITIVE_INFINITY
  for (const [number, event] of evidence.events.entries()) {
    const earlier = before.get(event.object)
    before.set(event.object, number)
    const [first] = byEvent.get(number) ?? []
    if (earlier === undefined || !first) continue
    const taken = (byEvent.get(earlier) ?? []).find(({ status }) => status === 200)
    if (place(taken) > place(first))
      report('events of one object arrived out of order', describe(evidence.merchants[event.merchant], number))
  }
}

/** How many requests an endpoint had to bear at once, at worst. */
export function mostAtOnce(arrivals: readonly Arrival[]): number {
  const steps = arrivals.flatMap(({ at, until, left }) => [
    { at, change: 1 },
    {
      at: until === null ? Number.POSITIVE_INFINITY : Math.max(at + 0.001, left ? until - SEEN_LATE_MS : until),
      change: -1,
    },
  ])
  let now = 0
  let most = 0
  for (const { change } of steps.sort((a, b) => a.at - b.at || a.change - b.change)) {
    now += change
    most = Math.max(most, now)
  }
  return most
}

/**
 * An endpoint has at most five requests open at once, counted where they arrive. Two things are not the same
 * endpoint's: an address that was taken off and put back, because what was under way to the old one ends in
 * its own time; and what was sent before the database was lost, because whoever takes the endpoint over
 * cannot know of it, and to break it off would send it twice. A killed worker's requests do not count on: its
 * machine closes them, and the receiver sees it.
 */
export function crowds(
  { report, deliveries, lostAt = [] }: Pick<Evidence, 'report' | 'deliveries' | 'lostAt'>,
  many = IN_FLIGHT_MAX,
): { readonly merchant: number; readonly most: number }[] {
  const endpointOf = new Map(deliveries.map((row) => [row.event_id, row.endpoint_id]))
  const ownerOf = ({ id, merchant, at }: Arrival): string => {
    const lost = lostAt.filter((when) => when + SEEN_LATE_MS < at).length
    return `${endpointOf.get(id.split('_').at(-1) ?? '') ?? `of merchant ${merchant}`} after ${lost} losses`
  }
  return [...Map.groupBy(report.arrivals, ownerOf).values()]
    .map((arrivals) => ({ merchant: arrivals[0]?.merchant ?? -1, most: mostAtOnce(arrivals) }))
    .filter(({ most }) => most > many)
}

/** How often events came again to receivers that had taken them. */
export function repetitions({ merchants, report }: Pick<Evidence, 'merchants' | 'report'>): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { event, merchant } of report.arrivals) {
    const owner = merchants[merchant]
    if (owner && takesOf(owner) === 'once') counts.set(event, (counts.get(event) ?? -1) + 1)
  }
  return counts
}
export const repetitionsMost = (evidence: Pick<Evidence, 'merchants' | 'kills'>): number =>
  evidence.kills * evidence.merchants.filter((merchant) => takesOf(merchant) !== 'never').length * IN_HAND_MAX

function checkRepetitions(evidence: Evidence, byEvent: ReadonlyMap<number, readonly Arrival[]>, report: Report): void {
  const counts = repetitions(evidence)
  for (const [event, count] of counts)
    if (count > evidence.kills) report('an accepted event was sent again', `${referenceOf(event)}: ${count} more times`)
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (all > repetitionsMost(evidence))
    report('more duplicates than were in flight at the kills', `${all} of at most ${repetitionsMost(evidence)}`)
  if (evidence.kills > 0) return
  for (const [event, arrivals] of byEvent) {
    const attempts = arrivals.map(({ attempt }) => attempt)
    if (new Set(attempts).size < attempts.length)
      report(
        'an attempt was made twice',
        `${describe(evidence.merchants[arrivals[0]?.merchant ?? -1], event)}: attempts ${attempts.join(', ')}`,
      )
    for (const [at, arrival] of arrivals.entries()) {
      const previous = arrivals[at - 1]
      if (previous && arrival.at - previous.at < SOONEST_AGAIN_MS)
        report(
          'an event was tried again sooner than the schedule allows',
          `${describe(evidence.merchants[arrival.merchant], event)}: after ${Math.round(arrival.at - previous.at)} ms`,
        )
    }
  }
}

export async function check(url: string, evidence: Evidence, report: Report): Promise<void> {
  const { merchants, report: seen, events } = evidence
  const byEvent = Map.groupBy(seen.arrivals, ({ event }) => event)
  for (const { kind, example } of seen.faults) report(kind, example)
  for (const event of byEvent.keys()) if (!events[event]) report('an unknown event arrived', String(event))
  checkFates(evidence, byEvent, report)
  checkOrder(evidence, byEvent, new Map(seen.arrivals.map((arrival, place) => [arrival, place])), report)
  checkRepetitions(evidence, byEvent, report)
  for (const { merchant, most } of crowds(evidence))
    report('too many requests at once', `${most} at ${merchants[merchant]?.name} (${merchants[merchant]?.behaviour})`)
  const tried = triedAt(evidence)
  for (const at of new Set(events.map(({ merchant }) => merchant)))
    if (!tried[at]) report('a behaviour was never exercised', String(merchants[at]?.behaviour))
  for (const { invariant, rows, example } of await checkBooks(url))
    report(`books: ${invariant}`, `${rows} rows, for example ${example}`)
}
