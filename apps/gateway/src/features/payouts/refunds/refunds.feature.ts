import { releaseRefund } from '@cowrie/contract/wallets/second-person'
import { bindAct } from '#core/acts/acts.ts'
import type { Feature } from '#core/feature.ts'
import { createRefundRelease } from './authorise.ts'
import { refundEnds } from './outcome.ts'
import { refundBooks, refundTimers } from './refunds.books.ts'
import { declared } from './refunds.declared.sql.ts'
import { refundsDue } from './refunds.due.ts'
import { refundRoutes } from './refunds.routes.ts'

export const refunds: Feature = {
  name: 'refunds',
  ...declared,
  routes: refundRoutes,
  due: refundsDue,
  acts: ({ ctx }) => [bindAct(releaseRefund, createRefundRelease(ctx))],
  orderEnds: { REFUND: refundEnds },
  books: [refundBooks],
  lostTimers: refundTimers,
}
