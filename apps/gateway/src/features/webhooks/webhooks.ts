// Webhooks: an event, its deliveries, their attempts.
//   PENDING → [200] DELIVERED      PENDING → [anything else] PENDING, later      → [tenth failure] GIVEN_UP
// At least once; in order per object; a dead endpoint holds up nobody else. Who waits: the merchant, until the schedule
// of the contract is used up. The bytes were fixed with the event; they are signed as they are stored.
import {
  RETRY_DELAYS_SECONDS,
  SERVICE_SIGNATURE_HEADER,
  WEBHOOK_ID_HEADER,
  WEBHOOK_SIGNATURE_HEADER,
  WEBHOOK_TIMESTAMP_HEADER,
} from '@cowrie/contract/delivery'
import { batcher } from '../../core/batch.ts'
import { commitOne, readAll } from '../../core/cells.ts'
import type { Merchants } from '../../core/merchants.ts'
import { wallSeconds } from '../../kit/clock.ts'
import { hmacBase64, hmacHex } from '../../kit/crypto.ts'
import type { Ctx } from '../../kit/ctx.ts'
import type { CellId } from '../../kit/ids.ts'
import * as sql from './webhooks.sql.ts'

const PER_ENDPOINT_MAX = 5
const IN_FLIGHT_MAX = 100
const LEASE_SECONDS = 20 // longer than the longest attempt (15 s) and its record; what a killed worker held waits no longer
const JITTER = 0.2

/** When an attempt that failed is followed by the next; null when it was the last. `spread` is between 0 and 1. */
export function nextAttemptAt(failed: number, at: Date, spread: number): Date | null {
  const delay = RETRY_DELAYS_SECONDS[failed]
  if (delay === undefined) return null
  return new Date(at.getTime() + delay * 1000 * (1 + JITTER * (2 * spread - 1)))
}

export function signatureHeaders(secretKey: string, id: string, body: string): Record<string, string> {
  const timestamp = String(wallSeconds())
  return {
    'content-type': 'application/json',
    'user-agent': 'Cowrie/1',
    [SERVICE_SIGNATURE_HEADER]: hmacHex('sha512', secretKey, body),
    [WEBHOOK_ID_HEADER]: id,
    [WEBHOOK_TIMESTAMP_HEADER]: timestamp,
    [WEBHOOK_SIGNATURE_HEADER]: `v1,${hmacBase64(secretKey, `${id}.${timestamp}.${body}`)}`,
  }
}

export type Dispatcher = {
  /** Makes every delivery that is due and that the limits allow; answers when those are through, with their number. */
  dispatch(): Promise<number>
  /** Starts what is due without waiting for it; answers how many were started. */
  start(): Promise<number>
  idle(): Promise<void>
}

export function createDispatcher(ctx: Ctx, merchants: Merchants, cell: CellId, whenFreed: () => void): Dispatcher {
  const busy = new Map<bigint, number>()
  const inFlight = new Set<Promise<void>>()
  const record = batcher<sql.AttemptRow, undefined>({
    key: (row) => String(row.deliveryId),
    run: async (rows) => {
      await commitOne(ctx, cell, (t) => sql.record(t, rows))
      return rows.map(() => undefined)
    },
  })

  const attempt = async (delivery: sql.ClaimedDelivery): Promise<void> => {
    const merchant = await merchants.byId(cell, delivery.merchant_id)
    if (!merchant) throw new Error(`no merchant ${delivery.merchant_id}`)
    const headers = signatureHeaders(merchant.secretKey(), `evt_${cell}_${delivery.event_id}`, delivery.body)
    const at = ctx.clock.now()
    const answer = await ctx.webhooks.post(delivery.url, headers, delivery.body)
    const number = delivery.attempts + 1
    const delivered = answer.status === 200
    const next = delivered ? null : nextAttemptAt(number, at, Math.random())
    await record({
      deliveryId: delivery.id,
      merchantId: delivery.merchant_id,
      attempt: number,
      at,
      url: delivery.url,
      ...answer,
      state: delivered ? 'DELIVERED' : next ? 'PENDING' : 'GIVEN_UP',
      dueAt: next ?? at,
    })
  }

  const launch = (delivery: sql.ClaimedDelivery): void => {
    busy.set(delivery.endpoint, (busy.get(delivery.endpoint) ?? 0) + 1)
    const work = attempt(delivery)
      .catch((error: unknown) => ctx.log.error('delivery failed', { cell, merchantId: delivery.merchant_id, error }))
      .finally(() => {
        inFlight.delete(work)
        const left = (busy.get(delivery.endpoint) ?? 1) - 1
        if (left === 0) busy.delete(delivery.endpoint)
        else busy.set(delivery.endpoint, left)
        whenFreed()
      })
    inFlight.add(work)
  }

  const start = async (): Promise<number> => {
    const limit = IN_FLIGHT_MAX - inFlight.size
    if (limit <= 0) return 0
    const leaseUntil = new Date(ctx.clock.now().getTime() + LEASE_SECONDS * 1000)
    const claimed = await commitOne(ctx, cell, (t) =>
      sql.claim(t, { leaseUntil, perEndpoint: PER_ENDPOINT_MAX, busy, limit }),
    )
    for (const delivery of claimed) launch(delivery)
    return claimed.length
  }

  const idle = async (): Promise<void> => {
    while (inFlight.size > 0) await Promise.all(inFlight)
  }

  return {
    start,
    idle,
    dispatch: async () => {
      let made = 0
      for (;;) {
        const started = await start()
        made += started
        await idle()
        if (started === 0) return made
      }
    },
  }
}

/** When the earliest delivery is due that nobody holds, and how many are in hand. */
export const outstanding = (ctx: Ctx, cell: CellId): Promise<{ dueAt: Date | null; inHand: number }> =>
  readAll(ctx, cell, (r) => sql.outstanding(r))
