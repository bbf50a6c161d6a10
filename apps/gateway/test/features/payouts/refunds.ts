// The steps of a refund, for tests: a payment to refund, the request, and what the ledger says of it
// afterwards.
import { expect } from 'vitest'
import { notice, tell, waiting } from '../../bank/notices.ts'
import { type Answer, type Harness, paid, type TestMerchant, unique } from '../../kit/harness.ts'
import { account, BANK_CODE } from './disbursements.ts'

export const REFUNDS = '/api/v1/refunds'
export const INITIATE = `${REFUNDS}/initiate-refund`

/** A transaction that was paid by transfer, as far as a refund needs it. */
export type PaidOne = { transactionReference: string; accountNumber: string }
export const payment = (h: Harness, merchant: TestMerchant, naira = 1_000): Promise<PaidOne> =>
  paid(h, merchant, { amount: naira })

export const refundBody = (transactionReference: string, over: Record<string, unknown> = {}) => ({
  transactionReference,
  refundReference: unique('refund'),
  refundAmount: 1_000,
  refundReason: 'Out of stock',
  customerNote: 'Sorry',
  ...over,
})

export const ask = (
  h: Harness,
  merchant: TestMerchant,
  transactionReference: string,
  over: Record<string, unknown> = {},
): Promise<Answer> => h.as(merchant, 'POST', INITIATE, refundBody(transactionReference, over))

/** A refund that is accepted. */
export async function refunded(
  h: Harness,
  merchant: TestMerchant,
  transactionReference: string,
  over: Record<string, unknown> = {},
): Promise<any> {
  const answer = await ask(h, merchant, transactionReference, over)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}

/** A refund of a new payment to an account with this ending. */
export async function refundedTo(
  h: Harness,
  merchant: TestMerchant,
  ending: string,
  over: Record<string, unknown> = {},
): Promise<any> {
  const { transactionReference } = await payment(h, merchant)
  const to = { destinationAccountNumber: account(ending), destinationAccountBankCode: BANK_CODE }
  return refunded(h, merchant, transactionReference, { ...to, ...over })
}

/** Authorises a refund with the code of the mail. */
export const authorise = (h: Harness, merchant: TestMerchant, refundReference: string, authorizationCode: string) =>
  h.as(merchant, 'POST', `${REFUNDS}/${encodeURIComponent(refundReference)}/authorize`, { authorizationCode })
export const resendCode = (h: Harness, merchant: TestMerchant, refundReference: string) =>
  h.as(merchant, 'POST', `${REFUNDS}/${encodeURIComponent(refundReference)}/resend-otp`)

export async function shown(h: Harness, merchant: TestMerchant, refundReference: string): Promise<any> {
  const answer = await h.as(merchant, 'GET', `${REFUNDS}/${encodeURIComponent(refundReference)}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}
export const statusOf = async (h: Harness, merchant: TestMerchant, refundReference: string): Promise<string> =>
  (await shown(h, merchant, refundReference)).refundStatus

/** What the ledger says of a merchant's refunds, in kobo; what settlements bring into the wallet meanwhile is
 *  left out. */
export async function money(h: Harness, merchant: TestMerchant) {
  const [row] = await h.sql<Record<string, string>>(
    merchant.cell,
    `select coalesce(sum(e.kobo) filter (where f.kind not like 'SETTLEMENT%' and e.account_id = $1::bigint * 16 + 9), 0) as wallet,
       coalesce(sum(e.kobo) filter (where e.account_id = $1::bigint * 16 + 12), 0) as clearing,
       coalesce(sum(e.kobo) filter (where f.kind like 'REFUND%' and e.account_id = 0), 0) as paid,
       coalesce(sum(e.kobo) filter (where f.kind like 'REFUND%' and e.account_id = 2), 0) as fees
     from transfers f join entries e on e.transfer_id = f.id where f.merchant_id = $1`,
    [merchant.id],
  )
  const of = (name: string): bigint => BigInt(row?.[name] ?? 0)
  return { wallet: of('wallet'), clearing: of('clearing'), paid: of('paid'), fees: of('fees') }
}

/** The order at the bank of a refund. */
export async function orderOf(h: Harness, merchant: TestMerchant, refundReference: string): Promise<any> {
  const [row] = await h.sql(
    merchant.cell,
    `select o.*, o.kobo::text as kobo, o.id::text as id from bank_orders o join refunds r on r.id = o.subject and o.purpose = 'REFUND'
     where r.refund_reference = $1`,
    [refundReference],
  )
  return row
}

export const PAYER = { senderAccountNumber: '0123456789', senderBankCode: BANK_CODE }

/** A transaction of 1,000 that one known account paid. */
export async function paidBy(
  h: Harness,
  merchant: TestMerchant,
  sender: Record<string, unknown> = PAYER,
  amounts = [1_000],
) {
  const transaction = await waiting(h, merchant, { amount: 1_000 })
  for (const amount of amounts) {
    const answer = await tell(h, notice(transaction.accountNumber, amount, sender))
    expect(answer.status, answer.text).toBe(200)
  }
  return transaction
}

export const refusalOf = (answer: { status: number; json: any }) => ({
  status: answer.status,
  responseCode: answer.json.responseCode,
  code: answer.json.problem.code,
})
