// The examples of money that leaves: transfers, batches, wallets, refunds, bills, paycodes, and the settings
// over them.

import * as batches from '../../../packages/contract/src/payouts/batches.ts'
import * as bills from '../../../packages/contract/src/payouts/bills.ts'
import * as transfers from '../../../packages/contract/src/payouts/disbursements.ts'
import * as paycodes from '../../../packages/contract/src/payouts/paycodes.ts'
import * as refunds from '../../../packages/contract/src/payouts/refunds.ts'
import { getMails } from '../../../packages/contract/src/screens/sandbox.ts'
import * as settings from '../../../packages/contract/src/wallets/disbursement-settings.ts'
import * as wallets from '../../../packages/contract/src/wallets/wallets.ts'
import { paid } from './paying.ts'
import { at, type Stage } from './stage.ts'

const TO = { bankCode: '058', accountNumber: '0123456789' }
const BVN = { bvn: '22222222222', bvnDateOfBirth: '1991-03-14' }

/** The code of the newest mail about a reference. */
async function mailedCode(stage: Stage, reference: string): Promise<string> {
  const { coded } = stage.cast
  let code = ''
  await stage.h.until(`a code for ${reference}`, async () => {
    const mails = (await stage.prepare(getMails, { query: { to: coded.email } }, coded)) as { text: string }[]
    const codes = mails.flatMap(({ text }) =>
      text.includes(reference) ? (/code: (\d{6})\n/.exec(text)?.[1] ?? []) : [],
    )
    code = codes[0] ?? ''
    return code !== ''
  })
  return stage.read(code)
}

const orderOf = (walletNumber: string, reference: string, destinationAccountName: string) => ({
  amount: 250,
  reference,
  narration: 'Cloth for May',
  destinationBankCode: TO.bankCode,
  destinationAccountNumber: TO.accountNumber,
  destinationAccountName,
  currency: 'NGN',
  sourceAccountNumber: walletNumber,
})

async function single(stage: Stage): Promise<string> {
  const { example, prepare, cast } = stage
  const name = at(await example(transfers.validateAccount, { query: TO }), 'accountName')
  await example(transfers.getWalletBalance, { query: { accountNumber: cast.main.walletNumber } })
  await example(transfers.initiateTransfer, { body: orderOf(cast.main.walletNumber, 'payout-501', name) })
  await example(transfers.getTransfer, { query: { reference: 'payout-501' } })
  await example(transfers.listTransfers, { query: { pageNo: '0', pageSize: '10' } })
  await example(transfers.searchTransfers, {
    query: { sourceAccountNumber: cast.main.walletNumber, amountFrom: '100', pageSize: '10' },
  })
  const { coded } = cast
  await prepare(transfers.initiateTransfer, { body: orderOf(coded.walletNumber, 'payout-502', name) }, coded)
  await example(transfers.resendTransferCode, { body: { reference: 'payout-502' } }, coded)
  const authorizationCode = await mailedCode(stage, 'payout-502')
  await example(transfers.authoriseTransfer, { body: { reference: 'payout-502', authorizationCode } }, coded)
  return name
}

async function batch(stage: Stage, destinationAccountName: string): Promise<void> {
  const { example, prepare, h, cast } = stage
  const { coded } = cast
  const row = (reference: string, amount: number) => ({
    amount,
    reference,
    narration: 'Wages of May',
    destinationBankCode: TO.bankCode,
    destinationAccountNumber: TO.accountNumber,
    destinationAccountName,
    currency: 'NGN',
  })
  const body = {
    title: 'Wages of May',
    batchReference: 'wages-05',
    narration: 'Wages of May',
    sourceAccountNumber: coded.walletNumber,
    onValidationFailure: 'CONTINUE',
    notificationInterval: 50,
    transactionList: [row('wages-05-1', 400), row('wages-05-2', 650)],
  }
  await example(batches.initiateBatch, { body }, coded)
  await example(batches.resendBatchCode, { body: { batchReference: 'wages-05' } }, coded)
  const authorizationCode = await mailedCode(stage, 'wages-05')
  await example(batches.authoriseBatch, { body: { reference: 'wages-05', authorizationCode } }, coded)
  const one = { query: { reference: 'wages-05' } }
  await h.until('the batch', async () => at(await prepare(batches.getBatch, one, coded), 'batchStatus') === 'COMPLETED')
  await example(batches.getBatch, one, coded)
  const page = { pageNo: '0', pageSize: '10' }
  await example(batches.listBatches, { query: page }, coded)
  await example(batches.listBatchesOfWallet, { query: { ...page, sourceAccountNumber: coded.walletNumber } }, coded)
  await example(batches.listBatchRows, { path: { batchReference: 'wages-05' }, query: page }, coded)
}

async function refunding(stage: Stage): Promise<void> {
  const { example, prepare, h, cast } = stage
  const { coded } = cast
  const body = (transactionReference: string, refundReference: string) => ({
    transactionReference,
    refundReference,
    refundAmount: 500,
    refundReason: 'Out of stock',
    customerNote: 'One was sold out',
  })
  await example(refunds.initiateRefund, { body: body(await paid(stage, 'order-1040'), 'refund-88') })
  const one = { path: { refundReference: 'refund-88' } }
  await h.until('the refund', async () => at(await prepare(refunds.getRefund, one), 'refundStatus') === 'COMPLETED')
  await example(refunds.getRefund, one)
  await example(refunds.listRefunds, { query: { refundStatus: 'COMPLETED', size: '10' } })
  const elsewhere = { destinationAccountNumber: '2001237788', destinationAccountBankCode: '057' }
  const held = { ...body(await paid(stage, 'order-1041', coded), 'refund-89'), ...elsewhere }
  await prepare(refunds.initiateRefund, { body: held }, coded)
  const other = { path: { refundReference: 'refund-89' } }
  await example(refunds.resendRefundCode, other, coded)
  const authorizationCode = await mailedCode(stage, 'refund-89')
  await example(refunds.authoriseRefund, { ...other, body: { authorizationCode } }, coded)
}

async function walletsOfCustomers({ example, h, cast, pay, prepare }: Stage): Promise<void> {
  const body = {
    walletReference: 'savings-77',
    walletName: 'Savings of Ada',
    customerName: 'Ada Nneka Obi',
    customerEmail: 'ada@example.com',
    bvnDetails: BVN,
  }
  const made = await example(wallets.createWallet, { body })
  const accountNumber = at(made, 'accountNumber')
  await pay(at(made, 'topUpAccountDetails.accountNumber'), 2_000)
  const balance = { query: { walletReference: 'savings-77' } }
  await h.until('the top-up', async () => at(await prepare(wallets.getBalance, balance), 'availableBalance') !== '0.00')
  await example(wallets.listWallets, { query: { customerEmail: 'ada@example.com', pageSize: '10' } })
  await example(wallets.getBalance, balance)
  await example(wallets.listMovements, { query: { accountNumber, pageSize: '10' } })
  await example(wallets.getWalletStatement, {
    path: { accountNumber: cast.main.walletNumber },
    query: { enableTimeFilter: 'false', pageSize: '10' },
  })
}

async function billsAndCodes(stage: Stage): Promise<void> {
  const { example, prepare, cast } = stage
  await example(bills.listBillerCategories, { query: { size: '20' } })
  await example(bills.listBillers, { query: { size: '20' } })
  await example(bills.listBillerProducts, { query: { biller_code: 'MTN', size: '20' } })
  const meter = { productCode: 'ikedc-prepaid', customerId: '45101014567' }
  await example(bills.validateBillCustomer, { body: meter })
  const airtime = { productCode: 'mtn-airtime', customerId: '08031234567', amount: 1_000, reference: 'bill-301' }
  await example(bills.vendBill, { body: airtime })
  await example(bills.requeryBill, { query: { reference: 'bill-301' } })
  const cash = (paycodeReference: string) => ({
    body: { beneficiaryName: 'Ada Obi', amount: 500, paycodeReference, clientId: cast.main.apiKey },
  })
  await example(paycodes.createPaycode, cash('cash-31'))
  const one = { path: { paycodeReference: 'cash-31' } }
  await example(paycodes.listPaycodes, { query: { transactionStatus: 'PENDING', size: '10' } })
  await example(paycodes.getPaycode, one)
  await example(paycodes.authorisePaycode, one)
  await prepare(paycodes.createPaycode, cash('cash-32'))
  await example(paycodes.cancelPaycode, { path: { paycodeReference: 'cash-32' } })
}

async function limitsAndCodes({ example, h, cast }: Stage): Promise<void> {
  await example(settings.getDisbursementSettings)
  await example(settings.putDisbursementSettings, { body: { lowBalanceThreshold: 10_000 } })
  await example(settings.switchTransferOtp, { body: { enabled: true } }, cast.other)
  await example(settings.releaseAuthorization, {}, cast.other)
  await example(settings.setApprovalUrl, { body: { approvalUrl: h.receiverUrl('/approve') } }, cast.other)
}

export async function playPayouts(stage: Stage): Promise<void> {
  const name = await single(stage)
  await batch(stage, name)
  await refunding(stage)
  await walletsOfCustomers(stage)
  await billsAndCodes(stage)
  await limitsAndCodes(stage)
}
