import type { Feature } from '../../core/feature.ts'
import { collectionBooks, suspenseTimers } from './collections.books.ts'
import { collectionsDue } from './collections.due.ts'
import { collectionRoutes } from './collections.routes.ts'
import { feeBooks } from './fees.books.ts'

export const collections: Feature = {
  name: 'collections',
  routes: collectionRoutes,
  due: () => collectionsDue,
  books: [collectionBooks, feeBooks],
  lostTimers: suspenseTimers,
}
