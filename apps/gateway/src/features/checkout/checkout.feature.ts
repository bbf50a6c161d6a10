import type { Feature } from '../../core/feature.ts'
import { createCheckoutCards } from '../cards/on-checkout.ts'
import { walkOf } from '../sandbox/sandbox.ts'
import { checkoutRoutes } from './checkout.routes.ts'

export const checkout: Feature = {
  name: 'checkout',
  routes: (deps, shared) => {
    const walk = walkOf(shared)
    checkoutRoutes(deps, {
      cards: createCheckoutCards(shared.ctx),
      sandbox: shared.sandbox && walk && { simulatorUrl: shared.sandbox.simulatorUrl, walk },
    })
  },
}
