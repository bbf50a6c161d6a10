// Puts a route of the contract on the server: who is asking, from where, how often. How it comes to its
// answer: serving.ts.
import type { ErrorCode } from '@cowrie/contract/errors/errors'
import { pathForPeople } from '@cowrie/contract/kit/people-routes'
import type { BodyOf, ReplyOf, Route } from '@cowrie/contract/kit/spec'
import type { Ctx } from '#kit/ctx.ts'
import { Failure, fail } from '#kit/fail.ts'
import type { AnsweredRoute } from '#kit/http/answered.ts'
import {
  type HttpOptions,
  type HttpReply,
  type HttpRequest,
  type RequestBy,
  refuseUnread,
  sendJson,
  successBody,
} from '#kit/http/answers.ts'
import type { DirectRoute } from '#kit/http/direct.ts'
import { BODY_MAX_BYTES, type FastifyInstance } from '#kit/http/http.ts'
import { FIRST_CONNECTOR } from '#kit/ids.ts'
import { isCollected, runInTrace, TRACE_HEADER } from '#kit/trace.ts'
import { bodyReader } from '#kit/validation/validate.ts'
import { needPermission } from './access/limited-keys.ts'
import type { Limits } from './access/limits.ts'
import type { Merchant, Merchants } from './access/merchants.ts'
import type { Claims, Tokens } from './access/tokens.ts'
import { noToken, wrongToken } from './access/wrong-header.ts'
import type { WrongLogins } from './access/wrong-logins.ts'
import { keepCall, keptRefusal } from './acts/agent-lines.ts'
import type { Door } from './acts/door.ts'
import { personComing } from './acts/people-routes.ts'
import type { ContractStatements } from './declarations.ts'
import { type Handler, keepRead, serveRoute } from './serving.ts'
import { isFresh, signedBy } from './signer.ts'

/** What the routes of all features share. */
export type RouteDeps = {
  readonly ctx: Ctx
  readonly app: FastifyInstance
  readonly http: HttpOptions
  readonly merchants: Merchants
  readonly tokens: Tokens
  readonly limits: Limits
  /** How a limited API key learns which contract an object is of. */
  readonly contractStatements: ContractStatements
  readonly wrongLogins: WrongLogins
  /** How people come in; null where no feature knows them. */
  readonly door: Door | null
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sent it; null where no token is asked for. */
    merchant: Merchant | null
  }
}

const BEARER = /^Bearer +(\S+)$/i
/** The token of a header; the usual spelling is taken without a pattern. */
const tokenOf = (header: string): string =>
  header.startsWith('Bearer ') ? header.slice(7).trim() : (BEARER.exec(header)?.[1] ?? '')

/** The merchant as the key of a token sees it, if that key is in force. */
function holderOf(merchant: Merchant, { credential, key }: Claims): Merchant | null {
  if (key !== 0) return merchant.keys.get(key) ?? null
  return merchant.opens(credential) ? merchant : null
}

/** The merchant of a token, when both were seen before: nearly always. Then nothing is awaited. */
function recognise(deps: RouteDeps, token: string): Merchant | null {
  const claims = deps.tokens.known(token)
  const merchant = claims && deps.merchants.known(claims.cell, claims.merchantId)
  return merchant ? holderOf(merchant, claims) : null
}

async function authenticate(deps: RouteDeps, token: string, request: HttpRequest): Promise<Merchant> {
  try {
    if (token === '') fail('TOKEN_MISSING', {}, undefined, noToken(request.headers.authorization))
    const claims = await deps.tokens.verify(token)
    const { cell, merchantId, credential, key } = claims
    let merchant = await deps.merchants.byId(cell, merchantId)
    if (merchant && !holderOf(merchant, claims) && (credential > merchant.credential || key > merchant.newestKey)) {
      // We signed it, for a secret key that this process does not know yet: another one issued it a moment
      // ago.
      deps.merchants.forget(cell)
      merchant = await deps.merchants.byId(cell, merchantId)
    }
    return (merchant && holderOf(merchant, claims)) ?? fail('TOKEN_INVALID')
  } catch (error) {
    // A valid token never pays for unauthenticated callers, nor for a cell that is away: when it is back, its
    // merchants would be refused.
    if (error instanceof Failure && error.code !== 'UNAVAILABLE') deps.http.anonymous.admit(request)
    if (error instanceof Failure && error.code === 'TOKEN_INVALID') fail(error.code, {}, undefined, wrongToken(token))
    throw error
  }
}

/** A limited key by its own name. */
export const toRequestBy = ({ cell, id, apiKey, key }: Merchant): RequestBy => ({
  cell,
  merchantId: id,
  name: key?.apiKey ?? apiKey,
  agent: key?.agent ? key.name : null,
})

/** Who is asking, before a byte of the body is read: nobody's body is held in memory. With `then`, because an
 *  async hook would cost a promise per request. */
const enter =
  (deps: RouteDeps, route: Route) =>
  (request: HttpRequest, reply: HttpReply, then: (merchant: Merchant) => void): void => {
    const refuse = (error: unknown): void => {
      refuseUnread(reply, error, deps.http, route.status422As)
    }
    const goOn = (merchant: Merchant): void => {
      request.by = toRequestBy(merchant)
      try {
        admit(deps, merchant, request, reply, route.addressErrorCode)
        if (merchant.key !== null) needPermission(merchant.key, route)
      } catch (error) {
        if (request.by.agent === null) refuse(error)
        else void keptRefusal(deps, request, route, error).then(refuse)
        return
      }
      then(merchant)
    }
    const header = request.headers.authorization
    const token = header === undefined ? '' : tokenOf(header)
    const merchant = recognise(deps, token)
    if (merchant) goOn(merchant)
    else authenticate(deps, token, request).then(goOn, refuse)
  }

/** Address, suspension and rate; also used by login, once the secret was right: nobody else learns who is
 *  suspended. */
export function admit(
  deps: RouteDeps,
  merchant: Merchant,
  request: HttpRequest,
  reply: HttpReply,
  addressErrorCode: ErrorCode = 'ADDRESS_NOT_ALLOWED',
): void {
  if (!merchant.allows(deps.http.anonymous.addressOf(request))) fail(addressErrorCode)
  if (merchant.suspended) fail('MERCHANT_SUSPENDED')
  const { allowed, limit, remaining, resetSeconds } = deps.limits.take(merchant)
  reply.more.push('ratelimit-limit', String(limit), 'ratelimit-remaining', String(remaining))
  reply.more.push('ratelimit-reset', String(resetSeconds))
  if (!allowed) fail('RATE_LIMITED')
}

const OF_PEOPLE = /^\/(?:operator|dashboard)\//
/** What the request log knows a route by: those of merchants and people are in it, those of the bank and of
 *  payers are not. */
const loggedAs = ({ id, path, auth, unlogged }: Route): { logged?: AnsweredRoute } =>
  unlogged || auth === 'bank' || (auth === 'none' && !OF_PEOPLE.test(path)) ? {} : { logged: { id, path } }

const fastifyPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/** Which routes plain requests reach without the framework: those that the table of paths finds as they
 *  are. */
function serveDirectly(deps: RouteDeps, { method, path }: Route, route: DirectRoute): void {
  if (method === 'POST' && !path.includes('{')) deps.app.direct.set(path, route)
}

/** Any route: `serve` gets the raw request and answers with the bytes of `responseBody`. `flooded`:
 *  unauthenticated callers may send so many that refusing them must be cheap: plain ones are served without
 *  the framework. */
export function bindRaw(
  deps: RouteDeps,
  route: Route,
  serve: (request: HttpRequest, reply: HttpReply) => Promise<unknown>,
  flooded = false,
): void {
  const ofBank = route.auth === 'bank'
  const answer = async <Reply extends HttpReply>(request: HttpRequest, reply: Reply): Promise<Reply> => {
    const body = successBody(await (route.auth === 'basic' ? keeping(request, reply) : serve(request, reply)))
    return sendJson(reply, 200, body)
  }
  /** An agent shows its keys here, to log in and to see what they may. */
  const keeping = async (request: HttpRequest, reply: HttpReply): Promise<unknown> => {
    try {
      const answered = await serve(request, reply)
      if (request.by?.agent) await keepCall(deps, request, route, null)
      return answered
    } catch (error) {
      throw request.by?.agent ? await keptRefusal(deps, request, route, error) : error
    }
  }
  deps.app.route({
    method: route.method,
    url: fastifyPath(route.path),
    config: { ...(ofBank ? { knows: true } : {}), ...loggedAs(route) },
    handler: answer,
  })
  if (!ofBank && !flooded) return
  serveDirectly(deps, route, {
    bodyBytesMax: BODY_MAX_BYTES,
    ...loggedAs(route),
    serve: (request, reply, read) => {
      try {
        if (!ofBank) deps.http.anonymous.admit(request)
      } catch (error) {
        refuseUnread(reply, error, deps.http)
        return
      }
      read(() => answer(request, reply))
    },
  })
}

/** A route that the bank calls: the signature over the exact bytes stands in for a token. Only the connector
 *  at BANK_URL may, unless the route is for all of them: then whoever serves it looks whether this one has a
 *  say in it. */
export function bindBank<R extends Route>(
  deps: RouteDeps,
  route: R,
  serve: (body: BodyOf<R>, connector: string) => Promise<ReplyOf<R>>,
  callers: 'first' | 'all' = 'first',
): void {
  const readBody = bodyReader(route)
  const collected = isCollected()
  const name = `${route.method} ${route.path}`
  bindRaw(deps, route, async (request, reply) => {
    const text = (request.body as string | undefined) ?? ''
    const signed = signedBy(deps.ctx, request, route, text)
    const isCaller = signed !== null && (callers === 'all' || signed.connector.name === FIRST_CONNECTOR)
    const fresh = isCaller && isFresh(deps.ctx, signed)
    if (!isCaller || !(fresh === true || (await fresh))) {
      deps.http.anonymous.admit(request)
      fail('SIGNATURE_INVALID')
    }
    const connector = signed.connector.name
    const body = readBody(text) as BodyOf<R>
    const named = request.headers[TRACE_HEADER]
    if (named === undefined && !collected) return serve(body, connector)
    return runInTrace(
      named,
      request.id,
      name,
      () => serve(body, connector),
      () => reply.raw.statusCode,
    )
  })
}

/** A route that a merchant calls with its token. */
export function bind<R extends Route>(deps: RouteDeps, route: R, handler: Handler<R>): void {
  const enterRoute = enter(deps, route)
  const serve = serveRoute(deps, route, handler)
  keepRead(deps.ctx, route, handler, serve)
  const { bodyBytesMax = BODY_MAX_BYTES } = route
  if (!deps.app.hasRequestDecorator('merchant')) deps.app.decorateRequest('merchant', null)
  deps.app.route({
    method: route.method,
    url: fastifyPath(route.path),
    bodyLimit: bodyBytesMax,
    config: { knows: true, ...loggedAs(route) },
    onRequest: (request, reply, done) =>
      enterRoute(request, reply, (merchant) => {
        request.merchant = merchant
        done()
      }),
    handler: async (request, reply) => serve(request, reply, request.merchant ?? fail('TOKEN_MISSING')),
  })
  serveDirectly(deps, route, {
    bodyBytesMax,
    ...loggedAs(route),
    serve: (request, reply, read) =>
      enterRoute(request, reply, (merchant) => read(() => serve(request, reply, merchant))),
  })
  bindForPeople(deps, route, serve)
}

/** The same route for the merchant's people, who come with a session. */
function bindForPeople(deps: RouteDeps, route: Route, serve: ReturnType<typeof serveRoute>): void {
  const path = pathForPeople(route)
  if (path === null || deps.door === null) return
  const coming = personComing(deps, deps.door, route)
  deps.app.route({
    method: route.method,
    url: fastifyPath(path),
    bodyLimit: route.bodyBytesMax ?? BODY_MAX_BYTES,
    config: { knows: true, ...loggedAs({ ...route, path }) },
    onRequest: (request, reply, done) => {
      const goOn = (merchant: Merchant): void => {
        request.merchant = merchant
        done()
      }
      coming(request).then(goOn, (error: unknown) => void refuseUnread(reply, error, deps.http))
    },
    handler: async (request, reply) => serve(request, reply, request.merchant ?? fail('SESSION_MISSING')),
  })
}
