import { listExports, requestExport } from '@cowrie/contract/screens/exports'
import { type BoundAct, type BoundView, bindAct, bindView, needMerchant } from '#core/acts/acts.ts'
import { masked } from '#core/acts/route-lines.ts'
import { prepareExport, presentExport, presentExports, queueExport, type Wanted } from './queue.ts'

export const exportActs = (): readonly BoundAct[] => [
  bindAct<typeof requestExport, Wanted>(requestExport, {
    prepare: (ctx, call) => prepareExport(ctx, needMerchant(call, 'an export'), call.input),
    run: async (t, call, wanted) => {
      const row = await queueExport(t, needMerchant(call, 'an export'), call.by, wanted)
      const { reference, title, rows, ...more } = presentExport(row, call.by, t.now)
      return {
        reply: { reference, title, rows, ...more },
        after: { reference, title, rows, filter: masked(call.input) },
      }
    },
    after: (ctx, call) => ctx.wake(call.cell),
  }),
]

export const exportViews = (): readonly BoundView[] => [
  bindView(listExports, async (ctx, call) => ({
    content: await presentExports(ctx, needMerchant(call, 'an export'), call.by),
  })),
]
