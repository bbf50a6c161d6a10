// Collections: money that the bank reports is counted for a transaction or a wallet, or kept in suspense and returned.
// credits.ts takes the bank's notices, reversals.ts undoes what a bank takes out again, suspense.ts returns what was not counted.
import type { Feature } from '#core/feature.ts'
import { collectionBooks, suspenseTimers } from './collections.books.ts'
import { collectionsDue } from './collections.due.ts'
import { collectionRoutes } from './collections.routes.ts'
import { suspenseActs, suspenseViews } from './decisions.ts'

export const collections: Feature = {
  name: 'collections',
  routes: collectionRoutes,
  acts: suspenseActs,
  views: () => suspenseViews,
  due: () => collectionsDue,
  books: [collectionBooks],
  lostTimers: suspenseTimers,
}
