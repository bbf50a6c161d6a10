// A worker: does what is due in every cell, woken by the api and by its own work, and polling every 200 ms
// anyway; and keeps house.
import { createBell } from '#kit/bell.ts'
import { monotonicMs, pause } from '#kit/clock.ts'
import type { Ctx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { type BackgroundWork, type DueHandlers, runDue } from './agenda.ts'
import { createSweeper } from './books/sweeper.ts'
import { cellById, engineTx } from './cells/cells.ts'
import { createMonthKeeper } from './cells/month-keeper.ts'
import { loadOffset } from './cells/sandbox-clock.ts'
import { merged } from './declarations.ts'
import { sequence } from './events.ts'
import { ensureTimers, type Housekeeping, mergeSweeps, type Rounds, type Shared, sharedDueHandlers } from './feature.ts'
import { purgeExpired } from './idempotency.ts'
import { createHorizonWatch } from './ledger/horizons.ts'
import { rollUp } from './ledger/ledger.ts'

const POLL_MS = 200
const HOUSEKEEPING_MS = 5_000

export type Worker = {
  /** How long ago it last went through a cell without a fault. */
  readonly sinceRoundMs: (cell: CellId) => number
  stop(): Promise<void>
}

export function runWorker(shared: Shared): Worker {
  const { ctx, features } = shared
  let stopping = false
  const handlers = sharedDueHandlers(shared)
  const background: BackgroundWork = new Set()
  const cells = [...ctx.cells.keys()].map((cell) => ({
    cell,
    bell: createBell(),
    rounds: features.flatMap((feature) => feature.rounds?.(shared, cell) ?? []),
  }))
  // The database of people, where it is not a cell, has timers and nothing else. Its loss holds up no other
  // loop.
  const apart = ctx.identities.id
  if (!ctx.cells.has(apart)) cells.push({ cell: apart, bell: createBell(), rounds: [] })
  const pulse = new Map(cells.map(({ cell }) => [cell, monotonicMs()]))
  const loops = cells.map(async ({ cell, bell, rounds }) => {
    while (!stopping && !(await prepare(shared, cell))) await bell.rest(POLL_MS)
    const listener = shared.listen(cell, 'cowrie_due', () => bell.ring())
    while (!stopping) {
      const ran = await round(shared, cell, handlers, background, rounds)
      if (ran !== null) pulse.set(cell, monotonicMs())
      if (!ran && !stopping) await bell.rest(POLL_MS)
    }
    for (const each of rounds) await each.leave()
    await listener.close()
  })
  const housekeeping = listHouses(shared).map((house) => keepHouse(shared, house, () => stopping))
  return {
    sinceRoundMs: (cell) => monotonicMs() - (pulse.get(cell) ?? 0),
    stop: async () => {
      stopping = true
      for (const { bell } of cells) bell.ring()
      // At once, not when the round is over: a slow receiver's queue would keep this worker until its limit.
      const left = cells.flatMap(({ rounds }) => rounds.map((each) => each.leave()))
      await Promise.all([...loops, ...housekeeping, ...left])
      await Promise.all(background)
    },
  }
}

/** Whether the cell is in use and has the timers that no request makes. */
async function prepare(shared: Shared, cell: CellId): Promise<boolean> {
  const { ctx } = shared
  const { entry } = cellById(ctx, cell)
  if (entry.closed !== null) return false
  const own = ctx.cells.get(cell)
  if (!own) return true // the database of people has none of these
  try {
    await ensureTimers({ ...shared, ctx: { ...ctx, cells: new Map([[cell, own]]) } })
    return true
  } catch (error) {
    ctx.log.error('could not schedule the nightly timers', { cell, error })
    await pause(POLL_MS)
    return false
  }
}

/** Answers how much it did; null when it failed. */
async function round(
  { ctx, sandbox }: Shared,
  cell: CellId,
  handlers: DueHandlers,
  background: BackgroundWork,
  rounds: readonly Rounds[],
): Promise<number | null> {
  try {
    sandbox?.clock.setOffset(await loadOffset(ctx))
    let ran = (await runDue(ctx, cell, handlers, background)) + (await sequence(ctx, cell))
    for (const each of rounds) ran += await each.start()
    return ran
  } catch (error) {
    ctx.log.error('worker round failed; it will be retried', { cell, error })
    await pause(POLL_MS)
    return null
  }
}

export type House = { readonly cells: readonly CellId[]; readonly steps: Housekeeping }

/** What no merchant waits for, and where. Of the cells: roll-ups, forgotten keys, horizons, months and lost
 *  timers, and what the features have. Of the database of people: what is kept for people; where it is not a
 *  cell, its months and lost timers too. */
export function listHouses(shared: Shared): readonly [cells: House, people: House] {
  const { ctx, features } = shared
  const anywhere: Housekeeping = {
    months: createMonthKeeper(ctx),
    'lost timers': createSweeper(ctx, mergeSweeps(features)),
  }
  const steps = merged('housekeeping', [
    { 'roll-ups': (cell) => rollUp(ctx, cell) },
    ...features.map((feature) => feature.housekeeping?.(shared) ?? {}),
    { 'old keys': (cell) => engineTx(ctx, cell, (t) => purgeExpired(t)), horizons: createHorizonWatch(ctx) },
    anywhere,
  ])
  const people = merged('housekeeping of people', [
    ...features.map((feature) => feature.peopleHousekeeping?.(shared) ?? {}),
    ctx.cells.has(ctx.identities.id) ? {} : anywhere,
  ])
  return [
    { cells: [...ctx.cells.keys()], steps },
    { cells: [ctx.identities.id], steps: people },
  ]
}

/** Each step separately: one that fails stops none of the others. */
async function keepHouse({ ctx }: Shared, { cells, steps }: House, stopping: () => boolean): Promise<void> {
  for (let since = HOUSEKEEPING_MS; !stopping(); since += 250) {
    await pause(250)
    if (since < HOUSEKEEPING_MS) continue
    since = 0
    // Side by side: a cell that does not answer holds up none of the others.
    await Promise.all(cells.map((cell) => keepCell(ctx, cell, steps)))
  }
}

async function keepCell(ctx: Ctx, cell: CellId, steps: Housekeeping): Promise<void> {
  if (cellById(ctx, cell).entry.closed !== null) return
  for (const [kind, step] of Object.entries(steps))
    await step(cell).catch((error: unknown) => ctx.log.warn('housekeeping failed', { cell, kind, error }))
}
