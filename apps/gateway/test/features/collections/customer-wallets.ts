// Customers' wallets, as tests ask for them.
import { expect } from 'vitest'
import { type Answer, type Harness, type TestMerchant, unique } from '../../kit/harness.ts'

export const WALLET = '/api/v1/disbursements/wallet'
const queryOf = (query: Record<string, string | number>): string =>
  new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString()

export const walletBody = (over: Record<string, unknown> = {}) => ({
  walletReference: unique('wallet'),
  walletName: 'Ada savings',
  customerName: 'Ada Obi',
  customerEmail: `${unique('ada')}@example.com`,
  bvnDetails: { bvn: '22222222222', bvnDateOfBirth: '1991-03-14' },
  ...over,
})
const bodyOf = (answer: Answer): any => {
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}

export async function newWallet(h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}): Promise<any> {
  return bodyOf(await h.as(merchant, 'POST', WALLET, walletBody(over)))
}
/** One with money in it. */
export async function fundedWallet(h: Harness, merchant: TestMerchant, naira: number, over = {}): Promise<any> {
  const wallet = await newWallet(h, merchant, over)
  const paid = await h.pay(wallet.topUpAccountDetails.accountNumber, naira)
  expect(paid.json, paid.text).toMatchObject({ status: 'ACCEPTED' })
  expect(await availableIn(h, merchant, wallet.accountNumber)).toBe(naira)
  return wallet
}

export const listWallets = async (h: Harness, merchant: TestMerchant, query = {}): Promise<any> =>
  bodyOf(await h.as(merchant, 'GET', `${WALLET}?${queryOf(query)}`))
export const askBalance = (h: Harness, merchant: TestMerchant, query: Record<string, string>): Promise<Answer> =>
  h.as(merchant, 'GET', `${WALLET}/balance?${queryOf(query)}`)
export const balanceIn = async (h: Harness, merchant: TestMerchant, accountNumber: string): Promise<any> =>
  bodyOf(await askBalance(h, merchant, { accountNumber }))
export const availableIn = async (h: Harness, merchant: TestMerchant, accountNumber: string): Promise<number> =>
  Number((await balanceIn(h, merchant, accountNumber)).availableBalance)

export const askMovements = (h: Harness, merchant: TestMerchant, accountNumber: string, query = {}): Promise<Answer> =>
  h.as(merchant, 'GET', `${WALLET}/transactions?${queryOf({ accountNumber, ...query })}`)
export const movementsIn = async (
  h: Harness,
  merchant: TestMerchant,
  accountNumber: string,
  query = {},
): Promise<any> => bodyOf(await askMovements(h, merchant, accountNumber, query))
export const askStatement = (h: Harness, merchant: TestMerchant, accountNumber: string, query = {}): Promise<Answer> =>
  h.as(merchant, 'GET', `${WALLET}/${accountNumber}/statement?${queryOf(query)}`)
export const statementOf = async (
  h: Harness,
  merchant: TestMerchant,
  accountNumber: string,
  query = {},
): Promise<any> => bodyOf(await askStatement(h, merchant, accountNumber, query))
