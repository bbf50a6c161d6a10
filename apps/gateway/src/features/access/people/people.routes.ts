import { PEOPLE_ROUTES, type PeopleRoutes } from '@cowrie/contract/access/people'
import type { Side } from '@cowrie/contract/kit/permissions'
import type { BodyOf, ReplyOf, Route } from '@cowrie/contract/kit/spec'
import { bindRaw, type RouteDeps } from '#core/bind.ts'
import type { Shared } from '#core/feature.ts'
import type { HttpReply, HttpRequest } from '#kit/http/answers.ts'
import { bodyReader } from '#kit/validation/validate.ts'
import { oidcRoutes } from './oidc/oidc.routes.ts'
import { passkeyRoutes } from './passkeys/passkeys.routes.ts'
import * as people from './people.ts'
import { wholeSession } from './sessions/door.ts'
import { sharedEntrance } from './sessions/entrance.ts'
import { logIn, sendCode } from './sessions/log-in.ts'
import { needSession, refuseCrossSite } from './sessions/sessions.ts'
import { accept } from './team.ts'

type Serve<R extends Route> = (body: BodyOf<R>, request: HttpRequest, reply: HttpReply) => Promise<ReplyOf<R>>

export const peopleRoutes =
  (side: Side) =>
  (deps: RouteDeps, shared: Shared): void => {
    const entrance = sharedEntrance(shared)
    entrance.open(side, deps)
    const routes: PeopleRoutes = PEOPLE_ROUTES[side]
    const on = <R extends Route>(route: R, serve: Serve<R>, flooded = false): void => {
      const read = bodyReader(route)
      bindRaw(
        deps,
        route,
        async (request, reply) => serve(read((request.body as string | undefined) ?? '') as BodyOf<R>, request, reply),
        flooded,
      )
    }
    /** For whoever is in: nothing of the body is looked at before that is known. */
    const within = <R extends Route>(
      route: R,
      serve: (here: Parameters<typeof people.me>[0], body: BodyOf<R>) => Promise<ReplyOf<R>>,
      half = false,
    ): void => {
      const read = bodyReader(route)
      bindRaw(deps, route, async (request, reply) => {
        const session = half
          ? await needSession(deps.ctx, request, side, entrance.originOf(side))
          : await wholeSession(entrance, request, side)
        deps.http.anonymous.putBack(request)
        const body = read((request.body as string | undefined) ?? '') as BodyOf<R>
        return serve({ entrance, request, reply, session }, body)
      })
    }
    const comeIn: Serve<typeof routes.logIn> = async (body, request, reply) => {
      if (!body.asToken) refuseCrossSite(request, entrance.originOf(side))
      return logIn(entrance, request, reply, side, body)
    }
    on(routes.logIn, comeIn, true)
    on(routes.acceptInvitation, (body, request) => accept(entrance, request, side, body))
    within(
      routes.logInCode,
      ({ request, reply, session }, body) => sendCode(entrance, request, reply, session, body),
      true,
    )
    within(routes.logOut, people.logOut, true)
    within(routes.me, people.me)
    within(routes.listSessions, people.showSessions)
    within(routes.endSession, (here) => people.endOne(here, (here.request.params as { id: string }).id))
    within(routes.endSessions, people.logOutEverywhere)
    within(routes.changePassword, people.changePassword)
    within(routes.startTotp, people.beginTotp)
    within(routes.confirmTotp, people.finishTotp)
    within(routes.newRecoveryCodes, people.replaceRecoveryCodes)
    within(routes.stepUp, people.stepUp)
    passkeyRoutes(deps, entrance, side)
    oidcRoutes(deps, entrance, side)
  }
