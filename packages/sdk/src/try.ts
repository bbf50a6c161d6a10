// One try: a request goes out, and within its limit it ends as an answer or as an error that says whether to
// try again.
import type { Clock } from './clock.ts'
import { type Code, type CowrieError, type Fault, NoAnswer, refused, UnreadableAnswer } from './errors.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>
export type Wire = {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}
export type Answer = { readonly text: string; readonly json: unknown }

/** A try that failed. */
export type Failed = {
  readonly error: CowrieError
  /** Whether another try may help: never, always (nothing was done), or where a repeat is safe. */
  readonly again: 'never' | 'always' | 'if safe'
  /** The gateway may have done it. */
  readonly maybeDone: boolean
  /** It is the gateway's answer to this very request, whatever became of earlier tries of it. */
  readonly settled: boolean
}
export type Tried = { readonly answer: Answer } | { readonly failed: Failed }

export const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true
/** The caller gave up. */
export const aborted = (signal: AbortSignal | undefined): NoAnswer =>
  new NoAnswer('ABORTED', 'The call was aborted by its caller.', signal?.reason)

// ---- no answer

/** The connection was not made, so nothing was sent. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function lost(url: string, error: unknown): Failed {
  const { cause, message } = error as Error
  const { code, message: reason } = (cause ?? {}) as { code?: string; message?: string }
  const notSent = code !== undefined && (NOT_SENT.has(code) || /CERT|TLS/.test(code))
  const why = code ?? reason ?? message
  const origin = new URL(url).origin
  return {
    error: notSent
      ? new NoAnswer('NO_CONNECTION', `${origin} cannot be reached (${why}); nothing was sent.`, error)
      : new NoAnswer('CONNECTION_LOST', `${origin} did not answer: the connection was lost (${why}).`, error),
    again: notSent ? 'always' : 'if safe',
    maybeDone: !notSent,
    settled: false,
  }
}

const late = (url: string, limitMs: number): Failed => ({
  error: new NoAnswer('TIMED_OUT', `${new URL(url).origin} did not answer within ${Math.round(limitMs)} ms.`),
  again: 'if safe',
  maybeDone: true,
  settled: false,
})

// ---- an answer

type Envelope = {
  readonly requestSuccessful: boolean
  readonly responseMessage?: string
  readonly responseCode?: string
  readonly responseBody?: unknown
  readonly problem?: { code?: Code; hint?: string; field?: string; docUrl?: string; requestId?: string }
  readonly errors?: readonly Fault[]
}

function envelopeIn(text: string): Envelope | null {
  try {
    const value: unknown = JSON.parse(text)
    const isOurs = typeof value === 'object' && value !== null && 'requestSuccessful' in value
    return isOurs ? (value as Envelope) : null
  } catch {
    return null
  }
}

function retryAfterMs(headers: Headers): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null
}

/** Refused before the gateway looked at what was asked. */
const AT_THE_DOOR = new Set([401, 403, 408, 429])
/** Of these the gateway itself says that the outcome is not known. */
const MAYBE_DONE: ReadonlySet<Code> = new Set(['INTERNAL', 'UNAVAILABLE', 'IDEMPOTENCY_IN_FLIGHT'])

function refusalOf(response: Response, envelope: Envelope): Failed {
  const { status, headers } = response
  const { problem = {}, responseMessage = 'Refused', responseCode = '', errors = [] } = envelope
  const code = problem.code ?? 'UNKNOWN'
  const error = refused({
    status,
    code,
    sentence: responseMessage,
    responseCode,
    hint: problem.hint ?? null,
    field: problem.field ?? null,
    docUrl: problem.docUrl ?? null,
    requestId: problem.requestId ?? headers.get('x-request-id'),
    faults: errors,
    retryAfterMs: retryAfterMs(headers),
  })
  const maybeDone = MAYBE_DONE.has(code)
  const again = status === 429 || status === 408 ? 'always' : maybeDone || status >= 500 ? 'if safe' : 'never'
  return { error, again, maybeDone, settled: !maybeDone && !AT_THE_DOOR.has(status) && status < 500 }
}

function unreadable({ status, headers }: Response, url: string): Failed {
  const type = headers.get('content-type') ?? 'no content type'
  const error = new UnreadableAnswer(
    status,
    `${new URL(url).origin} answered ${status} (${type}), which is not an answer of the gateway. Is the base address right, or is there a proxy in between?`,
  )
  const maybeDone = status < 300 || status >= 500
  return { error, again: maybeDone ? 'if safe' : 'never', maybeDone, settled: false }
}

async function read(response: Response, url: string, file: boolean): Promise<Tried> {
  const text = await response.text()
  if (response.ok && file) return { answer: { text, json: null } }
  const envelope = envelopeIn(text)
  if (envelope === null || (envelope.requestSuccessful && !response.ok)) return { failed: unreadable(response, url) }
  if (response.ok && envelope.requestSuccessful) return { answer: { text, json: envelope.responseBody } }
  return { failed: refusalOf(response, envelope) }
}

export type TryOptions = {
  readonly fetch: Fetch
  readonly clock: Clock
  readonly limitMs: number
  readonly signal: AbortSignal | undefined
  readonly file: boolean
}

/** Never rejects. */
export async function tryOnce(wire: Wire, { fetch, clock, limitMs, signal, file }: TryOptions): Promise<Tried> {
  const given = (maybeDone: boolean): Tried => ({
    failed: { error: aborted(signal), again: 'never', maybeDone, settled: false },
  })
  if (isAborted(signal)) return given(false)
  const stop = new AbortController()
  const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
  const { url, method, headers, body } = wire
  const send = async (): Promise<Tried> => {
    try {
      // A redirect is not followed: it would carry the token to wherever it leads.
      const init = { method, headers, redirect: 'manual', signal: either } as const
      return await read(await fetch(url, body === null ? init : { ...init, body }), url, file)
    } catch (error) {
      return { failed: lost(url, error) }
    }
  }
  const limit = clock.sleep(limitMs, either).then((): Tried => ({ failed: late(url, limitMs) }))
  const tried = await Promise.race([send(), limit])
  stop.abort()
  return isAborted(signal) && !('answer' in tried) ? given(true) : tried
}
