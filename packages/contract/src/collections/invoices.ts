// Invoices: a merchant asks a named customer for money, with days or months to pay. An invoice is a
// transaction with more written on it, so its state is read off the transaction and is never stored: the two
// cannot differ.
import Type from 'typebox'
import { Named } from '../kit/fields.ts'
import { AmountIn, AmountNumber, nairaNumber, parseNaira } from '../kit/money.ts'
import { Page, PageNumber, PageSize } from '../kit/paging.ts'
import { route } from '../kit/spec.ts'
import { IncomeSplitShown, IncomeSplits } from './splits.ts'
import { Email, PAYMENT_METHODS, RedirectUrl, Reference } from './transactions.ts'

/** About six months. */
export const INVOICE_DAYS_MAX = 183

const INVOICE_STATES = {
  PENDING: 'Awaiting payment: nothing has been paid yet, or only a part.',
  PAID: 'Paid in full, or more than that.',
  EXPIRED: 'The expiry date has passed. A part that was paid stays with the merchant.',
  CANCELLED: 'Cancelled by the merchant. A part that was paid stays with the merchant.',
} as const
export type InvoiceStatus = keyof typeof INVOICE_STATES

/** The state of an invoice, from its transaction and from whether it was cancelled. */
export function toInvoiceStatus(row: {
  readonly status: string
  readonly closed_at: Date | null
  readonly cancelled_at: Date | null
}): InvoiceStatus {
  if (row.cancelled_at !== null) return 'CANCELLED'
  if (row.status === 'PAID' || row.status === 'OVERPAID') return 'PAID'
  return row.closed_at === null ? 'PENDING' : 'EXPIRED'
}

// ---- lines

const INVOICE_LINES_MAX = 50

/** A line as it is stored: amounts in kobo, as text. */
export type InvoiceLine = {
  readonly description: string
  /** `2`, `2.5`: up to three decimals. */
  readonly quantity: string
  readonly unitKobo: string
  readonly kobo: string
}

/** What a line comes to: rounded to the kobo, half up. `quantity` has up to three decimals. */
export function lineKobo(quantity: string, unitKobo: bigint): bigint {
  const [whole = '0', part = ''] = quantity.split('.')
  const thousandths = BigInt(whole) * 1_000n + BigInt(part.padEnd(3, '0').slice(0, 3))
  return (thousandths * unitKobo + 500n) / 1_000n
}

/** `2.50` and `2.5` are one quantity; null for what is none. */
export function parseQuantity(text: string): string | null {
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text)) return null
  const [whole = '0', part = ''] = text.split('.')
  const decimals = part.replace(/0+$/, '')
  const shown = `${BigInt(whole)}${decimals === '' ? '' : `.${decimals}`}`
  return shown === '0' ? null : shown
}

/** Reads the lines of a request; null when an amount or a quantity is none. */
export function readLines(
  given: readonly { readonly description: string; readonly quantity: string; readonly unitAmount: string }[],
): InvoiceLine[] | null {
  const lines = given.flatMap(({ description, quantity, unitAmount }) => {
    const [count, unit] = [parseQuantity(quantity), parseNaira(unitAmount)]
    if (count === null || unit === null) return []
    return [{ description, quantity: count, unitKobo: String(unit), kobo: String(lineKobo(count, unit)) }]
  })
  return lines.length === given.length ? lines : null
}

export const linesKobo = (lines: readonly InvoiceLine[]): bigint =>
  lines.reduce((sum, { kobo }) => sum + BigInt(kobo), 0n)

/** Whether lines and VAT come to the amount; an invoice without lines has nothing to add up. */
export const addsUp = (lines: readonly InvoiceLine[], vatKobo: bigint | null, kobo: bigint): boolean =>
  lines.length === 0 || linesKobo(lines) + (vatKobo ?? 0n) === kobo

export const presentLine = ({ description, quantity, unitKobo, kobo }: InvoiceLine) => ({
  description,
  quantity: Number(quantity),
  unitAmount: nairaNumber(BigInt(unitKobo)),
  amount: nairaNumber(BigInt(kobo)),
})

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Moment = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$',
  description: 'West Africa Time',
  examples: ['2026-05-31 18:00:00'],
})
const stateList = Object.entries(INVOICE_STATES)
  .map(([name, says]) => `${name}: ${says}`)
  .join(' ')

export const Invoice = Named('Invoice', {
  amount: AmountNumber,
  amountPaid: Type.Unsafe<number>({ ...AmountNumber, description: 'Naira; what has been paid so far' }),
  amountDue: Type.Unsafe<number>({
    ...AmountNumber,
    description: 'Naira; what is still to be paid, 0 once the invoice is no longer open',
  }),
  invoiceReference: Type.String(),
  invoiceStatus: Type.Enum(Object.keys(INVOICE_STATES), { description: stateList }),
  description: Type.String(),
  contractCode: Type.String(),
  customerEmail: Type.String(),
  customerName: Type.String(),
  expiryDate: Moment,
  createdBy: Type.String({ description: 'The API key it was created with' }),
  createdOn: Moment,
  checkoutUrl: Type.String(),
  accountNumber: Nullable(Type.String({ description: 'Null when the invoice cannot be paid by transfer' })),
  accountName: Nullable(
    Type.String({
      description:
        "What the payer's bank shows for this account: the merchant's name and the description of the invoice",
    }),
  ),
  bankName: Nullable(Type.String()),
  bankCode: Nullable(Type.String()),
  redirectUrl: Nullable(Type.String()),
  transactionReference: Type.String(),
  incomeSplitConfig: Type.Array(IncomeSplitShown),
  lineItems: Type.Array(
    Named('InvoiceLine', {
      description: Type.String(),
      quantity: Type.Number(),
      unitAmount: AmountNumber,
      amount: Type.Unsafe<number>({
        ...AmountNumber,
        description: 'Naira; quantity × unitAmount, rounded to the kobo',
      }),
    }),
    { description: 'Empty when none were given' },
  ),
  vatAmount: Nullable(AmountNumber),
  customerAddress: Nullable(Type.String()),
  merchantAddress: Nullable(Type.String()),
  taxNumber: Nullable(Type.String()),
})

const Line = Named('NewInvoiceLine', {
  description: Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000-\\u001f\\u007f]*$' }),
  quantity: Type.Unsafe<string>({
    type: 'string',
    pattern: '^\\d{1,6}(?:\\.\\d{1,3})?$',
    'x-wire': 'quantity',
    description: 'At most three decimals',
  }),
  unitAmount: AmountIn,
})
const Address = Type.String({ maxLength: 300, pattern: '^[^\\u0000-\\u0009\\u000b-\\u001f\\u007f]*$' })

const common = { auth: 'bearer', group: 'Invoices' } as const

export const createInvoice = route({
  ...common,
  id: 'invoices.create',
  permission: 'collections.write',
  contractFields: ['contractCode', 'accountReference'],
  method: 'POST',
  path: '/api/v1/invoice/create',
  summary: 'Create an invoice',
  description:
    'The response has the account to pay to and the checkout page to pay on; the customer is emailed both. Append `/invoice` to the address of that page for a printable version, `/invoice.pdf` for a PDF; both have a QR code of the page. With `accountReference` a reserved account of INVOICE type is used instead of a new account; it receives payments while the invoice is open.',
  body: Type.Object({
    amount: AmountIn,
    currencyCode: Type.String({ minLength: 1, maxLength: 10, description: 'NGN' }),
    invoiceReference: Reference,
    customerName: Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000-\\u001f\\u007f]*$' }),
    customerEmail: Email,
    contractCode: Type.String({ minLength: 1, maxLength: 20 }),
    description: Type.String({ minLength: 1, maxLength: 500, pattern: '^[^\\u0000-\\u001f\\u007f]*$' }),
    expiryDate: Type.String({
      minLength: 1,
      maxLength: 40,
      description: `West Africa Time; at most ${INVOICE_DAYS_MAX} days ahead`,
      examples: ['2026-05-31 18:00:00'],
    }),
    incomeSplitConfig: Type.Optional(IncomeSplits),
    redirectUrl: Type.Optional(RedirectUrl),
    paymentMethods: Type.Optional(Type.Array(Type.Enum([...PAYMENT_METHODS]), { maxItems: 10 })),
    accountReference: Type.Optional(
      Type.String({ maxLength: 100, description: 'Of a reserved account of INVOICE type without an open invoice' }),
    ),
    lineItems: Type.Optional(
      Type.Array(Line, {
        maxItems: INVOICE_LINES_MAX,
        description: 'What the amount is made of. With `vatAmount` they must add up to `amount`',
      }),
    ),
    vatAmount: Type.Optional(
      Type.Unsafe<string>({
        ...AmountIn,
        description: 'Naira; VAT on the line items, not included in them. Needs `lineItems`',
      }),
    ),
    customerAddress: Type.Optional(Address),
    merchantAddress: Type.Optional(Address),
    taxNumber: Type.Optional(
      Type.String({
        maxLength: 40,
        pattern: '^[A-Za-z0-9 ./-]*$',
        description: "The merchant's tax identification number",
      }),
    ),
  }),
  reply: Invoice,
  errors: [
    'AMOUNT_INVALID',
    'AMOUNT_TOO_SMALL',
    'PAYMENT_LIMIT',
    'PAYMENT_DAY_LIMIT',
    'CONTRACT_UNKNOWN',
    'CURRENCY_UNKNOWN',
    'METHODS_NOT_OFFERED',
    'SUB_ACCOUNT_UNKNOWN',
    'SPLIT_INVALID',
    'PERCENTAGE_INVALID',
    'INVOICE_REFERENCE_TAKEN',
    'INVOICE_EXPIRY_MALFORMED',
    'INVOICE_EXPIRY_INVALID',
    'INVOICE_ACCOUNT_UNKNOWN',
    'INVOICE_ACCOUNT_TYPE',
    'INVOICE_ACCOUNT_TAKEN',
    'INVOICE_TOTAL_WRONG',
  ],
})

export const getInvoice = route({
  ...common,
  id: 'invoices.get',
  permission: 'collections.read',
  contractFields: ['invoiceReference'],
  method: 'GET',
  path: '/api/v1/invoice/{invoiceReference}/details',
  summary: 'Get an invoice',
  description: 'By your reference: its state, what was paid and what is still due.',
  reply: Invoice,
  errors: ['INVOICE_NOT_FOUND'],
})

export const listInvoices = route({
  ...common,
  id: 'invoices.list',
  permission: 'collections.read',
  method: 'GET',
  path: '/api/v1/invoice/all',
  summary: 'List invoices',
  description: 'Newest first, of any state.',
  query: Type.Object({ page: Type.Optional(PageNumber), size: Type.Optional(PageSize) }),
  reply: Page(Invoice),
  errors: [],
})

export const cancelInvoice = route({
  ...common,
  id: 'invoices.cancel',
  permission: 'collections.write',
  contractFields: ['invoiceReference'],
  method: 'DELETE',
  path: '/api/v1/invoice/{invoiceReference}/cancel',
  summary: 'Cancel an invoice',
  description:
    'It accepts no more payments, and the customer is emailed. A part that was paid stays with the merchant. If a payment and a cancellation happen at the same time, one of them wins; the response says which.',
  reply: Invoice,
  errors: ['INVOICE_NOT_FOUND', 'INVOICE_NOT_PENDING', 'INVOICE_CARD_UNDER_WAY'],
})
