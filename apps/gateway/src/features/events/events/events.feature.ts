import type { Feature } from '#core/feature.ts'
import { eventActs, eventViews } from './events.acts.ts'
import { eventRoutes } from './events.routes.ts'

export const events: Feature = {
  name: 'events',
  acts: () => eventActs,
  views: () => eventViews,
  routes: (deps, shared) => eventRoutes(deps, (cell, notify) => shared.listen(cell, 'cowrie_numbered', notify)),
}
