import { createOidcRoutes } from '@cowrie/contract/access/oidc'
import { CHALLENGE_MINUTES } from '@cowrie/contract/access/passkeys'
import type { Side } from '@cowrie/contract/kit/permissions'
import type { RouteDeps } from '#core/bind.ts'
import { fail } from '#kit/fail.ts'
import { redirect, sendRefusal } from '#kit/http/answers.ts'
import { comeInAs } from '../passkeys/coming-in.ts'
import type { Entrance } from '../sessions/entrance.ts'
import { recordOwn } from '../sessions/own-line.ts'
import { readCookie, setCookie } from '../sessions/sessions.ts'
import { begin, finish } from './oidc.ts'

/** Where the dashboards are. */
const HOMES: Readonly<Record<Side, string>> = { merchant: '/dashboard', operator: '/operator' }
const COOKIE = '__Host-cowrie-oidc'
// Lax: the browser returns from another site, by GET, and brings it.
const LIFE = `SameSite=Lax; Max-Age=${CHALLENGE_MINUTES * 60}`
const GONE = 'SameSite=Lax; Max-Age=0'

/** A browser comes by GET and is sent on; what is refused is answered as everywhere. */
export function oidcRoutes(deps: RouteDeps, entrance: Entrance, side: Side): void {
  const { ctx, app, http } = deps
  const routes = createOidcRoutes(side)
  app.get(routes.begin.path, async (_request, reply) => {
    try {
      const { address, sealed } = await begin(ctx, side, entrance.urlOf(side) + routes.callback.path)
      setCookie(reply, COOKIE, sealed, LIFE)
      return redirect(reply, address)
    } catch (error) {
      return sendRefusal(reply, error, http)
    }
  })
  app.get(routes.callback.path, async (request, reply) => {
    try {
      // Our own address with what the browser brought: behind a proxy the request's host is another.
      const { personId, factors } = await finish(
        ctx,
        side,
        entrance.urlOf(side) + request.url,
        readCookie(request, COOKIE),
        // The provider names no merchant, and somebody may have been invited by several: the line is about
        // none.
        (t, who, after) =>
          recordOwn(t, { entrance, request }, { ...who, side, role: null }, null, 'oidc.callback', { after }),
      )
      setCookie(reply, COOKIE, '', GONE)
      const come = await comeInAs(entrance, request, reply, side, personId, { proved: factors === 2 })
      return come ? redirect(reply, entrance.urlOf(side) + HOMES[side]) : fail('OIDC_REFUSED')
    } catch (error) {
      return sendRefusal(reply, error, http)
    }
  })
}
