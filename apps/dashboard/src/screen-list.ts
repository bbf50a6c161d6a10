// What a screen is: its address and where its code is, a chunk of its own that is loaded when somebody goes
// there. Each side has its own list, named by its entry; the merchant's build has nothing of the operator's.
import { lazyRouteComponent } from '@tanstack/react-router'

export type Screen = {
  /** With `$name` for parameters. */
  readonly path: string
  readonly sandbox?: true
  readonly component: ReturnType<typeof lazyRouteComponent>
  /** What the screen asks first where its address has no filters: on a slow line it is on its way before the
   *  screen's code is. */
  readonly first?: readonly [route: string, query: Readonly<Record<string, string>>]
}

/** What both sides have. */
export const EVERYBODY: readonly Screen[] = [
  { path: '/approvals', component: lazyRouteComponent(() => import('./access/approvals/approvals.tsx'), 'Approvals') },
  {
    path: '/approvals/$reference',
    component: lazyRouteComponent(() => import('./access/approvals/approval.tsx'), 'ApprovalPage'),
  },
  { path: '/account', component: lazyRouteComponent(() => import('./access/account/account.tsx'), 'Account') },
  { path: '/set-up', component: lazyRouteComponent(() => import('./access/account/set-up.tsx'), 'SetUp') },
  {
    path: '/parts',
    sandbox: true,
    component: lazyRouteComponent(() => import('./parts/gallery.tsx'), 'Parts'),
  },
]
