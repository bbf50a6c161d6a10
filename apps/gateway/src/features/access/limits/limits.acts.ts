// What people do with limits: the operator's set them, and both sides look at them.
import { listLimits, myLimits, overviewLimits, setLimits } from '@cowrie/contract/access/limits'
import { type BoundAct, type BoundView, bindAct, bindView, needMerchant } from '#core/acts/acts.ts'
import type { Shared } from '#core/feature.ts'
import { listAll, overview, set, toLimitRow } from './limits.ts'

export const limitActs = ({ ctx, merchants }: Shared): readonly BoundAct[] => [
  bindAct(setLimits, {
    prepare: async (_, { input }) => toLimitRow(input),
    run: async (t, call) => {
      const { made, before } = await set(ctx, t, needMerchant(call, 'limits'), call.input)
      return { reply: made, before, after: made }
    },
    after: (_, { cell }) => merchants.forget(cell),
  }),
]

export const limitViews = (): readonly BoundView[] => [
  ...[listLimits, myLimits].map((spec) => bindView(spec, (ctx, call) => listAll(ctx, needMerchant(call, 'limits')))),
  bindView(overviewLimits, (ctx, { cell, query }) => overview(ctx, cell, query)),
]
