// Puts a route of the contract on the server: who is asking, from where, how often; what it asks, held against the
// schema; once, where it carries an Idempotency-Key; and the answer in the envelope.
import { KEY_FORM } from '@cowrie/contract/access/idempotency'
import {
  SIGNATURE_HEADER,
  SIGNATURE_TOLERANCE_SECONDS,
  signedText,
  TIMESTAMP_HEADER,
} from '@cowrie/contract/bank/connector'
import type { ErrorCode } from '@cowrie/contract/errors/errors'
import type { BodyOf, QueryOf, ReplyOf, Route } from '@cowrie/contract/kit/spec'
import { wallSeconds } from '../kit/clock.ts'
import { hmacHex, sameBytes } from '../kit/crypto.ts'
import type { Ctx, Tx } from '../kit/ctx.ts'
import { Failure, fail } from '../kit/fail.ts'
import {
  type HttpOptions,
  type HttpReply,
  type HttpRequest,
  refusal,
  refuseUnread,
  sendJson,
  sendRefusal,
  sendText,
  successBody,
} from '../kit/http/answers.ts'
import type { DirectRoute } from '../kit/http/direct.ts'
import { BODY_MAX_BYTES, type FastifyInstance } from '../kit/http/http.ts'
import { bodyReader, queryReader } from '../kit/validation/validate.ts'
import type { Limits } from './access/limits.ts'
import { type Merchant, type Merchants, needFeature } from './access/merchants.ts'
import type { Tokens } from './access/tokens.ts'
import type { WrongLogins } from './access/wrong-logins.ts'
import { tx } from './cells/cells.ts'
import {
  type Answer,
  discardResponse,
  type KeyedRequest,
  type StoreResponse,
  withIdempotencyKey,
  withIdempotencyKeyInSteps,
} from './idempotency.ts'

/** What the routes of all features share. */
export type RouteDeps = {
  readonly ctx: Ctx
  readonly app: FastifyInstance
  readonly http: HttpOptions
  readonly merchants: Merchants
  readonly tokens: Tokens
  readonly limits: Limits
  readonly wrongLogins: WrongLogins
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sent it; null where no token is asked for. */
    merchant: Merchant | null
  }
}

export type Call<R extends Route> = {
  readonly merchant: Merchant
  readonly body: BodyOf<R>
  readonly query: QueryOf<R>
  readonly params: Readonly<Record<string, string>>
}

/** The connection to the caller: a call that stays open notices when it closes, and sees to it that it is not used again. */
export type Connection = Pick<HttpReply['raw'], 'once' | 'off' | 'destroyed' | 'shouldKeepAlive'>

/** How a merchant's route is served. `command` runs inside one transaction, and is what an Idempotency-Key wraps;
 *  `batched` does the same work together with other requests and is used where no key is given; `after` is called once
 *  the command is committed. `multiStep` is several database transactions with a call to the outside between them; the last one keeps
 *  the answer for the key. */
export type Handler<R extends Route> =
  | { readonly read: (call: Call<R>, connection: Connection) => Promise<ReplyOf<R>> }
  | {
      readonly command: (t: Tx, call: Call<R>) => Promise<ReplyOf<R>>
      readonly batched?: (call: Call<R>) => Promise<ReplyOf<R>>
      readonly after?: (merchant: Merchant) => void
    }
  | { readonly multiStep: (call: Call<R>, store: StoreResponse<ReplyOf<R>>) => Promise<ReplyOf<R>> }

const BEARER = /^Bearer +(\S+)$/i
/** The token of a header; the usual spelling is taken without a pattern. */
const tokenOf = (header: string): string =>
  header.startsWith('Bearer ') ? header.slice(7).trim() : (BEARER.exec(header)?.[1] ?? '')

/** The merchant of a token, when both were seen before: nearly always. Then nothing is awaited. */
function recognise(deps: RouteDeps, token: string): Merchant | null {
  const claims = deps.tokens.known(token)
  const merchant = claims && deps.merchants.known(claims.cell, claims.merchantId)
  return merchant?.opens(claims?.credential ?? 0) ? merchant : null
}

async function authenticate(deps: RouteDeps, token: string, request: HttpRequest): Promise<Merchant> {
  try {
    if (token === '') fail('TOKEN_MISSING')
    const { cell, merchantId, credential } = await deps.tokens.verify(token)
    let merchant = await deps.merchants.byId(cell, merchantId)
    if (merchant && credential > merchant.credential && !merchant.opens(credential)) {
      // We signed it, for a secret key that this process does not know yet: another one issued it a moment ago.
      deps.merchants.forget(cell)
      merchant = await deps.merchants.byId(cell, merchantId)
    }
    return merchant?.opens(credential) ? merchant : fail('TOKEN_INVALID')
  } catch (error) {
    if (error instanceof Failure) deps.http.anonymous.admit(request) // a valid token never pays for unauthenticated callers
    throw error
  }
}

/** Who is asking, before a byte of the body is read: nobody's body is held in memory. With `then`, because an async hook would
 *  cost a promise per request. */
const enter =
  (deps: RouteDeps, route: Route) =>
  (request: HttpRequest, reply: HttpReply, then: (merchant: Merchant) => void): void => {
    const refuse = (error: unknown): void => {
      refuseUnread(reply, error, deps.http, route.status422As)
    }
    const goOn = (merchant: Merchant): void => {
      try {
        admit(deps, merchant, request, reply, route.addressErrorCode)
      } catch (error) {
        refuse(error)
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

/** Address and rate; also used by login. */
export function admit(
  deps: RouteDeps,
  merchant: Merchant,
  request: HttpRequest,
  reply: HttpReply,
  addressErrorCode: ErrorCode = 'ADDRESS_NOT_ALLOWED',
): void {
  if (!merchant.allows(deps.http.anonymous.addressOf(request))) fail(addressErrorCode)
  const { allowed, limit, remaining, resetSeconds } = deps.limits.take(merchant)
  reply.more.push('ratelimit-limit', String(limit), 'ratelimit-remaining', String(remaining))
  reply.more.push('ratelimit-reset', String(resetSeconds))
  if (!allowed) fail('RATE_LIMITED')
}

const fastifyPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/** Which routes plain requests reach without the framework: those that the table of paths finds as they are. */
function serveDirectly(deps: RouteDeps, { method, path }: Route, route: DirectRoute): void {
  if (method === 'POST' && !path.includes('{')) deps.app.direct.set(path, route)
}

/** Any route: `serve` gets the raw request and answers with the bytes of `responseBody`. */
export function bindRaw(
  deps: RouteDeps,
  route: Route,
  serve: (request: HttpRequest, reply: HttpReply) => Promise<unknown>,
): void {
  const ofBank = route.auth === 'bank'
  const answer = async <Reply extends HttpReply>(request: HttpRequest, reply: Reply): Promise<Reply> =>
    sendJson(reply, 200, successBody(await serve(request, reply)))
  deps.app.route({
    method: route.method,
    url: fastifyPath(route.path),
    ...(ofBank ? { config: { knows: true } } : {}),
    handler: answer,
  })
  if (ofBank)
    serveDirectly(deps, route, {
      bodyBytesMax: BODY_MAX_BYTES,
      serve: (request, reply, read) => read(() => answer(request, reply)),
    })
}

/** A route that the bank calls: the signature over the exact bytes stands in for a token. */
export function bindBank<R extends Route>(
  deps: RouteDeps,
  route: R,
  serve: (body: BodyOf<R>) => Promise<ReplyOf<R>>,
): void {
  const readBody = bodyReader(route)
  bindRaw(deps, route, async (request) => {
    const text = (request.body as string | undefined) ?? ''
    try {
      checkBankSignature(deps.ctx, request, route, text)
    } catch (error) {
      deps.http.anonymous.admit(request)
      throw error
    }
    return serve(readBody(text) as BodyOf<R>)
  })
}

function checkBankSignature(ctx: Ctx, request: HttpRequest, route: Route, body: string): void {
  const timestamp = request.headers[TIMESTAMP_HEADER]
  const given = request.headers[SIGNATURE_HEADER]
  if (typeof timestamp !== 'string' || typeof given !== 'string' || !/^\d{1,12}$/.test(timestamp))
    fail('SIGNATURE_INVALID')
  const expected = `v1=${hmacHex('sha256', ctx.bankKey, signedText(timestamp, route.method, route.path, body))}`
  const age = Math.abs(wallSeconds() - Number(timestamp))
  if (!sameBytes(Buffer.from(given), Buffer.from(expected)) || age > SIGNATURE_TOLERANCE_SECONDS)
    fail('SIGNATURE_INVALID')
}

/** PostgreSQL's text cannot hold U+0000; in its place stands a character that no identifier has, so nothing is found. */
const textParams = (params: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.replaceAll('\u0000', '\ufffd')]))

const NO_PARAMS: Readonly<Record<string, string>> = {}

const keyedRequestOf = (route: Route, request: HttpRequest, key: string): KeyedRequest => ({
  key,
  method: route.method,
  path: request.url.split('?')[0] ?? '',
  body: (request.body as string | undefined) ?? '',
  ...(route.secretFields ? { secretFields: route.secretFields } : {}),
  ...(route.bodyKeysMax ? { bodyKeysMax: route.bodyKeysMax } : {}),
  ...(route.sealsAnswer ? { sealsAnswer: route.sealsAnswer } : {}),
})

/** To be kept, never shown by a browser as a page of ours. */
const sendFile = <Reply extends HttpReply>(reply: Reply, route: Route, type: string, text: string): Reply => {
  reply.more.push('content-disposition', `attachment; filename="${route.path.split('/').at(-1)}"`)
  return sendText(reply, 200, `${type}; charset=utf-8`, text)
}

/** How a merchant's request comes to its answer, whichever way it was read. */
function servingOf<R extends Route>(deps: RouteDeps, route: R, handler: Handler<R>) {
  const readBody = bodyReader(route)
  const readQuery = queryReader(route)
  const { ctx } = deps
  const hasParams = route.path.includes('{')
  const { feature } = route
  // Here, and not before an Idempotency-Key is looked up: what was done while the feature was granted is replayed after that.
  const callOf = (request: HttpRequest, merchant: Merchant): Call<R> => {
    if (feature) needFeature(merchant, feature)
    return {
      merchant,
      body: readBody((request.body as string | undefined) ?? '') as BodyOf<R>,
      query: readQuery(request.query as Record<string, unknown>) as QueryOf<R>,
      params: hasParams ? textParams(request.params as Record<string, string>) : NO_PARAMS,
    }
  }
  const plain = async (request: HttpRequest, connection: Connection, merchant: Merchant): Promise<ReplyOf<R>> => {
    const call = callOf(request, merchant)
    if ('read' in handler) return handler.read(call, connection)
    if ('multiStep' in handler) return handler.multiStep(call, discardResponse)
    if (handler.batched) return handler.batched(call)
    const answer = await tx(ctx, merchant.cell, merchant.id, (t) => handler.command(t, call))
    handler.after?.(merchant)
    return answer
  }
  const answerOf = (reply: ReplyOf<R>): Answer => ({ status: 200, body: successBody(reply) })
  const keyed = async (key: string, request: HttpRequest, reply: HttpReply, merchant: Merchant): Promise<Answer> => {
    if ('read' in handler) return fail('INTERNAL', {}, 'idempotency key on a read route')
    if (!KEY_FORM.test(key)) fail('IDEMPOTENCY_KEY_INVALID')
    const keyedRequest = keyedRequestOf(route, request, key)
    const refuse = (failure: Failure) => refusal(failure, request.id, deps.http.publicUrl, route.status422As)
    const answer =
      'multiStep' in handler
        ? await withIdempotencyKeyInSteps<ReplyOf<R>>(
            ctx,
            merchant,
            keyedRequest,
            (store) => handler.multiStep(callOf(request, merchant), store),
            answerOf,
            refuse,
          )
        : await withIdempotencyKey(
            ctx,
            merchant,
            keyedRequest,
            async (t) => answerOf(await handler.command(t, callOf(request, merchant))),
            refuse,
          )
    if (answer.replayed) reply.more.push('idempotent-replayed', 'true')
    else if ('after' in handler) handler.after?.(merchant)
    return answer
  }
  return async <Reply extends HttpReply>(request: HttpRequest, reply: Reply, merchant: Merchant): Promise<Reply> => {
    try {
      const key = request.headers['idempotency-key']
      if (typeof key === 'string' && !('read' in handler)) {
        const { status, body } = await keyed(key, request, reply, merchant)
        return sendJson(reply, status, body)
      }
      const answer = await plain(request, reply.raw, merchant)
      if (route.file) return sendFile(reply, route, route.file, answer as string)
      return sendJson(reply, 200, successBody(answer))
    } catch (error) {
      return sendRefusal(reply, error, deps.http, route.status422As)
    }
  }
}

/** A route that a merchant calls with its token. */
export function bind<R extends Route>(deps: RouteDeps, route: R, handler: Handler<R>): void {
  const enterRoute = enter(deps, route)
  const serve = servingOf(deps, route, handler)
  const { bodyBytesMax = BODY_MAX_BYTES } = route
  if (!deps.app.hasRequestDecorator('merchant')) deps.app.decorateRequest('merchant', null)
  deps.app.route({
    method: route.method,
    url: fastifyPath(route.path),
    bodyLimit: bodyBytesMax,
    config: { knows: true },
    onRequest: (request, reply, done) =>
      enterRoute(request, reply, (merchant) => {
        request.merchant = merchant
        done()
      }),
    handler: async (request, reply) => serve(request, reply, request.merchant ?? fail('TOKEN_MISSING')),
  })
  serveDirectly(deps, route, {
    bodyBytesMax,
    serve: (request, reply, read) =>
      enterRoute(request, reply, (merchant) => read(() => serve(request, reply, merchant))),
  })
}
