// Payment links, as tests ask for them and pay them.
import { expect } from 'vitest'
import { type Answer, type Harness, type TestMerchant, unique } from '../../kit/harness.ts'

export const LINKS = '/api/v1/payment-links'
export const LINK = (code: string): string => `${LINKS}/${encodeURIComponent(code)}`

export const linkBody = (merchant: TestMerchant, over: Record<string, unknown> = {}) => ({
  title: 'Two metres of adire',
  amount: 2500,
  currencyCode: 'NGN',
  contractCode: merchant.contractCode,
  ...over,
})
export const bodyOf = (answer: Answer): any => {
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}
export const link = async (h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}): Promise<any> =>
  bodyOf(await h.as(merchant, 'POST', LINKS, linkBody(merchant, over)))
export const lookAt = async (h: Harness, merchant: TestMerchant, code: string): Promise<any> =>
  bodyOf(await h.as(merchant, 'GET', LINK(code)))

/** A payer fills in the form of the page. */
export async function fillIn(
  h: Harness,
  code: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
) {
  const answer = await fetch(`${h.apiUrl}/pay/${code}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ name: 'Ṣọlá Ọdẹ', email: `${unique('payer')}@example.com`, ...fields }).toString(),
  })
  return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() }
}

/** A payer who starts a payment. */
export async function started(
  h: Harness,
  code: string,
  fields: Record<string, string> = {},
): Promise<{ reference: string; path: string }> {
  const { status, location, text } = await fillIn(h, code, fields)
  expect(status, text).toBe(303)
  const path = location ?? ''
  return { path, reference: decodeURIComponent(/^\/checkout\/([^/]+)\//.exec(path)?.[1] ?? '') }
}

/** The payer gives up, on the checkout page. */
export async function cancelled(h: Harness, path: string): Promise<void> {
  const answer = await fetch(`${h.apiUrl}${path}/cancel`, { method: 'POST', redirect: 'manual' })
  expect(answer.status).toBe(303)
}
