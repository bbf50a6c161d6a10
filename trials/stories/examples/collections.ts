// The examples of collecting: transactions, cards, sub accounts, USSD, invoices, links, mandates.

import {
  authorise3ds,
  authoriseOtp,
  chargeCard,
  chargeCardToken,
  SANDBOX_CARDS,
} from '../../../packages/contract/src/collections/cards.ts'
import * as debit from '../../../packages/contract/src/collections/direct-debit.ts'
import * as invoices from '../../../packages/contract/src/collections/invoices.ts'
import * as links from '../../../packages/contract/src/collections/payment-links.ts'
import { getPaymentPolicy, putPaymentPolicy } from '../../../packages/contract/src/collections/payment-policy.ts'
import { searchTransactions } from '../../../packages/contract/src/collections/search.ts'
import * as sub from '../../../packages/contract/src/collections/sub-accounts.ts'
import * as transactions from '../../../packages/contract/src/collections/transactions.ts'
import { initUssd, listBanks, listUssdBanks } from '../../../packages/contract/src/collections/ussd.ts'
import { DAY_SECONDS } from '../../../packages/contract/src/kit/durations.ts'
import { getCustomer } from '../../../packages/contract/src/screens/customers.ts'
import { advanceClock } from '../../../packages/contract/src/screens/sandbox.ts'
import { NGOZI, opened, orderBody, untilPaid } from './paying.ts'
import { at, type Stage } from './stage.ts'

const SHOP = 'https://shop.example/thanks'

const partner = (accountNumber: string, email: string) => ({
  currencyCode: 'NGN',
  accountNumber,
  bankCode: '058',
  email,
  defaultSplitPercentage: 20.5,
})

/** Gives the code of the sub account that stays. */
async function subAccounts(stage: Stage): Promise<string> {
  const { example, prepare } = stage
  const made = await example(sub.createSubAccounts, { body: [partner('0123456781', 'weaver@example.com')] })
  const subAccountCode = at(made, '0.subAccountCode')
  await example(sub.listSubAccounts)
  const changed = { subAccountCode, ...partner('0123456781', 'weaver@example.com'), defaultSplitPercentage: 25 }
  await example(sub.changeSubAccount, { body: changed })
  const gone = await prepare(sub.createSubAccounts, { body: [partner('0123456782', 'dyer@example.com')] })
  await example(sub.deleteSubAccount, { path: { subAccountCode: at(gone, '0.subAccountCode') } })
  return subAccountCode
}

async function transfers(stage: Stage, subAccountCode: string): Promise<void> {
  const { example } = stage
  const body = {
    ...orderBody(stage, 'order-1029'),
    redirectUrl: SHOP,
    paymentMethods: ['ACCOUNT_TRANSFER', 'CARD'],
    incomeSplitConfig: [{ subAccountCode, splitPercentage: 20, feeBearer: true, feePercentage: 10 }],
    metaData: { shelf: 'A4' },
  }
  const made = await example(transactions.initTransaction, { body })
  const transactionReference = at(made, 'transactionReference')
  const account = await example(transactions.initPayment, { body: { transactionReference } })
  await stage.pay(at(account, 'accountNumber'), 1500)
  await untilPaid(stage, 'order-1029')
  await example(transactions.getTransaction, { path: { transactionReference } })
  await example(transactions.queryTransaction, { query: { paymentReference: 'order-1029' } })
  await example(searchTransactions, { query: { customerEmail: NGOZI.customerEmail, size: '10' } })
}

async function cards(stage: Stage): Promise<void> {
  const { example, prepare, cast } = stage
  const charge = async (reference: string, card: object) => ({
    transactionReference: await opened(stage, reference),
    collectionChannel: 'API_NOTIFICATION',
    card,
  })
  await example(chargeCard, { body: await charge('order-1030', SANDBOX_CARDS.plain) })
  const { otp, ...withCode } = SANDBOX_CARDS.otp
  const asked = await prepare(chargeCard, { body: await charge('order-1031', withCode) })
  await example(authoriseOtp, {
    body: {
      transactionReference: at(asked, 'transactionReference'),
      collectionChannel: 'API_NOTIFICATION',
      tokenId: at(asked, 'otpData.id'),
      token: otp,
    },
  })
  const secured = await charge('order-1032', SANDBOX_CARDS.threeDs)
  await example(authorise3ds, { body: { ...secured, apiKey: cast.main.apiKey } })
  await untilPaid(stage, 'order-1030')
  const record = await prepare(transactions.queryTransaction, { query: { paymentReference: 'order-1030' } })
  const again = { ...orderBody(stage, 'order-1033'), apiKey: cast.main.apiKey }
  await example(chargeCardToken, { body: { cardToken: at(record, 'cardDetails.cardToken'), ...again } })
}

async function others(stage: Stage): Promise<void> {
  const { example } = stage
  await example(listBanks)
  await example(listUssdBanks)
  const transactionReference = await opened(stage, 'order-1034')
  await example(initUssd, { body: { transactionReference, bankUssdCode: '737' } })
  await example(getPaymentPolicy)
  const policy = { less: 'TOP_UP', more: 'COMPLETE', extra: 'RETURN', tolerance: 5, barredPayers: [] }
  await example(putPaymentPolicy, { body: policy })
}

async function bills(stage: Stage): Promise<void> {
  const { example, prepare, cast, moment } = stage
  const body = (invoiceReference: string) => ({
    amount: 12_900,
    currencyCode: 'NGN',
    invoiceReference,
    ...NGOZI,
    contractCode: cast.main.contractCode,
    description: 'Ankara gown',
    expiryDate: moment(30 * DAY_SECONDS),
    lineItems: [{ description: 'Ankara gown', quantity: 1, unitAmount: 12_000 }],
    vatAmount: 900,
  })
  await example(invoices.createInvoice, { body: body('INV-2041') })
  await example(invoices.getInvoice, { path: { invoiceReference: 'INV-2041' } })
  await example(invoices.listInvoices, { query: { page: '0', size: '10' } })
  await prepare(invoices.createInvoice, { body: body('INV-2042') })
  await example(invoices.cancelInvoice, { path: { invoiceReference: 'INV-2042' } })
  const link = {
    title: 'Adire workshop',
    description: 'A day of dyeing, on Saturday',
    amount: 15_000,
    currencyCode: 'NGN',
    contractCode: cast.main.contractCode,
    expiryDate: moment(30 * DAY_SECONDS),
    redirectUrl: SHOP,
  }
  const paymentLinkCode = at(await example(links.createPaymentLink, { body: link }), 'paymentLinkCode')
  await example(links.listPaymentLinks, { query: { size: '10' } })
  await example(links.getPaymentLink, { path: { paymentLinkCode } })
  await example(links.changePaymentLink, { path: { paymentLinkCode }, body: { paused: true } })
}

async function mandates(stage: Stage): Promise<void> {
  const { example, prepare, cast, moment, h } = stage
  const body = {
    contractCode: cast.main.contractCode,
    mandateReference: 'school-77',
    customerName: NGOZI.customerName,
    customerEmailAddress: NGOZI.customerEmail,
    customerPhoneNumber: '08031234567',
    customerAddress: '14 Marina, Lagos',
    customerAccountNumber: '2001237788',
    customerAccountBankCode: '057',
    mandateDescription: 'School fees',
    mandateStartDate: moment(60),
    mandateEndDate: moment(60 * DAY_SECONDS),
    mandateAmount: 90_000,
    autoRenew: false,
  }
  const mandateCode = at(await example(debit.createMandate, { body }), 'mandateCode')
  await stage.atBank(`/api/mandates/${encodeURIComponent(mandateCode)}/authorize`)
  await prepare(advanceClock, { body: { seconds: 120 } })
  await example(debit.getMandates, { query: { mandateReferences: 'school-77' } })
  await example(debit.listMandates, { query: { mandateStatus: 'ACTIVE', size: '10' } })
  const taken = { mandateCode, debitAmount: 30_000, narration: 'First term', customerEmail: NGOZI.customerEmail }
  await example(debit.debitMandate, { body: { paymentReference: 'term-1', ...taken } })
  const status = { query: { paymentReference: 'term-1' } }
  await h.until('the debit', async () => at(await prepare(debit.getDebit, status), 'transactionStatus') === 'PAID')
  await example(debit.getDebit, status)
  await example(debit.cancelMandate, { path: { mandateCode } })
}

/** Gives the code of a sub account that can be split with. */
export async function playCollections(stage: Stage): Promise<string> {
  const subAccountCode = await subAccounts(stage)
  await transfers(stage, subAccountCode)
  await cards(stage)
  await others(stage)
  await bills(stage)
  await mandates(stage)
  await stage.example(getCustomer, { path: { email: NGOZI.customerEmail } })
  return subAccountCode
}
