// One HTTP exchange, where no answer is an answer too: refused, reset and silent connections are all
// "unknown", never "failed". What was sent may have been done.
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'

export type Reply = { readonly status: number; readonly text: string }
export type Send = (
  method: 'GET' | 'POST',
  url: string,
  options: { readonly headers?: Record<string, string>; readonly body?: unknown; readonly limitMs: number },
) => Promise<Reply | null>

export function createHttp(): { readonly send: Send; readonly close: () => Promise<void> } {
  const agent = new Agent({ pipelining: 1, connect: { timeout: 2_000 } })
  return {
    close: () => agent.destroy(),
    send: async (method, url, { headers = {}, body, limitMs }) => {
      try {
        const answer = await request(url, {
          method,
          dispatcher: agent,
          headersTimeout: limitMs,
          bodyTimeout: limitMs,
          headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        return { status: answer.statusCode, text: await answer.body.text() }
      } catch {
        return null
      }
    },
  }
}

export type Gate = {
  /** Answers at once, or, while the service is in doubt, when it is there again. */
  pass(): Promise<void>
  /** Something went unanswered: is the service there? */
  doubt(): void
}

const PROBE_MS = 50

/** One process stands for many clients here. While the service is away one of them asks for it and the others
 *  wait, because thousands of refused connections a second would take the machine from what is trying to
 *  start on it. */
export function createGate(send: Send, healthUrl: string, signal: AbortSignal): Gate {
  let away: Promise<void> | null = null
  const probe = async (): Promise<void> => {
    while (!signal.aborted && (await send('GET', healthUrl, { limitMs: 1_000 }))?.status !== 200) await pause(PROBE_MS)
  }
  return {
    pass: async () => {
      while (away !== null && !signal.aborted) await away
    },
    doubt: () => {
      // Cleared in a later turn than it is set, also when the probe ends at once because the run was ended.
      away ??= probe().finally(() => {
        away = null
      })
    },
  }
}

export type Lane = <T>(age: number, work: () => Promise<T>) => Promise<T>

/** At most `width` pieces of work at once; of those that wait, the oldest goes first. Payments arrive by the
 *  clock all the same and their waiting counts as theirs. Without it a service that comes back meets all that
 *  was due meanwhile at once, and is killed again with everything begun and nothing finished. */
export function createLane(width: number): Lane {
  const waiting: { readonly age: number; readonly go: () => void }[] = [] // the oldest is last
  let free = width
  const queue = (age: number): Promise<void> =>
    new Promise((go) => {
      let [low, high] = [0, waiting.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((waiting[middle]?.age ?? 0) > age) low = middle + 1
        else high = middle
      }
      waiting.splice(low, 0, { age, go })
    })
  return async (age, work) => {
    if (free > 0) free -= 1
    else await queue(age)
    try {
      return await work()
    } finally {
      const next = waiting.pop()
      if (next) next.go()
      else free += 1
    }
  }
}
