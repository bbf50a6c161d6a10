// Money for reserved accounts in a test: the bank's notices, and what is seen of them.

import { notice, tell } from '../../bank/notices.ts'
import type { Harness, TestMerchant } from '../../kit/harness.ts'
import { bodyOf, DEALLOCATE, DETAIL, SOURCES, TRANSACTIONS } from './reserved-accounts.ts'

export type Reserved = {
  accountReference: string
  customerEmail: string
  accounts: { accountNumber: string; bankCode: string }[]
}

export const detail = async (h: Harness, merchant: TestMerchant, reference: string): Promise<any> =>
  bodyOf(await h.as(merchant, 'GET', DETAIL(reference)))
export const deallocate = (h: Harness, merchant: TestMerchant, reference: string) =>
  h.as(merchant, 'DELETE', DEALLOCATE(reference))
export const restrict = (h: Harness, merchant: TestMerchant, reference: string, body: unknown) =>
  h.as(merchant, 'PUT', SOURCES(reference), body)
export const listed = async (h: Harness, merchant: TestMerchant, accountReference: string): Promise<any[]> =>
  bodyOf(await h.as(merchant, 'GET', TRANSACTIONS({ accountReference, size: '1000' }))).content

/** The bank's notice of money for one of an account's numbers. */
export const pay = (h: Harness, account: Reserved, amount: unknown, over: Record<string, unknown> = {}, at = 0) => {
  const number = account.accounts[at]
  return tell(h, notice(number?.accountNumber ?? '', amount, { bankCode: number?.bankCode, ...over }))
}
