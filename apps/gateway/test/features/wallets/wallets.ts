// Transfers in a test: what is sent, from whose wallet, and what the merchant is notified of.
import { type Answer, type Harness, type TestMerchant, unique } from '../../kit/harness.ts'

export const SINGLE = '/api/v2/disbursements/single'
export const BATCH = '/api/v2/disbursements/batch'

let accounts = 0
/** An account that no other test pays: the duplicate guard looks at account and amount. */
export const freshAccount = (): string => {
  accounts += 1
  return `1${String(process.pid % 10_000).padStart(4, '0')}${String(accounts).padStart(4, '0')}5`
}

const names = new Map<string, string>()
export async function nameAt(h: Harness, accountNumber: string): Promise<string> {
  const known = names.get(accountNumber)
  if (known) return known
  const answer = await fetch(`${h.simulatorUrl}/api/accounts/058/${accountNumber}`)
  const { accountName } = (await answer.json()) as { accountName: string }
  names.set(accountNumber, accountName)
  return accountName
}

export async function transferBody(h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}) {
  const destinationAccountNumber = freshAccount()
  return {
    amount: 100,
    reference: unique('send'),
    narration: 'Wages',
    destinationBankCode: '058',
    destinationAccountNumber,
    destinationAccountName: await nameAt(h, destinationAccountNumber),
    sourceAccountNumber: merchant.walletNumber,
    currency: 'NGN',
    ...over,
  }
}
export const send = async (h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}): Promise<Answer> =>
  h.as(merchant, 'POST', SINGLE, await transferBody(h, merchant, over))

export const batchBody = (
  merchant: TestMerchant,
  amounts: readonly (number | string)[],
  reference = unique('batch'),
) => ({
  title: 'Wages of May',
  batchReference: reference,
  narration: 'Wages',
  sourceAccountNumber: merchant.walletNumber,
  onValidationFailure: 'CONTINUE',
  transactionList: amounts.map((amount, at) => ({
    amount,
    reference: `${reference}-${at}`,
    narration: 'Wages',
    destinationBankCode: '058',
    destinationAccountNumber: `2${String(at).padStart(8, '0')}5`,
    currency: 'NGN',
  })),
})
export const sendBatch = (h: Harness, merchant: TestMerchant, amounts: readonly (number | string)[]): Promise<Answer> =>
  h.as(merchant, 'POST', BATCH, batchBody(merchant, amounts))

/** The events of one kind for a merchant, oldest first, as it will be sent; numbered or not. */
export const notificationsOf = async (h: Harness, merchant: TestMerchant, type: string): Promise<any[]> =>
  (
    await h.sql(
      merchant.cell,
      'select event_body(shape, body) as body from events where merchant_id = $1 and type = $2 order by at, id',
      [merchant.id, type],
    )
  ).map((row) => JSON.parse(row.body))

export const walletOf = async (h: Harness, merchant: TestMerchant): Promise<number> => {
  const answer = await h.as(
    merchant,
    'GET',
    `/api/v2/disbursements/wallet-balance?accountNumber=${merchant.walletNumber}`,
  )
  return Number(answer.json.responseBody.availableBalance)
}
