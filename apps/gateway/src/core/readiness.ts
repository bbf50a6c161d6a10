// Whether a process can do its work, cell by cell: the database answers, is the one it should be, with the
// schema and the master key, under both roles, and its clock agrees with ours. A process is ready as long as
// it can serve one cell: a balancer that took it away because of another cell would stop everybody's
// payments.
import { monotonicMs, wallMs, within } from '#kit/clock.ts'
import type { Ctx, Read, Statement } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { cellById, firstCell, readBeside } from './cells/cells.ts'
import { readStanding } from './cells/stamps.ts'
import { findKeyFault } from './keys/known.ts'

/** A probe is answered within this. A look that takes longer says that somebody is busy: what was found last
 *  holds for a while, because a balancer that takes busy processes away makes the others busier. */
const LOOK_LIMIT_MS = 1_000
const FIRST_LOOK_LIMIT_MS = 10_000
const BUSY_MS = 15_000
/** Several probes share a look. */
const FRESH_MS = 500
const SKEW_WARN_MS = 1_000
const SKEW_FRESH_MS = 5_000
/** Signatures of the bank are good for five minutes; a process that is off by a fifth of that is about to
 *  refuse them. */
const SKEW_MAX_MS = 60_000
/** A worker goes through each cell five times a second. */
const ROUND_MAX_MS = 120_000

export type CellStanding = {
  readonly ready: boolean
  /** What is wrong, in words. */
  readonly fault: string | null
  readonly schema: string | null
  /** How far our clock is ahead of the database's; null when nobody knows. */
  readonly clockSkewMs: number | null
}
export type Standing = {
  readonly ready: boolean
  readonly state: 'SERVING' | 'STOPPING'
  readonly role: string
  readonly version: string
  readonly cells: Readonly<Record<CellId, CellStanding>>
}
export type Readiness = {
  look(): Promise<Standing>
  /** Of a worker: how long ago it last went through the cell. */
  sinceRoundMs(cell: CellId): number
  /** From now on it is not ready, whatever the cells are. */
  stop(): void
}

const CLOCK: Statement = {
  name: 'readiness_clock',
  text: 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
}

/** Our clock against the database's. What the question itself took is doubt, and counts for nobody. */
async function skewOf(r: Read, wall: () => number): Promise<number> {
  const asked = wall()
  const began = monotonicMs()
  const [row] = await r.query<{ ms: number }>(CLOCK, [])
  const took = monotonicMs() - began
  const apart = asked + took / 2 - (row?.ms ?? 0)
  return Math.round(Math.sign(apart) * Math.max(0, Math.abs(apart) - took / 2))
}

const asked = new WeakMap<Ctx['cells'], { readonly at: number; readonly skew: Promise<number> }>()
/** How far our clock is ahead of the database's, of whichever cell is there; asked now and then. */
export function databaseSkewMs(ctx: Ctx): Promise<number> {
  const known = asked.get(ctx.cells)
  if (known && monotonicMs() - known.at < SKEW_FRESH_MS) return known.skew
  const cell = [...ctx.cells.values()].find(({ entry }) => entry.closed === null)?.id ?? firstCell(ctx)
  const skew = readBeside(ctx, cell, (r) => skewOf(r, wallMs))
  asked.set(ctx.cells, { at: monotonicMs(), skew })
  skew.catch(() => asked.delete(ctx.cells))
  return skew
}

const aheadOrBehind = (ms: number): string =>
  `the clock of this process is ${(Math.abs(ms) / 1000).toFixed(1)} s ${ms > 0 ? 'ahead of' : 'behind'} the database's`

/** Every connection is looked at when it is made (logins.ts). Where all are in use, that has been done. */
async function needApp(ctx: Ctx, cell: CellId): Promise<void> {
  const { app } = cellById(ctx, cell)
  if (app.idleCount === 0 && app.totalCount >= app.options.max) return
  const client = await app.connect()
  client.release()
}

export type ReadinessOptions = {
  readonly role: string
  readonly version: string
  /** Of a worker: how long ago it last went through the cell. */
  readonly sinceRoundMs?: (cell: CellId) => number
  readonly wall?: () => number
}

export function createReadiness(ctx: Ctx, options: ReadinessOptions): Readiness {
  const { role, version, sinceRoundMs, wall = wallMs } = options
  let stopping = false
  let looking: { readonly at: number; readonly done: Promise<void> } | null = null

  const lookAt = async (cell: CellId): Promise<CellStanding> => {
    const faulty = (fault: string): CellStanding => ({ ready: false, fault, schema: null, clockSkewMs: null })
    const { closed } = cellById(ctx, cell).entry
    if (closed !== null) return faulty(closed)
    try {
      const { schema, fault, clockSkewMs } = await readBeside(ctx, cell, async (r) => {
        const clockSkewMs = await skewOf(r, wall)
        const { schema, fault } = await readStanding(ctx, cell, r)
        return { schema, fault: fault ?? (await findKeyFault(ctx, cell, r)), clockSkewMs }
      })
      await needApp(ctx, cell)
      const sinceMs = sinceRoundMs?.(cell) ?? 0
      const late = sinceMs > ROUND_MAX_MS ? `no round has ended for ${Math.round(sinceMs / 1000)} s` : null
      const skewed = Math.abs(clockSkewMs) > SKEW_MAX_MS ? aheadOrBehind(clockSkewMs) : null
      if (Math.abs(clockSkewMs) > SKEW_WARN_MS)
        ctx.log.warn('clocks disagree', { cell, ms: clockSkewMs, detail: aheadOrBehind(clockSkewMs) })
      const wrong = fault ?? skewed ?? late
      return { ready: wrong === null, fault: wrong, schema, clockSkewMs }
    } catch (error) {
      const { message, detail } = error as { message: string; detail?: string }
      return faulty(detail ?? message)
    }
  }
  const found = new Map<CellId, { readonly at: number; readonly standing: CellStanding }>()
  const underWay = new Map<CellId, Promise<void>>()
  const look = (cell: CellId): Promise<void> => {
    const known = underWay.get(cell)
    if (known) return known
    const looking = lookAt(cell)
      .then((standing) => void found.set(cell, { at: monotonicMs(), standing }))
      .finally(() => underWay.delete(cell))
    underWay.set(cell, looking)
    return looking
  }
  const standingNow = (cell: CellId): CellStanding => {
    const last = found.get(cell)
    if (last && monotonicMs() - last.at < BUSY_MS) return last.standing
    const fault = last ? `the database has not answered for ${BUSY_MS / 1000} s` : 'the database has not answered yet'
    return { ready: false, fault, schema: null, clockSkewMs: null }
  }
  const lookAtAll = async (): Promise<void> => {
    const limitOf = (cell: CellId): number => (found.has(cell) ? LOOK_LIMIT_MS : FIRST_LOOK_LIMIT_MS)
    await Promise.all([...ctx.cells.keys()].map((cell) => within(look(cell), limitOf(cell), undefined)))
  }
  return {
    look: async () => {
      if (looking === null || monotonicMs() - looking.at > FRESH_MS) looking = { at: monotonicMs(), done: lookAtAll() }
      if (!stopping) await looking.done // that it is about to end is said at once
      const cells = Object.fromEntries([...ctx.cells.keys()].map((cell) => [cell, standingNow(cell)]))
      const ready = !stopping && Object.values(cells).some((cell) => cell.ready)
      return { ready, state: stopping ? 'STOPPING' : 'SERVING', role, version, cells }
    },
    sinceRoundMs: (cell) => sinceRoundMs?.(cell) ?? 0,
    stop: () => {
      stopping = true
    },
  }
}
