// The gateway, as this command line speaks to it: logs in automatically, also when the token has ended early
// because the sandbox's clock was moved; tells what may be tried again from what may not.

import { login } from '@cowrie/contract/access/auth'
import { listRequests, type RequestPage, type RequestQuery } from '@cowrie/contract/access/requests'
import { FEED_PAGE_MAX, FEED_WAIT_MAX_SECONDS, getEvent, listEvents, resendRange } from '@cowrie/contract/events/feed'
import { parseExact } from '@cowrie/contract/kit/exact-json'
import { SIZE_MAX } from '@cowrie/contract/kit/paging'
import type { BodyOf, QueryOf, ReplyOf, Route } from '@cowrie/contract/kit/spec'
import { getSettlementKey, getStatement, listSettlements } from '@cowrie/contract/settlements/settlements'
import type { Credentials } from './config.ts'
import { Failure } from './failure.ts'
import { VERSION } from './programs/version.ts'

export type Page = ReplyOf<typeof listEvents>
export type FeedEvent = Page['events'][number]
export type EventRecord = ReplyOf<typeof getEvent>
export type SettlementItem = ReplyOf<typeof listSettlements>['content'][number]

const ANSWER_MS = 15_000
/** In a header of every call, for whoever runs a proxy before the gateway; the gateway's own request log
 *  keeps no headers. */
const AGENT = `cowrie/${VERSION}`
/** A statement can have a hundred thousand lines. */
const STATEMENT_MS = 120_000
/** Beyond every number there is: the reply is empty and tells the newest. */
const BEYOND = 999_999_999_999_999

export type Input<R extends Route> = {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: QueryOf<R>
  readonly body?: BodyOf<R>
  /** How long the answer may take. */
  readonly ms?: number
}

export type Gateway = {
  /** Those of the last login. */
  credentials(): Credentials
  /** Events after a number, oldest first; with `wait` the call stays open until there is one. */
  after(number: number, how: { readonly wait: boolean; readonly limit?: number }): Promise<Page>
  newest(): Promise<number>
  event(eventId: string): Promise<EventRecord>
  resend(range: BodyOf<typeof resendRange>): Promise<number>
  /** Newest first, some at a time. */
  settlements(page: number): Promise<ReplyOf<typeof listSettlements>>
  statement(settlementReference: string): Promise<ReplyOf<typeof getStatement>>
  /** Lines of the request log. */
  requests(query: RequestQuery): Promise<RequestPage>
  settlementKey(): Promise<ReplyOf<typeof getSettlementKey>>
  /** Any other operation of a merchant, by token or, where it asks for them, by the keys. */
  ask<R extends Route>(route: R, input?: Input<R>): Promise<ReplyOf<R>>
}

type Envelope = {
  readonly requestSuccessful?: boolean
  readonly responseMessage?: string
  readonly responseBody?: unknown
  readonly problem?: { readonly code: string; readonly hint: string }
}

/** `find` is asked before every login: a sandbox that began anew has other keys, perhaps on another port. */
export function openGateway(find: () => Credentials, signal: AbortSignal, agent = AGENT): Gateway {
  let credentials = find()
  let token: string | null = null

  const send = async (method: string, path: string, how: { auth: string; body?: unknown; ms?: number }) => {
    const init: RequestInit = {
      method,
      headers: {
        authorization: how.auth,
        'user-agent': agent,
        ...(how.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(how.ms ?? ANSWER_MS)]),
      ...(how.body === undefined ? {} : { body: JSON.stringify(how.body) }),
    }
    let answer: Response
    let text: string
    try {
      answer = await fetch(`${credentials.url}${path}`, init)
      text = await answer.text()
    } catch (error) {
      signal.throwIfAborted()
      throw new Failure(`The gateway at ${credentials.url} does not answer (${why(error)}).`, { away: true })
    }
    if (answer.status === 429 || answer.status >= 500)
      throw new Failure(`The gateway at ${credentials.url} answered ${answer.status}.`, { away: true })
    return { status: answer.status, envelope: envelopeOf(text, credentials.url) }
  }

  /** With the keys themselves: to log in, and for what concerns them. */
  const withKeys = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    credentials = find()
    const { url, apiKey, secretKey, source } = credentials
    const auth = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`
    const { status, envelope } = await send(method, path, { auth, ...(body === undefined ? {} : { body }) })
    if (status === 401) throw new Failure(`The gateway at ${url} rejected the ${source}.`)
    return replyOf<T>(envelope)
  }
  const logIn = async (): Promise<string> =>
    (await withKeys<ReplyOf<typeof login>>(login.method, login.path, {})).accessToken

  const call = async <T>(method: string, path: string, how: { body?: unknown; ms?: number } = {}): Promise<T> => {
    token ??= await logIn()
    let answer = await send(method, path, { ...how, auth: `Bearer ${token}` })
    if (answer.status === 401) {
      token = await logIn()
      answer = await send(method, path, { ...how, auth: `Bearer ${token}` })
    }
    return replyOf<T>(answer.envelope)
  }

  const after: Gateway['after'] = (number, { wait, limit = FEED_PAGE_MAX }) => {
    const seconds = wait ? FEED_WAIT_MAX_SECONDS : 0
    const query = new URLSearchParams({ after: String(number), limit: String(limit), wait: String(seconds) })
    return call(listEvents.method, `${listEvents.path}?${query.toString()}`, { ms: ANSWER_MS + seconds * 1000 })
  }

  return {
    credentials: () => credentials,
    after,
    newest: async () => (await after(BEYOND, { wait: false, limit: 1 })).lastNumber,
    event: (eventId) => call(getEvent.method, getEvent.path.replace('{eventId}', encodeURIComponent(eventId))),
    resend: async (range) =>
      (await call<ReplyOf<typeof resendRange>>(resendRange.method, resendRange.path, { body: range })).recordsFound,
    settlements: (page) => call(listSettlements.method, `${listSettlements.path}?page=${page}&size=${SIZE_MAX}`),
    statement: (settlementReference) =>
      call(getStatement.method, getStatement.path.replace('{settlementReference}', settlementReference), {
        ms: STATEMENT_MS,
      }),
    requests: (query) =>
      call(listRequests.method, `${listRequests.path}?${new URLSearchParams({ ...query }).toString()}`),
    settlementKey: () => call(getSettlementKey.method, getSettlementKey.path),
    ask: ({ method, path, auth }, { path: parameters = {}, query, ...how } = {}) => {
      const to = `${filled(path, parameters)}${query ? `?${new URLSearchParams(query).toString()}` : ''}`
      return auth === 'basic' ? withKeys(method, to, how.body) : call(method, to, how)
    },
  }
}

const filled = (path: string, parameters: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(parameters[name] ?? ''))

function envelopeOf(text: string, url: string): Envelope {
  try {
    const value: unknown = parseExact(text)
    if (typeof value === 'object' && value !== null && 'requestSuccessful' in value) return value as Envelope
  } catch {
    // said below, as for any other answer that is not ours
  }
  throw new Failure(`${url} is not a Cowrie gateway.`)
}

function replyOf<T>({ requestSuccessful, responseMessage, responseBody, problem }: Envelope): T {
  if (requestSuccessful) return responseBody as T
  const message = (responseMessage ?? 'The gateway refused').replace(/\.$/, '')
  throw new Failure(problem ? `${message}. ${problem.hint}` : `${message}.`, problem ? { code: problem.code } : {})
}

const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'the host name could not be resolved',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
}

export function why(error: unknown): string {
  const { name, message, cause } = error as Error
  if (name === 'TimeoutError') return 'timed out'
  const { code, message: reason } = (cause ?? {}) as Partial<NodeJS.ErrnoException>
  return (code !== undefined ? CAUSES[code] : undefined) ?? code ?? reason ?? message
}
