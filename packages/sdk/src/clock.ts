// The only place of the SDK that reads the machine's clocks and waits. A test gives its own.

export type Clock = {
  /** Milliseconds that only go forward. */
  readonly monotonicMs: () => number
  /** Unix seconds. */
  readonly wallSeconds: () => number
  /** Resolves after that long, or as soon as the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  wallSeconds: () => Math.floor(Date.now() / 1000),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      if (signal.aborted) end()
      else signal.addEventListener('abort', end)
    }),
}
