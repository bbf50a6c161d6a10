// How tests wait: for what they wait for, never for a time.
import { setTimeout as pause } from 'node:timers/promises'

/** As long as a busy machine may need; who waits in vain fails with the name of what did not come. */
const LIMIT_MS = 20_000
const LOOK_MS = 20

export async function until<T>(
  what: string,
  look: () => Promise<T | null | undefined | false>,
  limitMs = LIMIT_MS,
): Promise<T> {
  const end = performance.now() + limitMs
  for (;;) {
    const found = await look()
    if (found) return found
    if (performance.now() > end) throw new Error(`${what}: not within ${limitMs} ms`)
    await pause(LOOK_MS)
  }
}

/** Until nothing has been counted for so long: for what must have come to rest. Whatever goes on counting
 *  never gets there. */
export async function rest(what: string, count: () => number, ms: number): Promise<void> {
  let [last, since] = [count(), performance.now()]
  await until(what, async () => {
    if (count() !== last) [last, since] = [count(), performance.now()]
    return performance.now() - since >= ms
  })
}

/** The starts of a race, spread over some milliseconds so that they meet in many ways. What the test checks
 *  holds for each. */
export const scatter = (ms: number): Promise<void> => pause(ms)

/** For what is promised within five seconds. It takes one or two; whoever is never notified takes an hour. */
export const SOON_MS = 12_000
