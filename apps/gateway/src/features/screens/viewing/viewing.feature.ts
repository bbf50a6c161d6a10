import type { Feature } from '#core/feature.ts'
import { viewingActs, viewingViews } from './viewing.acts.ts'
import { viewingRoutes } from './viewing.routes.ts'

export const viewing: Feature = {
  name: 'viewing',
  acts: viewingActs,
  views: viewingViews,
  operatorRoutes: viewingRoutes,
}
