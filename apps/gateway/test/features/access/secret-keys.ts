// Rotating a secret key over HTTP, for the tests of it: a merchant, its keys, its tokens and what is
// answered.
import { expect } from 'vitest'
import { seedMerchant } from '../../../../../tools/sandbox/seed.ts'
import { joinMerchant } from '../../../src/join.ts'
import { type Answer, type CellName, type Harness, type TestMerchant, unique } from '../../kit/harness.ts'

export const LOGIN = '/api/v1/auth/login'
export const ROTATE = '/api/v1/auth/secret-key/rotate'
export const FINISH = '/api/v1/auth/secret-key/finish'
export const CANCEL = '/api/v1/auth/secret-key/cancel'
export const CLOCK = '/sandbox/clock'

export const basic = ({ apiKey }: TestMerchant, secretKey: string) => ({
  authorization: `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`,
})
export const verdict = ({ status, json }: Answer): string => (status === 200 ? '200' : `${status} ${json.problem.code}`)
export const logIn = (h: Harness, merchant: TestMerchant, secretKey: string) =>
  h.call('POST', LOGIN, { headers: basic(merchant, secretKey) })
export const finish = (h: Harness, merchant: TestMerchant, secretKey: string) =>
  h.call('POST', FINISH, { headers: basic(merchant, secretKey) })
export const rotate = (h: Harness, merchant: TestMerchant, secretKey: string, body?: unknown) =>
  h.call('POST', ROTATE, { headers: basic(merchant, secretKey), ...(body === undefined ? {} : { body }) })
export const use = async (h: Harness, token: string) => verdict(await h.call('GET', CLOCK, { token }))

export async function given(h: Harness, merchant: TestMerchant, secretKey: string, overlapHours?: number) {
  const answer = await rotate(h, merchant, secretKey, overlapHours === undefined ? undefined : { overlapHours })
  expect(verdict(answer)).toBe('200')
  return answer.json.responseBody as { secretKey: string; overlapUntil: string }
}
export async function tokenOf(h: Harness, merchant: TestMerchant, secretKey: string): Promise<string> {
  const answer = await logIn(h, merchant, secretKey)
  expect(verdict(answer)).toBe('200')
  return answer.json.responseBody.accessToken
}
export const credentialOf = (token: string): number =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).credential

/** A merchant of this test alone, in a cell. */
export async function join(h: Harness, cell: CellName = '01'): Promise<TestMerchant> {
  const label = unique('rotating')
  const merchant = seedMerchant({
    seed: 'rotation',
    cell,
    label,
    name: 'Ibadan Threads',
    email: `${label}@rotation.example`,
    transferOtp: false,
    requestsPerSecond: 100_000,
  })
  return { ...merchant, cell, id: await joinMerchant(h.gateway.ctx, cell, merchant) }
}

/** How a key could be written down. */
export const formsOf = (key: string): string[] =>
  (['utf8', 'base64', 'base64url', 'hex'] as const).map((form) => Buffer.from(key).toString(form).replace(/=+$/, ''))
