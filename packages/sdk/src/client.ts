// The client: a method for each route of the contract (`generated/routes.ts`), all with the same care.
import { type Call, type Connection, Ended, type Limits, run } from './call.ts'
import { type Clock, systemClock } from './clock.ts'
import { CowrieError, NotFound, OutcomeUnknown } from './errors.ts'
import { LOG_IN, type Methods, ROUTES } from './generated/routes.ts'
import { amountsAsText } from './money.ts'
import { listing } from './pages.ts'
import { addressed, type Input } from './request.ts'
import type { CallOptions, RouteEntry } from './route.ts'
import { createSession } from './session.ts'
import type { Answer, Fetch } from './try.ts'
import { VERSION } from './version.ts'

export type CowrieOptions = {
  /** `https://pay.example.com`, or what the sandbox printed. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly secretKey: string
  /** For a whole call, with log-in, every try and the waits between; 60,000 unless given. */
  readonly deadlineMs?: number
  /** For one try; 20,000 unless given. */
  readonly tryMs?: number
  /** After the first try; 3 unless given. */
  readonly retries?: number
  /** Keys go over the network in clear: for a gateway in your own network only. This machine needs no
   *  permission. */
  readonly allowHttp?: boolean
  readonly fetch?: Fetch
  readonly clock?: Clock
}
export type Cowrie = Methods

const DEFAULTS: Limits = { deadlineMs: 60_000, tryMs: 20_000, retries: 3 }

function baseOf({ baseUrl, allowHttp }: CowrieOptions): string {
  let url: URL
  try {
    url = new URL(baseUrl)
  } catch {
    throw new CowrieError('BASE_URL_INVALID', `${JSON.stringify(baseUrl)} is not the address of a gateway.`)
  }
  const isHere = url.hostname === 'localhost' || url.hostname === '[::1]' || /^127\./.test(url.hostname)
  if (url.protocol !== 'https:' && !isHere && !allowHttp)
    throw new CowrieError(
      'BASE_URL_INVALID',
      `${url.origin} is not encrypted, and the secret key would be sent to it. Use https, or allowHttp for a gateway in your own network.`,
    )
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

function basicOf({ apiKey, secretKey }: CowrieOptions): string {
  if (!apiKey || !secretKey) throw new CowrieError('KEYS_MISSING', 'The client needs apiKey and secretKey.')
  const bytes = new TextEncoder().encode(`${apiKey}:${secretKey}`)
  return `Basic ${btoa(String.fromCharCode(...bytes))}`
}

/** A listing of events may be asked to wait for one: that is not the gateway being slow. */
function limitsOf(defaults: Limits, { deadlineMs, tryMs, retries }: CallOptions, input: Input): Limits {
  const waits = Number(input['wait'] ?? 0) * 1000 || 0
  return {
    deadlineMs: (deadlineMs ?? defaults.deadlineMs) + waits,
    tryMs: (tryMs ?? defaults.tryMs) + waits,
    retries: retries ?? defaults.retries,
  }
}

const isRepeatable = ({ method, keyed }: RouteEntry): boolean => method === 'GET' || keyed === true

export function createCowrie(options: CowrieOptions): Cowrie {
  const base = baseOf(options)
  const basic = basicOf(options)
  const { deadlineMs, tryMs, retries } = { ...DEFAULTS, ...options }
  const defaults: Limits = { deadlineMs, tryMs, retries }
  const connection: Connection = {
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    clock: options.clock ?? systemClock,
  }
  const headers = { accept: 'application/json', 'user-agent': `cowrie-sdk/${VERSION}` }
  const logIn = { url: base + LOG_IN, method: 'POST', headers: { ...headers, authorization: basic }, body: null }
  const session = createSession(connection, logIn, defaults)

  const callOf = (id: string, route: RouteEntry, input: Input, how: CallOptions, key: string): Call => {
    const { path, body } = addressed(id, route, input)
    const sent = {
      ...headers,
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(route.method === 'POST' || route.keyed ? { 'idempotency-key': key } : {}),
      ...(route.auth === 'basic' ? { authorization: basic } : {}),
    }
    return {
      wire: { url: base + path, method: route.method, headers: sent, body },
      limits: limitsOf(defaults, how, input),
      signal: how.signal,
      safe: isRepeatable(route),
      file: route.file === true,
      session: route.auth === undefined ? session : null,
    }
  }

  const replyOf = (route: RouteEntry, { text, json }: Answer): unknown => {
    if (route.file) return text
    amountsAsText(json, route.amounts)
    return json
  }

  /** What is thrown for a call that ended without an answer. */
  const thrown = (
    id: string,
    route: RouteEntry,
    input: Input,
    key: string,
    ended: Ended,
    repeat: () => Promise<unknown>,
  ) => {
    const { error, maybeDone } = ended
    if (!route.outcome || !maybeDone) return error.code === 'ABORTED' ? error.cause : error
    const { ask, by, from = by } = route.outcome
    const reference = String(input[from])
    const asked = (): Promise<unknown> =>
      invoke(ask, routeOf(ask), { [by]: reference }, {}).catch((fault: unknown) => {
        if (fault instanceof NotFound) return null
        throw fault
      })
    return new OutcomeUnknown({ operation: id, idempotencyKey: key, reference, ask: asked, repeat }, error)
  }

  const invoke = async (id: string, route: RouteEntry, input: Input, how: CallOptions): Promise<unknown> => {
    const key = how.idempotencyKey ?? crypto.randomUUID()
    const call = callOf(id, route, input, how, key)
    const again = async (one: Call): Promise<unknown> => {
      try {
        return replyOf(route, await run(connection, one))
      } catch (ended) {
        if (!(ended instanceof Ended)) throw ended
        // The caller's signal ended the first call; a repeat is the caller's new decision.
        throw thrown(id, route, input, key, ended, () => again({ ...call, signal: undefined }))
      }
    }
    return again(call)
  }

  const methodOf =
    (id: string, route: RouteEntry) =>
    (given?: Input, how: CallOptions = {}) => {
      const input = given ?? {}
      const { pages } = route
      return pages ? listing(pages, input, (one) => invoke(id, route, one, how)) : invoke(id, route, input, how)
    }
  const groups = Object.entries(ROUTES).map(([group, routes]) => {
    const methods = Object.entries(routes).map(([name, route]) => [name, methodOf(`${group}.${name}`, route)])
    return [group, Object.fromEntries(methods)]
  })
  return Object.fromEntries(groups)
}

function routeOf(id: string): RouteEntry {
  const [group = '', name = ''] = id.split('.')
  const route = ROUTES[group]?.[name]
  if (route === undefined) throw new CowrieError('ROUTE_UNKNOWN', `${id} is not a route of this gateway.`)
  return route
}
