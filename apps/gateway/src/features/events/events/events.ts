// Events: the merchant's event log, read from any position, shown one by one, and sent again on request.
// To send again is to make deliveries due: the dispatcher finds them, and keeps the order of each object. A
// disabled endpoint's wait for it; a removed one gets none.
import {
  FEED_PAGE_MAX,
  FEED_WAIT_MAX_SECONDS,
  type getEvent,
  type listEvents,
  RESEND_MAX,
  type resendFailed,
  type resendRange,
} from '@cowrie/contract/events/feed'
import { type eventLog, LOG_PAGE } from '@cowrie/contract/events/log'
import type { ViewQueryOf, ViewReplyOf } from '@cowrie/contract/kit/act'
import type { BodyOf, QueryOf, ReplyOf } from '@cowrie/contract/kit/spec'
import { type EventRow, findEvent, lastNumber, log, presentEvent } from '#core/events.ts'
import { endpointId, endpointText } from '#features/events/webhooks/endpoints.ts'
import { holdBodies } from '#features/events/webhooks/retention.ts'
import type { Read, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { type CellId, eventText } from '#kit/ids.ts'
import { readMoment } from '#kit/times.ts'
import * as sql from './events.sql.ts'

const ID = /^evt_(\d\d)_([1-9]\d{0,17})$/
/** The id that a text names, if it is one of this cell. */
export function eventId(cell: CellId, text: string): bigint {
  const [, at, digits] = ID.exec(text) ?? []
  return at === cell && digits ? BigInt(digits) : fail('EVENT_NOT_FOUND')
}

// ---- reading

const LIMIT = 100

export type Page = { readonly after: bigint; readonly limit: number; readonly waitMs: number }

export function toPage(query: QueryOf<typeof listEvents>): Page {
  const limit = Number(query.limit ?? LIMIT)
  if (limit < 1 || limit > FEED_PAGE_MAX)
    fail('FIELD_INVALID', { field: 'limit', why: `must be 1 to ${FEED_PAGE_MAX}` })
  const wait = Number(query.wait ?? 0)
  if (wait > FEED_WAIT_MAX_SECONDS)
    fail('FIELD_INVALID', { field: 'wait', why: `must be 0 to ${FEED_WAIT_MAX_SECONDS} seconds` })
  return { after: BigInt(query.after ?? 0), limit, waitMs: wait * 1000 }
}

const shown = (cell: CellId, row: EventRow) => ({ eventId: eventText(cell, row.event_id), ...presentEvent(row) })

export async function list(read: Read, merchantId: bigint, page: Page): Promise<ReplyOf<typeof listEvents>> {
  const rows = await log(read, merchantId, page.after, page.limit)
  return {
    events: rows.map((row) => shown(read.cell, row)),
    lastNumber: Number(await lastNumber(read, merchantId)),
  }
}

/** The newest first, without bodies: what became of each is read with it. */
export async function page(
  read: Read,
  merchantId: bigint,
  query: ViewQueryOf<typeof eventLog>,
): Promise<ViewReplyOf<typeof eventLog>> {
  const before = query.before === undefined ? null : BigInt(query.before)
  const rows = await sql.page(read, merchantId, { before, givenUp: query.outcome === 'GIVEN_UP', limit: LOG_PAGE + 1 })
  const content = rows.slice(0, LOG_PAGE)
  return {
    content: content.map((row) => ({
      eventId: eventText(read.cell, row.event_id),
      number: Number(row.number),
      eventType: row.type,
      object: row.object,
      objectVersion: row.object_version,
      createdAt: row.at.toISOString(),
      deliveries: row.deliveries.map(({ id, due_at, duration_ms, ...delivery }) => ({
        ...delivery,
        endpointId: endpointText(read.cell, BigInt(id)),
        nextAttemptAt: delivery.state === 'PENDING' ? new Date(due_at).toISOString() : null,
        durationMs: duration_ms,
      })),
    })),
    next: rows.length > LOG_PAGE ? String(content.at(-1)?.number) : null,
    lastNumber: Number(await lastNumber(read, merchantId)),
  }
}

export async function show(read: Read, merchantId: bigint, text: string): Promise<ReplyOf<typeof getEvent>> {
  const row = (await findEvent(read, merchantId, eventId(read.cell, text))) ?? fail('EVENT_NOT_FOUND')
  const deliveries = await sql.listDeliveries(read, merchantId, row.event_id)
  const attempts = await sql.listAttempts(read, merchantId, row.event_id)
  return {
    ...shown(read.cell, row),
    deliveries: deliveries.map((delivery) => ({
      endpointId: endpointText(read.cell, delivery.endpoint_id),
      url: delivery.url,
      state: delivery.state,
      nextAttemptAt: delivery.state === 'PENDING' ? delivery.due_at.toISOString() : null,
      attempts: attempts
        .filter((attempt) => attempt.endpoint_id === delivery.endpoint_id)
        .map(({ at, url, status, duration_ms, error, answer }) => ({
          at: at.toISOString(),
          url,
          status,
          durationMs: duration_ms,
          ...(error === null ? {} : { error }),
          answer,
        })),
    })),
  }
}

// ---- sending again

type Found = { readonly recordsFound: number }

/** The endpoints that a request is about, held: all there are, or the one it names. */
async function endpointsFor(t: Tx, merchantId: bigint, named: string | undefined): Promise<bigint[]> {
  if (named === undefined) return sql.holdEndpoints(t, merchantId, null)
  const held = await sql.holdEndpoints(t, merchantId, endpointId(t.cell, named))
  return held.length > 0 ? held : fail('ENDPOINT_NOT_FOUND')
}

export async function resend(t: Tx, merchantId: bigint, text: string, named: string | undefined): Promise<Found> {
  const { number } = (await findEvent(t, merchantId, eventId(t.cell, text))) ?? fail('EVENT_NOT_FOUND')
  return resendNumbers(t, merchantId, { from: number, to: number, endpointId: named })
}

const outOfRange = (field: string, why: string): never => fail('RANGE_INVALID', { field, why })

export function resendBetween(t: Tx, merchantId: bigint, body: BodyOf<typeof resendRange>): Promise<Found> {
  const { from, to, ...choice } = body
  if (from > to) outOfRange('to', 'must not be before from')
  if (to - from >= RESEND_MAX) outOfRange('to', `must be within ${RESEND_MAX} events of from`)
  return resendNumbers(t, merchantId, { from: BigInt(from), to: BigInt(to), ...choice })
}

type Numbers = Omit<BodyOf<typeof resendRange>, 'from' | 'to' | 'endpointId'> & {
  readonly from: bigint
  readonly to: bigint
  readonly endpointId?: string | undefined
}
async function resendNumbers(t: Tx, merchantId: bigint, numbers: Numbers): Promise<Found> {
  const { from, to, endpointId: named, eventTypes, onlyFailed = false } = numbers
  await holdBodies(t)
  const gone = await sql.firstWithoutBody(t, merchantId, from, to)
  if (gone !== null) fail('EVENT_BODY_GONE', { number: String(gone) })
  const endpoints = await endpointsFor(t, merchantId, named)
  const range = { from, to, types: eventTypes ?? null, endpoints, named: named !== undefined, onlyFailed }
  return { recordsFound: await sql.resendRange(t, merchantId, range) }
}

const momentOf = (field: string, text: string): Date =>
  readMoment(text) ?? outOfRange(field, 'must be a date, such as 2026-05-01T00:00:00.000')

export async function resendSpan(t: Tx, merchantId: bigint, body: BodyOf<typeof resendFailed>): Promise<Found> {
  const [start, end] = [momentOf('startDate', body.startDate), momentOf('endDate', body.endDate)]
  if (end < start) outOfRange('endDate', 'must not be before startDate')
  await holdBodies(t)
  const endpoints = await sql.holdEndpoints(t, merchantId, null)
  return { recordsFound: await sql.resendSpan(t, merchantId, { endpoints, start, end, limit: RESEND_MAX }) }
}
