// The token that a bank gives for some minutes. One call fetches it however many need it, and it is renewed
// before it expires, so that no payment waits for it or is refused with it.
import type { Clock } from './clock.ts'

export type Token = { readonly value: string; readonly expiresAt: Date }

export type Tokens = {
  /** A token that is good for a while yet. */
  get(): Promise<string>
  /** The bank has refused this one. Whoever says so of an older one changes nothing. */
  drop(value: string): void
}

type Parts = {
  readonly clock: Clock
  readonly fetch: () => Promise<Token>
  /** Renewed this long before it expires; still used meanwhile. */
  readonly earlyMs?: number
}

const EARLY_MS = 60_000
/** A token is not used at its last moment: the bank's clock is another. */
const LAST_MS = 5_000
/** After a renewal that failed while there is a token that is still good. */
const AGAIN_MS = 5_000

export function createTokens({ clock, fetch, earlyMs = EARLY_MS }: Parts): Tokens {
  let kept: Token | null = null
  let fetching: Promise<Token> | null = null
  let notBefore = 0

  const renew = (): Promise<Token> => {
    fetching ??= fetch()
      .then((token) => {
        kept = token
        return token
      })
      .finally(() => {
        fetching = null
      })
    return fetching
  }
  const leftMs = ({ expiresAt }: Token): number => expiresAt.getTime() - clock.now().getTime()

  return {
    get: async () => {
      if (kept === null || leftMs(kept) <= LAST_MS) return (await renew()).value
      if (leftMs(kept) <= earlyMs && clock.now().getTime() >= notBefore) {
        notBefore = clock.now().getTime() + AGAIN_MS
        // Nobody waits for it; if it fails, the next one tries again, and the one that we have is good for a
        // while.
        renew().catch(() => undefined)
      }
      return kept.value
    },
    drop: (value) => {
      if (kept?.value === value) kept = null
    },
  }
}
