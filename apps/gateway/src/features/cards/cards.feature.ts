import type { Feature } from '../../core/feature.ts'
import { cardRoutes } from './cards.routes.ts'
import { cardsDue } from './inquiry.ts'

export const cards: Feature = {
  name: 'cards',
  routes: cardRoutes,
  due: ({ merchants }) => cardsDue(merchants),
}
