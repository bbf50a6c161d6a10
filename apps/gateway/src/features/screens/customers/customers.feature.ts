import type { Feature } from '#core/feature.ts'
import { customerRoutes } from './customers.routes.ts'

export const customers: Feature = {
  name: 'customers',
  routes: customerRoutes,
}
