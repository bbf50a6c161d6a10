import { DAY_MS } from '@cowrie/contract/kit/durations'
import {
  advanceClock,
  getClock,
  getEvents,
  getMails,
  getWebhookUrls,
  putWebhookUrls,
} from '@cowrie/contract/screens/sandbox'
import { bind, type RouteDeps } from '#core/bind.ts'
import { readAs } from '#core/cells/cells.ts'
import { feed, presentEvent, sequence } from '#core/events.ts'
import type { Walk } from '#core/feature.ts'
import { requestedUrls, setWebhookUrls, webhookUrls } from '#features/events/webhooks/endpoints.ts'
import { fail } from '#kit/fail.ts'

const FEED_MAX = 1000
const AHEAD_MAX_MS = 400 * DAY_MS

/** Where to: `seconds` ahead, or `to` a moment. */
function target(now: Date, body: { seconds?: number; to?: string }): Date {
  if (body.to !== undefined) {
    const at = Date.parse(body.to)
    if (Number.isNaN(at)) fail('FIELD_INVALID', { field: 'to', why: 'must be an ISO 8601 time' })
    if (at > now.getTime() + AHEAD_MAX_MS) fail('FIELD_INVALID', { field: 'to', why: 'must be within 400 days' })
    return new Date(at)
  }
  if (body.seconds === undefined) fail('FIELD_MISSING', { field: 'seconds' })
  if (body.seconds < 0) fail('CLOCK_BACKWARDS', { field: 'seconds' })
  return new Date(now.getTime() + body.seconds * 1000)
}

export function sandboxRoutes(deps: RouteDeps, walk: Walk): void {
  const { ctx } = deps
  bind(deps, getClock, {
    read: async () => ({ now: ctx.clock.now().toISOString(), offsetSeconds: ctx.clock.offsetMs() / 1000 }),
  })
  bind(deps, advanceClock, {
    read: async ({ body }) => {
      const { now, ran } = await walk((before) => target(before, body))
      return { now: now.toISOString(), ran }
    },
  })
  bind(deps, getMails, { read: async ({ merchant, query }) => (await ctx.simulator?.mails(merchant, query.to)) ?? [] })
  bind(deps, getWebhookUrls, {
    read: ({ merchant }) => readAs(ctx, merchant.cell, merchant.id, (r) => webhookUrls(r, merchant.id)),
  })
  bind(deps, putWebhookUrls, {
    command: async (t, { merchant, body }) => {
      await setWebhookUrls(ctx, t, merchant.id, requestedUrls(ctx, body))
      return webhookUrls(t, merchant.id)
    },
  })
  bind(deps, getEvents, {
    read: async ({ merchant, query }) => {
      await sequence(ctx, merchant.cell) // so that what has just been committed is in the list
      const rows = await readAs(ctx, merchant.cell, merchant.id, (r) =>
        feed(r, merchant.id, BigInt(query.after ?? '0'), FEED_MAX),
      )
      return rows.map((row) => ({
        ...presentEvent(row),
        attempts: row.attempts.map(({ at, error, ...attempt }) => ({
          at: new Date(at).toISOString(),
          ...attempt,
          ...(error === null ? {} : { error }),
        })),
      }))
    },
  })
}
