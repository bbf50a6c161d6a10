// What name enquiries of a connector were known by lately, in this process's memory: the payout that follows
// is sent with it. Each is used once, and not for long; a connector that gets none makes an enquiry of its
// own.
import type { Clock } from '#kit/clock.ts'

const FRESH_MS = 5 * 60_000
const MOST = 10_000

export type Account = { readonly bankCode: string; readonly accountNumber: string }
export type References = {
  keep(account: Account, reference: string): void
  take(account: Account): string | undefined
}

const nameOf = ({ bankCode, accountNumber }: Account): string => `${bankCode}/${accountNumber}`

export function createReferences(clock: Pick<Clock, 'now'>): References {
  /** The oldest first. */
  const known = new Map<string, { readonly reference: string; readonly until: number }>()
  const now = (): number => clock.now().getTime()
  return {
    keep: (account, reference) => {
      known.delete(nameOf(account))
      for (const [oldest, { until }] of known) {
        if (known.size < MOST && until > now()) break
        known.delete(oldest)
      }
      known.set(nameOf(account), { reference, until: now() + FRESH_MS })
    },
    take: (account) => {
      const found = known.get(nameOf(account))
      known.delete(nameOf(account))
      return found !== undefined && found.until > now() ? found.reference : undefined
    },
  }
}
