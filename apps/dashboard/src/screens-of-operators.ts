// The screens of the operator's people. Those of a merchant that they may see are in screens-viewed.ts.
import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from './screen-list.ts'

export const OPERATOR_SCREENS: readonly Screen[] = [
  { path: '/', component: lazyRouteComponent(() => import('./screens/operator/board/board.tsx'), 'Board') },
  {
    path: '/merchants',
    component: lazyRouteComponent(() => import('./screens/operator/merchants/list.tsx'), 'MerchantList'),
  },
  {
    path: '/merchants/$which',
    component: lazyRouteComponent(() => import('./screens/operator/merchants/one.tsx'), 'OneMerchant'),
  },
  {
    path: '/merchants/$which/requests',
    component: lazyRouteComponent(() => import('./screens/operator/merchants/requests.tsx'), 'MerchantRequests'),
  },
  { path: '/fees', component: lazyRouteComponent(() => import('./screens/operator/terms/fee-list.tsx'), 'FeeList') },
  {
    path: '/limits',
    component: lazyRouteComponent(() => import('./screens/operator/terms/limit-list.tsx'), 'LimitList'),
  },
  {
    path: '/settlements',
    component: lazyRouteComponent(() => import('./screens/operator/settlements/settlements.tsx'), 'Settlements'),
  },
  {
    path: '/reconciliation',
    component: lazyRouteComponent(() => import('./screens/operator/reconciliation/breaks.tsx'), 'Breaks'),
  },
  {
    path: '/reconciliation/$cell/$id',
    component: lazyRouteComponent(() => import('./screens/operator/reconciliation/one.tsx'), 'OneBreak'),
  },
  {
    path: '/suspense',
    component: lazyRouteComponent(() => import('./screens/operator/suspense/suspense.tsx'), 'Suspense'),
  },
  { path: '/work', component: lazyRouteComponent(() => import('./screens/operator/work/work.tsx'), 'WorkList') },
  {
    path: '/waiting/$merchant/$kind/$reference',
    component: lazyRouteComponent(() => import('./screens/operator/work/one.tsx'), 'OneWork'),
  },
  { path: '/cells', component: lazyRouteComponent(() => import('./screens/operator/cells/cells.tsx'), 'Cells') },
  {
    path: '/routes',
    component: lazyRouteComponent(() => import('./screens/operator/routes/routes.tsx'), 'ConnectorRoutes'),
  },
  { path: '/books', component: lazyRouteComponent(() => import('./screens/operator/books/books.tsx'), 'BooksList') },
  {
    path: '/books/$cell/$id',
    component: lazyRouteComponent(() => import('./screens/operator/books/books.tsx'), 'OnePosting'),
  },
  { path: '/trail', component: lazyRouteComponent(() => import('./screens/operator/books/trail.tsx'), 'Trail') },
  {
    path: '/security',
    component: lazyRouteComponent(() => import('./screens/operator/books/security.tsx'), 'Security'),
  },
  { path: '/team', component: lazyRouteComponent(() => import('./screens/operator/people/people.tsx'), 'Operators') },
]
