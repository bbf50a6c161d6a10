import { listDisputes } from '@cowrie/contract/screens/work'
import { bindView } from '#core/acts/acts.ts'
import type { Feature } from '#core/feature.ts'
import { declared } from './disputes.declared.sql.ts'
import { disputeRoutes } from './disputes.routes.ts'
import { presentDisputes } from './disputes.ts'

export const disputes: Feature = {
  name: 'disputes',
  ...declared,
  routes: (deps) => disputeRoutes(deps),
  views: () => [bindView(listDisputes, (ctx, { cell, query }) => presentDisputes(ctx, cell, query))],
}
