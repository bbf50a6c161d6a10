import type { Feature } from '../../core/feature.ts'
import { sandboxRoutes } from './sandbox.routes.ts'
import { walkOf } from './sandbox.ts'

export const sandbox: Feature = {
  name: 'sandbox',
  routes: (deps, shared) => {
    const walk = walkOf(shared)
    if (walk) sandboxRoutes(deps, walk)
  },
}
