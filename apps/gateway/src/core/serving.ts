// How a merchant's request comes to its answer, whoever sent it: what it asks, held against the schema; once,
// where it carries an Idempotency-Key; with its line in the audit trail; and the answer in the envelope,
// without what is about persons where it goes to somebody who may not see that.

import { KEY_FORM } from '@cowrie/contract/access/idempotency'
import { masked } from '@cowrie/contract/access/masking'
import { errorSpec } from '@cowrie/contract/errors/errors'
import { UNKNOWN_FIELDS_HEADER } from '@cowrie/contract/kit/envelope'
import { parseExact } from '@cowrie/contract/kit/exact-json'
import type { BodyOf, QueryOf, ReplyOf, Route } from '@cowrie/contract/kit/spec'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { Failure, fail } from '#kit/fail.ts'
import {
  type HttpOptions,
  type HttpReply,
  type HttpRequest,
  refusal,
  sendJson,
  sendRefusal,
  sendText,
  successBody,
} from '#kit/http/answers.ts'
import { isCollected, runInTrace, TRACE_HEADER } from '#kit/trace.ts'
import { queryHint, strayWords } from '#kit/validation/strays.ts'
import { bodyReader, queryReader } from '#kit/validation/validate.ts'
import { heldToContracts } from './access/limited-keys.ts'
import { type Merchant, needFeature } from './access/merchants.ts'
import { keepCall, keptRefusal } from './acts/agent-lines.ts'
import { recordRoute, storingLine } from './acts/route-lines.ts'
import { tx } from './cells/cells.ts'
import { confirmSeen } from './cells/standbys.ts'
import type { ContractStatements } from './declarations.ts'
import {
  type Answer,
  discardResponse,
  type KeyedRequest,
  type StoreResponse,
  withIdempotencyKey,
  withIdempotencyKeyInSteps,
} from './idempotency.ts'

type ServingDeps = {
  readonly ctx: Ctx
  readonly http: HttpOptions
  readonly contractStatements: ContractStatements
}

export type Call<R extends Route> = {
  readonly merchant: Merchant
  readonly body: BodyOf<R>
  readonly query: QueryOf<R>
  readonly params: Readonly<Record<string, string>>
}

/** The connection to the caller: a call that stays open notices when it closes, and sees to it that it is not
 *  used again. */
export type Connection = Pick<HttpReply['raw'], 'once' | 'off' | 'destroyed' | 'shouldKeepAlive'>

/** How a merchant's route is served. `command` runs inside one transaction, and is what an Idempotency-Key
 *  wraps; `batched` does the same work together with other requests and is used where no key is given;
 *  `after` is called once the command is committed. `multiStep` is several database transactions with a call
 *  to the outside between them; the last one keeps the answer for the key. */
export type Handler<R extends Route> =
  | { readonly read: (call: Call<R>, connection: Connection) => Promise<ReplyOf<R>> }
  | {
      readonly command: (t: Tx, call: Call<R>) => Promise<ReplyOf<R>>
      readonly batched?: (call: Call<R>) => Promise<ReplyOf<R>>
      readonly after?: (merchant: Merchant) => void
    }
  | { readonly multiStep: StepsOf<R> }

type StepsOf<R extends Route> = (call: Call<R>, store: StoreResponse<ReplyOf<R>>) => Promise<ReplyOf<R>>
type CommandOf<R extends Route> = (t: Tx, call: Call<R>) => Promise<ReplyOf<R>>

/** PostgreSQL's text cannot hold U+0000; in its place stands a character that no identifier has, so nothing
 *  is found. */
const textParams = (params: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.replaceAll('\u0000', '\ufffd')]))

/** In the bytes of a refusal, also of one that is replayed. */
const CODE_OF_REFUSAL = /"problem":\{"code":"(\w+)"/

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

/** A request may be read twice on its way, and is answered once. */
function nameStrays(reply: HttpReply, words: string): void {
  if (words !== '' && !reply.more.includes(UNKNOWN_FIELDS_HEADER)) reply.more.push(UNKNOWN_FIELDS_HEADER, words)
}

/** A feature that misses a parameter does not know which others were sent. */
function withQueryHint(route: Route, { query }: HttpRequest, error: unknown): unknown {
  if (!(error instanceof Failure) || error.specifics.hint !== undefined || errorSpec(error.code).status !== 400)
    return error
  const meant = queryHint(route, query)
  if (meant === null) return error
  const hint = `${meant} ${errorSpec(error.code).hint}`
  return new Failure(error.code, error.params, error.detail, { ...error.specifics, hint })
}

/** To be kept, never shown by a browser as a page of ours. */
const sendFile = <Reply extends HttpReply>(reply: Reply, route: Route, type: string, text: string): Reply => {
  reply.more.push('content-disposition', `attachment; filename="${route.path.split('/').at(-1)}"`)
  return sendText(reply, 200, `${type}; charset=utf-8`, text)
}

/** Programs see everything of their merchant; of people those whose role says so. */
const seesPersons = ({ person }: Merchant): boolean => person === null || person.may('personalData.read')
const needUnmasked = (merchant: Merchant): void => {
  if (!seesPersons(merchant)) fail('PERMISSION_DENIED', { permission: 'personalData.read' })
}
/** The bytes that were kept for an Idempotency-Key. A refusal is about the request and stays as it is. */
function shownTo(merchant: Merchant, body: string): string {
  if (seesPersons(merchant)) return body
  const kept = parseExact(body) as { readonly requestSuccessful: boolean; readonly responseBody?: unknown }
  return kept.requestSuccessful ? successBody(masked(kept.responseBody)) : body
}

type Served = <Reply extends HttpReply>(request: HttpRequest, reply: Reply, merchant: Merchant) => Promise<Reply>
/** The routes of this process that only read, by their id: what an operator who sees a merchant's screens is
 *  served with. */
const reads = new WeakMap<Ctx, Map<string, Served>>()
export function keepRead<R extends Route>(ctx: Ctx, route: R, handler: Handler<R>, serve: Served): void {
  if (route.method !== 'GET' || !('read' in handler)) return
  const known = reads.get(ctx) ?? new Map<string, Served>()
  reads.set(ctx, known.set(route.id, serve))
}
export const findRead = (ctx: Ctx, { id }: Route): Served | null => reads.get(ctx)?.get(id) ?? null

/** A route as it is served: its readers are compiled once. */
type Serving<R extends Route> = {
  readonly deps: ServingDeps
  readonly route: R
  readonly handler: Handler<R>
  readonly readBody: ReturnType<typeof bodyReader>
  readonly readQuery: ReturnType<typeof queryReader>
  readonly hasParams: boolean
  readonly strays: ReturnType<typeof strayWords> | null
}
/** Of the audit trail. */
type Line = (t: Tx) => Promise<void>

/** How a merchant's request comes to its answer, whichever way it was read. */
export function serveRoute<R extends Route>(deps: ServingDeps, route: R, handler: Handler<R>) {
  const serving: Serving<R> = {
    deps,
    route,
    handler,
    readBody: bodyReader(route),
    readQuery: queryReader(route),
    hasParams: route.path.includes('{'),
    strays: deps.ctx.environment === 'sandbox' ? strayWords(route) : null,
  }
  // What is done together with other requests calls nobody outside: there a trace is followed only if
  // somebody names or collects it.
  const isShared = 'batched' in handler && handler.batched !== undefined && !isCollected()
  const name = `${route.method} ${route.path}`
  return <Reply extends HttpReply>(request: HttpRequest, reply: Reply, merchant: Merchant): Promise<Reply> => {
    const named = request.headers[TRACE_HEADER]
    if (isShared && named === undefined) return answered(serving, request, reply, merchant)
    const work = (): Promise<Reply> => answered(serving, request, reply, merchant)
    return runInTrace(named, request.id, name, work, () => reply.raw.statusCode)
  }
}

async function answered<R extends Route, Reply extends HttpReply>(
  serving: Serving<R>,
  request: HttpRequest,
  reply: Reply,
  merchant: Merchant,
): Promise<Reply> {
  const { deps, route, handler } = serving
  try {
    // Before an Idempotency-Key is looked up: what was answered to another key is not replayed to this one.
    const held = merchant.key === null ? null : await hold(serving, request, reply, merchant)
    const key = request.headers['idempotency-key']
    if (typeof key === 'string' && !('read' in handler) && held === null) {
      const { status, body } = await keyed(serving, key, request, reply, merchant)
      if (request.by?.agent) await keepKeyed(serving, request, status)
      return sendJson(reply, status, shownTo(merchant, body))
    }
    if (route.file) needUnmasked(merchant)
    const answer = await plain(serving, request, reply.raw, held ?? callOf(serving, request, reply, merchant))
    if (request.by?.agent) await keepCall(deps, request, route, null)
    if (route.file) return sendFile(reply, route, route.file, answer as string)
    request.answer = answer
    return sendJson(reply, 200, successBody(seesPersons(merchant) ? answer : masked(answer)))
  } catch (error) {
    const refused = withQueryHint(route, request, await confirmed(deps.ctx, merchant, error))
    const kept = request.by?.agent ? await keptRefusal(deps, request, route, refused) : refused
    return sendRefusal(reply, kept, deps.http, route.status422As)
  }
}

/** Who is told that a reference is used takes the first request for done: a standby must have it by then. */
async function confirmed(ctx: Ctx, { cell, id }: Merchant, error: unknown): Promise<unknown> {
  if (!(error instanceof Failure) || !errorSpec(error.code).isThere) return error
  try {
    await tx(ctx, cell, id, confirmSeen)
    return error
  } catch (unconfirmed) {
    return unconfirmed
  }
}

/** The call of a key that is limited to contracts, and whether it may go on as it was asked. */
async function hold<R extends Route>(
  serving: Serving<R>,
  request: HttpRequest,
  reply: HttpReply,
  merchant: Merchant,
): Promise<Call<R> | null> {
  const contracts = merchant.key?.contracts
  if (!contracts) return null
  const call = callOf(serving, request, reply, merchant)
  const held = await heldToContracts(serving.deps, merchant, contracts, serving.route, call)
  return held === call ? null : held
}

// Here, and not before an Idempotency-Key is looked up: what was done while the feature was granted is
// replayed after that.
function callOf<R extends Route>(
  { route, readBody, readQuery, strays, hasParams }: Serving<R>,
  request: HttpRequest,
  reply: HttpReply,
  merchant: Merchant,
): Call<R> {
  const { feature } = route
  if (feature) needFeature(merchant, feature)
  const body = readBody((request.body as string | undefined) ?? '')
  const query = readQuery(request.query as Record<string, unknown>)
  if (strays) nameStrays(reply, strays(body, request.query))
  const call: Call<R> = {
    merchant,
    body: body as BodyOf<R>,
    query: query as QueryOf<R>,
    params: hasParams ? textParams(request.params as Record<string, string>) : NO_PARAMS,
  }
  request.asked = call
  return call
}

async function plain<R extends Route>(
  serving: Serving<R>,
  request: HttpRequest,
  connection: Connection,
  call: Call<R>,
): Promise<ReplyOf<R>> {
  const { handler } = serving
  const { ctx } = serving.deps
  const { merchant } = call
  if ('read' in handler) return handler.read(call, connection)
  const line = lineOf(serving, request, call)
  if ('multiStep' in handler) return inSteps(ctx, handler.multiStep, call, discardResponse, line)
  if (handler.batched && !line) return handler.batched(call)
  const answer = await tx(ctx, merchant.cell, merchant.id, (t) => inOne(t, handler.command, call, line))
  handler.after?.(merchant)
  return answer
}

/** The line of the audit trail, where the route has one. */
function lineOf<R extends Route>(
  { deps, route, hasParams }: Serving<R>,
  request: HttpRequest,
  { merchant, params, body }: Call<R>,
): Line | null {
  if (!route.trail && merchant.person === null) return null
  const by = { merchant, address: deps.http.anonymous.addressOf(request), requestId: request.id }
  return (t) => recordRoute(t, by, route, hasParams ? { ...params, ...((body as object | undefined) ?? {}) } : body)
}

async function inOne<R extends Route>(
  t: Tx,
  command: CommandOf<R>,
  call: Call<R>,
  line: Line | null,
): Promise<ReplyOf<R>> {
  const reply = await command(t, call)
  await line?.(t)
  return reply
}

/** A line that no transaction of the work has taken along is written after it. */
async function inSteps<R extends Route>(
  ctx: Ctx,
  work: StepsOf<R>,
  call: Call<R>,
  store: StoreResponse<ReplyOf<R>>,
  line: Line | null,
): Promise<ReplyOf<R>> {
  if (line === null) return work(call, store)
  let kept = false
  const reply = await work(
    call,
    storingLine(store, async (t) => {
      await line(t)
      kept = true
    }),
  )
  if (!kept) await tx(ctx, call.merchant.cell, call.merchant.id, line)
  return reply
}

async function keyed<R extends Route>(
  serving: Serving<R>,
  key: string,
  request: HttpRequest,
  reply: HttpReply,
  merchant: Merchant,
): Promise<Answer> {
  const { deps, route, handler } = serving
  const { ctx } = deps
  if ('read' in handler) return fail('INTERNAL', {}, `${route.id}: an idempotency key on a route that reads`)
  if (!KEY_FORM.test(key)) fail('IDEMPOTENCY_KEY_INVALID')
  const keyedRequest = keyedRequestOf(route, request, key)
  const refuse = (failure: Failure) => refusal(failure, request.id, deps.http.publicUrl, route.status422As)
  const answer =
    'multiStep' in handler
      ? await withIdempotencyKeyInSteps<ReplyOf<R>>(
          ctx,
          merchant,
          keyedRequest,
          (store) => {
            const call = callOf(serving, request, reply, merchant)
            return inSteps(ctx, handler.multiStep, call, store, lineOf(serving, request, call))
          },
          answerOf,
          refuse,
        )
      : await withIdempotencyKey(
          ctx,
          merchant,
          keyedRequest,
          async (t) => {
            const call = callOf(serving, request, reply, merchant)
            return answerOf(await inOne(t, handler.command, call, lineOf(serving, request, call)))
          },
          refuse,
        )
  if (answer.status >= 400) request.errorCode = CODE_OF_REFUSAL.exec(answer.body)?.[1] ?? null
  if (answer.replayed) reply.more.push('idempotent-replayed', 'true')
  else if ('after' in handler) handler.after?.(merchant)
  return answer
}

const answerOf = <R extends Route>(reply: ReplyOf<R>): Answer => ({ status: 200, body: successBody(reply) })

/** What is replayed was not read again: for the line of an agent it is. */
function keepKeyed<R extends Route>(
  { deps, route, readBody }: Serving<R>,
  request: HttpRequest,
  status: number,
): Promise<void> {
  if (status === 200) request.asked ??= { body: readBody((request.body as string | undefined) ?? ''), query: {} }
  return keepCall(deps, request, route, request.errorCode)
}
