// What an operator sees of a merchant (view-as): those of its screens that only show. What they offer to do
// is refused by the permissions, and has no route on the operator's listener.
import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from './screen-list.ts'

export const VIEWED_SCREENS: readonly Screen[] = [
  { path: '/', component: lazyRouteComponent(() => import('./screens/home/merchant-home.tsx'), 'MerchantHome') },
  { path: '/payments', component: lazyRouteComponent(() => import('./screens/payments/list.tsx'), 'Payments') },
  {
    path: '/payments/$reference',
    component: lazyRouteComponent(() => import('./screens/payments/payment.tsx'), 'Payment'),
  },
  { path: '/refunds', component: lazyRouteComponent(() => import('./payouts/refunds/refunds.tsx'), 'Refunds') },
  {
    path: '/refunds/$reference',
    component: lazyRouteComponent(() => import('./payouts/refunds/refund.tsx'), 'RefundPage'),
  },
  { path: '/payouts', component: lazyRouteComponent(() => import('./payouts/payouts/payouts.tsx'), 'Payouts') },
  {
    path: '/payouts/$reference',
    component: lazyRouteComponent(() => import('./payouts/payouts/payout.tsx'), 'PayoutPage'),
  },
  { path: '/payouts/batches', component: lazyRouteComponent(() => import('./payouts/payouts/batches.tsx'), 'Batches') },
  {
    path: '/payouts/batches/$reference',
    component: lazyRouteComponent(() => import('./payouts/payouts/batch.tsx'), 'BatchPage'),
  },
  { path: '/wallet', component: lazyRouteComponent(() => import('./wallets/wallet/wallet.tsx'), 'WalletPage') },
  {
    path: '/settlements',
    component: lazyRouteComponent(() => import('./settlements/settlements/settlements.tsx'), 'Settlements'),
  },
  {
    path: '/settlements/$reference',
    component: lazyRouteComponent(() => import('./settlements/settlements/settlement.tsx'), 'OneSettlement'),
  },
  { path: '/held', component: lazyRouteComponent(() => import('./collections/held/held.tsx'), 'Held') },
  {
    path: '/developers/events',
    component: lazyRouteComponent(() => import('./events/developers/events.tsx'), 'Events'),
  },
  {
    path: '/developers/events/$id',
    component: lazyRouteComponent(() => import('./events/developers/event.tsx'), 'EventPage'),
  },
  {
    path: '/developers/requests',
    component: lazyRouteComponent(() => import('./events/developers/requests.tsx'), 'Requests'),
  },
]
