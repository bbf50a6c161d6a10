// For tests: a network that answers as the test says, and time that moves when everybody waits. The code
// between the two is the real one.

import type { CowrieOptions } from '../src/client.ts'
import type { Clock } from '../src/clock.ts'

export type Asked = {
  readonly at: number
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}
/** An answer, `hang` for none at all, or the code of a connection that failed. */
export type Reply =
  | { readonly status?: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | 'hang'
  | `E${string}`
export type Responder = (asked: Asked, nth: number) => Reply

export const ok = (responseBody?: unknown): Reply => ({
  body: { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody },
})
export const no = (status: number, code: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  body: {
    requestSuccessful: false,
    responseMessage: `Refused: ${code}`,
    responseCode: '99',
    problem: { code, hint: 'Do something else.', docUrl: `https://pay.example/docs#error-${code}`, requestId: 'req-1' },
  },
})

type Timer = { readonly at: number; readonly ring: () => void }
/** Rounds of the event loop after which nobody has anything left to do but wait. */
const QUIET_ROUNDS = 8

export function testNetwork(respond: Responder) {
  let now = 0
  const waits: number[] = []
  const timers = new Set<Timer>()
  const asked: Asked[] = []
  let logIns = 0
  let quiet = 0

  const turn = (): void => {
    quiet += 1
    if (quiet < QUIET_ROUNDS) return void setImmediate(turn)
    const [next] = [...timers].toSorted((one, other) => one.at - other.at)
    if (!next) return
    now = Math.max(now, next.at)
    next.ring()
    quiet = 0
    if (timers.size > 0) setImmediate(turn)
  }
  const clock: Clock = {
    monotonicMs: () => now,
    wallSeconds: () => 1_777_731_331,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const timer = {
          at: now + ms,
          ring: () => {
            timers.delete(timer)
            resolve()
          },
        }
        if (signal.aborted) return resolve()
        waits.push(ms)
        timers.add(timer)
        signal.addEventListener('abort', timer.ring, { once: true })
        quiet = 0
        setImmediate(turn)
      }),
  }
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    quiet = 0
    const { pathname, search } = new URL(url)
    const one: Asked = {
      at: now,
      method: init.method ?? '',
      path: pathname + search,
      headers: init.headers as Record<string, string>,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : null,
    }
    const isLogIn = pathname === '/api/v1/auth/login'
    if (isLogIn) logIns += 1
    else asked.push(one)
    const reply = respond(one, isLogIn ? logIns : asked.length)
    if (reply === 'hang')
      return new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
    if (typeof reply === 'string')
      throw new TypeError('fetch failed', { cause: Object.assign(new Error(reply), { code: reply }) })
    const { status = 200, body, headers = {} } = reply
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return new Response(text, { status, headers })
  }
  const options: CowrieOptions = {
    baseUrl: 'https://pay.example',
    apiKey: 'MK_TEST',
    secretKey: 'S3CRET',
    fetch,
    clock,
  }
  return {
    options,
    /** Requests but log-ins. */
    asked,
    logIns: () => logIns,
    now: () => now,
    /** Moves the clock while nobody waits. */
    pass: (ms: number) => {
      now += ms
    },
    waits,
  }
}

/** Logs in with a token that says which it is; everything else is up to the test. */
export const loggedIn =
  (respond: Responder, expiresIn = 3600): Responder =>
  (asked, nth) =>
    asked.path === '/api/v1/auth/login' ? ok({ accessToken: `token-${nth}`, expiresIn }) : respond(asked, nth)
