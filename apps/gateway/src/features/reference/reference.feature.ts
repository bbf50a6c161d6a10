import type { Feature } from '../../core/feature.ts'
import { pageRoutes } from './reference.routes.ts'

export const reference: Feature = {
  name: 'reference',
  routes: (desk, { sandbox }) => pageRoutes(desk, sandbox?.simulatorUrl ?? null),
}
