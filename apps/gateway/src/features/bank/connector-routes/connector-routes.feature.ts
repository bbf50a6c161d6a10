import { listRoutes, setRoute } from '@cowrie/contract/bank/connector-routes'
import { bindAct, bindView } from '#core/acts/acts.ts'
import type { Feature } from '#core/feature.ts'
import { checkRoute, placeRoute, presentRoutes } from './connector-routes.ts'

export const connectorRoutes: Feature = {
  name: 'connector-routes',
  acts: ({ ctx }) => [
    bindAct(setRoute, {
      prepare: (_, { input }) => checkRoute(ctx, input),
      run: async (t, { input }, does) => {
        const { made, before } = await placeRoute(ctx, t, input, does)
        return { reply: made, before, after: made }
      },
    }),
  ],
  views: () => [bindView(listRoutes, (ctx, { cell }) => presentRoutes(ctx, cell))],
}
