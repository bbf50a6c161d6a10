// Limit profiles, as tests ask for them.
import { type Harness, type TestMerchant, unique } from '../../kit/harness.ts'
import { bodyOf, reservedBody } from './reserved-accounts.ts'

export const PROFILES = '/api/v1/limit-profile/'
export const PROFILE = (code: string) => `/api/v1/limit-profile/${encodeURIComponent(code)}`
export const LIMIT = '/api/v1/bank-transfer/reserved-accounts/limit'
export const LIMIT_V2 = '/api/v2/bank-transfer/reserved-accounts/limit'

export const profileBody = (over: Record<string, unknown> = {}) => ({
  limitProfileName: unique('Profile'),
  singleTransactionValue: 5000,
  dailyTransactionVolume: 10,
  dailyTransactionValue: 20000,
  ...over,
})
export const profile = async (h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}): Promise<any> =>
  bodyOf(await h.as(merchant, 'POST', PROFILES, profileBody(over)))
/** An account under a new profile. */
export const limited = async (h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}): Promise<any> => {
  const { limitProfileCode } = await profile(h, merchant, over)
  return bodyOf(await h.as(merchant, 'POST', LIMIT, reservedBody(merchant, { limitProfileCode })))
}
