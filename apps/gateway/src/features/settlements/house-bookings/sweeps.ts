// Sweeps: money that we move between two of our own banks. Each bank's statement shows its side, often on
// different days.
//   SWEEP_OUT → on its way → SWEEP_IN of the same amount at another bank → both sides were seen
//   one side alone for more than three days → a break of the class TRANSIT, until the other is seen
// Books: each side is posted when its statement is read (house-bookings.ts), between its bank and the account
// of money on its way, which is zero once both were. Here nothing is posted: it is found out what belongs
// together. Who waits: the operator, for the other side.
import { DAY_MS } from '@cowrie/contract/kit/durations'
import { nairaText } from '@cowrie/contract/kit/money'
import { engineTx, readAll } from '#core/cells/cells.ts'
import { HOUSE } from '#core/ledger/chart.ts'
import { type FoundBreak, openBreaks, resolveAll } from '#features/bank/breaks/breaks.ts'
import type { Ctx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import * as sql from './sweeps.sql.ts'

/** A weekend: banks may take until Monday. */
const ON_THE_WAY_MS = 3 * DAY_MS
/** Banks that know the day of a booking only say midnight, so an arrival may seem to be before its
 *  departure. */
const SEEMS_BEFORE_MS = DAY_MS

const AFTER_ALL_BEFORE = 1e15

export type Pair = { readonly out: sql.Side; readonly into: sql.Side }

/** How well a departure fits an arrival; null: not at all. Less is better. */
function misfit(out: sql.Side, into: sql.Side): number | null {
  if (out.kobo !== into.kobo || out.connector === into.connector) return null
  if (out.session_id === into.session_id) return -1
  const took = into.booked_at.getTime() - out.booked_at.getTime()
  // What left before comes first, the latest of it: a sweep of the same amount every day is not taken for one
  // that was lost.
  if (took >= 0) return took
  return -took <= SEEMS_BEFORE_MS ? AFTER_ALL_BEFORE - took : null
}

/** What belongs together: each arrival, the earliest first, with the departure that fits it best. A reference
 *  that both banks show is certain, so those come before all others. */
export function pairSides(sides: readonly sql.Side[]): Pair[] {
  const outs = new Set(sides.filter(({ kind }) => kind === 'SWEEP_OUT'))
  const ins = sides
    .filter(({ kind }) => kind === 'SWEEP_IN')
    .toSorted((a, b) => a.booked_at.getTime() - b.booked_at.getTime())
  const named = new Set([...outs].map(({ session_id }) => session_id))
  const pairs: Pair[] = []
  for (const into of [
    ...ins.filter(({ session_id }) => named.has(session_id)),
    ...ins.filter(({ session_id }) => !named.has(session_id)),
  ]) {
    const fitting = [...outs].flatMap((out) => {
      const by = misfit(out, into)
      return by === null ? [] : [{ out, by }]
    })
    const best = fitting.toSorted((a, b) => a.by - b.by)[0]
    if (best === undefined) continue
    outs.delete(best.out)
    pairs.push({ out: best.out, into })
  }
  return pairs
}

const overdue = ({ kind, session_id, kobo, connector }: sql.Side): FoundBreak => ({
  class: 'TRANSIT',
  merchantId: HOUSE,
  kind,
  sessionId: session_id,
  connector,
  bankKobo: kobo,
  ourKobo: kobo,
  says: `${nairaText(kobo)} ${kind === 'SWEEP_OUT' ? 'left this bank, and has arrived at no other of ours' : 'arrived from a bank of ours, and has left none'}.`,
})

/** Finds the sides that belong together, opens a break for one that has been alone for too long, and ends it
 *  once the other was seen. */
export async function followSweeps(ctx: Ctx, cell: CellId, day: string): Promise<void> {
  if ((await readAll(ctx, cell, sql.listAlone)).length > 0)
    await engineTx(ctx, cell, async (t) => {
      const sides = await sql.lockAlone(t)
      const pairs = pairSides(sides)
      await sql.pair(t, pairs)
      const paired = new Set(pairs.flatMap(({ out, into }) => [out.transfer_id, into.transfer_id]))
      const since = t.now.getTime() - ON_THE_WAY_MS
      const late = sides.filter((one) => !paired.has(one.transfer_id) && one.booked_at.getTime() < since)
      await openBreaks(ctx, t, day, late.map(overdue))
    })
  const ended = await readAll(ctx, cell, sql.listEnded)
  if (ended.length > 0)
    await engineTx(ctx, cell, (t) =>
      resolveAll(
        t,
        ended.map(({ id }) => ({ id, merchantId: HOUSE, done: `Both sides were seen by ${day}.` })),
      ),
    )
}
