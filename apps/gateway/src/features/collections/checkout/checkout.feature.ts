import { type Feature, sharedWalk } from '#core/feature.ts'
import { createCheckoutCards } from '#features/collections/cards/on-checkout.ts'
import { checkoutRoutes } from './checkout.routes.ts'

export const checkout: Feature = {
  name: 'checkout',
  routes: (deps, shared) => {
    const walk = sharedWalk(shared)
    checkoutRoutes(deps, {
      cards: createCheckoutCards(shared.ctx),
      sandbox: shared.sandbox && walk && { simulatorUrl: shared.sandbox.simulatorUrl, walk },
    })
  },
}
