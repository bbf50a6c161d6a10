// Credits: money that the bank reports is counted for a transaction or a wallet, or kept in suspense and
// returned. credits.ts takes the bank's notices, reversals.ts undoes what a bank takes out again, suspense.ts
// returns what was not counted.
import type { Feature } from '#core/feature.ts'
import { creditBooks, suspenseTimers } from './credits.books.ts'
import { declared } from './credits.declared.sql.ts'
import { creditsDue } from './credits.due.ts'
import { creditRoutes } from './credits.routes.ts'
import { suspenseActs, suspenseViews } from './decisions.ts'

export const credits: Feature = {
  name: 'credits',
  ...declared,
  routes: creditRoutes,
  acts: suspenseActs,
  views: () => suspenseViews,
  due: () => creditsDue,
  books: [creditBooks],
  lostTimers: suspenseTimers,
}
