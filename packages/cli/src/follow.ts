// Reads the merchant's log of events without end: long-poll after long-poll from one number on. A gateway
// that is away is waited for; the number last seen stays, so nothing is left out.
import { setTimeout as pause } from 'node:timers/promises'
import { monotonicMs } from './clock.ts'
import { Failure } from './failure.ts'
import type { FeedEvent, Gateway } from './gateway.ts'

const PAUSE_MS = 1_000
const PAUSE_MS_MAX = 30_000

export type Follow = {
  readonly gateway: Gateway
  readonly signal: AbortSignal
  readonly say: (line: string) => void
}

/** Calls until the gateway answers; says once that it is away, and once that it is back. */
export async function patiently<T>({ signal, say }: Follow, call: () => Promise<T>): Promise<T> {
  for (let failed = 0; ; failed++) {
    try {
      const answer = await call()
      if (failed > 0) say('The gateway is back; continuing.')
      return answer
    } catch (error) {
      if (!(error instanceof Failure) || !error.away) throw error
      if (failed === 0) say(`${error.message} Retrying until it does.`)
      await pause(Math.min(PAUSE_MS * 2 ** failed, PAUSE_MS_MAX), undefined, { signal })
    }
  }
}

/** Pages of events, oldest first, from the number after `last` on. */
export async function* follow(how: Follow, last: number): AsyncGenerator<readonly FeedEvent[]> {
  let seen = 0
  let after = last
  for (;;) {
    const asked = monotonicMs()
    const { events, lastNumber } = await patiently(how, () => how.gateway.after(after, { wait: true }))
    if (lastNumber < seen) {
      how.say(
        `The event log was reset: its newest number is ${lastNumber}, after ${seen} before. Reading it from the start.`,
      )
      seen = 0
      after = 0
      continue
    }
    seen = lastNumber
    after = events.at(-1)?.number ?? after
    if (events.length > 0) yield events
    // A gateway with too many open calls may answer at once; it shall not be asked in a circle.
    else if (monotonicMs() - asked < PAUSE_MS) await pause(PAUSE_MS, undefined, { signal: how.signal })
  }
}
