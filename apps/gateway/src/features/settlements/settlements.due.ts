// The daily run: on the agenda when something waits to be paid, at 22:00 West Africa Time. Its subject is the merchant it came to.
import { type DueHandlers, schedule } from '../../core/agenda.ts'
import { engineTx } from '../../core/cells.ts'
import { forgetRun } from './lines.sql.ts'
import { gather } from './lines.ts'
import type { Settlements } from './settlements.ts'

const RUN = 'settlements.run'

export const settlementsDue = (settlements: Settlements): DueHandlers => ({
  [RUN]: async (ctx, cell, timers) => {
    for (const timer of timers) {
      const last = await settlements.run(cell, timer.subject)
      // The rest soon, after whatever else is due. Nobody is paid twice if this run is repeated instead.
      if (last !== null) await engineTx(ctx, cell, (t) => schedule(t, RUN, 0n, last, t.now))
      else await engineTx(ctx, cell, (t) => forgetRun(t))
    }
    await gather(ctx, cell) // what was not paid waits for the next run
  },
})
