// How a payment ends, played from outside of the browser, so that no end depends on what the page shows.
import { SANDBOX_CARDS } from '../../../packages/contract/src/collections/cards.ts'
import type { Handle } from '../../stories/browser.ts'

/** `LATE`: paid when the payer has closed the frame already. */
export const ENDS = ['PAID', 'OVERPAID', 'LATE', 'FAILED', 'CANCELLED', 'EXPIRED'] as const
export type End = (typeof ENDS)[number]
export type Opened = { readonly transactionReference: string; readonly checkoutUrl: string }

async function post(url: string, body: string, type: string, authorization = ''): Promise<Response> {
  const headers = { 'content-type': type, ...(authorization && { authorization }) }
  const answer = await fetch(url, { method: 'POST', body, headers, redirect: 'manual' })
  if (answer.status >= 400) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  return answer
}
const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

async function token({ apiUrl, merchants: { main } }: Handle): Promise<string> {
  const basic = Buffer.from(`${main.apiKey}:${main.secretKey}`).toString('base64')
  const answer = await post(`${apiUrl}/api/v1/auth/login`, '{}', JSON_TYPE, `Basic ${basic}`)
  return `Bearer ${((await answer.json()) as { responseBody: { accessToken: string } }).responseBody.accessToken}`
}

export async function statusOf(handle: Handle, { transactionReference }: Opened): Promise<string> {
  const url = `${handle.apiUrl}/api/v2/transactions/${encodeURIComponent(transactionReference)}`
  const answer = await fetch(url, { headers: { authorization: await token(handle) } })
  return ((await answer.json()) as { responseBody: { paymentStatus: string } }).responseBody.paymentStatus
}

const TOOLS: Partial<Record<End, string>> = { PAID: 'exact', LATE: 'exact', OVERPAID: 'more', EXPIRED: 'past' }

/** Ends it, and waits until the gateway says so. */
export async function play(handle: Handle, opened: Opened, end: End): Promise<void> {
  const { number, expiryMonth, expiryYear, cvv, pin } = SANDBOX_CARDS.failing
  const { transactionReference, checkoutUrl } = opened
  if (end === 'CANCELLED') await post(`${checkoutUrl}/cancel`, '', FORM)
  else if (end === 'FAILED') {
    const card = { number, expiryMonth, expiryYear, cvv, pin }
    const body = { transactionReference, collectionChannel: 'API_NOTIFICATION', card }
    await post(`${handle.apiUrl}/api/v1/merchant/cards/charge`, JSON.stringify(body), JSON_TYPE, await token(handle))
  } else await post(`${checkoutUrl}/sandbox`, `action=${TOOLS[end]}`, FORM)
}
