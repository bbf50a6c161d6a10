// Whether something that got no answer lately is worth another try. After so many failures in a row nothing
// is sent there for a while. Then it is asked something that moves no money, and only after an answer to that
// one is let through, whose outcome decides: a bank that is still away costs no payout. Where there is
// nothing to ask, the one is let through at once. Each process learns for itself, and forgets when it ends:
// what it forgets costs a few tries, and what two processes would have to agree on costs every payout a
// commit.
import type { Clock } from '#kit/clock.ts'

const FAILURES = 5
const PAUSE_MS = 30_000

type Known = { failures: number; pausedUntil: number; probing: boolean; answers: boolean }

export type Breaker = {
  /** False while it is paused, and until it has answered a question. The first who asks after that is let
   *  through, and the others wait for what becomes of it. */
  admits(name: string): boolean
  /** True while it is paused; asking changes nothing. */
  isPaused(name: string): boolean
  answered(name: string): void
  failed(name: string): void
}

/** Asks something that moves no money: whether there was an answer. Null: there is nothing to ask. */
export type Probe = (name: string) => Promise<boolean> | null

export function createBreaker(clock: Pick<Clock, 'now'>, probe: Probe = () => null): Breaker {
  /** Of those that failed last. */
  const known = new Map<string, Known>()
  const now = (): number => clock.now().getTime()
  const pause = (one: Known): void => {
    one.pausedUntil = now() + PAUSE_MS
    one.answers = false
  }
  /** Whether the way is free for one, as far as is known now; asks where that is not known. */
  const isBack = (name: string, one: Known): boolean => {
    if (one.answers) return true
    if (one.probing) return false
    const asked = probe(name)
    if (asked === null) return true
    one.probing = true
    void asked
      .catch(() => false)
      .then((answers) => {
        one.probing = false
        if (answers) one.answers = true
        else pause(one)
      })
    return false
  }
  return {
    admits: (name) => {
      const one = known.get(name)
      if (one === undefined || one.failures < FAILURES) return true
      if (now() < one.pausedUntil || !isBack(name, one)) return false
      pause(one)
      return true
    },
    isPaused: (name) => {
      const one = known.get(name)
      return one !== undefined && one.failures >= FAILURES && now() < one.pausedUntil
    },
    answered: (name) => void known.delete(name),
    failed: (name) => {
      const one = known.get(name) ?? { failures: 0, pausedUntil: 0, probing: false, answers: false }
      one.failures += 1
      if (one.failures >= FAILURES) pause(one)
      known.set(name, one)
    },
  }
}
