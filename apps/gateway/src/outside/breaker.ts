// Whether something that got no answer lately is worth another try. After so many failures in a row nothing is sent there for a while;
// then one is let through, and its outcome decides. Each process learns for itself, and forgets when it ends: what it forgets costs a few
// tries, and what two processes would have to agree on costs every payout a commit.
import type { Clock } from '../kit/clock.ts'

const FAILURES = 5
const PAUSE_MS = 30_000

type Known = { failures: number; pausedUntil: number }

export type Breaker = {
  /** False while it is paused. The first who asks after that is let through, and the others wait for what becomes of it. */
  admits(name: string): boolean
  /** True while it is paused; asking changes nothing. */
  isPaused(name: string): boolean
  answered(name: string): void
  failed(name: string): void
}

export function createBreaker(clock: Pick<Clock, 'now'>): Breaker {
  /** Of those that failed last. */
  const known = new Map<string, Known>()
  const now = (): number => clock.now().getTime()
  return {
    admits: (name) => {
      const one = known.get(name)
      if (one === undefined || one.failures < FAILURES) return true
      if (now() < one.pausedUntil) return false
      one.pausedUntil = now() + PAUSE_MS
      return true
    },
    isPaused: (name) => {
      const one = known.get(name)
      return one !== undefined && one.failures >= FAILURES && now() < one.pausedUntil
    },
    answered: (name) => void known.delete(name),
    failed: (name) => {
      const one = known.get(name) ?? { failures: 0, pausedUntil: 0 }
      one.failures += 1
      if (one.failures >= FAILURES) one.pausedUntil = now() + PAUSE_MS
      known.set(name, one)
    },
  }
}
