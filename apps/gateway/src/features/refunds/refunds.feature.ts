import type { Feature } from '../../core/feature.ts'
import { refundEnds } from './outcome.ts'
import { refundBooks, refundTimers } from './refunds.books.ts'
import { refundsDue } from './refunds.due.ts'
import { refundRoutes } from './refunds.routes.ts'

export const refunds: Feature = {
  name: 'refunds',
  routes: refundRoutes,
  due: refundsDue,
  orderEnds: { REFUND: refundEnds },
  books: [refundBooks],
  lostTimers: refundTimers,
}
