// What stands on a receipt. Nothing of a card but that it was one, and of an account its last four digits.
// The merchant's own words are unlinked, and no subject holds them: the mail comes from our address.
import { nairaWords } from '@cowrie/checkout'
import { findBank } from '@cowrie/contract/bank/banks'
import type { successfulTransaction } from '@cowrie/contract/events/collections'
import type { successfulDisbursement, successfulRefund } from '@cowrie/contract/events/payouts'
import type { Brand } from '@cowrie/contract/kit/brand'
import type { EventData } from '@cowrie/contract/kit/spec'
import { checkoutUrl } from '#features/collections/transactions/transactions.ts'
import { type MailSheet, sheetText, unlinked } from '#features/events/mails/mail-look.ts'
import type { Ctx } from '#kit/ctx.ts'
import { dayAndHourText } from '#kit/times.ts'

export type Receipt = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly sheet: MailSheet
}

const naira = (amount: number): string => nairaWords(amount.toFixed(2))
const when = (at: Date): string => `${dayAndHourText(at)} WAT`
const account = (bankCode: string, number: string): string =>
  `${findBank(bankCode)?.name ?? bankCode} ···${number.slice(-4)}`

const mail = (to: string, subject: string, sheet: MailSheet): Receipt => ({
  to,
  subject,
  text: sheetText(sheet),
  sheet,
})

const SAFETY = 'Nobody will ever ask you for your PIN or a code.'
const wrong = ({ name, supportEmail }: Brand, reference: string): string =>
  supportEmail === null
    ? `Is something wrong? Ask ${name} and quote ${reference}. ${SAFETY}`
    : `Is something wrong? Answer this mail and quote ${reference}. ${SAFETY}`

const WAYS: Readonly<Record<string, string>> = {
  CARD: 'by card',
  ACCOUNT_TRANSFER: 'by bank transfer',
  USSD: 'by USSD',
  DIRECT_DEBIT: 'by direct debit',
  CASH: 'in cash, at an agent',
}
/** Those with a page that a payer knows. */
const WITH_A_PAGE: ReadonlySet<string> = new Set(['WEB_SDK', 'INVOICE'])

function stateOf({ paymentStatus, amountPaid, totalPayable, paymentMethod }: EventData<typeof successfulTransaction>) {
  const way = WAYS[paymentMethod]
  const by = way === undefined ? '' : `, ${way}`
  if (paymentStatus === 'PARTIALLY_PAID')
    return { word: `Received${by}: ${naira(amountPaid)} of ${naira(totalPayable)}`, good: false }
  if (paymentStatus === 'OVERPAID')
    return { word: `Paid${by}: more than the ${naira(totalPayable)} that were asked`, good: false }
  return { word: `Paid in full${by}`, good: true }
}

export function paymentReceipt(
  ctx: Ctx,
  brand: Brand,
  data: EventData<typeof successfulTransaction>,
  at: Date,
): Receipt {
  const reference = unlinked(data.paymentReference)
  const sources = data.paymentSourceInformation.map((one) => account(one.bankCode, one.accountNumber))
  return mail(data.customer.email, `Receipt: ${naira(data.amountPaid)} to ${brand.name}`, {
    by: 'merchant',
    kind: 'Receipt',
    lead: `You paid ${brand.name}`,
    amount: naira(data.amountPaid),
    state: stateOf(data),
    facts: [
      ...(data.paymentDescription === '' ? [] : [['For', unlinked(data.paymentDescription)] as const]),
      ['When', when(at)],
      ...[...new Set(sources)].map((source) => ['From', source] as const),
      ['Reference', reference],
      ['Transaction', data.transactionReference],
    ],
    ...(WITH_A_PAGE.has(data.product.type)
      ? { links: [['Open the receipt', checkoutUrl(ctx, data.transactionReference)] as const] }
      : {}),
    note: wrong(brand, reference),
  })
}

export function refundReceipt(
  brand: Brand,
  data: EventData<typeof successfulRefund>,
  row: {
    readonly at: Date
    readonly customer_email: string | null
    readonly payment_reference: string | null
    readonly bank_code: string | null
    readonly account_number: string | null
  },
): Receipt {
  const amount = naira(data.refundAmount)
  const reference = unlinked(data.refundReference)
  return mail(row.customer_email ?? '', `Refund: ${amount} from ${brand.name}`, {
    by: 'merchant',
    kind: 'Refund',
    lead: `${brand.name} refunded you`,
    amount,
    state: { word: 'Refund sent', good: true },
    facts: [
      ...(data.customerNote === '' ? [] : [['Note', unlinked(data.customerNote)] as const]),
      ['When', when(row.at)],
      ...(row.bank_code && row.account_number ? [['To', account(row.bank_code, row.account_number)] as const] : []),
      ...(row.payment_reference === null ? [] : [['Payment', unlinked(row.payment_reference)] as const]),
      ['Refund', reference],
    ],
    note: `Your bank may need a little while to show it. ${wrong(brand, reference)}`,
  })
}

/** To the merchant, who knows the payee. */
export function payoutReceipt(to: string, data: EventData<typeof successfulDisbursement>, at: Date): Receipt {
  const amount = naira(data.amount)
  return mail(to, `Sent: ${amount} to ${data.destinationBankName} ···${data.destinationAccountNumber.slice(-4)}`, {
    by: 'us',
    kind: 'Payout',
    lead: `You sent ${data.destinationAccountName}`,
    amount,
    state: { word: 'Paid out', good: true },
    facts: [
      ['To', `${data.destinationBankName} ···${data.destinationAccountNumber.slice(-4)}`],
      ['Narration', data.narration],
      ['When', when(at)],
      ['Fee', naira(data.fee)],
      ['Reference', data.reference],
      ['Transaction', data.transactionReference],
      ['Session', data.sessionId],
    ],
    note: 'You did not send it? Replace your secret key at once and contact support.',
  })
}
