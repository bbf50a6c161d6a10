import type { Feature } from '#core/feature.ts'
import { bankOrderBooks, orderTimers } from './bank-orders.books.ts'
import { declared } from './bank-orders.declared.sql.ts'
import { ordersDue } from './bank-orders.due.ts'
import { cardRefundNoticeRoute, payoutNoticeRoute } from './bank-orders.routes.ts'
import { sharedOrders } from './bank-orders.ts'

export const bankOrders: Feature = {
  name: 'bank-orders',
  ...declared,
  routes: (deps, shared) => {
    payoutNoticeRoute(
      deps,
      shared.features.flatMap((feature) => feature.payoutNotice?.(shared) ?? []),
    )
    cardRefundNoticeRoute(deps, sharedOrders(shared).onNotice)
  },
  due: (shared) => ordersDue(sharedOrders(shared)),
  payoutNotice: (shared) => sharedOrders(shared).onNotice,
  books: [bankOrderBooks],
  lostTimers: orderTimers,
}
