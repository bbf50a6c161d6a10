import { PEOPLE_ROUTES } from '@cowrie/contract/access/people'
import type { Side } from '@cowrie/contract/kit/permissions'
import { bindRaw, type RouteDeps } from '#core/bind.ts'
import type { Shared } from '#core/feature.ts'
import { wholeSession } from '#features/access/people/sessions/door.ts'
import { sharedEntrance } from '#features/access/people/sessions/entrance.ts'
import { showPersons } from './security-events.ts'

/** A person's own, on either side. */
export const securityRoutes =
  (side: Side) =>
  (deps: RouteDeps, shared: Shared): void => {
    bindRaw(deps, PEOPLE_ROUTES[side].listSecurityEvents, async (request) => {
      const session = await wholeSession(sharedEntrance(shared), request, side)
      deps.http.anonymous.putBack(request)
      return showPersons(deps.ctx, session)
    })
  }
