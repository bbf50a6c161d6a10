import type { Feature } from '#core/feature.ts'
import { dashboardRoutes } from './dashboard.routes.ts'

export const dashboard: Feature = {
  name: 'dashboard',
  routes: dashboardRoutes('merchant'),
  operatorRoutes: dashboardRoutes('operator'),
}
