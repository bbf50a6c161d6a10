import type { Feature } from '#core/feature.ts'
import { viewingActs, viewingViews } from './viewing.acts.ts'
import { declared } from './viewing.declared.sql.ts'
import { viewingRoutes } from './viewing.routes.ts'

export const viewing: Feature = {
  name: 'viewing',
  ...declared,
  acts: viewingActs,
  views: viewingViews,
  operatorRoutes: viewingRoutes,
}
