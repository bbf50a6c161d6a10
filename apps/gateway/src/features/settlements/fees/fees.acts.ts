// What people do with fees: the operator's set them, with two people, and both sides look at them.
import { listFees, myFees, overviewFees, setFees } from '@cowrie/contract/settlements/fees'
import type { Merchant } from '#core/access/merchants.ts'
import { type BoundAct, type BoundView, bindAct, bindView } from '#core/acts/acts.ts'
import type { Shared } from '#core/feature.ts'
import { fail } from '#kit/fail.ts'
import { checkFees, listAll, overview, preview, set } from './fees.ts'

const of = ({ merchant }: { readonly merchant: Merchant | null }): Merchant =>
  merchant ?? fail('INTERNAL', {}, 'fees of no merchant')

export const feeActs = ({ ctx, merchants }: Shared): readonly BoundAct[] => [
  bindAct(setFees, {
    prepare: async (_, { input }) => checkFees(ctx, input),
    run: async (t, call) => {
      const { made, before } = await set(ctx, t, of(call), call.input)
      return { reply: made, before, after: made }
    },
    preview: (_, call) => preview(ctx, of(call), call.input),
    after: (_, { cell }) => merchants.forget(cell),
  }),
]

export const feeViews = (): readonly BoundView[] => [
  bindView(listFees, (ctx, call) => listAll(ctx, of(call))),
  bindView(myFees, (ctx, call) => listAll(ctx, of(call))),
  bindView(overviewFees, (ctx, { cell, query }) => overview(ctx, cell, query)),
]
