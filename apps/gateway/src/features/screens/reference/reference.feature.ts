import type { Feature } from '#core/feature.ts'
import { faviconRoutes, referenceRoutes } from './reference.routes.ts'

export const reference: Feature = {
  name: 'reference',
  routes: (deps, { sandbox }) => referenceRoutes(deps, sandbox?.simulatorUrl ?? null),
  operatorRoutes: faviconRoutes,
}
