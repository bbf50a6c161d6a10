// Unauthenticated callers. A request without a valid token or signature takes from a token bucket of its
// address before any work is done, so that one address cannot take the database or the processor from those
// who pay. Real time, not business time: moving the sandbox's clock neither lifts a limit nor prolongs it. A
// bucket per process; memory is bounded.
import type { BlockList } from 'node:net'
import { fail } from '../fail.ts'
import type { Log } from '../log.ts'
import { callerAddress, toNetwork } from './addresses.ts'

/** Seconds' worth of requests that may come at once: many payers share one address of a mobile network. */
const BURST_SECONDS = 10
const BUCKETS_MAX = 20_000
const ALARM_EVERY_MS = 60_000

type Request = Parameters<typeof callerAddress>[0]

export type AnonymousLimit = {
  /** The caller's address, as lists of addresses see it. */
  addressOf(request: Request): string
  /** Takes one token for this request; 429 RATE_LIMITED when the bucket is empty. */
  admit(request: Request): void
  /** The caller has authenticated: its token is put back. */
  putBack(request: Request): void
}

export type AnonymousLimitOptions = {
  readonly perSecond: number
  readonly trustedProxies: BlockList
  readonly log: Log
  /** Milliseconds that only run forward. */
  readonly now: () => number
}

export function createAnonymousLimit({ perSecond, trustedProxies, log, now }: AnonymousLimitOptions): AnonymousLimit {
  const most = perSecond * BURST_SECONDS
  const buckets = new Map<string, { tokens: number; at: number }>()
  let alarmAt = Number.NEGATIVE_INFINITY
  const addressOf = (request: Request): string => callerAddress(request, trustedProxies)

  const bucketOf = (request: Request) => {
    const network = toNetwork(addressOf(request))
    const at = now()
    const bucket = buckets.get(network) ?? { tokens: most, at }
    // Last used stands last: the first is the one that has refilled longest.
    buckets.delete(network)
    buckets.set(network, bucket)
    if (buckets.size > BUCKETS_MAX) buckets.delete(buckets.keys().next().value as string)
    bucket.tokens = Math.min(most, bucket.tokens + ((at - bucket.at) / 1000) * perSecond)
    bucket.at = at
    return bucket
  }
  const refuse = (request: Request): never => {
    const at = now()
    if (at - alarmAt >= ALARM_EVERY_MS) {
      alarmAt = at
      log.warn('rate limit reached: too many unauthenticated requests from one address', { caller: addressOf(request) })
    }
    return fail('RATE_LIMITED')
  }
  return {
    addressOf,
    admit: (request) => {
      const bucket = bucketOf(request)
      if (bucket.tokens < 1) refuse(request)
      bucket.tokens -= 1
    },
    putBack: (request) => {
      const bucket = bucketOf(request)
      bucket.tokens = Math.min(most, bucket.tokens + 1)
    },
  }
}
