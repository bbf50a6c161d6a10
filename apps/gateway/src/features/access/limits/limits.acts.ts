// What people do with limits: the operator's set them, and both sides look at them.
import { listLimits, myLimits, overviewLimits, setLimits } from '@cowrie/contract/access/limits'
import type { Merchant } from '#core/access/merchants.ts'
import { type BoundAct, type BoundView, bindAct, bindView } from '#core/acts/acts.ts'
import type { Shared } from '#core/feature.ts'
import { fail } from '#kit/fail.ts'
import { limitOf, listAll, overview, set } from './limits.ts'

const of = ({ merchant }: { readonly merchant: Merchant | null }): Merchant =>
  merchant ?? fail('INTERNAL', {}, 'limits of no merchant')

export const limitActs = ({ ctx, merchants }: Shared): readonly BoundAct[] => [
  bindAct(setLimits, {
    prepare: async (_, { input }) => limitOf(input),
    run: async (t, call) => {
      const { made, before } = await set(ctx, t, of(call), call.input)
      return { reply: made, before, after: made }
    },
    after: (_, { cell }) => merchants.forget(cell),
  }),
]

export const limitViews = (): readonly BoundView[] => [
  ...[listLimits, myLimits].map((spec) => bindView(spec, (ctx, call) => listAll(ctx, of(call)))),
  bindView(overviewLimits, (ctx, { cell, query }) => overview(ctx, cell, query)),
]
