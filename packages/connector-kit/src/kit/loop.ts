// Work that is looked for again and again until it is stopped.

export type Loop = {
  start(): void
  /** Look now. */
  wake(): void
  /** After the look that is under way. */
  stop(): Promise<void>
  readonly stopping: () => boolean
}

export function createLoop(look: () => Promise<unknown>, pauseMs: number, onError: (error: unknown) => void): Loop {
  let stopping = false
  let running: Promise<void> | null = null
  let wake: () => void = () => undefined

  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, pauseMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const run = async (): Promise<void> => {
    while (!stopping) {
      await look().catch(onError)
      if (!stopping) await pause()
    }
  }

  return {
    start: () => {
      running ??= run()
    },
    wake: () => wake(),
    stop: async () => {
      stopping = true
      wake()
      await running
    },
    stopping: () => stopping,
  }
}
