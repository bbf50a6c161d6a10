// The dashboard: which screens there are, who gets to them, and what happens when a session ends. The two
// entries (merchant.tsx, operator.tsx) start it; which of the two it is, the build says.
import './base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  RouterProvider,
  redirect,
} from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { readSearch, writeSearch } from './address.ts'
import { addressOf, fetchEarly, HOME, Refused, toConsole, VIEWED } from './api/call.ts'
import { isOver, isUnviewed, meQuery, queries, whenOver } from './api/session.ts'
import { Loading } from './parts/page.tsx'
import { EVERYBODY, type Screen } from './screen-list.ts'
import { Broken, NotFound } from './screens/not-found.tsx'
import { AwayBanner } from './shell/away-banner.tsx'
import { isSandbox } from './shell/page-facts.ts'
import { SandboxBar } from './shell/sandbox-bar.tsx'
import { Shell } from './shell/shell.tsx'
import { applyTheme, themeChosen } from './shell/theme.ts'
import { ViewBar } from './shell/view-bar.tsx'

const Frame = () => (
  <>
    {isSandbox() ? <SandboxBar /> : null}
    {VIEWED === null ? null : <ViewBar />}
    <AwayBanner />
    <Outlet />
  </>
)

/** `half`: the first factor was seen, by whatever way; the second is missing. */
type Arriving = { next?: string; why?: (typeof WHYS)[number] }
const WHYS = ['ended', 'out', 'everywhere', 'half'] as const
const arriving = (search: Record<string, unknown>): Arriving => {
  const why = WHYS.find((one) => one === search['why'])
  return { ...(typeof search['next'] === 'string' ? { next: search['next'] } : {}), ...(why ? { why } : {}) }
}

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound })
const logIn = createRoute({
  getParentRoute: () => root,
  path: '/log-in',
  validateSearch: arriving,
  component: lazyRouteComponent(() => import('./access/sign-in/log-in.tsx'), 'LogIn'),
})
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./access/sign-in/invitation.tsx'), 'Invitation'),
})

/** Everything below it needs somebody who is logged in; whoever lacks a second factor that they need gets no
 *  further than setting it up. */
const within = createRoute({
  getParentRoute: () => root,
  id: 'within',
  component: Shell,
  errorComponent: Broken,
  pendingComponent: Loading,
  beforeLoad: async ({ location }) => {
    const me = await queries.ensureQueryData(meQuery).catch((error: unknown) => {
      if (VIEWED !== null) return unview(error, location.href)
      if (!isOver(error)) throw error
      const next = location.href === '/' ? {} : { next: location.href }
      const why = error instanceof Refused && error.code === 'SESSION_HALF' ? { why: 'half' as const } : {}
      throw redirect({ to: '/log-in', search: { ...next, ...why } })
    })
    if (me.factorNeeded && location.pathname !== '/set-up') throw redirect({ to: '/set-up' })
  },
})
/** Whoever may not see the merchant's screens now is brought to its page in the console, which says how;
 *  without a session, to the log-in. */
function unview(error: unknown, see: string): Promise<never> {
  if (!isOver(error) && !isUnviewed(error)) throw error
  toConsole(isOver(error) ? '/log-in' : `/merchants/${VIEWED}${see === '/' ? '' : `?${new URLSearchParams({ see })}`}`)
  return new Promise(() => undefined) // the document is about to be another
}

const routerOf = (screens: readonly Screen[]) =>
  createRouter({
    routeTree: root.addChildren([
      logIn,
      invitation,
      within.addChildren(
        [...(VIEWED === null ? EVERYBODY : []), ...screens]
          .filter(({ sandbox }) => !sandbox || isSandbox())
          .map(({ path, component }) => createRoute({ getParentRoute: () => within, path, component })),
      ),
    ]),
    basepath: HOME,
    parseSearch: readSearch,
    stringifySearch: writeSearch,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: Broken,
  })

/** A session that ends while somebody works: to the log-in, and from there to where they were. */
const leaving = (router: ReturnType<typeof routerOf>) => (): void => {
  const { location } = router.state
  if (VIEWED !== null) {
    toConsole(`/merchants/${VIEWED}`)
    return
  }
  if (location.pathname.startsWith('/log-in') || location.pathname.startsWith('/invitation')) return
  void router.navigate({ to: '/log-in', search: { next: location.href, why: 'ended' } }).then(() => queries.clear())
}

/** What the address needs is asked for at once: who is logged in, the screen's code, and what it shows first.
 *  On a slow line each would otherwise wait for the one before. */
function askAhead(router: ReturnType<typeof routerOf>, screens: readonly Screen[]): void {
  const { pathname, search } = router.latestLocation
  const screen = [...EVERYBODY, ...screens].find(({ path }) => path === pathname)
  if (!screen) return
  void queries.prefetchQuery(meQuery)
  void screen.component.preload?.()
  // A merchant's screens in the console ask elsewhere.
  if (VIEWED === null && screen.first && Object.keys(search).length === 0) fetchEarly(addressOf(...screen.first))
}

export function start(screens: readonly Screen[]): void {
  const router = routerOf(screens)
  askAhead(router, screens)
  applyTheme(themeChosen())
  const element = document.getElementById('root')
  if (!element) return
  createRoot(element).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
  whenOver(leaving(router))
}
