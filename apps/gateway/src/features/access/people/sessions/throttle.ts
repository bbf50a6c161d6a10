// How often one may try. A try is counted before it is looked at, so that many at once do not get around it,
// and released when it was right. Real time, per process, and bounded in memory.
export type Tries = {
  /** Counts a try; the seconds to wait when there were too many, else 0. */
  take(name: string): number
  /** Whether the next try has to wait. */
  isFull(name: string): boolean
  /** The try was right. */
  release(name: string): void
}

const RECORDS_MAX = 20_000

export function createTries(most: number, windowMs: number, now: () => number): Tries {
  /** The instants of the latest tries, oldest first. */
  const records = new Map<string, number[]>()
  const lately = (name: string, at: number) => (records.get(name) ?? []).filter((one) => one > at - windowMs)
  return {
    isFull: (name) => lately(name, now()).length >= most,
    take: (name) => {
      const at = now()
      const tries = lately(name, at)
      if (tries.length >= most) return Math.max(1, Math.ceil(((tries[0] as number) + windowMs - at) / 1000))
      tries.push(at)
      records.delete(name)
      records.set(name, tries)
      if (records.size > RECORDS_MAX) records.delete(records.keys().next().value as string)
      return 0
    },
    release: (name) => {
      const tries = records.get(name)
      tries?.pop()
      if (tries?.length === 0) records.delete(name)
    },
  }
}
