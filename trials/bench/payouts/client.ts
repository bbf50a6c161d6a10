// The racing merchants: a number of connections that are kept open, each sending the next attempt as soon as
// it has the answer to its last one.
import { Pool } from 'undici'
import { bodyOf, type Plan } from './plan.ts'

const PATH = '/api/v2/disbursements/single'
const DUPLICATE_MS = 60_000 // a likely duplicate is refused for two minutes; older ones are not sent here

export type Answered = {
  readonly payout: number
  /** The payout that it was sent as a likely duplicate of. */
  readonly duplicateOf: number | null
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
    const duplicateOf = recent && performance.now() - recent.at < DUPLICATE_MS ? recent.payout : null
    const { accountNumber } = duplicateOf === null ? wanted : (payouts[duplicateOf] as Plan['payouts'][number])
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
    answers.push({ payout, duplicateOf, code, status, text: code === '200' ? '' : text, sentAt, answeredAt })
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
