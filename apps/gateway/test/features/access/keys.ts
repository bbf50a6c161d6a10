// Limited API keys, as tests make them: each is its merchant with another pair of keys.
import { expect } from 'vitest'
import type { Answer, Harness, TestMerchant } from '../../kit/harness.ts'
import { basic } from './secret-keys.ts'

export const KEYS = '/api/v1/auth/keys'

export const askForKey = (h: Harness, merchant: TestMerchant, body: object): Promise<Answer> =>
  h.call('POST', KEYS, { headers: basic(merchant, merchant.secretKey), body: { name: 'A server', ...body } })

export async function limited(h: Harness, merchant: TestMerchant, body: object): Promise<TestMerchant> {
  const answer = await askForKey(h, merchant, body)
  expect(answer.status, answer.text).toBe(200)
  const { apiKey, secretKey } = answer.json.responseBody
  return { ...merchant, apiKey, secretKey }
}

export const endKey = (h: Harness, merchant: TestMerchant, { apiKey }: { apiKey: string }): Promise<Answer> =>
  h.call('DELETE', `${KEYS}/${encodeURIComponent(apiKey)}`, { headers: basic(merchant, merchant.secretKey) })

export const withoutId = (answer: Answer): string => answer.text.replace(/"requestId":"[^"]+"/, '')
