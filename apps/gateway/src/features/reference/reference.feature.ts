import type { Feature } from '../../core/feature.ts'
import { referenceRoutes } from './reference.routes.ts'

export const reference: Feature = {
  name: 'reference',
  routes: (deps, { sandbox }) => referenceRoutes(deps, sandbox?.simulatorUrl ?? null),
}
