// Reserved accounts, as tests ask for them.
import { expect } from 'vitest'
import { type Answer, type Harness, type TestMerchant, unique } from '../../kit/harness.ts'

const V1 = '/api/v1/bank-transfer/reserved-accounts'
const V2 = '/api/v2/bank-transfer/reserved-accounts'
const at = (path: string) => (reference: string) => `${path}/${encodeURIComponent(reference)}`
export const RESERVE = V2
export const RESERVE_INVOICE = V1
export const DETAIL = at(V2)
export const LINK = at(`${V1}/add-linked-accounts`)
export const BVN = at(`${V1}/update-customer-bvn`)
export const SOURCES = at(`${V1}/update-payment-source-filter`)
export const SPLIT = at(`${V1}/update-income-split-config`)
export const DEALLOCATE = at(`${V1}/reference`)
export const KYC = (reference: string) => `${at(V1)(reference)}/kyc-info`
export const TRANSACTIONS = (query: Record<string, string>) =>
  `${V1}/transactions?${new URLSearchParams(query).toString()}`

export const reservedBody = (merchant: TestMerchant, over: Record<string, unknown> = {}) => ({
  accountReference: unique('cust'),
  accountName: 'Adire Stores - Ada Obi',
  currencyCode: 'NGN',
  contractCode: merchant.contractCode,
  customerEmail: 'ada@example.com',
  customerName: 'Ada Obi',
  bvn: '22222222222',
  getAllAvailableBanks: true,
  ...over,
})

export const invoiceAccountBody = (merchant: TestMerchant, over: Record<string, unknown> = {}) => {
  const { getAllAvailableBanks: _, ...body } = reservedBody(merchant)
  return { ...body, reservedAccountType: 'INVOICE', ...over }
}

type Answered = Pick<Answer, 'status' | 'json'>
export const bodyOf = (answer: Answered): any => {
  expect(answer.status, JSON.stringify(answer.json)).toBe(200)
  return answer.json.responseBody
}

export const reserve = async (h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}): Promise<any> =>
  bodyOf(await h.as(merchant, 'POST', RESERVE, reservedBody(merchant, over)))
export const reserveInvoice = async (
  h: Harness,
  merchant: TestMerchant,
  over: Record<string, unknown> = {},
): Promise<any> => bodyOf(await h.as(merchant, 'POST', RESERVE_INVOICE, invoiceAccountBody(merchant, over)))

/** What a refusal says, in one value. */
export const refusal = (answer: Answered) => [answer.status, answer.json?.problem?.code, answer.json?.responseMessage]
