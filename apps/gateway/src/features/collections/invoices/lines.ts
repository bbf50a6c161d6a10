// What an invoice is made of: lines, VAT, addresses, tax number. Lines and VAT add up to the amount, or it is
// refused.
import {
  addsUp,
  type createInvoice,
  type InvoiceLine,
  linesKobo,
  presentLine,
  readLines,
} from '@cowrie/contract/collections/invoices'
import { holdsCardNumber } from '@cowrie/contract/kit/card-data'
import { nairaNumber, nairaText, parseNaira } from '@cowrie/contract/kit/money'
import type { Call } from '#core/serving.ts'
import { fail } from '#kit/fail.ts'
import type { InvoiceRow, Paper } from './invoices.sql.ts'

type Body = Call<typeof createInvoice>['body']

/** Reads what stands on the paper, or refuses it. */
export function toPaper(body: Body): Paper {
  const lines = readLines(body.lineItems ?? []) ?? fail('AMOUNT_INVALID', { field: 'lineItems' })
  const vatKobo =
    body.vatAmount === undefined ? null : (parseNaira(body.vatAmount) ?? fail('AMOUNT_INVALID', { field: 'vatAmount' }))
  if (vatKobo !== null && lines.length === 0)
    fail('FIELD_INVALID', { field: 'vatAmount', why: 'must be given together with lineItems' })
  const kobo = parseNaira(body.amount) ?? fail('AMOUNT_INVALID', { field: 'amount' })
  if (!addsUp(lines, vatKobo, kobo))
    fail('INVOICE_TOTAL_WRONG', {
      field: 'lineItems',
      sum: nairaText(linesKobo(lines) + (vatKobo ?? 0n)),
      amount: nairaText(kobo),
    })
  for (const field of ['customerAddress', 'merchantAddress'] as const)
    if (body[field] !== undefined && holdsCardNumber(body[field])) fail('CARD_DATA_REFUSED', { field })
  return {
    lines: JSON.stringify(lines),
    vatKobo,
    customerAddress: body.customerAddress ?? null,
    merchantAddress: body.merchantAddress ?? null,
    taxNumber: body.taxNumber ?? null,
  }
}

export const parseLines = (row: InvoiceRow): InvoiceLine[] => JSON.parse(row.lines) as InvoiceLine[]

/** The same in an answer. */
export const presentPaper = (row: InvoiceRow) => ({
  lineItems: parseLines(row).map(presentLine),
  vatAmount: row.vat_kobo === null ? null : nairaNumber(row.vat_kobo),
  customerAddress: row.customer_address,
  merchantAddress: row.merchant_address,
  taxNumber: row.tax_number,
})
