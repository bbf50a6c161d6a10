// What the public client libraries for Go, Java, .NET, PHP, Python and Laravel send, by their documented
// fields: typed clients send every field, "" and 0 or null for what is not set. Each row is one call of one
// library and how it is answered.
import { expect, test } from 'vitest'
import { card } from '#test/features/collections/cards.ts'
import { mandateBody } from '#test/features/collections/direct-debit.ts'
import { after, invoiceBody } from '#test/features/collections/invoices.ts'
import { bodyOf, reserve, reservedBody } from '#test/features/collections/reserved-accounts.ts'
import { batchBody, newMerchant, rowTo } from '#test/features/payouts/batches.ts'
import { order } from '#test/features/payouts/disbursements.ts'
import { refundBody } from '#test/features/payouts/refunds.ts'
import {
  type Harness,
  initBody,
  initialise,
  paid,
  subAccount,
  type TestMerchant,
  unique,
  useHarness,
} from '#test/kit/harness.ts'

const harness = useHarness()

type World = { readonly h: Harness; readonly merchant: TestMerchant }
type Asked = { readonly method: string; readonly path: string; readonly body?: unknown }
type Row = readonly [client: string, what: string, asked: (world: World) => Promise<Asked> | Asked, status: number]

const V1 = '/api/v1/bank-transfer/reserved-accounts'
const V2 = '/api/v2/bank-transfer/reserved-accounts'
const INIT = '/api/v1/merchant/transactions/init-transaction'
const post = (path: string, body: unknown): Asked => ({ method: 'POST', path, body })
const get = (path: string): Asked => ({ method: 'GET', path })

const unset = { customerName: '', paymentDescription: '', redirectUrl: '', paymentMethods: null, metaData: null }
const nulls = { customerName: null, redirectUrl: null, paymentMethods: null, incomeSplitConfig: null, metaData: null }
const profile = { singleTransactionValue: 5000, dailyTransactionVolume: 10, dailyTransactionValue: 20_000 }
const nextWeek = (h: Harness) => after(h, 7 * 86_400)

const ROWS: readonly Row[] = [
  ['Go', 'init-transaction with "" and null', ({ merchant }) => post(INIT, initBody(merchant, unset)), 200],
  [
    ...(['Go', 'a split with an amount of 0'] as const),
    async ({ h, merchant }) => {
      const { subAccountCode } = await subAccount(h, merchant)
      const split = { subAccountCode, feePercentage: 0, splitAmount: 0, splitPercentage: 20, feeBearer: false }
      return post(INIT, initBody(merchant, { incomeSplitConfig: [split] }))
    },
    200,
  ],
  [
    ...(['Go', 'init-payment without a bank'] as const),
    async ({ h, merchant }) => {
      const { transactionReference } = await initialise(h, merchant)
      return post('/api/v1/merchant/bank-transfer/init-payment', { transactionReference, bankCode: '' })
    },
    200,
  ],
  [
    ...(['Go', 'a card without a PIN'] as const),
    async ({ h, merchant }) => {
      const { transactionReference } = await initialise(h, merchant)
      const deviceInformation = { httpBrowserLanguage: '', httpBrowserScreenHeight: '0', userAgentBrowserValue: '' }
      const body = { transactionReference, card: card('plain', { pin: '' }), deviceInformation }
      return post('/api/v1/merchant/cards/charge', { ...body, collectionChannel: 'API_NOTIFICATION' })
    },
    200,
  ],
  ['Go', 'a reserved account with nin ""', ({ merchant }) => post(V2, reservedBody(merchant, { nin: '' })), 200],
  [
    ...(['Go', 'an invoice with accountReference ""'] as const),
    ({ h, merchant }) =>
      post('/api/v1/invoice/create', invoiceBody(h, merchant, { accountReference: '', redirectUrl: '' })),
    200,
  ],
  [
    ...(['Go', 'a mandate without amounts'] as const),
    ({ h, merchant }) =>
      post(
        '/api/v1/direct-debit/mandate/create',
        mandateBody(h, merchant, { debitAmount: '', customerAccountName: '', redirectUrl: '' }),
      ),
    200,
  ],
  [
    ...(['Go', 'a batch with onValidationFailure ""'] as const),
    ({ merchant }) => post('/api/v2/disbursements/batch', batchBody(merchant, [rowTo()], { onValidationFailure: '' })),
    200,
  ],
  [
    ...(['Go', 'a refund without a destination'] as const),
    async ({ h, merchant }) => {
      const { transactionReference } = await paid(h, merchant, { amount: 1000 })
      const empty = { destinationAccountNumber: '', destinationAccountBankCode: '' }
      return post('/api/v1/refunds/initiate-refund', refundBody(transactionReference, empty))
    },
    200,
  ],
  [
    ...([
      'Go and Java',
      'a single transfer without the name of its account, which the specification asks for',
    ] as const),
    ({ merchant }) => post('/api/v2/disbursements/single', { ...order(merchant), destinationAccountName: undefined }),
    400,
  ],
  [
    ...(['Java', 'deletes a sub account with an empty JSON body'] as const),
    async ({ h, merchant }) => {
      const { subAccountCode } = await subAccount(h, merchant)
      return { method: 'DELETE', path: `/api/v1/sub-accounts/${subAccountCode}`, body: {} }
    },
    200,
  ],
  [
    ...(['Java', 'a reserved account with a limit profile, by its v2 path'] as const),
    async ({ h, merchant }) => {
      const made = await h.as(merchant, 'POST', '/api/v1/limit-profile', { limitProfileName: unique('p'), ...profile })
      const { limitProfileCode } = bodyOf(made)
      return post(`${V2}/limit`, reservedBody(merchant, { limitProfileCode }))
    },
    200,
  ],
  ['Java', 'the banks', () => get('/api/v1/banks'), 200],
  ['Java', 'the banks with USSD', () => get('/api/v1/sdk/transactions/banks'), 200],
  [
    ...(['Java', 'a wallet for a customer'] as const),
    () =>
      post('/api/v1/disbursements/wallet', {
        ...{ walletReference: unique('wallet'), walletName: 'Savings', customerName: 'Ngozi Bello' },
        ...{ customerEmail: 'ngozi@example.com', bvnDetails: { bvn: '22222222226', bvnDateOfBirth: '1991-03-14' } },
        ...{ feeBearer: null, feeSourceAccountNumber: null },
      }),
    200,
  ],
  [
    ...(['Java and .NET', 'a paycode'] as const),
    ({ h, merchant }) =>
      post('/api/v1/paycode', {
        ...{ beneficiaryName: 'Ngozi Bello', amount: 500, paycodeReference: unique('paycode') },
        ...{ expiryDate: after(h, 3_600), clientId: merchant.apiKey },
      }),
    200,
  ],
  [
    '.NET',
    'init-transaction with null for what is not set',
    ({ merchant }) => post(INIT, initBody(merchant, nulls)),
    200,
  ],
  [
    ...(['.NET', 'a limit profile, by the path with the slash'] as const),
    () => post('/api/v1/limit-profile/', { limitProfileName: unique('profile'), ...profile }),
    200,
  ],
  ['.NET', 'the categories of bills', () => get('/api/v1/vas/bills-payment/biller-categories?page=0&size=10'), 200],
  ['PHP', 'init-transaction with metaData []', ({ merchant }) => post(INIT, initBody(merchant, { metaData: [] })), 200],
  [
    ...(['PHP', 'the balance of a wallet'] as const),
    ({ merchant }) => get(`/api/v2/disbursements/wallet-balance?accountNumber=${merchant.walletNumber}`),
    200,
  ],
  [
    ...(['Python', 'a status by payment reference, sent as transactionReference'] as const),
    async ({ h, merchant }) => {
      const { paymentReference } = await initialise(h, merchant)
      return get(`/api/v2/transactions/${encodeURIComponent(paymentReference)}`)
    },
    404,
  ],
  [
    ...(['Python', "a batch's code, asked for where single transfers ask"] as const),
    () => post('/api/v2/disbursements/single/resend-otp', { reference: unique('batch') }),
    400,
  ],
  ['Python', "a person's NIN", () => post('/api/v1/vas/nin-details', { nin: '12345678902' }), 200],
  [
    ...(['Laravel', 'an account of an invoice, by the v1 path'] as const),
    ({ h, merchant }) =>
      post(V1, { ...reservedBody(merchant), reservedAccountType: 'INVOICE', expiryDate: nextWeek(h) }),
    200,
  ],
  [
    ...(['Laravel', 'deletes a reserved account by its number, which the specification does not know'] as const),
    async ({ h, merchant }) => {
      const { accounts } = await reserve(h, merchant)
      return { method: 'DELETE', path: `${V1}/${accounts[0].accountNumber}` }
    },
    404,
  ],
]

test.each(ROWS)('%s: %s', async (_client, _what, asked, status) => {
  const h = harness()
  const merchant = await newMerchant(h)
  const { method, path, body } = await asked({ h, merchant })
  const answer = await h.as(merchant, method, path, body)
  expect([answer.status, answer.json?.requestSuccessful], answer.text).toEqual([status, status === 200])
})

test('Laravel: Basic in place of Bearer is 401', async () => {
  const h = harness()
  const { apiKey, secretKey } = h.merchants.main
  const authorization = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`
  expect((await h.call('GET', '/api/v1/sub-accounts', { headers: { authorization } })).status).toBe(401)
})
