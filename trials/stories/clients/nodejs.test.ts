// An existing client library, unchanged, against the sandbox: the published npm package `monnify-nodejs-lib`,
// every method of it. Only its base address is set. Each method works, or is refused for a reason that the
// specification gives; the list is printed.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../browser.ts'

const LIBRARY: string = 'monnify-nodejs-lib' // it has no types
const [BVN, NIN] = ['22222222226', '12345678902']
const BANK = '058'

type Called = { readonly method: string; readonly status: number; readonly says: string }

let sandbox: Sandbox
let api: any
let token = ''
const called: Called[] = []
let numbers = 0
const unique = (word: string): string => {
  numbers += 1
  return `${word}-${Date.now().toString(36)}-${numbers}`
}
const account = (): string => {
  numbers += 1
  return `10${String(numbers).padStart(4, '0')}7788`
}
const main = (): any => sandbox.handle.merchants.main

beforeAll(async () => {
  sandbox = await startSandbox()
  process.env['MONNIFY_ENV'] = 'SANDBOX'
  const { MonnifyAPI } = await import(LIBRARY)
  api = new MonnifyAPI({ MONNIFY_APIKEY: main().apiKey, MONNIFY_SECRET: main().secretKey })
  for (const part of [api, ...modules().map(([, it]) => it)]) part.baseUrl = sandbox.handle.apiUrl
})
afterAll(() => sandbox.stop())

const modules = (): [string, any][] =>
  Object.entries<any>(api).filter(([, it]) => it !== null && typeof it === 'object' && 'getToken' in it)
const methodsOf = (it: any): string[] =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(it)).filter((name) => name !== 'constructor')

/** Calls a method as its users do, and keeps what it answered. */
async function call(method: string, ...data: unknown[]): Promise<any> {
  const [module = '', name = ''] = method.split('.')
  const [status, body] = await api[module][name](token, ...data)
  called.push({ method, status, says: String(body?.responseMessage ?? body?.message ?? '') })
  expect(status, `${method}: ${JSON.stringify(body)}`).toBeLessThan(500)
  return body?.responseBody
}

async function request(url: string, body?: unknown, headers: Record<string, string> = {}): Promise<any> {
  const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const answer = await fetch(url, { ...post, headers: { 'content-type': 'application/json', ...headers } })
  return answer.json()
}
const gateway = async (path: string, body?: unknown): Promise<any> =>
  (await request(sandbox.handle.apiUrl + path, body, { authorization: `Bearer ${token}` })).responseBody
const simulator = (path: string, body?: unknown): Promise<any> => request(sandbox.handle.simulatorUrl + path, body)
/** The library keeps its token by the real clock; the sandbox's clock was moved. */
async function advance(seconds: number): Promise<void> {
  await gateway('/sandbox/clock/advance', { seconds })
  const basic = Buffer.from(`${main().apiKey}:${main().secretKey}`).toString('base64')
  const login = `${sandbox.handle.apiUrl}/api/v1/auth/login`
  token = (await request(login, {}, { authorization: `Basic ${basic}` })).responseBody.accessToken
}
const codeIn = async (reference: string): Promise<string> => {
  const mails: any[] = await gateway(`/sandbox/mails?to=${encodeURIComponent(main().email)}`)
  const mail = mails.find(({ text }) => String(text).includes(reference))
  return /(?<!\d)\d{6}(?!\d)/.exec(String(mail?.text ?? '').replaceAll(reference, ''))?.[0] ?? ''
}
async function codeFor(reference: string): Promise<string> {
  await expect.poll(() => codeIn(reference)).toMatch(/^\d{6}$/)
  return codeIn(reference)
}

const payer = { customerName: 'Ngozi Bello', customerEmail: 'ngozi@example.com' }
const transaction = (over = {}) =>
  call('transaction.initTransaction', {
    ...payer,
    ...{ amount: 1500, paymentDescription: 'Two metres of adire', paymentReference: unique('order') },
    ...{ contractCode: main().contractCode, ...over },
  })
const device = { httpBrowserLanguage: 'en-US', httpBrowserScreenWidth: '360', userAgentBrowserValue: 'Mozilla/5.0' }
const cardOf = (name: string) => {
  const { number, expiryMonth, expiryYear, cvv } = (sandbox.handle as any).cards[name]
  return { number, expiryMonth, expiryYear, cvv }
}

async function collections(): Promise<any> {
  const made = await transaction()
  const { accountNumber, bankCode } = await call('transaction.payWithBankTransfer', {
    transactionReference: made.transactionReference,
    bankCode: BANK,
  })
  await simulator('/api/transfers', { bankCode, accountNumber, amount: 1500 })
  await expect
    .poll(
      async () =>
        (await gateway(`/api/v2/transactions/${encodeURIComponent(made.transactionReference)}`)).paymentStatus,
    )
    .toBe('PAID')
  await call('transaction.getTransactionStatusv2', { transactionReference: made.transactionReference })
  await call('transaction.getTransactionStatusv1', { paymentReference: made.paymentReference })
  await call('transaction.getAllTransactions', {})
  const dialled = await transaction()
  await call('transaction.payWithUssd', { transactionReference: dialled.transactionReference, bankUssdCode: '737' })
  return made
}

async function cards(): Promise<void> {
  const plain = await transaction()
  await call('transaction.chargeCard', {
    transactionReference: plain.transactionReference,
    card: cardOf('plain'),
    deviceInformation: device,
  })
  const { cardDetails } = await gateway(`/api/v2/transactions/${encodeURIComponent(plain.transactionReference)}`)
  await call('transaction.cardTokenization', {
    ...payer,
    ...{ amount: 2000, paymentDescription: 'Every month', paymentReference: unique('order') },
    ...{ contractCode: main().contractCode, cardToken: cardDetails.cardToken, apiKey: main().apiKey },
  })
  const asked = await transaction()
  const { otpData } = await call('transaction.chargeCard', {
    transactionReference: asked.transactionReference,
    card: cardOf('otp'),
    deviceInformation: device,
  })
  await call('transaction.authorizeOtp', {
    ...{ transactionReference: asked.transactionReference, collectionChannel: 'API_NOTIFICATION' },
    ...{ tokenId: otpData.id, token: (sandbox.handle as any).cards.otp.otp },
  })
  const redirected = await transaction()
  await call('transaction.chargeCard', {
    transactionReference: redirected.transactionReference,
    card: cardOf('threeDs'),
    deviceInformation: device,
  })
  await call('transaction.ThreeDsSecureAuthTransaction', {
    ...{ transactionReference: redirected.transactionReference, collectionChannel: 'API_NOTIFICATION' },
    ...{ card: cardOf('threeDs'), apiKey: main().apiKey },
  })
}

async function subAccounts(): Promise<string> {
  const body = { accountNumber: account(), bankCode: BANK, defaultSplitPercentage: 20, email: 'seller@example.com' }
  const [kept] = await call('subAccount.createSubAccount', [body])
  const [gone] = await call('subAccount.createSubAccount', [{ ...body, accountNumber: account() }])
  await call('subAccount.updateSubAccount', { ...body, subAccountCode: kept.subAccountCode })
  await call('subAccount.getSubAccounts')
  await call('subAccount.deleteSubAccount', { subAccountCode: gone.subAccountCode })
  return kept.subAccountCode
}

async function reservedAccounts(subAccountCode: string): Promise<void> {
  const accountReference = unique('customer')
  const body = { ...payer, accountName: 'Ngozi Bello', contractCode: main().contractCode }
  await call('reservedAccount.createReservedAccount', {
    ...{ ...body, accountReference, bvn: BVN, getAllAvailableBanks: false, preferredBanks: ['50515'] },
  })
  // Its own schema does not ask for a BVN or NIN; the specification does.
  const expiryDate = new Date(Date.now() + 86_400_000).toISOString().slice(0, 19).replace('T', ' ')
  await call('reservedAccount.createInvoiceReservedAccount', {
    ...{ ...body, accountReference: unique('customer'), amount: 1000, expiryDate, bvn: BVN },
  })
  await call('reservedAccount.addLinkedAccounts', { accountReference, getAllAvailableBanks: true })
  await call('reservedAccount.reservedAccountDetails', { accountReference })
  await call('reservedAccount.reservedAccountTransactions', { accountReference })
  await call('reservedAccount.updateReservedAccountKycInfo', { accountReference, bvn: BVN, nin: NIN })
  await call('reservedAccount.updateReservedAccountBvn', { reservedAccountReference: accountReference, bvn: BVN })
  await call('reservedAccount.updatePaymentSources', {
    ...{ accountReference, restrictPaymentSource: true, allowedPaymentSources: { accountNames: ['NGOZI BELLO'] } },
  })
  await call('reservedAccount.updateIncomeSplitConfig', {
    accountReference,
    splitConfig: [{ subAccountCode, splitPercentage: 20, feePercentage: 10, feeBearer: true }],
  })
  await call('reservedAccount.deallocateReservedAccount', { accountReference })

  const profile = { singleTransactionValue: 5000, dailyTransactionVolume: 10, dailyTransactionValue: 20_000 }
  const { limitProfileCode } = await call('limitProfile.createLimitProfile', {
    limitProfileName: unique('small'),
    ...profile,
  })
  await call('limitProfile.getLimitProfiles')
  await call('limitProfile.updateLimitProfile', {
    ...{ ...profile, limitProfileCode, limitProfileName: unique('smaller'), dailyTransactionVolume: 5 },
  })
  const limited = unique('customer')
  await call('limitProfile.reserveAccountWithLimit', {
    ...{ ...body, customerEmail: 'limited@example.com', accountReference: limited, limitProfileCode, nin: NIN },
  })
  await call('limitProfile.updateReserveAccountLimit', { accountReference: limited, limitProfileCode })
}

async function invoices(): Promise<void> {
  const invoiceReference = unique('invoice')
  const expiryDate = new Date(Date.now() + 86_400_000).toISOString().slice(0, 19).replace('T', ' ')
  await call('invoice.createInvoice', {
    ...{
      ...payer,
      amount: 2500,
      invoiceReference,
      description: 'Adire',
      contractCode: main().contractCode,
      expiryDate,
    },
  })
  await call('invoice.viewInvoiceDetails', { invoiceReference })
  await call('invoice.getAllInvoices', {})
  await call('invoice.cancelInvoice', { invoiceReference })
}

async function payouts(): Promise<void> {
  const sourceAccountNumber = main().walletAccountNumber
  const to = async () => {
    const destinationAccountNumber = account()
    const { accountName } = await call('verification.validateBankAccount', {
      accountNumber: destinationAccountNumber,
      bankCode: BANK,
    })
    const reference = unique('transfer')
    const destinationBankCode = BANK
    const destination = { destinationAccountNumber, destinationAccountName: accountName, destinationBankCode }
    return { ...destination, amount: 250, narration: 'Wages', reference }
  }
  const single = await to()
  await call('disbursement.initiateSingleTransfer', { ...single, sourceAccountNumber })
  await codeFor(single.reference)
  await call('disbursement.resendTransferOTP', { reference: single.reference })
  await call('disbursement.authorizeSingleTransfer', {
    reference: single.reference,
    authorizationCode: await codeFor(single.reference),
  })
  await call('disbursement.getSingleTransferStatus', { reference: single.reference })
  const batchReference = unique('batch')
  await call('disbursement.initiateBulkTransfer', {
    ...{ title: 'April wages', batchReference, narration: 'Wages', sourceAccountNumber },
    transactionList: [await to(), await to()],
  })
  await call('disbursement.resendBulkTransferOTP', { reference: batchReference })
  await call('disbursement.authorizeBulkTransfer', {
    reference: batchReference,
    authorizationCode: await codeFor(batchReference),
  })
  await call('disbursement.getBulkTransferStatus', { reference: batchReference })
  await call('disbursement.getBulkBatchSummary', { reference: batchReference })
  await call('disbursement.getBulkTransferTransactions', { batchReference })
  await call('disbursement.getAllSingleTransfers', {})
  await call('disbursement.getAllBulkTransfers', {})
  await call('disbursement.searchDisbursementTransactions', {
    ...{
      sourceAccountNumber,
      startDate: new Date(Date.now() - 86_400_000),
      endDate: new Date(Date.now() + 86_400_000),
    },
  })
  await call('wallet.getWalletBalance', { accountNumber: sourceAccountNumber })
}

async function refunds({ transactionReference }: any): Promise<void> {
  const refundReference = unique('refund')
  await call('refund.initiateRefund', {
    ...{ refundReference, transactionReference, refundAmount: 500, refundReason: 'One metre too short' },
    customerNote: 'Sorry',
  })
  await call('refund.getRefundStatus', { refundReference })
  await call('refund.getAllRefunds', {})
}

async function mandates(): Promise<void> {
  const at = (days: number) => new Date(Date.now() + days * 86_400_000 + 4_200_000).toISOString().slice(0, 19)
  const made = await call('directDebit.createMandate', {
    ...{ contractCode: main().contractCode, mandateReference: unique('mandate'), mandateDescription: 'School fees' },
    ...{ mandateStartDate: at(0), mandateEndDate: at(60), customerName: payer.customerName },
    ...{
      customerEmailAddress: payer.customerEmail,
      customerPhoneNumber: '08031234567',
      customerAddress: '14 Marina, Lagos',
    },
    ...{ customerAccountNumber: account(), customerAccountBankCode: '057', mandateAmount: 10_000 },
  })
  await simulator(`/api/mandates/${encodeURIComponent(made.mandateCode)}/authorize`, {})
  await advance(3 * 3_600)
  await call('directDebit.getMandateStatus', { mandateReferences: made.mandateReference })
  const paymentReference = unique('debit')
  await call('directDebit.debitMandate', {
    ...{ mandateCode: made.mandateCode, debitAmount: 1200, paymentReference, narration: 'First term' },
    customerEmail: payer.customerEmail,
  })
  await call('directDebit.getDebitStatus', { paymentReference })
  await call('directDebit.cancelMandate', { mandateCode: made.mandateCode })
}

async function services(): Promise<void> {
  await call('verification.verifyBvnInformation', {
    ...{ bvn: BVN, name: 'Ngozi Bello', dateOfBirth: '14-Mar-1991', mobileNo: '08031234567' },
  })
  await call('verification.matchBvnAndAccountName', { bvn: BVN, accountNumber: account(), bankCode: BANK })
  await call('verification.verifyNin', { nin: NIN })
  await call('billsPayment.getBillerCategories', {})
  const { content: billers } = await call('billsPayment.listBillers', { categoryCode: 'AIRTIME' })
  const { content: products } = await call('billsPayment.getBillerProducts', { billerCode: billers[0].code })
  const product = products.find((one: any) => one.priceType === 'OPEN') ?? products[0]
  const { vendInstruction } = await call('billsPayment.validateCustomer', {
    productCode: product.code,
    customerId: '08031234567',
  })
  const { validationReference } = vendInstruction
  const reference = unique('bill')
  await call('billsPayment.vendBill', {
    ...{ productCode: product.code, customerId: '08031234567', amount: product.price ?? 200, reference },
    ...(validationReference ? { validationReference } : {}),
  })
  await call('billsPayment.requeryBillPayment', { reference })
}

async function settlements({ transactionReference }: any): Promise<void> {
  await gateway('/sandbox/settlements/run', {})
  const detail = await call('settlement.getSettlementInfo', { transactionReference })
  await call('settlement.getTransactionsBySettlementReference', { reference: detail.settlementReference })
}

test('every method of monnify-nodejs-lib 3.0.0 works unchanged', async () => {
  const [status, first] = await api.getToken()
  expect(status).toBe(200)
  token = first
  const paid = await collections()
  await cards()
  const subAccountCode = await subAccounts()
  await reservedAccounts(subAccountCode)
  await invoices()
  await payouts()
  await refunds(paid)
  await services()
  await settlements(paid)
  await mandates()

  const all = modules().flatMap(([name, it]) => methodsOf(it).map((method) => `${name}.${method}`))
  const seen = new Map(called.map((one) => [one.method, one]))
  const lines = all.map(
    (method) => `${method}: ${seen.get(method)?.status ?? 'not called'} ${seen.get(method)?.says ?? ''}`,
  )
  process.stdout.write(`${lines.join('\n')}\n${seen.size} of ${all.length} methods\n`)
  expect(all).toHaveLength(67)
  expect(called.filter((one) => one.status !== 200)).toEqual([])
  expect(all.filter((method) => !seen.has(method))).toEqual([])
})
