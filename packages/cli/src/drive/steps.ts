// What a command that takes several steps says while it works: a line for each, with the seconds since it
// began. For a program it keeps them, and everything is printed as one line of JSON at the end.
import { monotonicMs } from '../clock.ts'
import { dim, printLine, printNote } from '../words.ts'

export type Step = { readonly seconds: number; readonly says: string }
export type Steps = {
  say(line: string): void
  /** What took so long that a person wonders: said on standard error, on a terminal only. */
  during<T>(what: string, work: () => Promise<T>): Promise<T>
  readonly list: readonly Step[]
}

const WONDER_MS = 1_500

export function openSteps(json: boolean): Steps {
  const began = monotonicMs()
  const list: Step[] = []
  const seconds = (): number => Math.round(monotonicMs() - began) / 1000
  return {
    list,
    say: (says) => {
      const step = { seconds: seconds(), says }
      list.push(step)
      if (!json) printLine(`${dim(`${step.seconds.toFixed(2).padStart(6)} s`)}  ${says}`)
    },
    during: async (what, work) => {
      if (process.stderr.isTTY !== true) return work()
      const look = setInterval(() => printNote(`         … ${what} (${Math.round(seconds())} s)`), WONDER_MS)
      try {
        return await work()
      } finally {
        clearInterval(look)
      }
    },
  }
}

/** Steps that nobody reads: for a caller that shows only the outcome. */
export const silently = (): Steps => openSteps(true)
