import type { Feature } from '../../core/feature.ts'
import { eventRoutes } from './events.routes.ts'

export const events: Feature = {
  name: 'events',
  routes: (deps, shared) => eventRoutes(deps, (cell, notify) => shared.listen(cell, 'cowrie_numbered', notify)),
}
