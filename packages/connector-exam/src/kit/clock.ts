// The time of the exam: real time, because signatures are about it.
import { setTimeout as pause } from 'node:timers/promises'

export const now = (): Date => new Date()
export const seconds = (): number => Math.floor(Date.now() / 1000)
export const wait = (ms: number): Promise<void> => pause(ms)

const LOOK_MS = 50

/** What `look` finds, or null when the time is over. It looks at least once. */
export async function within<T>(ms: number, look: () => Promise<T | null>): Promise<T | null> {
  const end = Date.now() + ms
  for (;;) {
    const found = await look()
    if (found !== null || Date.now() > end) return found
    await pause(LOOK_MS)
  }
}
