import type { Feature } from '../../core/feature.ts'
import { cardBooks, cardTimers } from './cards.books.ts'
import { cardRoutes } from './cards.routes.ts'
import { cardsDue } from './inquiry.ts'

export const cards: Feature = {
  name: 'cards',
  routes: cardRoutes,
  due: ({ merchants }) => cardsDue(merchants),
  books: [cardBooks],
  lostTimers: cardTimers,
}
