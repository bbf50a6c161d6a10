// Attempts to deliver are kept for a while (ATTEMPTS_DAYS) after the month of their event; then a month of
// them leaves at once. What became of a delivery stays. The traces of its events leave with them. Attempts
// that are made later, because somebody sends an old event again, are kept. Bodies of events are kept for
// ever, or for some months (EVENT_BODIES_MONTHS): then those of a month are emptied, once nothing of it waits
// to be delivered. The event stays, with its number and what became of it.
import { DAY_MS, HOUR_MS } from '@cowrie/contract/kit/durations'
import { commitOne, engineTx, readAll } from '#core/cells/cells.ts'
import { monotonicMs } from '#kit/clock.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { type CellId, firstIdInMonth, monthAfter, monthAt, monthBefore } from '#kit/ids.ts'
import * as sql from './retention.sql.ts'

const LOOK_MS = HOUR_MS
/** Traces that one look deletes; few callers name any. */
const TRACES_MAX = 100_000

export async function forgetAttempts(ctx: Ctx, cell: CellId): Promise<void> {
  const kept = monthAt(new Date(ctx.clock.now().getTime() - ctx.attemptsDays * DAY_MS))
  const months = await readAll(ctx, cell, (r) => sql.oldMonths(r, kept))
  for (const { month } of months) {
    await commitOne(ctx, cell, (t) => sql.forgetAttempts(t, month))
    ctx.log.info('old delivery attempts deleted', { cell, detail: String(month) })
  }
  await commitOne(ctx, cell, (t) => sql.forgetTraces(t, firstIdInMonth(kept), TRACES_MAX))
}

/** Until the transaction ends, no month loses its bodies that has them now: for whoever sends events
 *  again. */
export const holdBodies = (t: Tx): Promise<unknown> => sql.holdBodies(t)

/** Bodies that one database transaction empties, and how many of these a round makes: the worker has other
 *  things to do. */
const STEP = 2_000
const STEPS_MAX = 50

/** The ids of a month. */
const range = (month: number) => ({
  from: firstIdInMonth(BigInt(month)),
  past: firstIdInMonth(monthAfter(BigInt(month))),
})

/** Marks months whose time is over. From then on nothing of them is sent again. */
async function markBodies(ctx: Ctx, cell: CellId): Promise<void> {
  const kept = monthBefore(monthAt(ctx.clock.now()), ctx.eventBodiesMonths)
  for (const { month } of await readAll(ctx, cell, (r) => sql.monthsWithBodies(r, kept)))
    await engineTx(ctx, cell, async (t) => {
      await sql.keepFromResending(t)
      await sql.markLeaving(t, month, range(month))
    })
}

/** How far emptying has come, and how many of the month were passed over because they wait to be
 *  delivered. */
export type Place = { readonly at: bigint; readonly waiting: number }
const START: Place = { at: 0n, waiting: 0 }

/** Empties bodies of months that are marked, from a place on; answers where to go on, null when all were
 *  looked at. */
export async function emptyBodies(
  ctx: Ctx,
  cell: CellId,
  from: Place = START,
  { steps = STEPS_MAX, size = STEP } = {},
): Promise<Place | null> {
  let { at, waiting } = from
  let left = steps
  for (const { month } of await readAll(ctx, cell, (r) => sql.monthsLeaving(r))) {
    const { from: first, past } = range(month)
    if (at >= past) continue
    if (at < first) [at, waiting] = [first - 1n, 0]
    for (; at < past; left -= 1) {
      if (left === 0) return { at, waiting }
      const done = await commitOne(ctx, cell, (t) => sql.emptyBodies(t, { after: at, past }, size))
      at = done.last ?? past
      waiting += done.waiting
    }
    if (waiting > 0) continue // the next look tries again
    await commitOne(ctx, cell, (t) => sql.markGone(t, month))
    ctx.log.info('old event bodies deleted', { cell, detail: String(month) })
  }
  return null
}

/** One look; answers where to go on, null when nothing is left to do. */
export async function forgetBodies(ctx: Ctx, cell: CellId, from?: Place): Promise<Place | null> {
  if (ctx.eventBodiesMonths === 0) return null
  if (from === undefined) await markBodies(ctx, cell)
  return emptyBodies(ctx, cell, from)
}

/** Looks once an hour, and goes on at once with what a look could not end. */
export function createForgetting(ctx: Ctx): (cell: CellId) => Promise<void> {
  const looked = new Map<CellId, number>()
  const places = new Map<CellId, Place>()
  return async (cell) => {
    const place = places.get(cell)
    if (!place && monotonicMs() - (looked.get(cell) ?? Number.NEGATIVE_INFINITY) < LOOK_MS) return
    if (!place) await forgetAttempts(ctx, cell)
    const next = await forgetBodies(ctx, cell, place)
    if (next === null) places.delete(cell)
    else places.set(cell, next)
    looked.set(cell, monotonicMs())
  }
}
