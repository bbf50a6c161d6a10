import type { Feature } from '#core/feature.ts'
import { sharedBiller } from './biller.ts'
import { billBooks, billTimers } from './bills.books.ts'
import { declared } from './bills.declared.sql.ts'
import { billsDue } from './bills.due.ts'
import { billRoutes } from './bills.routes.ts'

export const bills: Feature = {
  name: 'bills',
  ...declared,
  routes: (deps, shared) => billRoutes(deps, sharedBiller(shared)),
  due: (shared) => billsDue(sharedBiller(shared)),
  books: [billBooks],
  lostTimers: billTimers,
}
