// Endpoints: where a merchant is notified of events. One address per activity; more that take the kinds they
// choose.
//   ENABLED → DISABLED → ENABLED …   → REMOVED       DISABLED: by 410, by five days of failure, by the
//     merchant
// An address may change under what waits for it: a delivery names the endpoint, and the address is read when
// it is sent.
import {
  type changeEndpoint,
  type createEndpoint,
  ENDPOINTS_MAX,
  EVENTS,
  endpointMachine,
} from '@cowrie/contract/events/endpoints'
import { type BodyOf, type ReplyOf, WEBHOOK_KINDS, type WebhookKind } from '@cowrie/contract/kit/spec'
import { cellById } from '#core/cells/cells.ts'
import { holdSequencer } from '#core/events.ts'
import { mover } from '#core/ledger/move.ts'
import type { Ctx, Read, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { looksPublic } from '#kit/http/addresses.ts'
import type { CellId } from '#kit/ids.ts'
import * as sql from './endpoints.sql.ts'

export const moveEndpoints = mover(endpointMachine, { name: 'endpoint', set: { disabled_reason: 'text' } })

export type WebhookUrls = Record<WebhookKind, string | null>

export const endpointText = (cell: CellId, id: bigint): string => `ep_${cell}_${id}`

export async function webhookUrls(read: Read, merchantId: bigint): Promise<WebhookUrls> {
  const urls = Object.fromEntries(WEBHOOK_KINDS.map((kind) => [kind, null])) as WebhookUrls
  for (const { activities, url } of await sql.list(read, merchantId))
    for (const activity of activities) urls[activity as WebhookKind] = url
  return urls
}

/** A courtesy to whoever mistypes; the wall stands where the socket connects. */
export function checkAddress(ctx: Pick<Ctx, 'environment'>, field: string, url: string): void {
  if (ctx.environment === 'live' && !looksPublic(url)) fail('ADDRESS_NOT_PUBLIC', { field })
}

/** What a request may say of the addresses; stray keys are ignored. */
export type RequestedUrls = Partial<WebhookUrls> & { readonly all?: string | null | undefined }

/** The addresses that a request sets, after a look at each. */
export function requestedUrls(ctx: Pick<Ctx, 'environment'>, requested: RequestedUrls): Partial<WebhookUrls> {
  const urls: Partial<WebhookUrls> = {}
  for (const kind of WEBHOOK_KINDS) {
    const field = requested[kind] === undefined ? 'all' : kind
    const url = requested[field]
    if (url === undefined) continue
    if (url !== null) checkAddress(ctx, field, url)
    urls[kind] = url
  }
  return urls
}

const kindsOf = (activity: string): string[] =>
  EVENTS.filter((event) => event.goesTo === activity).map((event) => event.type)

/** Sets addresses of activities. What waits for an address goes along: with the endpoint itself where all of
 *  it moves to a new address, one by one otherwise. */
export async function setWebhookUrls(ctx: Ctx, t: Tx, merchantId: bigint, urls: Partial<WebhookUrls>): Promise<void> {
  const ids = await cellById(ctx, t.cell).takeIds(WEBHOOK_KINDS.length)
  const rows = await sql.lock(t, merchantId)
  const at = (url: string) => rows.find((row) => row.url === url)
  for (const row of rows) {
    const [url, ...more] = new Set(row.activities.map((activity) => urls[activity as WebhookKind]))
    const moves = typeof url === 'string' && more.length === 0 && row.event_types.length === 0 && !at(url)
    if (moves) row.url = await rename(t, merchantId, row, url)
  }
  const moved: { from: sql.EndpointRow; to: sql.EndpointRow; activity: string }[] = []
  for (const [activity, url] of Object.entries(urls)) {
    const from = rows.find((row) => row.activities.includes(activity))
    if (from?.url === url) {
      if (from?.status === 'DISABLED') await enable(t, merchantId, from)
      continue
    }
    if (from) from.activities = from.activities.filter((one) => one !== activity)
    if (url === null) continue
    const to = at(url) ?? newRow(ids.pop() as bigint, url, t.now)
    if (!rows.includes(to)) rows.push(to)
    to.activities = [...to.activities, activity]
    if (from) moved.push({ from, to, activity })
  }
  for (const row of rows) await sql.put(t, merchantId, row)
  for (const { from, to, activity } of moved) await sql.takeAlong(t, merchantId, from.id, to.id, kindsOf(activity))
  for (const row of rows) if (row.activities.length + row.event_types.length === 0) await remove(t, merchantId, row)
}

const newRow = (id: bigint, url: string, now: Date): sql.EndpointRow => ({
  id,
  url,
  activities: [],
  event_types: [],
  description: '',
  status: 'ENABLED',
  disabled_reason: null,
  failing_since: null,
  rest_until: null,
  waiting: 0n,
  created_at: now,
})

/** A new address starts anew: enabled, its failures forgotten, what waits for it tried at once. */
async function rename(t: Tx, merchantId: bigint, row: sql.EndpointRow, url: string): Promise<string> {
  await sql.put(t, merchantId, { ...row, url })
  await enable(t, merchantId, row)
  return url
}

/** Sends again: what waited goes out in order, the first of it to see whether anybody is there. */
export async function enable(t: Tx, merchantId: bigint, row: sql.EndpointRow): Promise<void> {
  if (row.status === 'DISABLED') {
    await move(t, merchantId, row, 'enable', null)
    row.status = 'ENABLED'
  }
  await sql.forgive(t, merchantId, row.id)
  await sql.hasten(t, merchantId, row.id)
}

export async function pause(t: Tx, merchantId: bigint, row: sql.EndpointRow): Promise<void> {
  if (row.status === 'ENABLED') await move(t, merchantId, row, 'pause', 'BY_MERCHANT')
}

export async function remove(t: Tx, merchantId: bigint, row: sql.EndpointRow): Promise<void> {
  await move(t, merchantId, row, 'remove', null)
  // A sequencer under way may be making a delivery for it; with its lock we see what it made, and no other
  // follows.
  await holdSequencer(t)
  await sql.giveUp(t, merchantId, row.id)
}

async function move(
  t: Tx,
  merchantId: bigint,
  row: sql.EndpointRow,
  on: 'pause' | 'enable' | 'remove',
  reason: 'BY_MERCHANT' | null,
): Promise<void> {
  const { id, status: from } = row
  const moved = await moveEndpoints(t, [{ on, id, merchantId, from, set: { disabled_reason: reason } }])
  if (moved.size !== 1) fail('INTERNAL', {}, `endpoint ${id}: state changed despite row lock`)
}

/** An endpoint for chosen kinds. */
export async function create(
  ctx: Ctx,
  t: Tx,
  merchantId: bigint,
  body: BodyOf<typeof createEndpoint>,
): Promise<bigint> {
  checkAddress(ctx, 'url', body.url)
  const [id] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
  const known = await sql.lock(t, merchantId)
  const row = known.find((one) => one.url === body.url) ?? newRow(id, body.url, t.now)
  if (row.id === id && known.length >= ENDPOINTS_MAX) fail('ENDPOINTS_TOO_MANY')
  const eventTypes = [...new Set([...row.event_types, ...body.eventTypes])]
  await sql.put(t, merchantId, { ...row, event_types: eventTypes, description: body.description ?? row.description })
  if (row.status === 'DISABLED') await enable(t, merchantId, row)
  return row.id
}

const ID = /^ep_(\d\d)_(\d{1,18})$/
/** The id that a text names, if it is one of this cell. */
export function endpointId(cell: CellId, text: string): bigint {
  const [, at, digits] = ID.exec(text) ?? []
  return at === cell && digits ? BigInt(digits) : fail('ENDPOINT_NOT_FOUND')
}

/** The endpoint that a request names, held until the transaction ends. */
export async function locked(t: Tx, merchantId: bigint, text: string): Promise<sql.EndpointRow> {
  const id = endpointId(t.cell, text)
  return (await sql.lock(t, merchantId)).find((row) => row.id === id) ?? fail('ENDPOINT_NOT_FOUND')
}

type Shown = ReplyOf<typeof createEndpoint>

const shown = (cell: CellId, row: sql.EndpointRow): Shown => ({
  endpointId: endpointText(cell, row.id),
  url: row.url,
  activities: row.activities as Shown['activities'],
  eventTypes: row.event_types,
  description: row.description,
  status: row.status,
  disabledReason: row.disabled_reason,
  failingSince: row.failing_since?.toISOString() ?? null,
  restingUntil: row.rest_until?.toISOString() ?? null,
  waiting: Number(row.waiting),
  createdAt: row.created_at.toISOString(),
})

export const list = async (read: Read, merchantId: bigint): Promise<Shown[]> =>
  (await sql.list(read, merchantId)).map((row) => shown(read.cell, row))

export async function show(read: Read, merchantId: bigint, id: bigint): Promise<Shown> {
  const row = (await sql.list(read, merchantId)).find((one) => one.id === id)
  return shown(read.cell, row ?? fail('ENDPOINT_NOT_FOUND'))
}

export async function change(
  ctx: Ctx,
  t: Tx,
  merchantId: bigint,
  text: string,
  { url, eventTypes, description }: BodyOf<typeof changeEndpoint>,
): Promise<Shown> {
  if (url !== undefined) checkAddress(ctx, 'url', url)
  const row = await locked(t, merchantId, text)
  if (url !== undefined && url !== row.url) {
    if ((await sql.list(t, merchantId)).some((one) => one.url === url)) fail('ENDPOINT_EXISTS', { field: 'url' })
    row.url = await rename(t, merchantId, row, url)
  }
  await sql.put(t, merchantId, {
    ...row,
    event_types: eventTypes ? [...new Set(eventTypes)] : row.event_types,
    description: description ?? row.description,
  })
  return show(t, merchantId, row.id)
}
