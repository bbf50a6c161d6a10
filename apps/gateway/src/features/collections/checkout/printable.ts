// A printable invoice, below the address of its checkout page: a page to print and a PDF, both made from one
// view. The token of the address is the capability, as on the checkout.
import { type InvoiceView, invoicePage, invoicePaper } from '@cowrie/checkout'
import { findBank } from '@cowrie/contract/bank/banks'
import { toInvoiceStatus } from '@cowrie/contract/collections/invoices'
import { nairaText } from '@cowrie/contract/kit/money'
import { type InvoiceRow, invoiceCheckoutUrl } from '#features/collections/invoices/invoices.ts'
import { parseLines } from '#features/collections/invoices/lines.ts'
import type { Press } from '#features/collections/invoices/pdf.ts'
import type { Ctx } from '#kit/ctx.ts'
import { sendText } from '#kit/http/answers.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from '#kit/http/http.ts'
import { sendPage } from '#kit/http/pages.ts'
import { dayAndHourText, dayText } from '#kit/times.ts'
import type { FoundCheckout } from './checkout.ts'
import { encodeQr } from './qr.ts'

/** What stands on the paper; null where the payment is of no invoice. */
export function toInvoiceView(ctx: Ctx, { invoice, merchant, more, address }: FoundCheckout): InvoiceView | null {
  if (!invoice) return null
  const status = toInvoiceStatus(invoice)
  return {
    address,
    url: invoiceCheckoutUrl(ctx, invoice),
    qr: encodeQr(invoiceCheckoutUrl(ctx, invoice)),
    mark: more.mark,
    nowMs: ctx.clock.now().getTime(),
    brand: merchant.brand,
    merchantAddress: invoice.merchant_address,
    taxNumber: invoice.tax_number,
    customerAddress: invoice.customer_address,
    lines: parseLines(invoice).map(({ description, quantity, unitKobo, kobo }) => ({
      description,
      quantity,
      unitText: nairaText(BigInt(unitKobo)),
      amountText: nairaText(BigInt(kobo)),
    })),
    vatText: invoice.vat_kobo === null ? null : nairaText(invoice.vat_kobo),
    customerName: invoice.customer_name,
    customerEmail: invoice.customer_email,
    invoiceReference: invoice.reference,
    transactionReference: invoice.transaction_reference,
    description: invoice.description,
    status,
    amountText: nairaText(invoice.kobo),
    amountPaidText: nairaText(invoice.paid_kobo),
    amountDueText: nairaText(status === 'PENDING' ? invoice.kobo - invoice.paid_kobo : 0n),
    issuedOn: dayText(invoice.created_at),
    dueOn: dayAndHourText(invoice.expires_at),
    paidOn: status === 'PAID' && invoice.closed_at ? dayAndHourText(invoice.closed_at) : null,
    account: toInvoiceAccount(invoice),
    card: more.methods.includes('CARD'),
    sandbox: ctx.environment === 'sandbox',
  }
}

/** The account an invoice is paid to. */
export const toInvoiceAccount = ({ account_number, bank_code, account_name }: InvoiceRow): InvoiceView['account'] =>
  account_number === null || bank_code === null || account_name === null
    ? null
    : { bankName: findBank(bank_code)?.name ?? bank_code, accountNumber: account_number, accountName: account_name }

/** A name that every file system takes. */
const fileName = (reference: string): string => `invoice-${reference.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 60)}.pdf`

type Pages = {
  readonly press: Press
  readonly page: string
  readonly findBy: (request: FastifyRequest) => Promise<FoundCheckout | null>
  readonly notFound: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
  readonly callerOf: (request: FastifyRequest) => string
}

export function paperRoutes(ctx: Ctx, app: FastifyInstance, { press, page, findBy, notFound, callerOf }: Pages): void {
  const viewOf = async (request: FastifyRequest): Promise<InvoiceView | null> => {
    const found = await findBy(request)
    return found && toInvoiceView(ctx, found)
  }
  app.get(`${page}/invoice`, async (request, reply) => {
    const view = await viewOf(request)
    return view ? sendPage(reply, 200, invoicePage(view)) : notFound(request, reply)
  })
  app.get(`${page}/invoice.pdf`, async (request, reply) => {
    const found = await findBy(request)
    const view = found && toInvoiceView(ctx, found)
    if (!found || !view) return notFound(request, reply)
    const { merchant, row } = found
    const bytes = await press.print({
      merchant: `${merchant.cell}-${merchant.id}`,
      invoice: `${merchant.cell}-${row.id}`,
      caller: callerOf(request),
      paper: invoicePaper(view),
      at: ctx.clock.now(),
    })
    reply.more.push('content-disposition', `inline; filename="${fileName(view.invoiceReference)}"`)
    reply.more.push('referrer-policy', 'no-referrer')
    return sendText(reply, 200, 'application/pdf', bytes)
  })
}
