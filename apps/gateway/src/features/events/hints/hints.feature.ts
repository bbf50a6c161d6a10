import type { Feature } from '#core/feature.ts'
import { hintRoutes } from './hints.routes.ts'

export const hints: Feature = {
  name: 'hints',
  routes: (deps, shared) => hintRoutes(deps, (cell, notify) => shared.listen(cell, 'cowrie_numbered', notify)),
}
