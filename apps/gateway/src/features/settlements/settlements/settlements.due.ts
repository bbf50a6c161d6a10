// The daily run: on the agenda when something waits to be paid, at 22:00 West Africa Time. Its subject is the
// merchant it came to. A merchant that could not be settled has a timer of its own. A run that payments were
// missing in comes again soon.
import { type DueHandlers, schedule } from '#core/agenda.ts'
import { engineTx } from '#core/cells/cells.ts'
import { forgetRun, RUN, RUN_ONE, runSoon, settleLater } from './lines/lines.sql.ts'
import { gather, gatherAll } from './lines/lines.ts'
import type { Settlements } from './settlements.ts'

const SOON_MS = 120_000

export const settlementsDue = (settlements: Settlements): DueHandlers => ({
  [RUN]: async (ctx, cell, timers) => {
    for (const timer of timers) {
      const { last, behind, failed } = await settlements.run(cell, timer.subject)
      await engineTx(ctx, cell, async (t) => {
        const soon = new Date(t.now.getTime() + SOON_MS)
        if (behind) await runSoon(t, soon)
        if (failed.length > 0) await settleLater(t, failed, soon)
        // The rest soon, after whatever else is due. Nobody is paid twice if this run is repeated instead.
        if (last !== null) await schedule(t, RUN, 0n, last, t.now)
        else await forgetRun(t)
      })
    }
    await gather(ctx, cell) // what was not paid waits for the next run
  },
  // It fails as long as the merchant cannot be settled: the agenda tries it again, every five minutes in the
  // end.
  [RUN_ONE]: async (ctx, cell, timers) => {
    await gatherAll(ctx, cell)
    for (const timer of timers) await settlements.settle(cell, [timer.subject])
  },
})
