// The mails to a customer: that there is an invoice, and that it was cancelled. Plain words; whoever reads
// them on a phone must be able to pay from them alone. The merchant's own words stand in the text only, and
// no link among them can be tapped: the mail comes from our address, and whoever holds a token writes it.
import { findBank } from '@cowrie/contract/bank/banks'
import { type MailSheet, naira, sheetText, unlinked } from '#features/events/mails/mail-look.ts'
import { dayAndHourText } from '#kit/times.ts'
import type { InvoiceRow } from './invoices.sql.ts'
import { parseLines } from './lines.ts'

export { unlinked } from '#features/events/mails/mail-look.ts'
export type InvoiceMail = { readonly subject: string; readonly text: string; readonly sheet: MailSheet }

/** A day's mails of one merchant: to one address, and in all. As many cancellations as invoices fit. */
export const CREATED_MAILS = { recipient: 20, merchant: 10_000 }
export const CANCELLED_MAILS = { recipient: 40, merchant: 20_000 }

const mail = (subject: string, sheet: MailSheet): InvoiceMail => ({ subject, text: sheetText(sheet), sheet })

function transferFacts(row: InvoiceRow): NonNullable<MailSheet['facts']> {
  if (row.account_number === null || row.bank_code === null) return []
  return [
    ['Bank', findBank(row.bank_code)?.name ?? row.bank_code],
    ['Account number', row.account_number],
    ['Account name', unlinked(row.account_name ?? '')],
    ['Amount', `${naira(row.kobo)}, exactly`],
  ]
}

/** What the amount is made of; nothing for an invoice of one sum. */
function lineFacts(row: InvoiceRow): NonNullable<MailSheet['lines']> {
  const lines = parseLines(row)
  if (lines.length === 0) return []
  const words = ({ description, quantity }: { description: string; quantity: string }): string =>
    quantity === '1' ? unlinked(description) : `${unlinked(description)} × ${quantity}`
  return [
    ...lines.map((line) => [words(line), naira(BigInt(line.kobo))] as const),
    ...(row.vat_kobo === null ? [] : [['VAT', naira(row.vat_kobo)] as const]),
    ['Total', naira(row.kobo)],
  ]
}

export function createdMail(merchantName: string, row: InvoiceRow, url: string): InvoiceMail {
  const facts = transferFacts(row)
  return mail(`Invoice from ${merchantName}: ${naira(row.kobo)}`, {
    by: 'merchant',
    kind: 'Invoice',
    lead: `${merchantName} asks you to pay`,
    amount: naira(row.kobo),
    paragraphs: [
      `Dear ${unlinked(row.customer_name)},`,
      `This is for: ${unlinked(row.description)}`,
      `Please pay before ${dayAndHourText(row.expires_at)} (West Africa Time). After that, the invoice can no longer be paid.${
        facts.length === 0 ? '' : ' By bank transfer, from any bank app, to the account below, or online.'
      }`,
    ],
    lines: lineFacts(row),
    facts: [...facts, ['Invoice', unlinked(row.reference)]],
    links: [
      ['Pay online, or see what has been received', url],
      ['The invoice as a PDF', `${url}/invoice.pdf`],
    ],
    note: `If you do not know ${merchantName} or did not expect this invoice, do not pay. You can ignore this mail.`,
  })
}

export const cancelledMail = (merchantName: string, row: InvoiceRow): InvoiceMail =>
  mail(`Invoice from ${merchantName} was cancelled: ${naira(row.kobo)}`, {
    by: 'merchant',
    kind: 'Cancelled',
    lead: `${merchantName} has cancelled an invoice`,
    paragraphs: [
      `Dear ${unlinked(row.customer_name)},`,
      `${merchantName} has cancelled invoice ${unlinked(row.reference)} of ${naira(row.kobo)} for: ${unlinked(row.description)}`,
      ...(row.paid_kobo > 0n
        ? [
            `You had already paid ${naira(row.paid_kobo)}. ${merchantName} has received that money; please contact them about it and quote the reference above.`,
          ]
        : []),
      'Please do not pay it. Money that still arrives will be returned to the account it came from.',
    ],
  })
