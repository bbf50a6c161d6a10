// A bell wakes a loop that is idle. A ring while the loop is at work is remembered, so that nothing is slept
// through.

export type Bell = {
  ring(): void
  /** Until the bell rings, has rung since the last rest, or the time is over. */
  rest(limitMs: number): Promise<void>
}

export function createBell(): Bell {
  let rung = false
  let wake: (() => void) | null = null
  return {
    ring: () => {
      rung = true
      wake?.()
    },
    rest: async (limitMs) => {
      if (!rung) {
        await new Promise<void>((done) => {
          const timer = setTimeout(done, limitMs)
          wake = () => {
            clearTimeout(timer)
            done()
          }
        })
      }
      wake = null
      rung = false
    },
  }
}
