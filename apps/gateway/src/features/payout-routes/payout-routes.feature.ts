import { listPayoutRoutes, setPayoutRoute, showPayout } from '@cowrie/contract/payouts/routes'
import { bindAct, bindView } from '../../core/acts/acts.ts'
import type { Feature } from '../../core/feature.ts'
import { fail } from '../../kit/fail.ts'
import { checkRoute, listRoutes, setRoute, shownPayout } from './payout-routes.ts'

export const payoutRoutes: Feature = {
  name: 'payout-routes',
  acts: ({ ctx }) => [
    bindAct(setPayoutRoute, {
      prepare: (_, { input }) => checkRoute(ctx, input),
      run: async (t, { input }, does) => {
        const { made, before } = await setRoute(ctx, t, input, does)
        return { reply: made, before, after: made }
      },
    }),
  ],
  views: () => [
    bindView(listPayoutRoutes, (ctx, { cell }) => listRoutes(ctx, cell)),
    bindView(showPayout, (ctx, { merchant, query }) => shownPayout(ctx, merchant ?? fail('MERCHANT_UNKNOWN'), query)),
  ],
}
