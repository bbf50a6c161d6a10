// The racing merchants: a number of connections that are kept open, each sending the next attempt as soon as it has the
// answer to its last one.
import { Pool } from 'undici'
import { bodyOf, type Plan } from './plan.ts'

const PATH = '/api/v2/disbursements/single'
const TWIN_MS = 60_000 // a likeness is refused for two minutes; of what is older nothing is said here

export type Answered = {
  readonly payout: number
  /** The payout whose likeness it was sent as. */
  readonly twin: number | null
  /** `200`, or the response code of the refusal. */
  readonly code: string
  readonly status: string
  readonly text: string
  /** Milliseconds of one clock. */
  readonly sentAt: number
  readonly answeredAt: number
}

type Envelope = { readonly responseCode: string; readonly responseBody?: { readonly status: string } }

export async function race(
  apiUrl: string,
  merchants: readonly { readonly token: string; readonly walletNumber: string }[],
  { payouts, attempts }: Plan,
  connections: number,
): Promise<Answered[]> {
  const pool = new Pool(apiUrl, { connections, pipelining: 1, headersTimeout: 60_000, bodyTimeout: 60_000 })
  const answers: Answered[] = []
  const latest = new Map<number, { readonly payout: number; readonly at: number }>()
  let next = 0

  const attempt = async ({ kind, payout }: Plan['attempts'][number]): Promise<void> => {
    const wanted = payouts[payout] as Plan['payouts'][number]
    const merchant = merchants[wanted.merchant] as (typeof merchants)[number]
    const recent = kind === 'probe' ? latest.get(wanted.merchant) : undefined
    const twin = recent && performance.now() - recent.at < TWIN_MS ? recent.payout : null
    const { accountNumber } = twin === null ? wanted : (payouts[twin] as Plan['payouts'][number])
    const body = bodyOf(wanted, accountNumber, merchant.walletNumber)
    const sentAt = performance.now()
    const answer = await pool.request({
      method: 'POST',
      path: PATH,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${merchant.token}` },
      body,
    })
    const text = await answer.body.text()
    const answeredAt = performance.now()
    const envelope = JSON.parse(text) as Envelope
    const code = answer.statusCode === 200 ? '200' : envelope.responseCode
    const status = envelope.responseBody?.status ?? ''
    answers.push({ payout, twin, code, status, text: code === '200' ? '' : text, sentAt, answeredAt })
    if (code === '200') latest.set(wanted.merchant, { payout, at: answeredAt })
  }
  const lane = async (): Promise<void> => {
    for (let at = next++; at < attempts.length; at = next++) await attempt(attempts[at] as Plan['attempts'][number])
  }
  try {
    await Promise.all(Array.from({ length: connections }, lane))
  } finally {
    await pool.close()
  }
  return answers
}
