import { listExports, requestExport } from '@cowrie/contract/screens/exports'
import type { Merchant } from '#core/access/merchants.ts'
import { type BoundAct, type BoundView, bindAct, bindView } from '#core/acts/acts.ts'
import { masked } from '#core/acts/route-lines.ts'
import { fail } from '#kit/fail.ts'
import { prepareExport, queueExport, shownExport, shownExports, type Wanted } from './queue.ts'

const merchantOf = ({ merchant }: { readonly merchant: Merchant | null }): Merchant =>
  merchant ?? fail('INTERNAL', {}, 'an export of no merchant')

export const exportActs = (): readonly BoundAct[] => [
  bindAct<typeof requestExport, Wanted>(requestExport, {
    prepare: (ctx, call) => prepareExport(ctx, merchantOf(call), call.input),
    run: async (t, call, wanted) => {
      const row = await queueExport(t, merchantOf(call), call.by, wanted)
      const { reference, title, rows, ...more } = shownExport(row, call.by, t.now)
      return {
        reply: { reference, title, rows, ...more },
        after: { reference, title, rows, filter: masked(call.input) },
      }
    },
    after: (ctx, call) => ctx.wake(call.cell),
  }),
]

export const exportViews = (): readonly BoundView[] => [
  bindView(listExports, async (ctx, call) => ({ content: await shownExports(ctx, merchantOf(call), call.by) })),
]
