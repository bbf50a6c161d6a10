// A worker: does what is due in every cell, woken by the api and by its own work, and polling every 200 ms anyway; and keeps house.
import { createBell } from '../kit/bell.ts'
import { pause } from '../kit/clock.ts'
import type { CellId } from '../kit/ids.ts'
import { type BackgroundWork, type DueHandlers, runDue } from './agenda.ts'
import { createSweeper } from './books/sweeper.ts'
import { engineTx } from './cells/cells.ts'
import { createMonthKeeper } from './cells/month-keeper.ts'
import { loadOffset } from './cells/sandbox-clock.ts'
import { sequence } from './events.ts'
import { dueOf, ensureTimers, type Housekeeping, merged, type Rounds, type Shared, sweepOf } from './feature.ts'
import { purgeExpired } from './idempotency.ts'
import { createHorizonWatch } from './ledger/horizons.ts'
import { rollUp } from './ledger/ledger.ts'

const POLL_MS = 200
const HOUSEKEEPING_MS = 5_000

export type Worker = { stop(): Promise<void> }

export function runWorker(shared: Shared): Worker {
  const { ctx, features } = shared
  let stopping = false
  const handlers = dueOf(shared)
  const background: BackgroundWork = new Set()
  const prepared = ensureTimers(shared).catch((error: unknown) =>
    ctx.log.error('could not schedule the nightly timers', { error }),
  )
  const cells = [...ctx.cells.keys()].map((cell) => ({
    cell,
    bell: createBell(),
    rounds: features.flatMap((feature) => feature.rounds?.(shared, cell) ?? []),
  }))
  const loops = cells.map(async ({ cell, bell, rounds }) => {
    await prepared
    const listener = shared.listen(cell, 'cowrie_due', () => bell.ring())
    while (!stopping) {
      const ran = await round(shared, cell, handlers, background, rounds)
      if (ran === 0 && !stopping) await bell.rest(POLL_MS)
    }
    for (const each of rounds) await each.idle()
    await listener.close()
  })
  const housekeeping = keepHouse(shared, () => stopping)
  return {
    stop: async () => {
      stopping = true
      for (const { bell } of cells) bell.ring()
      await Promise.all([...loops, housekeeping])
      await Promise.all(background)
    },
  }
}

async function round(
  { ctx, sandbox }: Shared,
  cell: CellId,
  handlers: DueHandlers,
  background: BackgroundWork,
  rounds: readonly Rounds[],
): Promise<number> {
  try {
    sandbox?.clock.setOffset(await loadOffset(ctx))
    let ran = (await runDue(ctx, cell, handlers, background)) + (await sequence(ctx, cell))
    for (const each of rounds) ran += await each.start()
    return ran
  } catch (error) {
    ctx.log.error('worker round failed; it will be retried', { cell, error })
    await pause(POLL_MS)
    return 0
  }
}

/** What no merchant waits for: of the engine roll-ups, forgotten keys, horizons and lost timers; and of the features. */
async function keepHouse(shared: Shared, stopping: () => boolean): Promise<void> {
  const { ctx, features } = shared
  // Each separately: one that fails stops none of the others.
  const steps: Housekeeping = merged('housekeeping', [
    { 'roll-ups': (cell) => rollUp(ctx, cell) },
    ...features.map((feature) => feature.housekeeping?.(shared) ?? {}),
    {
      'old keys': (cell) => engineTx(ctx, cell, (t) => purgeExpired(t)),
      horizons: createHorizonWatch(ctx),
      months: createMonthKeeper(ctx),
      'lost timers': createSweeper(ctx, sweepOf(features)),
    },
  ])
  for (let since = HOUSEKEEPING_MS; !stopping(); since += 250) {
    await pause(250)
    if (since < HOUSEKEEPING_MS) continue
    since = 0
    for (const cell of ctx.cells.keys())
      for (const [kind, step] of Object.entries(steps))
        await step(cell).catch((error: unknown) => ctx.log.warn('housekeeping failed', { cell, kind, error }))
  }
}
