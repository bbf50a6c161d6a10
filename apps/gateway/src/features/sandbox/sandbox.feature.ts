import type { Feature } from '../../core/feature.ts'
import { sandboxRoutes } from './sandbox.routes.ts'
import { walkOf } from './sandbox.ts'

export const sandbox: Feature = {
  name: 'sandbox',
  routes: (desk, shared) => {
    const walk = walkOf(shared)
    if (walk) sandboxRoutes(desk, walk)
  },
}
