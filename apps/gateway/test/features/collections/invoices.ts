// Invoices, as tests ask for them.
import { expect } from 'vitest'
import { type Answer, type Harness, type TestMerchant, unique } from '../../kit/harness.ts'

export const CREATE = '/api/v1/invoice/create'
export const ALL = '/api/v1/invoice/all'
export const details = (reference: string): string => `/api/v1/invoice/${encodeURIComponent(reference)}/details`
export const cancelling = (reference: string): string => `/api/v1/invoice/${encodeURIComponent(reference)}/cancel`

/** `2026-05-31 18:00:00`, so many seconds from the gateway's now. */
export const after = (h: Harness, seconds: number): string =>
  new Date(h.gateway.ctx.clock.now().getTime() + seconds * 1000 + 3_600_000)
    .toISOString()
    .slice(0, 19)
    .replace('T', ' ')

export const invoiceBody = (h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}) => ({
  amount: 2500,
  currencyCode: 'NGN',
  invoiceReference: unique('inv'),
  customerName: 'Ṣọlá Ọdẹ',
  customerEmail: 'sola@example.com',
  contractCode: merchant.contractCode,
  description: 'Two metres of adire',
  expiryDate: after(h, 86_400),
  ...over,
})

export const bodyOf = (answer: Answer): any => {
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}
export const refusal = (answer: Answer) => [answer.status, answer.json?.problem?.code]

export const invoice = async (h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}): Promise<any> =>
  bodyOf(await h.as(merchant, 'POST', CREATE, invoiceBody(h, merchant, over)))
export const look = async (h: Harness, merchant: TestMerchant, reference: string): Promise<any> =>
  bodyOf(await h.as(merchant, 'GET', details(reference)))
export const cancel = (h: Harness, merchant: TestMerchant, reference: string): Promise<Answer> =>
  h.as(merchant, 'DELETE', cancelling(reference))
