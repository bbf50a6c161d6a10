// How many requests a merchant may send: a bucket per merchant and process that refills by the second.
// Reported in headers with every answer, so that a client can slow down before it is refused. An agent's key
// has a small bucket of its own beside it, because each of its calls is a line of the audit trail, and those
// stay.
import { monotonicMs } from '#kit/clock.ts'
import type { Merchant } from './merchants.ts'

export type Allowance = {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

export type Limits = {
  take(merchant: Merchant): Allowance
  /** From a bucket of another name: so many at once, so many more a second. */
  takeFrom(name: string, atOnce: number, perSecond: number): Allowance
  /** The merchant's people, all together: they do not take from what its servers may. */
  takeForPeople(merchant: Merchant): Allowance
}

/** Of a key for agents: one question to a tool may be a dozen calls at once. */
const AGENT_PER_SECOND = 5
export const AGENT_AT_ONCE = 60

/** Of people, however low the merchant's rate is: a screen asks a dozen things at once. */
const PEOPLE_PER_SECOND = 20
export const PEOPLE_AT_ONCE = 100

export function createLimits(): Limits {
  const buckets = new Map<string, { tokens: number; at: number }>()
  const takeFrom = (apiKey: string, limit: number, perSecond: number): Allowance => {
    const now = monotonicMs()
    let bucket = buckets.get(apiKey)
    if (!bucket) {
      if (buckets.size > 50_000) buckets.clear()
      bucket = { tokens: limit, at: now }
      buckets.set(apiKey, bucket)
    }
    bucket.tokens = Math.min(limit, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
    bucket.at = now
    const allowed = bucket.tokens >= 1
    if (allowed) bucket.tokens -= 1
    // Seconds until the bucket is full again, or, when it is empty, until the next request is taken.
    const resetSeconds = allowed ? Math.ceil((limit - bucket.tokens) / perSecond) : 1
    return { allowed, limit, remaining: Math.floor(bucket.tokens), resetSeconds }
  }
  return {
    takeFrom,
    take: ({ apiKey, requestsPerSecond, key }) => {
      const whole = takeFrom(apiKey, requestsPerSecond, requestsPerSecond)
      return key?.agent && whole.allowed ? takeFrom(key.apiKey, AGENT_AT_ONCE, AGENT_PER_SECOND) : whole
    },
    takeForPeople: ({ apiKey, requestsPerSecond: rate }) =>
      takeFrom(`people of ${apiKey}`, Math.max(PEOPLE_AT_ONCE, rate), Math.max(PEOPLE_PER_SECOND, rate)),
  }
}
