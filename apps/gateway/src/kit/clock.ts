// The only reader of the machine's clocks. Business time is `Clock`: every deadline is compared with it, and
// the sandbox can move it. Real time serves the transport only (signature freshness, time-outs, rate limits,
// pauses).

export type Clock = {
  /** Business time. */
  now(): Date
  /** How far business time is ahead of real time. 0 in live. */
  offsetMs(): number
}

export const realClock: Clock = { now: () => new Date(), offsetMs: () => 0 }

export type MovableClock = Clock & { setOffset(offsetMs: number): void }

/** Never goes backwards: an offset below the present one is ignored. */
export function movableClock(initialOffsetMs = 0): MovableClock {
  let offset = initialOffsetMs
  return {
    now: () => new Date(Date.now() + offset),
    offsetMs: () => offset,
    setOffset: (next) => {
      if (next > offset) offset = next
    },
  }
}

/** Unix seconds of real time, for the freshness of signatures. */
export const wallSeconds = (): number => Math.floor(Date.now() / 1000)
/** Real milliseconds of real time, for moving the sandbox's clock relative to it. */
export const wallMs = (): number => Date.now()
/** A clock that only runs forward, for durations. */
export const monotonicMs = (): number => performance.now()

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** What the work comes to within the time, or `otherwise`; the work goes on. */
export async function within<T>(work: Promise<T>, ms: number, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<T>((done) => {
    timer = setTimeout(done, ms, otherwise)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Looks every few seconds, one look at a time. Answers how to stop, which waits for the one under way. */
export function lookEvery(ms: number, look: () => Promise<void>): () => Promise<void> {
  let looking: Promise<void> | null = null
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = null
    })
  }, ms).unref()
  return async () => {
    clearInterval(timer)
    await looking
  }
}
