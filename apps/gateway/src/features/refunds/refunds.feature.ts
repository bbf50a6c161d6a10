import type { Feature } from '../../core/feature.ts'
import { createRefundsDue } from './authorise.ts'
import { refundEnds } from './outcome.ts'
import { refundBooks, refundTimers } from './refunds.books.ts'
import { refundRoutes } from './refunds.routes.ts'

export const refunds: Feature = {
  name: 'refunds',
  routes: refundRoutes,
  due: ({ ctx, merchants }) => createRefundsDue(ctx, merchants),
  orderEnds: { REFUND: refundEnds },
  books: [refundBooks],
  lostTimers: refundTimers,
}
