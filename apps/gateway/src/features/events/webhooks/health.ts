// How an endpoint is doing, and what follows: when a delivery is tried again, how much is sent at once, when
// an endpoint is paused and when it is given up. Pure rules; the dispatcher applies them.
import { RETRY_DELAYS_SECONDS } from '@cowrie/contract/events/delivery'
import { FAILING_DAYS_MAX } from '@cowrie/contract/events/endpoints'
import { DAY_MS, HOUR_MS } from '@cowrie/contract/kit/durations'

/** A wait is shortened by up to a fifth, never lengthened: the whole schedule ends within 76 hours. */
const JITTER = 0.2
const WINDOW_MS = 5 * 60_000
const WINDOW_TRIES = 10
const WINDOW_SHARE = 0.7
const REST_MS = 30_000
const REST_DOUBLINGS_MAX = 5
/** How long one answer may keep everything else from an endpoint; and how long one delivery. */
const RETRY_AFTER_ENDPOINT_MS = HOUR_MS
const RETRY_AFTER_DELIVERY_MS = DAY_MS
const AT_ONCE_MAX = 5

export type Health = {
  /** Has ever answered 200. */
  readonly answered: boolean
  /** The first failure since the last 200. */
  readonly failingSince: Date | null
  readonly windowFrom: Date | null
  readonly windowTries: number
  readonly windowFailures: number
  /** Nothing is sent before. */
  readonly restUntil: Date | null
  /** Pauses in a row; after the first, a single delivery is sent to see whether anybody is there. */
  readonly restCount: number
}

export type Verdict = { readonly at: Date; readonly status: number | null; readonly retryAfter: string | null }

const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms)

/** When a delivery is tried again after so many failures; null when it was the last. `spread` is between 0
 *  and 1. */
export function nextAttemptAt(failed: number, { at, retryAfter }: Verdict, spread: number): Date | null {
  const delay = RETRY_DELAYS_SECONDS[failed]
  if (delay === undefined) return null
  const ms = delay * 1000 * (1 - JITTER * spread)
  return later(at, Math.max(ms, Math.min(retryAfterMs(retryAfter, at), RETRY_AFTER_DELIVERY_MS)))
}

/** Seconds or a date; anything else, and what lies in the past, counts as none. */
export function retryAfterMs(header: string | null, at: Date): number {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  // Only the form that RFC 9110 wants: Date.parse reads nearly anything.
  if (!/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text)) return 0
  const date = Date.parse(text)
  return Number.isNaN(date) ? 0 : Math.max(0, date - at.getTime())
}

/** How many deliveries may be under way at once. One that never answered, or whose last answer was a failure,
 *  gets one: what hangs for 15 s should not hang five times. */
export function countPlaces(health: Health, now: Date): number {
  if (health.restUntil && health.restUntil > now) return 0
  return health.answered && !health.failingSince && health.restCount === 0 ? AT_ONCE_MAX : 1
}

/** What an attempt tells. Answers the same object when it tells nothing new. */
export const judge = (health: Health, verdict: Verdict): Health =>
  verdict.status === 200 ? praised(health) : blamed(health, verdict)

function praised(health: Health): Health {
  const wellKnown = health.answered && !health.failingSince && !health.restUntil
  if (wellKnown && health.windowFailures === 0) return health
  // After a rest the past is forgotten; otherwise a success counts in the minutes that a failure has begun.
  const fresh = health.restCount > 0
  return {
    answered: true,
    failingSince: null,
    windowFrom: fresh ? null : health.windowFrom,
    windowTries: fresh ? 0 : health.windowTries + 1,
    windowFailures: fresh ? 0 : health.windowFailures,
    restUntil: null,
    restCount: 0,
  }
}

function blamed(health: Health, { at, status, retryAfter }: Verdict): Health {
  const failingSince = health.failingSince ?? at
  // It was sent before the rest began: attempts like it have caused the rest already.
  if (health.restUntil && at < health.restUntil) return { ...health, failingSince }
  const recent = health.windowFrom !== null && at.getTime() - health.windowFrom.getTime() <= WINDOW_MS
  const counted = {
    answered: health.answered,
    failingSince,
    windowFrom: recent ? health.windowFrom : at,
    windowTries: (recent ? health.windowTries : 0) + 1,
    windowFailures: (recent ? health.windowFailures : 0) + 1,
  }
  const { windowTries, windowFailures } = counted
  if (health.restCount > 0 || (windowTries >= WINDOW_TRIES && windowFailures >= WINDOW_SHARE * windowTries)) {
    const ms = REST_MS * 2 ** Math.min(health.restCount, REST_DOUBLINGS_MAX)
    const none = { windowFrom: null, windowTries: 0, windowFailures: 0 }
    return { ...counted, ...none, restUntil: later(at, ms), restCount: health.restCount + 1 }
  }
  const asked = status === 429 || status === 503 ? Math.min(retryAfterMs(retryAfter, at), RETRY_AFTER_ENDPOINT_MS) : 0
  return { ...counted, restUntil: asked > 0 ? later(at, asked) : null, restCount: 0 }
}

/** Why nothing more should be sent to an endpoint, if so. */
export function reasonToDisable(health: Health, { at, status }: Verdict): 'GONE' | 'FAILING' | null {
  if (status === 410) return 'GONE'
  const since = health.failingSince
  return since && at.getTime() - since.getTime() >= FAILING_DAYS_MAX * DAY_MS ? 'FAILING' : null
}
