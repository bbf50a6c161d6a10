import { type Feature, sharedWalk } from '#core/feature.ts'
import { openToOtherOrigins } from '#kit/http/other-origins.ts'
import { sandboxRoutes } from './sandbox.routes.ts'
import { walkIn } from './sandbox.ts'

export const sandbox: Feature = {
  name: 'sandbox',
  walk: walkIn,
  routes: (deps, shared) => {
    const walk = sharedWalk(shared)
    if (walk === null) return
    sandboxRoutes(deps, walk)
    openToOtherOrigins(deps.app)
  },
}
