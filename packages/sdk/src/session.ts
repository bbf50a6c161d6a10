// Logged in once, for all calls. The token is renewed some minutes before its hour ends, by one log-in
// however many calls wait for it; while the old one is still good, a log-in that fails stops nobody.
import { type Connection, Ended, type Limits, run, type Session } from './call.ts'
import { CowrieError, NoAnswer } from './errors.ts'
import { aborted, isAborted, type Wire } from './try.ts'

type Held = { readonly token: string; readonly renewAt: number; readonly endsAt: number }

/** At least so long before its end; of a short life, the last tenth. */
const EARLY_MS = 5 * 60_000
const AGAIN_MS = 15_000
const earlyMs = (lifeMs: number): number => Math.min(EARLY_MS, lifeMs / 10)

export function createSession(connection: Connection, logIn: Wire, limits: Limits): Session {
  const { clock } = connection
  let held: Held | null = null
  let flight: Promise<Held> | null = null

  const renew = async (): Promise<Held> => {
    const askedAt = clock.monotonicMs()
    const { json } = await run(connection, {
      wire: logIn,
      limits,
      signal: undefined,
      safe: true,
      file: false,
      session: null,
    })
    const { accessToken, expiresIn } = (json ?? {}) as { accessToken?: unknown; expiresIn?: unknown }
    if (typeof accessToken !== 'string' || typeof expiresIn !== 'number')
      throw new CowrieError('UNREADABLE_ANSWER', 'The answer to the log-in has no token.')
    const lifeMs = expiresIn * 1000
    held = { token: accessToken, renewAt: askedAt + lifeMs - earlyMs(lifeMs), endsAt: askedAt + lifeMs }
    return held
  }
  const shared = (): Promise<Held> => {
    flight ??= renew().finally(() => {
      flight = null
    })
    return flight
  }

  /** The log-in belongs to all who wait: one that is in a hurry leaves, and does not end it. */
  const within = async (limitMs: number, signal: AbortSignal | undefined): Promise<Held> => {
    const stop = new AbortController()
    const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
    const limit = clock.sleep(limitMs, either).then(() => null)
    try {
      const first = await Promise.race([shared(), limit])
      if (isAborted(signal)) throw aborted(signal)
      if (first === null) throw new NoAnswer('TIMED_OUT', 'The log-in took too long; nothing was sent.')
      return first
    } catch (error) {
      throw error instanceof Ended ? error.error : error
    } finally {
      stop.abort()
    }
  }

  /** Nobody waits for it: the old token is good for minutes. After a failure it is left alone for a while. */
  const renewEarly = (old: Held, now: number): void => {
    shared().catch(() => {
      if (held === old) held = { ...old, renewAt: now + AGAIN_MS }
    })
  }

  return {
    token: async (limitMs, signal) => {
      const now = clock.monotonicMs()
      if (held === null || now >= held.endsAt) return (await within(limitMs, signal)).token
      if (now >= held.renewAt) renewEarly(held, now)
      return held.token
    },
    forget: (token) => {
      if (held?.token === token) held = null
    },
  }
}
