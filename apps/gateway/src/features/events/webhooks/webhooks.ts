// Webhooks: an event is delivered to the merchant's endpoints, attempt by attempt.
//   PENDING → [200] DELIVERED      PENDING → [anything else] PENDING, later      → [tenth failure] GIVEN_UP
// At least once, in order per object, each endpoint for itself. Who waits: the merchant, until the schedule
// is used up.
//
// A worker holds an endpoint while something is due there (core/cells/holding.ts): it reads ahead, sends, and
// writes down what became of it, so a delivery costs one write and no claim. Endpoints know nothing of each
// other: a dead one uses its own few places and nobody else's.

import type { Merchants } from '#core/access/merchants.ts'
import { cellById, commitOne, readAll } from '#core/cells/cells.ts'
import { holdingSession } from '#core/cells/holding.ts'
import { coalesce } from '#core/coalesce.ts'
import { onePerProcess } from '#core/feature.ts'
import { monotonicMs } from '#kit/clock.ts'
import type { Ctx, WebhookAnswer } from '#kit/ctx.ts'
import { type CellId, eventText } from '#kit/ids.ts'
import { inKeptTrace } from '#kit/trace.ts'
import { disable } from './disabling.ts'
import { countPlaces, type Health, judge, nextAttemptAt, reasonToDisable, type Verdict } from './health.ts'
import { signatureHeaders } from './signing.ts'
import * as sql from './webhooks.sql.ts'

/** Requests of this process under way at once, over all endpoints of a cell. */
const WIRE_MAX = 1_000
const HELD_MAX = 1_000
/** Read ahead for an endpoint that takes what it gets: more for one that takes it quickly, none for one that
 *  fails. */
const AHEAD_MIN = 16
const AHEAD_MAX = 512
const QUICK_MS = 250
const LOOK_AGAIN_MS = 1_000
/** Answered and not written down yet: what a killed worker sends twice, beside what was on the wire. */
const UNWRITTEN_MAX = 256

/** An endpoint that this process holds. */
type Held = {
  readonly id: bigint
  readonly merchantId: bigint
  readonly version: number
  readonly epoch: number
  health: Health
  queue: sql.DueDelivery[]
  /** Sent, and not written down yet; by event. */
  readonly hand: Set<bigint>
  wire: number
  ahead: number
  readAt: number
  /** Read up to here; null: from the first that is due, because one may have come into its turn. */
  place: sql.Place | null
  fetching: boolean
  /** There may be more to fetch. */
  more: boolean
  /** Nothing more is sent: it is disabled, the session is lost, the worker stops, or something is wrong. */
  stopped: boolean
}

export type Dispatcher = {
  /** Makes every delivery that is due and that the limits allow; answers when those are through, with their
   *  number. */
  dispatch(): Promise<number>
  /** Starts what is due without waiting for it; answers how many were started. */
  start(): Promise<number>
  /** Sends nothing more of what waits and answers when what was sent is written down; others take up the
   *  rest. */
  leave(): Promise<void>
}

function createDispatcher(ctx: Ctx, merchants: Merchants, cell: CellId): Dispatcher {
  const held = new Map<bigint, Held>()
  const starved = new Set<Held>()
  const leaving: bigint[] = []
  const idlers: (() => void)[] = []
  let wire = 0
  let launched = 0

  const stopAll = (): void => {
    for (const endpoint of held.values()) endpoint.stopped = true
    for (const endpoint of [...held.values()]) pump(endpoint)
  }
  const session = holdingSession(ctx, cell, stopAll)

  const readAhead = coalesce<sql.Want, sql.DueDelivery[]>({
    name: 'deliveries-read',
    key: ({ id }) => String(id),
    run: async (wants) => {
      const rows = Map.groupBy(await readAll(ctx, cell, (r) => sql.fetch(r, wants)), (row) => row.endpoint_id)
      return wants.map(({ id }) => rows.get(id) ?? [])
    },
  })
  const record = coalesce<{ row: sql.AttemptRow; judged: sql.HealthRow | null }, undefined>({
    name: 'deliveries-kept',
    key: ({ row }) => `${row.eventId}/${row.endpointId}`,
    sizeMax: 512,
    run: async (items) => {
      // In the order in which they came about: the last word on an endpoint counts.
      const judged = new Map(items.flatMap((item) => (item.judged ? [[item.judged.endpointId, item.judged]] : [])))
      const rows = items.map((item) => item.row)
      await commitOne(ctx, cell, (t) => sql.record(t, rows, [...judged.values()]))
      return items.map(() => undefined)
    },
  })

  /** Does whatever can be done for an endpoint now: send, fetch more, or let it go. */
  const pump = (endpoint: Held): void => {
    const places = endpoint.stopped ? 0 : countPlaces(endpoint.health, ctx.clock.now())
    if (places === 0) endpoint.queue = []
    while (endpoint.queue.length > 0 && endpoint.wire < places && endpoint.hand.size < places + UNWRITTEN_MAX) {
      if (wire >= WIRE_MAX) {
        starved.add(endpoint)
        return
      }
      launch(endpoint, endpoint.queue.shift() as sql.DueDelivery)
    }
    // Nothing is read ahead of a look: what it tells decides what is read next.
    const looked = endpoint.health.restCount > 0 && endpoint.hand.size > 0
    if (
      places > 0 &&
      endpoint.more &&
      !endpoint.fetching &&
      !looked &&
      endpoint.queue.length <= (places > 1 ? endpoint.ahead / 2 : 0)
    )
      void refill(endpoint, places)
    if (
      endpoint.hand.size === 0 &&
      !endpoint.fetching &&
      (places === 0 || (endpoint.queue.length === 0 && !endpoint.more))
    )
      letGo(endpoint)
  }

  const refill = async (endpoint: Held, places: number): Promise<void> => {
    endpoint.fetching = true
    const now = monotonicMs()
    const quick = now - endpoint.readAt < QUICK_MS
    endpoint.ahead = quick ? Math.min(AHEAD_MAX, endpoint.ahead * 2) : AHEAD_MIN
    endpoint.readAt = now
    const look = endpoint.health.restCount > 0
    const after = look ? null : endpoint.place
    // What is in hand or in the queue is not finished yet and may be read again: always when read from the
    // first, and later on when more than was read has come into its turn before it.
    const known = new Set([...endpoint.hand, ...endpoint.queue.map((delivery) => delivery.event_id)])
    const most = (after ? 0 : known.size) + (places > 1 ? endpoint.ahead : 1)
    try {
      const rows = await readAhead({ id: endpoint.id, most, after, look })
      const last = rows.length >= most ? (rows.at(-1) ?? null) : null
      endpoint.place = last // after a look: on to the others that were tried, which are due later than what was not
      endpoint.more = last !== null || after !== null
      endpoint.queue.push(...rows.filter((row) => !known.has(row.event_id)))
    } catch (error) {
      endpoint.stopped = true
      ctx.log.warn('could not read due webhook deliveries', { cell, error })
    }
    endpoint.fetching = false
    pump(endpoint)
  }

  const launch = (endpoint: Held, delivery: sql.DueDelivery): void => {
    wire += 1
    launched += 1
    endpoint.wire += 1
    endpoint.hand.add(delivery.event_id)
    attempt(endpoint, delivery)
      .catch((error: unknown) => {
        endpoint.stopped = true // its rows stay as they are; another look takes them up again
        ctx.log.error('webhook delivery failed', { cell, merchantId: endpoint.merchantId, error })
      })
      .finally(() => {
        endpoint.hand.delete(delivery.event_id)
        pump(endpoint)
      })
  }

  const attempt = async (endpoint: Held, delivery: sql.DueDelivery): Promise<void> => {
    const number = delivery.attempts + 1
    const at = ctx.clock.now()
    const answer = await post(delivery, number).finally(() => {
      wire -= 1
      endpoint.wire -= 1
    })
    const verdict: Verdict = { at, status: answer.status, retryAfter: answer.retryAfter }
    const health = judge(endpoint.health, verdict)
    const changed = health !== endpoint.health
    endpoint.health = health
    const reason = answer.status === 200 ? null : reasonToDisable(health, verdict)
    if (reason) endpoint.stopped = true // nothing more goes out, not even while this is written down
    const written = record({
      row: rowOf(delivery, number, answer, verdict),
      judged: changed ? { ...health, endpointId: endpoint.id, version: endpoint.version } : null,
    })
    // The place is free; the next goes out while this one is written down. An event of the same object does
    // not: it is not due before this one is through.
    pump(endpoint)
    feedStarved()
    await written
    if (reason) await giveUp(endpoint, reason, verdict.at)
    // What waited for this one, of the same object, can be fetched from now on.
    endpoint.more = true
  }

  const post = async (delivery: sql.DueDelivery, attemptNumber: number): Promise<WebhookAnswer> => {
    const merchant = merchants.known(cell, delivery.merchant_id) ?? (await merchants.byId(cell, delivery.merchant_id))
    if (!merchant) throw new Error(`merchant ${delivery.merchant_id} not found`)
    const body = await cellById(ctx, cell).shapes.unpack(delivery.shape, delivery.body)
    const headers = signatureHeaders(merchant.signingKeys(), {
      id: eventText(cell, delivery.event_id),
      body,
      number: delivery.number,
      objectVersion: delivery.object_version,
      attempt: attemptNumber,
    })
    const send = () => ctx.webhooks.post(delivery.url, headers, body)
    return delivery.traceparent === null ? send() : inKeptTrace(delivery.traceparent, 'delivery', send)
  }

  const giveUp = async (endpoint: Held, reason: 'GONE' | 'FAILING', at: Date): Promise<void> => {
    const merchant = await merchants.byId(cell, endpoint.merchantId)
    if (merchant) await disable(ctx, merchant, endpoint.id, reason, endpoint.health.failingSince ?? at)
  }

  const feedStarved = (): void => {
    for (const endpoint of starved) {
      if (wire >= WIRE_MAX) return
      starved.delete(endpoint)
      pump(endpoint)
    }
  }

  const letGo = (endpoint: Held): void => {
    if (!held.delete(endpoint.id)) return
    starved.delete(endpoint)
    if (endpoint.epoch === session.epoch()) {
      if (leaving.push(endpoint.id) === 1) setImmediate(unlock)
    }
    if (held.size === 0) for (const wake of idlers.splice(0)) wake()
  }

  const unlock = (): void => {
    const ids = leaving.splice(0)
    session
      .query(sql.LET_GO, [ids])
      .catch((error: unknown) => ctx.log.warn('could not release webhook endpoints', { cell, error }))
  }

  /** An endpoint that is held while a request of it hangs is not found by a scan: what came since waits for a
   *  place that is free. */
  const lookAgain = (): void => {
    const now = monotonicMs()
    for (const endpoint of held.values()) {
      if (endpoint.fetching || now - endpoint.readAt < LOOK_AGAIN_MS) continue
      if (endpoint.wire >= countPlaces(endpoint.health, ctx.clock.now())) continue
      endpoint.more = true
      pump(endpoint)
    }
  }

  const start = async (): Promise<number> => {
    lookAgain()
    const places = HELD_MAX - held.size
    if (places <= 0) return 0
    const before = launched
    const rows = await session.query<sql.HeldRow>(sql.SCAN, [ctx.clock.now(), [...held.keys()], places])
    const epoch = session.epoch()
    const fresh = rows.map((row): Held => {
      const endpoint: Held = {
        id: row.id,
        merchantId: row.merchant_id,
        version: row.version,
        epoch,
        health: sql.toHealth(row),
        queue: [],
        hand: new Set(),
        wire: 0,
        ahead: AHEAD_MIN,
        readAt: Number.NEGATIVE_INFINITY,
        place: null,
        fetching: false,
        more: true,
        stopped: false,
      }
      held.set(row.id, endpoint)
      return endpoint
    })
    await Promise.all(fresh.map((endpoint) => refill(endpoint, countPlaces(endpoint.health, ctx.clock.now()))))
    return launched - before
  }

  const idle = async (): Promise<void> => {
    if (held.size > 0) await new Promise<void>((done) => idlers.push(done))
  }

  return {
    start,
    leave: () => {
      stopAll()
      return idle()
    },
    dispatch: async () => {
      const before = launched
      for (;;) {
        const started = await start()
        await idle()
        if (started === 0) return launched - before
      }
    },
  }
}

/** What an attempt leaves: the delivery is through, or due again later, or given up. */
function rowOf(
  delivery: sql.DueDelivery,
  attempt: number,
  { status, durationMs, error, answer }: WebhookAnswer,
  verdict: Verdict,
): sql.AttemptRow {
  const tries = delivery.tries + 1
  const next = status === 200 ? null : nextAttemptAt(tries, verdict, Math.random())
  return {
    eventId: delivery.event_id,
    endpointId: delivery.endpoint_id,
    merchantId: delivery.merchant_id,
    attempt,
    at: verdict.at,
    url: delivery.url,
    status,
    durationMs,
    error,
    answer,
    state: status === 200 ? 'DELIVERED' : next ? 'PENDING' : 'GIVEN_UP',
    tries,
    round: delivery.round,
    dueAt: next ?? verdict.at,
  }
}

/** When the earliest delivery is due that nothing holds up. */
export const outstanding = (ctx: Ctx, cell: CellId): Promise<Date | null> =>
  readAll(ctx, cell, (r) => sql.outstanding(r))

export const sharedDispatchers = onePerProcess(
  ({ ctx, merchants }): ReadonlyMap<CellId, Dispatcher> =>
    new Map([...ctx.cells.keys()].map((cell) => [cell, createDispatcher(ctx, merchants, cell)])),
)
