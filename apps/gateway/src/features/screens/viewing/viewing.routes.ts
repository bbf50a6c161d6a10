// The merchant's views and the public routes that only read, on the operator's listener, for whoever has a
// grant. No act and no other method is bound here; which routes there are, the contract says
// (pathForViewing).
import { ROUTES } from '@cowrie/contract'
import { EVERY_KEY, type Route } from '@cowrie/contract/kit/spec'
import { pathForViewing, VIEW_AS_HOME, viewedMe } from '@cowrie/contract/screens/view-as'
import { need } from '#core/access/actor.ts'
import { sharedDoor, sharedRegistry } from '#core/acts/registry.ts'
import { showView } from '#core/acts/run.ts'
import type { RouteDeps } from '#core/bind.ts'
import type { Shared } from '#core/feature.ts'
import { findRead } from '#core/serving.ts'
import { Failure, fail } from '#kit/fail.ts'
import {
  type HttpReply,
  type HttpRequest,
  refuseUnread,
  sendJson,
  sendRefusal,
  successBody,
} from '#kit/http/answers.ts'
import { type Looking, look, me, withoutPersons } from './viewing.ts'

const fastifyPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')
/** The name of the parameter that no route of the contract has for itself. */
const viewedOf = ({ params }: HttpRequest): string => (params as { viewed?: string }).viewed ?? ''

export function viewingRoutes(deps: RouteDeps, shared: Shared): void {
  const door = sharedDoor(shared)
  if (!door) return
  const { ctx, app, http, merchants } = deps
  const lookers = new WeakMap<HttpRequest, Looking>()
  const enter = async (request: HttpRequest): Promise<void> => {
    try {
      const entered = await door.enter(request, 'operator')
      need(entered.actor, 'operator.merchants.viewAs')
      const merchant = (await merchants.byApiKey(viewedOf(request))) ?? fail('MERCHANT_UNKNOWN')
      // In the request log of the merchant it is a line, by the operator's name, whatever becomes of it.
      request.by = { cell: merchant.cell, merchantId: merchant.id, name: entered.actor.name, agent: null }
      lookers.set(request, await look(ctx, entered, merchant))
    } catch (error) {
      if (error instanceof Failure) http.anonymous.admit(request)
      throw error
    }
  }
  const serveAt = (
    path: string,
    logged: { readonly logged?: { readonly id: string; readonly path: string } },
    serve: <Reply extends HttpReply>(request: HttpRequest, reply: Reply, looking: Looking) => Promise<Reply>,
  ): void => {
    app.route({
      method: 'GET',
      url: fastifyPath(path),
      exposeHeadRoute: false,
      config: { knows: true, ...logged },
      onRequest: (request, reply, done) => {
        const goOn = (): void => done()
        enter(request).then(goOn, (error: unknown) => void refuseUnread(reply, error, http))
      },
      handler: async (request, reply) => {
        try {
          return await serve(
            request,
            reply,
            lookers.get(request) ?? fail('INTERNAL', {}, `${request.url}: nobody looks`),
          )
        } catch (error) {
          return sendRefusal(reply, error, http)
        }
      },
    })
  }
  const registry = sharedRegistry(shared)
  const views = `${VIEW_AS_HOME}/views/{id}`
  serveAt(viewedMe.path, {}, async (_, reply, looking) => sendJson(reply, 200, successBody(me(looking))))
  serveAt(views, { logged: { id: 'operator.viewas', path: views } }, async (request, reply, looking) => {
    const { id } = request.params as { id: string }
    const bound = registry.view('merchant', id) ?? fail('ACT_UNKNOWN', { act: id })
    const query = request.query as Record<string, unknown>
    return sendJson(reply, 200, successBody(withoutPersons(await showView(shared, bound, { query }, looking))))
  })
  for (const route of ROUTES) {
    const path = pathForViewing(route)
    if (path === null) continue
    serveAt(path, loggedAt(route, path), async (request, reply, { actor, merchant }) => {
      const { permission } = route
      if (permission !== undefined && permission !== EVERY_KEY) need(actor, permission)
      const read = findRead(ctx, route) ?? fail('ROUTE_UNKNOWN')
      return read(request, reply, merchant)
    })
  }
}
const loggedAt = ({ id, unlogged }: Route, path: string) => (unlogged ? {} : { logged: { id, path } })
