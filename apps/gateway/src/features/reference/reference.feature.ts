import type { Feature } from '../../core/feature.ts'
import { referenceRoutes } from './reference.routes.ts'

export const reference: Feature = {
  name: 'reference',
  routes: (desk, { sandbox }) => referenceRoutes(desk, sandbox?.simulatorUrl ?? null),
}
