// Batches in a test: requests, what the gateway and the bank say of them afterwards, merchants with and
// without codes.
import { expect } from 'vitest'
import { seedMerchant } from '../../../../../tools/sandbox/seed.ts'
import { joinMerchant } from '../../../src/join.ts'
import { type Answer, advance, type Harness, type TestMerchant, unique } from '../../kit/harness.ts'

export const BATCH = '/api/v2/disbursements/batch'
export const BULK = '/api/v2/disbursements/bulk'
export const SINGLE = '/api/v2/disbursements/single'

let accounts = 0
/** An account that no other row goes to; its last digits decide what the bank does. */
export const accountEnding = (ending: string): string => {
  accounts += 1
  return `3${String(accounts).padStart(9 - ending.length, '0')}${ending}`
}

export type AskedRow = Record<string, unknown> & { reference: string; destinationAccountNumber: string }
export const rowTo = (ending = '7777', over: Record<string, unknown> = {}): AskedRow => ({
  amount: 1000,
  reference: unique('row'),
  narration: 'Wages of May',
  destinationBankCode: '058',
  destinationAccountNumber: accountEnding(ending),
  currency: 'NGN',
  ...over,
})
export const rowsTo = (count: number, ending = '7777'): AskedRow[] => Array.from({ length: count }, () => rowTo(ending))

export const batchBody = (
  merchant: TestMerchant,
  transactionList: readonly unknown[],
  over: Record<string, unknown> = {},
) => ({
  title: 'Wages',
  batchReference: unique('batch'),
  narration: 'Wages',
  sourceAccountNumber: merchant.walletNumber,
  onValidationFailure: 'CONTINUE',
  transactionList,
  ...over,
})

/** A merchant of its own for a test, so that balances and lists are known exactly. */
export async function newMerchant(
  h: Harness,
  over: { otp?: boolean; walletKobo?: bigint; approved?: boolean; perDayKobo?: bigint } = {},
): Promise<TestMerchant> {
  const label = unique('merchant')
  const merchant = seedMerchant({
    seed: 'batches',
    cell: '01',
    label,
    name: 'Aba Shoes',
    email: `${label}@test.example`,
    transferOtp: over.otp ?? false,
    requestsPerSecond: 100_000,
    ...(over.approved === false ? { features: [] } : {}),
    ...(over.walletKobo === undefined ? {} : { walletKobo: over.walletKobo }),
  })
  const id = await joinMerchant(h.gateway.ctx, '01', merchant)
  if (over.perDayKobo !== undefined)
    await h.sql('01', 'update disbursement_settings set per_day_kobo = $2 where merchant_id = $1', [
      id,
      over.perDayKobo,
    ])
  return { ...merchant, cell: '01', id }
}

/** Posts a batch that must be taken. */
export async function taken(
  h: Harness,
  merchant: TestMerchant,
  transactionList: readonly unknown[],
  over: Record<string, unknown> = {},
): Promise<any> {
  const answer = await h.as(merchant, 'POST', BATCH, batchBody(merchant, transactionList, over))
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}

export async function summary(h: Harness, merchant: TestMerchant, reference: string): Promise<any> {
  const answer = await h.as(merchant, 'GET', `${BATCH}/summary?reference=${encodeURIComponent(reference)}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}

/** What must hold of a summary at every look. */
export function addsUp(shown: any): void {
  expect(shown.failedCount + shown.successfulCount + shown.pendingCount, 'counts').toBe(shown.totalTransactionsCount)
  const amounts = shown.failedAmount + shown.successfulAmount + shown.pendingAmount
  expect(amounts, 'amounts').toBeCloseTo(shown.totalAmount, 2)
}

/** The rows of a batch, in the order of the request. */
export async function rowsOf(h: Harness, merchant: TestMerchant, reference: string): Promise<any[]> {
  const rows: any[] = []
  for (let page = 0; ; page += 1) {
    const path = `${BULK}/${encodeURIComponent(reference)}/transactions?pageNo=${page}&pageSize=1000`
    const answer = await h.as(merchant, 'GET', path)
    expect(answer.status, answer.text).toBe(200)
    rows.push(...answer.json.responseBody.content)
    if (answer.json.responseBody.last) return rows
  }
}

export async function balances(h: Harness, merchant: TestMerchant): Promise<{ wallet: bigint; held: bigint }> {
  const rows = await h.sql<{ kind: string; balance_kobo: string }>(
    '01',
    `select kind, balance_kobo from accounts where merchant_id = $1 and kind in ('WALLET', 'PAYOUT_HOLD')`,
    [merchant.id],
  )
  const of = (kind: string): bigint => BigInt(rows.find((row) => row.kind === kind)?.balance_kobo ?? 0)
  return { wallet: of('WALLET'), held: of('PAYOUT_HOLD') }
}

/** What the bank has on its books, by account. */
export async function bankBooks(h: Harness): Promise<Map<string, { paid: string; returned: string; asked: number }[]>> {
  const answer = await fetch(`${h.simulatorUrl}/api/payouts/statement`)
  const { payouts } = (await answer.json()) as { payouts: any[] }
  return Map.groupBy(payouts, (one) => one.destinationAccountNumber)
}

/** The codes that were mailed to a merchant, in their order. */
export async function codesMailed(h: Harness, merchant: TestMerchant): Promise<string[]> {
  const answer = await h.as(merchant, 'GET', `/sandbox/mails?to=${encodeURIComponent(merchant.email)}`)
  expect(answer.status, answer.text).toBe(200)
  const mails = answer.json.responseBody as { text: string }[]
  return mails.toReversed().map(({ text }) => /Authorization code: (\d+)/.exec(text)?.[1] ?? '')
}

export const authorise = (
  h: Harness,
  merchant: TestMerchant,
  reference: string,
  authorizationCode: string,
  headers?: Record<string, string>,
): Promise<Answer> => h.as(merchant, 'POST', `${BATCH}/validate-otp`, { reference, authorizationCode }, headers)

/** Everything of these merchants reaches its final state: reversals take two days. */
export const untilQuiet = (h: Harness, seconds = 3 * 86_400) => advance(h, seconds)
