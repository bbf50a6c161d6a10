// The probe: the merchant's own GET that says what was credited for a reference. {"credited": 3000}, or 3000
// alone, in naira; 404 means nothing. It is asked until it says what it should, for a while: a handler may do
// its work after it has answered.
import { setTimeout as pause } from 'node:timers/promises'
import { parseNaira } from '@cowrie/contract/kit/money'
import { monotonicMs } from '../clock.ts'
import { Failure } from '../failure.ts'
import type { Credit } from './case.ts'

const ANSWER_MS = 15_000
const PAUSE_MS = 50
const PLACE = '{reference}'

export type Credited = { readonly kobo: bigint } | { readonly unknown: string }

export type Probe = {
  /** What is credited now. */
  ask(reference: string): Promise<Credited>
  /** The first right answer, or the last one when there was none in time. */
  settle(credit: Credit): Promise<Credited>
}

export const isRight = (said: Credited, { oneOf }: Credit): boolean => 'kobo' in said && oneOf.includes(said.kobo)

/** `http://shop.test/credited?reference={reference}`; without the place it is added as a query. */
export function probeUrl(typed: string, reference: string): URL | null {
  const address = typed.includes(PLACE) ? typed.replaceAll(PLACE, encodeURIComponent(reference)) : typed
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) return null
  const url = new URL(address)
  if (!typed.includes(PLACE)) url.searchParams.set('reference', reference)
  return url
}

export function readCredited(text: string): Credited {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { unknown: 'the probe did not answer with JSON' }
  }
  const naira: unknown =
    typeof value === 'object' && value !== null ? (value as { credited?: unknown }).credited : value
  const kobo = typeof naira === 'number' || typeof naira === 'string' ? parseNaira(String(naira)) : null
  return kobo === null ? { unknown: 'the probe named no amount in naira' } : { kobo }
}

export function createProbe(typed: string, signal: AbortSignal, waitSeconds: number): Probe {
  const ask = async (reference: string): Promise<Credited> => {
    const url = probeUrl(typed, reference)
    if (!url) throw new Failure(WRONG_USE, { exitCode: 2 })
    try {
      const answer = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]) })
      const text = await answer.text()
      if (answer.status === 404) return { kobo: 0n }
      return answer.status === 200 ? readCredited(text) : { unknown: `the probe answered ${answer.status}` }
    } catch {
      signal.throwIfAborted()
      return { unknown: 'the probe did not answer' }
    }
  }
  return {
    ask,
    settle: async (credit) => {
      const until = monotonicMs() + waitSeconds * 1000
      for (;;) {
        const said = await ask(credit.reference)
        if (isRight(said, credit) || monotonicMs() >= until) return said
        await pause(PAUSE_MS, undefined, { signal })
      }
    },
  }
}

export const WRONG_USE =
  'Give the probe as an address that says what was credited for a reference: --probe http://127.0.0.1:3000/credited (it is asked ?reference=… and answers {"credited": 3000}, in naira, or 404).'
