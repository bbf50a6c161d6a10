// Reserved accounts in a test: made over HTTP, paid by the bank's notices.
import { expect } from 'vitest'
import { type Harness, type TestMerchant, unique } from './harness.ts'
import { notice, tell } from './notices.ts'

export const RESERVE = '/api/v2/bank-transfer/reserved-accounts'
export const RESERVED = '/api/v1/bank-transfer/reserved-accounts'
export const BVN = '22222222222'

export const reservedBody = (merchant: TestMerchant, over: Record<string, unknown> = {}) => ({
  accountReference: unique('acct'),
  accountName: 'Ada Obi',
  currencyCode: 'NGN',
  contractCode: merchant.contractCode,
  customerEmail: `${unique('ada')}@example.com`,
  customerName: 'Ada Obi',
  bvn: BVN,
// Reserved accounts, as tests ask for them.
import { expect } from 'vitest'
import { type Answer, type Harness, type TestMerchant, unique } from './harness.ts'

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
export const TRANSACTIONS = (query: Record<string, string>) => `${V1}/transactions?${new URLSearchParams(query)}`

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

export type Reserved = { accountReference: string; { accountNumber: string; bankCode: string }[] } & Record<
  string,
  any
>
export async function reserve(h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}) {
  const answer = await h.as(merchant, 'POST', RESERVE, reservedBody(merchant, over))
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody as Reserved
}
/** One that takes money only while an invoice is attached. */
export async function reserveForInvoices(h: Harness, merchant: TestMerchant): Promise<Reserved> {
  const { getAllAvailableBanks: _, ...body } = reservedBody(merchant)
  const answer = await h.as(merchant, 'POST', RESERVED, body)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}
export const detail = async (h: Harness, merchant: TestMerchant, reference: string): Promise<any> =>
  (await h.as(merchant, 'GET', `${RESERVE}/${reference}`)).json.responseBody
export const deallocate = (h: Harness, merchant: TestMerchant, reference: string) =>
  h.as(merchant, 'DELETE', `${RESERVED}/reference/${reference}`)
export const restrict = (h: Harness, merchant: TestMerchant, reference: string, body: unknown) =>
  h.as(merchant, 'PUT', `${RESERVED}/update-payment-source-filter/${reference}`, body)
export const listed = async (h: Harness, merchant: TestMerchant, reference: string): Promise<any> =>
  (await h.as(merchant, 'GET', `${RESERVED}/transactions?accountReference=${reference}&size=1000`)).json.responseBody

/** The bank's notice of money for one of an account's numbers. */
export const pay = (h: Harness, account: Reserved, amount: unknown, over: Record<string, unknown> = {}, at = 0) => {
  const number = account.accounts[at]
  return tell(h, notice(number?.accountNumber ?? '', amount, { bankCode: number?.bankCode, ...over }))
}
export const invoiceAccountBody = (merchant: TestMerchant, over: Record<string, unknown> = {}) => {
  const { getAllAvailableBanks: _, ...body } = reservedBody(merchant)
  return { ...body, reservedAccountType: 'INVOICE', ...over }
}

export const bodyOf = (answer: Answer): any => {
  expect(answer.status, answer.text).toBe(200)
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
export const refusal = (answer: Answer) => [answer.status, answer.json?.problem?.code, answer.json?.responseMessage]
