// Verification of identities, as tests ask for it.
import { type Answer, type Harness, type TestMerchant, unique } from '../../kit/harness.ts'

export const BVN_DETAILS = '/api/v1/vas/bvn-details-match'
export const BVN_ACCOUNT = '/api/v1/vas/bvn-account-match'
export const NIN_DETAILS = '/api/v1/vas/nin-details'

export const ADA = { bvn: '22222222222', name: 'Ada Nneka Obi', dateOfBirth: '14-Mar-1991', mobileNo: '08031234567' }
export const ACCOUNT = { bankCode: '058', accountNumber: '0123452222', bvn: '22222222222' }

export const walletKobo = async (h: Harness, { id, cell }: TestMerchant): Promise<number> =>
  Number((await h.sql(cell, 'select balance_kobo from accounts where id = $1', [id * 16n + 9n]))[0].balance_kobo)

export const verify = (h: Harness, merchant: TestMerchant, path: string, body: unknown): Promise<Answer> =>
  h.as(merchant, 'POST', path, body)
export const consent = (): { consentReference: string } => ({ consentReference: unique('consent') })
export const recorded = (h: Harness, { cell }: TestMerchant, consentReference: string) =>
  h.sql(
    cell,
    `select product, outcome, matches, fee_kobo::int as fee, octet_length(subject_digest) as digest from verifications
     where consent_reference = $1`,
    [consentReference],
  )
