// What people do with fees: the operator's set them, with two people, and both sides look at them.
import { listFees, myFees, overviewFees, setFees } from '@cowrie/contract/settlements/fees'
import { type BoundAct, type BoundView, bindAct, bindView, needMerchant } from '#core/acts/acts.ts'
import type { Shared } from '#core/feature.ts'
import { checkFees, listAll, overview, preview, set } from './fees.ts'

export const feeActs = ({ ctx, merchants }: Shared): readonly BoundAct[] => [
  bindAct(setFees, {
    prepare: async (_, { input }) => checkFees(ctx, input),
    run: async (t, call) => {
      const { made, before } = await set(ctx, t, needMerchant(call, 'fees'), call.input)
      return { reply: made, before, after: made }
    },
    preview: (_, call) => preview(ctx, needMerchant(call, 'fees'), call.input),
    after: (_, { cell }) => merchants.forget(cell),
  }),
]

export const feeViews = (): readonly BoundView[] => [
  bindView(listFees, (ctx, call) => listAll(ctx, needMerchant(call, 'fees'))),
  bindView(myFees, (ctx, call) => listAll(ctx, needMerchant(call, 'fees'))),
  bindView(overviewFees, (ctx, { cell, query }) => overview(ctx, cell, query)),
]
