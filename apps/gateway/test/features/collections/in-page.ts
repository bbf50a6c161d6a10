// The checkout on a shop's own page, as tests open it.
import { expect } from 'vitest'
import { type Answer, type Harness, type TestMerchant, unique } from '../../kit/harness.ts'

export const DOOR = '/plugin/transactions'
export const SHOP = 'https://shop.example'

export const pageBody = (merchant: TestMerchant, over: Record<string, unknown> = {}) => ({
  amount: 1500,
  currency: 'NGN',
  reference: unique('page'),
  customerFullName: 'Ngozi Bello',
  customerEmail: 'ngozi@example.com',
  apiKey: merchant.apiKey,
  contractCode: merchant.contractCode,
  paymentDescription: 'Two metres of adire',
  metadata: { order: '17' },
  ...over,
})

export const open = (h: Harness, body: Record<string, unknown>, origin: string | null = SHOP): Promise<Answer> =>
  h.call('POST', DOOR, { body, headers: origin === null ? {} : { origin } })

export async function opened(h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}): Promise<any> {
  const answer = await open(h, pageBody(merchant, over))
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}
