// A caller that begins a payment ten times a second, whatever became of those before: how long it was refused
// is how long everybody was.
import { setTimeout as pause } from 'node:timers/promises'

const EVERY_MS = 100
const LIMIT_MS = 3_000

export type Caller = {
  /** Waits for an answer to what was asked after a moment. */
  answeredAfter(ms: number): Promise<void>
  /** The longest time without an answer after a moment. */
  longestGapAfter(ms: number): number
  stop(): void
}

export function startCaller(apiUrl: string, token: string, contractCode: string): Caller {
  /** When those that were answered were asked. */
  const answered: number[] = [Date.now()]
  let stopped = false
  const ask = async (n: number): Promise<void> => {
    const at = Date.now()
    const answer = await fetch(`${apiUrl}/api/v1/merchant/transactions/init-transaction`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ amount: 100, customerName: 'Ngozi Bello', customerEmail: 'payer@chaos.example', contractCode },
        ...{ paymentReference: `cell01-caller-${n}`, paymentDescription: 'Chaos', currencyCode: 'NGN' },
      }),
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    await answer.arrayBuffer()
    if (answer.status === 200) answered.push(at)
  }
  void (async () => {
    for (let n = 0; !stopped; n += 1) {
      ask(n).catch(() => undefined)
      await pause(EVERY_MS)
    }
  })()
  return {
    answeredAfter: async (ms) => {
      while (!stopped && !answered.some((at) => at > ms)) await pause(20)
    },
    longestGapAfter: (ms) => {
      const moments = [ms, ...answered.filter((at) => at > ms).toSorted((a, b) => a - b)]
      return moments.reduce((longest, at, index) => Math.max(longest, at - (moments[index - 1] ?? at)), 0)
    },
    stop: () => {
      stopped = true
    },
  }
}
