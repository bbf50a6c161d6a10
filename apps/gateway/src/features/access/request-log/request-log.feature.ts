import type { Feature } from '#core/feature.ts'
import { recordRequests, requestLogRoutes, requestLogViews } from './request-log.routes.ts'
import { forgetOld } from './request-log.ts'

export const requestLog: Feature = {
  name: 'request-log',
  routes: requestLogRoutes,
  operatorRoutes: recordRequests,
  views: requestLogViews,
  housekeeping: ({ ctx }) => ({ 'old requests': (cell) => forgetOld(ctx, cell) }),
}
