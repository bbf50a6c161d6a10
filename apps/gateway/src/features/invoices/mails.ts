// The mails to a customer: that there is an invoice, and that it was cancelled. Plain words; whoever reads them on a
// phone must be able to pay from them alone. The merchant's own words stand in the text only, and no link among them can be
// tapped: the mail comes from our address, and whoever holds a token writes it.
import { nairaWords } from '@cowrie/checkout'
import { bankOf } from '@cowrie/contract/bank/banks'
import { nairaText } from '@cowrie/contract/kit/money'
import { dayAndHourText } from '../../kit/times.ts'
import type { InvoiceRow } from './invoices.sql.ts'

type Mail = { readonly subject: string; readonly text: string }

/** A day's mails of one merchant: to one address, and in all. As many cancellations as invoices fit. */
export const CREATED_MAILS = { recipient: 20, merchant: 10_000 }
export const CANCELLED_MAILS = { recipient: 40, merchant: 20_000 }

/** A text in which no mail program finds a link: `pay.example` becomes `pay[.]example`. Numbers stay as they are. */
export const unlinked = (text: string): string =>
  text.replaceAll('://', ': //').replace(/(?<=[\p{L}\p{N}])\.(?=[\p{L}\p{N}-]*\p{L})/gu, '[.]')

const naira = (kobo: bigint): string => nairaWords(nairaText(kobo))

function transferLines(row: InvoiceRow): string[] {
  if (row.account_number === null || row.bank_code === null) return []
  return [
    'By bank transfer, from any bank app:',
    `  Bank: ${bankOf(row.bank_code)?.name ?? row.bank_code}`,
    `  Account number: ${row.account_number}`,
    `  Account name: ${unlinked(row.account_name ?? '')}`,
    `  Amount: ${naira(row.kobo)}, exactly`,
    '',
  ]
}

export const createdMail = (merchantName: string, row: InvoiceRow, url: string): Mail => ({
  subject: `Invoice from ${merchantName}: ${naira(row.kobo)}`,
  text: [
    `Dear ${unlinked(row.customer_name)},`,
    '',
    `${merchantName} asks you to pay ${naira(row.kobo)} for: ${unlinked(row.description)}`,
    `Please pay before ${dayAndHourText(row.expires_at)} (West Africa Time). After that, the invoice can no longer be paid.`,
    '',
    ...transferLines(row),
    'To pay online, or to see what has been received:',
    `  ${url}`,
    'The invoice as a PDF:',
    `  ${url}/invoice.pdf`,
    '',
    `Invoice: ${unlinked(row.reference)}`,
    `If you do not know ${merchantName} or did not expect this invoice, do not pay. You can ignore this mail.`,
    '',
  ].join('\n'),
})

export const cancelledMail = (merchantName: string, row: InvoiceRow): Mail => ({
  subject: `Invoice from ${merchantName} was cancelled: ${naira(row.kobo)}`,
  text: [
    `Dear ${unlinked(row.customer_name)},`,
    '',
    `${merchantName} has cancelled invoice ${unlinked(row.reference)} of ${naira(row.kobo)} for: ${unlinked(row.description)}`,
    ...(row.paid_kobo > 0n
      ? [
          `You had already paid ${naira(row.paid_kobo)}. ${merchantName} has received that money; please contact them about it and quote the reference above.`,
        ]
      : []),
    'Please do not pay it. Money that still arrives will be returned to the account it came from.',
    '',
  ].join('\n'),
})
