// What name enquiries said lately, by their reference: a transfer wants the holder's name, bank verification
// number and KYC level beside it. In memory only, for minutes, and used once. A process that does not have
// one makes an enquiry of its own.
import type { Clock } from '@cowrie/connector-kit'

export type Holder = {
  /** Of the enquiry. */
  readonly reference: string
  readonly accountName: string
  readonly bvn: string
  readonly kycLevel: string
}
type Account = { readonly institution: string; readonly accountNumber: string }

/** The gateway sends a reference for five minutes. */
const FRESH_MS = 10 * 60_000
const MOST = 5_000

export type Holders = {
  keep(account: Account, holder: Holder): void
  /** Null when it is not known, too old, or was about another account. */
  take(account: Account, reference: string | undefined): Holder | null
}

export function createHolders(clock: Clock): Holders {
  const known = new Map<string, { readonly account: Account; readonly holder: Holder; readonly at: number }>()
  const now = (): number => clock.now().getTime()
  return {
    keep: (account, holder) => {
      for (const [reference, { at }] of known) {
        if (known.size < MOST && now() - at < FRESH_MS) break
        known.delete(reference)
      }
      known.set(holder.reference, { account, holder, at: now() })
    },
    take: ({ institution, accountNumber }, reference) => {
      const found = reference === undefined ? undefined : known.get(reference)
      if (reference === undefined || found === undefined) return null
      known.delete(reference)
      const isOf = found.account.institution === institution && found.account.accountNumber === accountNumber
      return isOf && now() - found.at < FRESH_MS ? found.holder : null
    },
  }
}
