// How the dashboard calls the gateway: the routes of the contract, with the session's cookie, as JSON. A
// refusal keeps its code, its hint and the request's id, which every error on the screen shows.

import { ROUTES, SIDE } from 'virtual:routes'
import type { createPasskeyRoutes } from '@cowrie/contract/access/passkeys'
import type { PeopleRoutes } from '@cowrie/contract/access/people'
import type { Act, ActOutcome, ActReplyOf, InputOf, View, ViewReplyOf } from '@cowrie/contract/kit/act'
import { parseExact } from '@cowrie/contract/kit/exact-json'
import type { BodyOf, QueryOf, ReplyOf, Route } from '@cowrie/contract/kit/spec'
import type { viewedMe } from '@cowrie/contract/screens/view-as'
import type { Static, TSchema } from 'typebox'
import { setAway } from './away.ts'

type Problem = { readonly code: string; readonly hint?: string; readonly field?: string; readonly requestId?: string }
type Envelope = {
  readonly requestSuccessful?: boolean
  readonly responseMessage?: string
  readonly responseBody?: unknown
  readonly problem?: Problem
}

/** The gateway said no. */
export class Refused extends Error {
  readonly code: string
  readonly hint: string
  readonly field: string | null
  readonly requestId: string | null
  /** Seconds to wait, where there were too many tries. */
  readonly retryAfter: number | null
  constructor(message: string, problem: Problem, requestId: string | null, retryAfter: number | null) {
    super(message)
    this.code = problem.code
    this.hint = problem.hint ?? ''
    this.field = problem.field ?? null
    this.requestId = problem.requestId ?? requestId
    this.retryAfter = retryAfter
  }
}

/** The gateway did not answer, or something in front of it did. */
export class Away extends Error {
  readonly requestId: string | null
  constructor(requestId: string | null) {
    super('The gateway does not answer')
    this.requestId = requestId
  }
}

/** The merchant whose screens an operator sees (view-as): the console below /operator/as/<API key>. */
export const VIEWED =
  SIDE === 'operator' ? (/^\/operator\/as\/([^/]+)/.exec(globalThis.location.pathname)?.[1] ?? null) : null
/** Whose screens these are. */
export const SCREENS_OF = SIDE === 'merchant' || VIEWED !== null ? 'merchant' : 'operator'
const ROOT = SIDE === 'merchant' ? '/dashboard' : '/operator'
export const HOME = VIEWED === null ? ROOT : `${ROOT}/as/${VIEWED}`
const API = VIEWED === null ? `${ROOT}/v1` : `${ROOT}/v1/as/${VIEWED}`
/** Out of a merchant's screens, to one of the console: another document, so nothing of the merchant's stays
 *  behind. */
export const toConsole = (path: string): void => globalThis.location.assign(ROOT + path)

/** Asked for before the screen that needs it is there; whoever asks first gets that answer. */
const early = new Map<string, Promise<Response | null>>()
export function fetchEarly(path: string): void {
  early.set(
    path,
    fetch(path, { credentials: 'same-origin' }).catch(() => null),
  )
}
function earlyAnswer(method: string, path: string): Promise<Response | null> | undefined {
  const answer = method === 'GET' ? early.get(path) : undefined
  early.delete(path)
  return answer
}

const GONE: ReadonlySet<number> = new Set([502, 503, 504])

type Sent = { readonly key?: string | undefined; readonly authorization?: string }

async function readEnvelope(answer: Response): Promise<Envelope | null> {
  try {
    return parseExact(await answer.text()) as Envelope
  } catch {
    return null
  }
}

async function ask(method: string, path: string, body: unknown, more: Sent = {}): Promise<unknown> {
  const { key, authorization } = more
  const sent = method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }
  const answer = await (earlyAnswer(method, path) ??
    fetch(path, {
      method,
      credentials: 'same-origin',
      headers: {
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(authorization === undefined ? {} : { authorization }),
      },
      ...sent,
    }).catch(() => null))
  const requestId = answer?.headers.get('x-request-id') ?? null
  const envelope: Envelope | null = answer === null ? null : await readEnvelope(answer)
  if (answer === null || envelope === null || GONE.has(answer.status)) {
    setAway(true)
    throw new Away(requestId)
  }
  setAway(false)
  if (envelope.requestSuccessful === true) return envelope.responseBody
  const seconds = Number(answer.headers.get('retry-after'))
  throw new Refused(
    envelope.responseMessage ?? 'The gateway refused it',
    envelope.problem ?? { code: 'UNKNOWN' },
    requestId,
    seconds > 0 ? seconds : null,
  )
}

function callRoute(name: string, body: unknown, params: Readonly<Record<string, string>>): Promise<unknown> {
  const [method, path] = ROUTES[name] ?? ['GET', '']
  return ask(
    method,
    path.replace(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param] ?? '')),
    body,
  )
}

type PasskeyRoutes = ReturnType<typeof createPasskeyRoutes>
type Params = Readonly<Record<string, string>>
type Reply<R extends Route> = Promise<ReplyOf<R>>

/** Routes of the person who is signed in, or is about to be. */
export const people = <N extends keyof PeopleRoutes>(
  name: N,
  body?: BodyOf<PeopleRoutes[N]>,
  params: Params = {},
): Reply<PeopleRoutes[N]> => callRoute(`people.${name}`, body, params) as Reply<PeopleRoutes[N]>

export const passkeys = <N extends keyof PasskeyRoutes>(
  name: N,
  body?: BodyOf<PasskeyRoutes[N]>,
  params: Params = {},
): Reply<PasskeyRoutes[N]> => callRoute(`passkeys.${name}`, body, params) as Reply<PasskeyRoutes[N]>

/** Where a public route is, with its query. */
export function addressOf(id: string, query: Params = {}): string {
  const search = new URLSearchParams(query).toString()
  return `${ROUTES[id]?.[1] ?? ''}${search === '' ? '' : `?${search}`}`
}

type Asked<R extends Route> = {
  readonly params?: Params
  readonly query?: Partial<QueryOf<R>>
  readonly body?: BodyOf<R>
  /** Made once per attempt of a person, so that clicking twice, or again after silence, does it once. */
  readonly key?: string
}
/** A public route, as the person who is logged in:
 *  `call<typeof searchTransactions>('transactions.search', { query })`. */
export function call<R extends Route>(id: R['id'], asked: Asked<R> = {}): Promise<ReplyOf<R>> {
  const [method, path] = ROUTES[id] ?? ['GET', '']
  const { query = {}, body, key } = asked
  const params: Params = { ...asked.params, viewed: VIEWED ?? '' }
  const search = new URLSearchParams(query as Record<string, string>).toString()
  const at = path.replace(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param] ?? ''))
  return ask(method, search === '' ? at : `${at}?${search}`, body, { key }) as Promise<ReplyOf<R>>
}

/** A route that asks for the key pair itself: a session is not enough for it, and neither is a token. */
export const callWithKeys = <R extends Route>(
  id: R['id'],
  keys: { readonly apiKey: string; readonly secretKey: string },
  body?: BodyOf<R>,
): Promise<ReplyOf<R>> => {
  const [method, path] = ROUTES[id] ?? ['POST', '']
  return ask(method, path, body, { authorization: `Basic ${btoa(`${keys.apiKey}:${keys.secretKey}`)}` }) as Promise<
    ReplyOf<R>
  >
}

/** Where a file of a public route is: a link to it is opened by the browser, with the session. */
export function fileAt<R extends Route>(id: R['id'], params: Params): string {
  const [, path] = ROUTES[id] ?? ['GET', '']
  return path.replace(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param] ?? ''))
}

/** What a role does; the contract has its input. `WAITING`: a second person has to approve it. */
export const act = <A extends Act>(id: A['id'], asked: ActAsked<A>): Promise<ActAnswer<A>> =>
  ask('POST', `${API}/acts/${id}`, asked) as Promise<ActAnswer<A>>
/** What it would do, of an act whose trial shows something else than its reply. */
export const tryOut = async <A extends Act & { readonly preview: TSchema }>(
  id: A['id'],
  asked: ActAsked<A>,
): Promise<Static<A['preview']>> => {
  const answer = (await ask('POST', `${API}/acts/${id}`, { ...asked, dryRun: true })) as { readonly reply: unknown }
  return answer.reply as Static<A['preview']>
}
export type ActAsked<A extends Act> = {
  readonly input?: InputOf<A>
  readonly reason?: string
  readonly dryRun?: boolean
  /** Of the operator's people: whose. */
  readonly merchant?: string
  readonly cell?: string
  /** A passkey's assertion over the digest of this act. */
  readonly proof?: object
}
export type ActAnswer<A extends Act> = {
  readonly outcome: ActOutcome
  readonly reply: ActReplyOf<A> | null
  readonly reference: string | null
}

/** What a role looks at; the contract has its query and reply. */
export const view = <V extends View>(id: V['id'], query: Params = {}): Promise<ViewReplyOf<V>> => {
  const search = new URLSearchParams(query).toString()
  return ask('GET', `${API}/views/${id}${search === '' ? '' : `?${search}`}`, undefined) as Promise<ViewReplyOf<V>>
}

/** The test tools of a checkout, in a sandbox: plays the payer's bank. False: the bank refused. */
export async function playBank(checkoutUrl: string, action: string): Promise<boolean> {
  const answer = await fetch(`${new URL(checkoutUrl).pathname}/sandbox`, {
    method: 'POST',
    body: new URLSearchParams({ action }),
  }).catch(() => null)
  if (answer === null || GONE.has(answer.status)) {
    setAway(true)
    throw new Away(answer?.headers.get('x-request-id') ?? null)
  }
  return answer.ok && new URL(answer.url).searchParams.get('did') !== 'not'
}

export { SIDE }

/** True once something answers at the gateway's own address. */
export async function answersAgain(): Promise<boolean> {
  const answer = await fetch('/health', { cache: 'no-store' }).catch(() => null)
  return answer?.ok === true
}

/** As whom an operator sees a merchant's screens, and until when. */
export type Viewer = ReplyOf<typeof viewedMe>
export const viewer = (): Promise<Viewer> => ask('GET', `${API}/me`, undefined) as Promise<Viewer>
export const stopViewing = (): Promise<unknown> =>
  ask('POST', `${ROOT}/v1/acts/viewas.end`, { merchant: VIEWED, input: {} })
