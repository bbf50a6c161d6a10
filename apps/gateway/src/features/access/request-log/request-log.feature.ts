import type { Feature } from '#core/feature.ts'
import { declared } from './request-log.declared.sql.ts'
import { recordRequests, requestLogRoutes, requestLogViews } from './request-log.routes.ts'
import { forgetOld } from './request-log.ts'

export const requestLog: Feature = {
  name: 'request-log',
  ...declared,
  routes: requestLogRoutes,
  operatorRoutes: recordRequests,
  views: requestLogViews,
  housekeeping: ({ ctx }) => ({ 'old requests': (cell) => forgetOld(ctx, cell) }),
}
