// A gateway for one test file (open.ts), the books of which are checked after every test, and the steps of a
// payment.
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type Books, keepBooks, ONCE_A_FILE } from './books.ts'
import { CELLS, type CellName, type Harness, type HarnessOptions, open, type TestMerchant } from './open.ts'

export {
  type Answer,
  CELLS,
  type CellName,
  type Harness,
  type HarnessOptions,
  loginsTo,
  type TestMerchant,
} from './open.ts'
export type { Received } from './receiver.ts'

let counter = 0
const next = (): number => {
  counter += 1
  return counter
}
/** A reference that no other test uses. */
export const unique = (word = 'ref'): string => `${word}-${process.pid}-${Date.now().toString(36)}-${next()}`

/** Call at the top of a test file. The books of every cell that a test may have touched are looked at after
 *  it, and those of both at the end of the file; a test that leaves them wrong fails, whatever it checked
 *  itself. */
export function useHarness(options: HarnessOptions = {}): () => Harness {
  let opened: Awaited<ReturnType<typeof open>> | null = null
  const books = new Map<string, Books>()
  beforeAll(async () => {
    opened = await open(options)
    for (const cell of CELLS) books.set(cell, keepBooks(opened.harness.databases[cell]))
  })
  const look = async (cells: ReadonlySet<CellName>): Promise<void> => {
    const found = await Promise.all([...cells].map(async (cell) => [cell, await books.get(cell)?.check()] as const))
    for (const [cell, violations] of found) expect(violations, `books of cell ${cell}`).toEqual([])
  }
  afterEach(async () => {
    if (options.booksAfterEach === false || ONCE_A_FILE) return
    await look(opened?.touched ?? new Set())
  })
  afterAll(async () => {
    if (options.booksAfterEach !== false) await look(new Set(CELLS))
    for (const one of books.values()) await one.close()
    await opened?.close()
  })
  return () => (opened as NonNullable<typeof opened>).harness
}

// ---- the steps of a payment

export type Initialised = {
  transactionReference: string
  paymentReference: string
  checkoutUrl: string
  amount: number | string
}

export const initBody = (merchant: TestMerchant, over: Record<string, unknown> = {}) => ({
  amount: 1500,
  customerName: 'Ngozi Bello',
  customerEmail: 'ngozi@example.com',
  paymentReference: unique('pay'),
  paymentDescription: 'Two yards of adire',
  currencyCode: 'NGN',
  contractCode: merchant.contractCode,
  ...over,
})

export const INIT = '/api/v1/merchant/transactions/init-transaction'
export const INIT_PAYMENT = '/api/v1/merchant/bank-transfer/init-payment'

export async function initialise(
  h: Harness,
  merchant: TestMerchant,
  over: Record<string, unknown> = {},
): Promise<Initialised> {
  const body = initBody(merchant, over)
  const answer = await h.as(merchant, 'POST', INIT, body)
  expect(answer.status, answer.text).toBe(200)
  return { ...answer.json.responseBody, amount: body.amount }
}

export async function issueAccount(h: Harness, merchant: TestMerchant, transactionReference: string): Promise<string> {
  const answer = await h.as(merchant, 'POST', INIT_PAYMENT, { transactionReference })
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody.accountNumber
}

export async function status(h: Harness, merchant: TestMerchant, transactionReference: string): Promise<any> {
  const answer = await h.as(merchant, 'GET', `/api/v2/transactions/${encodeURIComponent(transactionReference)}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}

export async function paid(h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}) {
  const transaction = await initialise(h, merchant, over)
  const accountNumber = await issueAccount(h, merchant, transaction.transactionReference)
  const transfer = await h.pay(accountNumber, transaction.amount)
  expect(transfer.json.status).toBe('ACCEPTED')
  const sessionId = transfer.json.sessionId as string
  // The bank tries once before it answers, and every second after: on a busy machine the first try can be too
  // slow.
  const credit = 'select from inbound_credits where bank_reference = $1'
  await h.until('the credit', async () => (await h.sql(merchant.cell, credit, [sessionId])).length === 1)
  return { ...transaction, accountNumber, sessionId }
}

export const SUB_ACCOUNTS = '/api/v1/sub-accounts'
export const subAccountBody = (over: Record<string, unknown> = {}) => ({
  currencyCode: 'NGN',
  accountNumber: String(1_000_000_000 + next() * 10 + 1),
  bankCode: '058',
  email: `${unique('sub')}@example.com`,
  defaultSplitPercentage: 20.5,
  ...over,
})
export async function subAccount(h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}): Promise<any> {
  const answer = await h.as(merchant, 'POST', SUB_ACCOUNTS, [subAccountBody(over)])
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody[0]
}

export const advance = async (h: Harness, seconds: number) => {
  if (h.settles) await h.horizonPassed()
  const answer = await h.as(h.merchants.main, 'POST', '/sandbox/clock/advance', { seconds })
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody as { now: string; ran: number }
}
