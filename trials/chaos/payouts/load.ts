// The load: requests that go out by the clock. The api is not killed here, so each must be answered; one that
// is sent a second time must get the error that its reference is taken.
import { setTimeout as pause } from 'node:timers/promises'
import type { Reply, Send } from '../kit/http.ts'
import { messageOf, type PlannedPayout, type PlannedRequest, type Way } from './plan.ts'

const LIMIT_MS = 30_000
const AGAIN_AFTER_MS = 500

export type Accepted = { readonly payout: PlannedPayout; readonly merchant: number; readonly way: Way }
export type Load = {
  /** By the reference of the payout. */
  readonly accepted: ReadonlyMap<string, Accepted>
  readonly latencies: readonly number[]
  readonly faults: readonly string[]
  /** Requests whose repetition was refused as it must be. */
  repeated(): number
}

const codeOf = ({ text }: Reply): string => (JSON.parse(text) as { responseCode: string }).responseCode

export async function runLoad(
  send: Send,
  apiUrl: string,
  merchants: readonly { readonly token: string; readonly walletNumber: string }[],
  plan: readonly PlannedRequest[],
  signal: AbortSignal,
): Promise<Load> {
  const accepted = new Map<string, Accepted>()
  const [latencies, faults]: [number[], string[]] = [[], []]
  let repeated = 0

  const post = (request: PlannedRequest): Promise<Reply | null> => {
    const { token, walletNumber } = merchants[request.merchant] as (typeof merchants)[number]
    const { path, body } = messageOf(request, walletNumber)
    return send('POST', apiUrl + path, { headers: { authorization: `Bearer ${token}` }, body, limitMs: LIMIT_MS })
  }
  const carry = async (request: PlannedRequest): Promise<void> => {
    const { reference, merchant, way } = request
    const sentAt = Date.now()
    const reply = await post(request)
    latencies.push(Date.now() - sentAt)
    if (reply?.status !== 200) {
      faults.push(`${reference}: ${reply === null ? 'no answer' : `${reply.status} ${reply.text}`}`)
      return
    }
    for (const payout of request.payouts) accepted.set(payout.reference, { payout, merchant, way })
    if (!request.again) return
    await pause(AGAIN_AFTER_MS)
    const second = await post(request)
    if (second?.status === 400 && codeOf(second) === 'D05') repeated += 1
    else faults.push(`${reference} retried: ${second === null ? 'no answer' : `${second.status} ${second.text}`}`)
  }

  const startedAt = Date.now()
  const carried: Promise<void>[] = []
  for (const request of plan) {
    const wait = startedAt + request.at - Date.now()
    if (wait > 0) await pause(wait, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) break
    carried.push(carry(request))
  }
  await Promise.all(carried)
  return { accepted, latencies, faults, repeated: () => repeated }
}
