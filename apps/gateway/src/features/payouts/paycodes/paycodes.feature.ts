import type { Feature } from '#core/feature.ts'
import { paycodeBooks, paycodeTimers } from './paycodes.books.ts'
import { declared } from './paycodes.declared.sql.ts'
import { paycodesDue } from './paycodes.due.ts'
import { paycodeRoutes } from './paycodes.routes.ts'
import { sealedCodes } from './paycodes.ts'

export const paycodes: Feature = {
  name: 'paycodes',
  ...declared,
  routes: paycodeRoutes,
  due: paycodesDue,
  books: [paycodeBooks],
  lostTimers: paycodeTimers,
  sealed: [sealedCodes],
}
