// Permits: so many at once and no more; the others wait in the order they came.

/** How many mails one process has on their way at once. */
export const MAILS_AT_ONCE = 8

export type Permits = <T>(work: () => Promise<T>) => Promise<T>

export function createPermits(atOnce: number): Permits {
  const waiting: (() => void)[] = []
  let free = atOnce
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((go) => waiting.push(go))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
