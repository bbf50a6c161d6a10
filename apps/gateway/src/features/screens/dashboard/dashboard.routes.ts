import type { Side } from '@cowrie/contract/kit/permissions'
import type { RouteDeps } from '#core/bind.ts'
import { FOR_EVER, redirect, sendNotFound, sendRefusal } from '#kit/http/answers.ts'
import type { FastifyReply, FastifyRequest } from '#kit/http/http.ts'
import { fixed, sendPage } from '#kit/http/pages.ts'
import { notBuilt, type PageFacts, POLICY, readBuild } from './dashboard.ts'

const HOMES: Readonly<Record<Side, string>> = { merchant: '/dashboard', operator: '/operator' }
const PAGE_HEADERS = ['content-security-policy', POLICY, 'cross-origin-opener-policy', 'same-origin']

type Serve = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
type Served = { readonly page: Serve; readonly assets: ReadonlyMap<string, Serve> }

/** Read when first asked for; as long as it was not built it is looked for again. */
function servedOf(side: Side, facts: PageFacts, from?: URL): () => Served | null {
  let served: Served | null = null
  return () => {
    const build = served === null ? readBuild(side, facts, from) : null
    if (build === null) return served
    const assets = [...build.assets].map(([name, { type, text }]) => [name, fixed(type, text, [], FOR_EVER)] as const)
    served = { page: fixed('text/html; charset=utf-8', build.page, PAGE_HEADERS), assets: new Map(assets) }
    return served
  }
}

export const dashboardRoutes =
  (side: Side, from?: URL) =>
  (deps: RouteDeps): void => {
    const { app, ctx, http } = deps
    const home = HOMES[side]
    const facts = { environment: ctx.environment, identityProvider: ctx.oidc !== null }
    const served = servedOf(side, facts, from)
    const missing = notBuilt()
    const shell: Serve = async (request, reply) => {
      const page = served()?.page
      return page ? page(request, reply) : sendPage(reply, 503, missing)
    }
    // From memory, packed once: whoever asks for them costs nothing.
    const free = { config: { knows: true } } as const
    app.get(home, free, shell)
    app.get(`${home}/assets/:file`, free, async (request, reply) => {
      const asset = served()?.assets.get((request.params as { file: string }).file)
      return asset ? asset(request, reply) : sendNotFound(reply, http)
    })
    app.get(`${home}/*`, { config: { knows: true, takesTheRest: true } }, async (request, reply) => {
      if (!request.url.startsWith(`${home}/v1`)) return shell(request, reply)
      try {
        http.anonymous.admit(request) // an address of the API that is unknown costs what such addresses cost
      } catch (error) {
        return sendRefusal(reply, error, http)
      }
      reply.callNotFound()
      return reply
    })
    if (side === 'operator') app.get('/', free, async (_request, reply) => redirect(reply, home))
  }
