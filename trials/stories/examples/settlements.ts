// The examples of settlements, of verification, and of what a bank calls.

import { enquirePaycode, redeemPaycode } from '../../../packages/contract/src/bank/agent-connector.ts'
import { cardRefundNotice } from '../../../packages/contract/src/bank/card-refund-connector.ts'
import * as bank from '../../../packages/contract/src/bank/connector.ts'
import { debitNotice, mandateNotice } from '../../../packages/contract/src/bank/mandate-connector.ts'
import { cardNotice } from '../../../packages/contract/src/bank/v2/cards.ts'
import { disputeNotice } from '../../../packages/contract/src/bank/v2/disputes.ts'
import * as bankV2 from '../../../packages/contract/src/bank/v2/notices.ts'
import { payoutNoticeV2 } from '../../../packages/contract/src/bank/v2/payouts.ts'
import { chargeCard, SANDBOX_CARDS } from '../../../packages/contract/src/collections/cards.ts'
import { createMandate, debitMandate } from '../../../packages/contract/src/collections/direct-debit.ts'
import { initPayment, initTransaction } from '../../../packages/contract/src/collections/transactions.ts'
import * as verification from '../../../packages/contract/src/collections/verification.ts'
import { initiateTransfer, validateAccount } from '../../../packages/contract/src/payouts/disbursements.ts'
import { authorisePaycode, createPaycode } from '../../../packages/contract/src/payouts/paycodes.ts'
import { initiateRefund } from '../../../packages/contract/src/payouts/refunds.ts'
import { advanceClock } from '../../../packages/contract/src/screens/sandbox.ts'
import * as settlements from '../../../packages/contract/src/settlements/settlements.ts'
import { opened, orderBody, paid, untilPaid } from './paying.ts'
import { at, type Stage } from './stage.ts'

const BVN = '22222222222'

type Detail = { readonly beneficiaries: readonly { readonly settlementInformation: unknown }[] }

async function settling(stage: Stage): Promise<void> {
  const { example, prepare, h } = stage
  await example(settlements.getSettlementRule)
  const rule = { destination: 'BANK', schedule: 'SAME_DAY', bankCode: '058', accountNumber: '0123456789' }
  await example(settlements.putSettlementRule, { body: rule })
  const transactionReference = await paid(stage, 'order-1060')
  await h.horizonPassed()
  await example(settlements.runSettlements)
  const detail = { query: { transactionReference } }
  await h.until('the settlement is paid', async () => {
    const { beneficiaries } = (await prepare(settlements.getSettlementDetail, detail)) as Detail
    return beneficiaries.every(({ settlementInformation }) => settlementInformation !== null)
  })
  const listed = await example(settlements.listSettlements, { query: { page: '0', size: '10' } })
  const [mine] = (listed as { content: { settlementReference: string; beneficiaryType: string }[] }).content.filter(
    ({ beneficiaryType }) => beneficiaryType === 'MERCHANT',
  )
  const settlementReference = at(mine, 'settlementReference')
  const path = { settlementReference }
  await example(settlements.getStatement, { path })
  await example(settlements.getStatementCsv, { path })
  await example(settlements.getSettlementKey)
  await example(settlements.getSettlementDetail, detail)
  await example(settlements.findBySettlement, { query: { reference: settlementReference, size: '10' } })
}

async function verifying({ example }: Stage): Promise<void> {
  const person = { bvn: BVN, name: 'Ada Nneka Obi', dateOfBirth: '14-Mar-1991', mobileNo: '08031234567' }
  await example(verification.matchBvnDetails, { body: person })
  const account = { bankCode: '058', accountNumber: '0123452222', bvn: BVN }
  await example(verification.matchBvnAccount, { body: account })
  await example(verification.getNinDetails, { body: { nin: BVN, consentReference: 'consent-77' } })
}

const SESSION = '000013260502141529000000412907'

async function credits(stage: Stage): Promise<void> {
  const { example, prepare } = stage
  const transactionReference = await opened(stage, 'order-1070')
  const issued = await prepare(initPayment, { body: { transactionReference } })
  const where = { bankCode: at(issued, 'bankCode'), accountNumber: at(issued, 'accountNumber') }
  await example(bank.enquireAccount, { body: where })
  await example(bank.creditNotice, {
    body: {
      sessionId: SESSION,
      ...where,
      amount: 1500,
      senderName: 'ADA NNEKA OBI',
      senderAccountNumber: '0123456789',
      senderBankCode: '058',
      narration: 'Two yards of adire',
      channel: 'TRANSFER',
      paidAt: stage.now(),
    },
  })
  await example(bank.reversalNotice, {
    body: {
      sessionId: SESSION,
      reversalSessionId: SESSION.replace(/7$/, '8'),
      ...where,
      amount: 1500,
      reason: 'Sent by mistake',
      at: stage.now(),
    },
  })
  await maskedCredits(stage)
}

/** A bank that hides part of the sender and has references of its own. */
async function maskedCredits(stage: Stage): Promise<void> {
  const transactionReference = await opened(stage, 'order-2071')
  const issued = await stage.prepare(initPayment, { body: { transactionReference } })
  const where = { bankCode: at(issued, 'bankCode'), accountNumber: at(issued, 'accountNumber'), amount: 1500 }
  const reference = 'STL-202605021415310007'
  await stage.example(bankV2.creditNoticeV2, {
    body: {
      ...{ reference, ...where, senderName: 'ADA OBI', senderAccountNumber: '012****789' },
      ...{ narration: 'Two yards of adire', paidAt: stage.now() },
    },
  })
  await stage.example(bankV2.reversalNoticeV2, {
    body: { reference, reversalReference: 'REV-0007', ...where, reason: 'Sent by mistake', at: stage.now() },
  })
}

/** A payout to this account waits for two hours: the notice comes first. */
const SLOW = { bankCode: '058', accountNumber: '0123450002' }

async function notices(stage: Stage): Promise<void> {
  const { example, prepare, cast } = stage
  const destinationAccountName = at(await prepare(validateAccount, { query: SLOW }), 'accountName')
  const body = {
    amount: 300,
    reference: 'payout-503',
    narration: 'Cloth for May',
    destinationBankCode: SLOW.bankCode,
    destinationAccountNumber: SLOW.accountNumber,
    destinationAccountName,
    sourceAccountNumber: cast.main.walletNumber,
  }
  const sessionId = at(await prepare(initiateTransfer, { body }), 'sessionId')
  const done = { status: 'SUCCESS', responseCode: '00', message: 'Approved or completed successfully' }
  await example(bank.payoutNotice, { body: { sessionId, ...done, at: stage.now() } })
  const details = { networkReference: '000013261118101500123456789012', fee: 10.75 }
  await example(payoutNoticeV2, { body: { sessionId, ...done, at: stage.now(), ...details } })
  const clientId = cast.main.apiKey
  await prepare(createPaycode, {
    body: { beneficiaryName: 'Ada Obi', amount: 500, paycodeReference: 'cash-33', clientId },
  })
  const path = { paycodeReference: 'cash-33' }
  const paycode = at(await prepare(authorisePaycode, { path }), 'paycode')
  await example(enquirePaycode, { body: { paycode, agentId: 'AGENT-0001' } })
  const redeemed = { sessionId: SESSION.replace(/7$/, '9'), paycode, amount: 500, agentId: 'AGENT-0001' }
  await example(redeemPaycode, { body: redeemed })
}

async function schemeNotices(stage: Stage): Promise<void> {
  const { example, prepare, cast, moment, bankShows } = stage
  const mandate = (mandateReference: string, customerAccountNumber: string) => ({
    contractCode: cast.main.contractCode,
    mandateReference,
    ...{ customerName: 'Ngozi Bello', customerEmailAddress: 'ngozi@example.com' },
    customerPhoneNumber: '08031234567',
    customerAddress: '14 Marina, Lagos',
    ...{ customerAccountNumber, customerAccountBankCode: '057' },
    mandateDescription: 'School fees',
    mandateStartDate: moment(60),
    mandateEndDate: moment(60 * 86_400),
  })
  const made = await prepare(createMandate, { body: mandate('school-78', '2001237799') })
  const decided = { mandateCode: at(made, 'mandateCode'), status: 'ACTIVE', at: stage.now() }
  await example(mandateNotice, { body: decided })
  const slow = await prepare(createMandate, { body: mandate('school-79', '2001230002') })
  const mandateCode = at(slow, 'mandateCode')
  await stage.atBank(`/api/mandates/${encodeURIComponent(mandateCode)}/authorize`)
  await prepare(advanceClock, { body: { seconds: 120 } })
  const taken = { mandateCode, debitAmount: 30_000, narration: 'First term', customerEmail: 'ngozi@example.com' }
  await prepare(debitMandate, { body: { paymentReference: 'term-2', ...taken } })
  const debits = `/api/debits?mandateCode=${encodeURIComponent(mandateCode)}`
  await stage.h.until('the debit at the bank', async () => (await bankShows(debits)).length === 1)
  const sessionId = at(await bankShows(debits), '0.sessionId')
  const done = { status: 'SUCCESS', responseCode: '00', message: 'Approved or completed successfully' }
  await example(debitNotice, { body: { sessionId, ...done, at: stage.now() } })
}

/** A refund of this amount waits at the issuer for two hours. */
const SLOW_REFUND = 3905.38

async function issuerNotice(stage: Stage): Promise<void> {
  const { example, prepare, bankShows, h } = stage
  const order = { ...orderBody(stage, 'order-1071'), amount: 4_000 }
  const transactionReference = at(await prepare(initTransaction, { body: order }), 'transactionReference')
  const card = SANDBOX_CARDS.plain
  await prepare(chargeCard, { body: { transactionReference, collectionChannel: 'API_NOTIFICATION', card } })
  await untilPaid(stage, 'order-1071')
  const words = { refundReason: 'Out of stock', customerNote: 'Sorry' }
  await prepare(initiateRefund, {
    body: { transactionReference, refundReference: 'refund-90', refundAmount: SLOW_REFUND, ...words },
  })
  const charges = (await bankShows('/api/cards/charges')) as { chargeReference: string; amount: string }[]
  const charge = charges.find(({ amount }) => amount === '4000.00')
  const refunds = `/api/cards/refunds?chargeReference=${encodeURIComponent(charge?.chargeReference ?? '')}`
  await h.until('the refund at the issuer', async () => (await bankShows(refunds)).length === 1)
  const sessionId = at(await bankShows(refunds), '0.sessionId')
  const done = { status: 'SUCCESS', responseCode: '00', message: 'Approved or completed successfully' }
  await example(cardRefundNotice, { body: { sessionId, ...done, at: stage.now() } })
  const chargeReference = charge?.chargeReference ?? ''
  await example(cardNotice, { body: { chargeReference } })
  const dispute = {
    disputeReference: 'DSP-2048',
    amount: 4_000,
    state: 'OPENED' as const,
    reason: 'Goods not received',
  }
  await example(disputeNotice, { body: { chargeReference, ...dispute, at: stage.now() } })
}

export async function playSettlements(stage: Stage): Promise<void> {
  await settling(stage)
  await verifying(stage)
  await notices(stage)
  await schemeNotices(stage)
  await issuerNotice(stage)
  await credits(stage)
}
