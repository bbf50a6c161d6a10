import type { Feature } from '#core/feature.ts'
import { cardBooks, cardTimers } from './cards.books.ts'
import { declared } from './cards.declared.sql.ts'
import { cardsDue } from './cards.due.ts'
import { cardRoutes } from './cards.routes.ts'

export const cards: Feature = {
  name: 'cards',
  ...declared,
  routes: cardRoutes,
  due: ({ merchants }) => cardsDue(merchants),
  books: [cardBooks],
  lostTimers: cardTimers,
}
