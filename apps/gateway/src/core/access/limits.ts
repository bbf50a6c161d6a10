// How many requests a merchant may send: a bucket per merchant and process that refills by the second. Reported in headers
// with every answer, so that a client can slow down before it is refused.
import { monotonicMs } from '../../kit/clock.ts'
import type { Merchant } from './merchants.ts'

export type Allowance = {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

export type Limits = { take(merchant: Merchant): Allowance }

export function createLimits(): Limits {
  const buckets = new Map<string, { tokens: number; at: number }>()
  return {
    take: (merchant) => {
      const limit = merchant.requestsPerSecond
      const now = monotonicMs()
      let bucket = buckets.get(merchant.apiKey)
      if (!bucket) {
        if (buckets.size > 50_000) buckets.clear()
        bucket = { tokens: limit, at: now }
        buckets.set(merchant.apiKey, bucket)
      }
      bucket.tokens = Math.min(limit, bucket.tokens + ((now - bucket.at) / 1000) * limit)
      bucket.at = now
      const allowed = bucket.tokens >= 1
      if (allowed) bucket.tokens -= 1
      // Seconds until the bucket is full again, or, when it is empty, until the next request is taken.
      const resetSeconds = allowed ? Math.ceil((limit - bucket.tokens) / limit) : 1
      return { allowed, limit, remaining: Math.floor(bucket.tokens), resetSeconds }
    },
  }
}
