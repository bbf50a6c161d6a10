// Invoices: a merchant asks a customer for money, with days or months to pay.
//   create → PENDING → [credit or card] PAID      PENDING → [expiry date] EXPIRED      PENDING → cancel →
//     CANCELLED
// All of it is the life of the transaction behind it (features/collections/transactions), whose state is the
// invoice's: crediting, cards and the timer know nothing of invoices. Books: the transaction's. Who waits:
// the customer, notified by mail.
import { findBank } from '@cowrie/contract/bank/banks'
import {
  type createInvoice,
  INVOICE_DAYS_MAX,
  type listInvoices,
  toInvoiceStatus,
} from '@cowrie/contract/collections/invoices'
import { DEFAULT_METHODS, transactionMachine } from '@cowrie/contract/collections/transactions'
import { DAY_MS } from '@cowrie/contract/kit/durations'
import { nairaNumber } from '@cowrie/contract/kit/money'
import { pageAsked, toPage } from '@cowrie/contract/kit/paging'
import type { QueryOf, ReplyOf } from '@cowrie/contract/kit/spec'
import type { Merchant } from '#core/access/merchants.ts'
import { cellById, readAs } from '#core/cells/cells.ts'
import { mover } from '#core/ledger/move.ts'
import type { Call } from '#core/serving.ts'
import { attach, lockForInvoice } from '#features/collections/reserved-accounts/attach.ts'
import { splitView } from '#features/collections/sub-accounts/splits.ts'
import {
  checkInit,
  checkoutUrl,
  createIssueAccount,
  makeTransaction,
} from '#features/collections/transactions/transactions.ts'
import { mayMail, queueMail } from '#features/events/mails/mails.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { readSecond, secondText } from '#kit/times.ts'
import * as sql from './invoices.sql.ts'
import { presentPaper, toPaper } from './lines.ts'
import { CANCELLED_MAILS, CREATED_MAILS, cancelledMail, createdMail, type InvoiceMail } from './mails.ts'

export type InvoiceRow = sql.InvoiceRow
type InvoiceReply = ReplyOf<typeof createInvoice>
type Body = Call<typeof createInvoice>['body']
type IssueAccount = ReturnType<typeof createIssueAccount>

// ---- create

function expiryOf(text: string, now: Date): Date {
  const expiresAt = readSecond(text) ?? fail('INVOICE_EXPIRY_MALFORMED', { field: 'expiryDate' })
  const ahead = expiresAt.getTime() - now.getTime()
  if (ahead <= 0 || ahead > INVOICE_DAYS_MAX * DAY_MS) fail('INVOICE_EXPIRY_INVALID', { field: 'expiryDate' })
  return expiresAt
}

const initOf = (body: Body) => ({
  amount: body.amount,
  customerName: body.customerName,
  customerEmail: body.customerEmail,
  paymentDescription: body.description,
  currencyCode: body.currencyCode,
  contractCode: body.contractCode,
  ...(body.redirectUrl === undefined ? {} : { redirectUrl: body.redirectUrl }),
  ...(body.paymentMethods ? { paymentMethods: body.paymentMethods } : {}),
  ...(body.incomeSplitConfig ? { incomeSplitConfig: body.incomeSplitConfig } : {}),
})

type Account = { readonly accountNumber: string; readonly bankCode: string; readonly accountName: string }

/** The reserved account that an invoice asks for, held until the commit: two invoices cannot have it at
 *  once. */
async function reservedAccount(t: Tx, merchant: Merchant, body: Body) {
  if (body.accountReference === undefined) return null
  if (!methodsOf(body).includes('ACCOUNT_TRANSFER'))
    fail('FIELD_INVALID', {
      field: 'paymentMethods',
      why: 'must include ACCOUNT_TRANSFER when accountReference is given',
    })
  const account = (await lockForInvoice(t, merchant.id, body.accountReference)) ?? fail('INVOICE_ACCOUNT_UNKNOWN')
  if (account.type !== 'INVOICE') fail('INVOICE_ACCOUNT_TYPE')
  if (account.busy) fail('INVOICE_ACCOUNT_TAKEN')
  return account
}

/** The account of a fresh invoice: a number of its own, if it takes transfers at all. */
async function issueAccount(
  t: Tx,
  issue: IssueAccount,
  merchant: Merchant,
  reference: string,
  methods: readonly string[],
): Promise<Account | null> {
  const method = (['ACCOUNT_TRANSFER', 'USSD'] as const).find((one) => methods.includes(one))
  return method ? issue.within(t, merchant, reference, method) : null
}

const methodsOf = (body: Body): readonly string[] =>
  body.paymentMethods?.length ? body.paymentMethods : DEFAULT_METHODS

export function createInvoices(ctx: Ctx) {
  const issue = createIssueAccount(ctx)
  return {
    create: async (t: Tx, { merchant, body }: Call<typeof createInvoice>): Promise<InvoiceReply> => {
      const expiresAt = expiryOf(body.expiryDate, t.now)
      const paper = toPaper(body)
      const init = await checkInit(ctx, merchant, initOf(body))
      if (await sql.find(t, merchant.id, body.invoiceReference)) fail('INVOICE_REFERENCE_TAKEN')
      const product = { type: 'INVOICE', reference: body.invoiceReference } as const
      const reserved = await reservedAccount(t, merchant, body)
      const made = await makeTransaction(ctx, t, { ...init, product }, { expiresAt })
      if (reserved) await attach(t, reserved.id, made.id)
      const account = reserved
        ? { ...reserved, accountName: reserved.name }
        : await issueAccount(t, issue, merchant, made.reference, methodsOf(body))
      const inserted = await sql.insert(t, {
        id: made.id,
        merchantId: merchant.id,
        reference: body.invoiceReference,
        place: await sql.takePlace(t, merchant.id),
        createdBy: merchant.key?.apiKey ?? merchant.apiKey,
        splitShown: JSON.stringify(splitView(body.incomeSplitConfig)),
        reservedId: reserved?.id ?? null,
        account,
        paper,
      })
      if (!inserted) fail('INVOICE_REFERENCE_TAKEN')
      const row =
        (await sql.findById(t, merchant.id, made.id)) ??
        fail('INTERNAL', {}, `invoice ${made.id} not found after its insert`)
      await mail(ctx, t, merchant, row, CREATED_MAILS, createdMail(merchant.name, row, invoiceCheckoutUrl(ctx, row)))
      return view(ctx, row)
    },
  }
}

/** To the customer, in the transaction of what it tells; beyond the day's limit the invoice stands, but
 *  nobody is mailed. */
async function mail(
  ctx: Ctx,
  t: Tx,
  merchant: Merchant,
  row: sql.InvoiceRow,
  most: { recipient: number; merchant: number },
  words: InvoiceMail,
): Promise<void> {
  if (!(await mayMail(t, merchant.id, row.customer_email, most))) {
    ctx.log.warn('invoice mail not sent: daily limit reached', { merchantId: merchant.id, cell: merchant.cell })
    return
  }
  const [id] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
  await queueMail(t, id, { id: merchant.id, email: row.customer_email }, words)
}

// ---- cancel

const cancelMoves = mover(transactionMachine, { name: 'invoice_cancel', set: { closed_at: 'timestamptz' } })

/** Takes an invoice back. What was paid of it stays: the transaction is closed with its part. */
export async function cancel(ctx: Ctx, t: Tx, merchant: Merchant, reference: string): Promise<InvoiceReply> {
  const row = (await sql.lock(t, merchant.id, reference)) ?? fail('INVOICE_NOT_FOUND')
  const state = toInvoiceStatus(row)
  if (state !== 'PENDING') fail('INVOICE_NOT_PENDING', { state })
  if (await sql.isCharging(t, merchant.id, row.id)) fail('INVOICE_CARD_UNDER_WAY')
  const from = row.status === 'PENDING' ? ('PENDING' as const) : ('PARTIALLY_PAID' as const)
  const moved = await cancelMoves(t, [
    {
      on: from === 'PENDING' ? ('cancel' as const) : ('close' as const),
      id: row.id,
      merchantId: merchant.id,
      from,
      set: { closed_at: t.now },
    },
  ])
  if (moved.size !== 1) fail('INTERNAL', {}, `transaction ${row.id}: state changed despite row lock`)
  await sql.setCancelled(t, merchant.id, row.id)
  await mail(ctx, t, merchant, row, CANCELLED_MAILS, cancelledMail(merchant.name, row))
  return view(ctx, (await sql.findById(t, merchant.id, row.id)) ?? row)
}

// ---- show

export const invoiceCheckoutUrl = (ctx: Ctx, row: sql.InvoiceRow): string => checkoutUrl(ctx, row.transaction_reference)

export function view(ctx: Ctx, row: sql.InvoiceRow): InvoiceReply {
  const invoiceStatus = toInvoiceStatus(row)
  return {
    amount: nairaNumber(row.kobo),
    amountPaid: nairaNumber(row.paid_kobo),
    amountDue: invoiceStatus === 'PENDING' ? nairaNumber(row.kobo - row.paid_kobo) : 0,
    invoiceReference: row.reference,
    invoiceStatus,
    description: row.description,
    contractCode: row.contract_code,
    customerEmail: row.customer_email,
    customerName: row.customer_name,
    expiryDate: secondText(row.expires_at),
    createdBy: row.created_by,
    createdOn: secondText(row.created_at),
    checkoutUrl: invoiceCheckoutUrl(ctx, row),
    accountNumber: row.account_number,
    accountName: row.account_name,
    bankName: row.bank_code === null ? null : (findBank(row.bank_code)?.name ?? row.bank_code),
    bankCode: row.bank_code,
    redirectUrl: row.redirect_url,
    transactionReference: row.transaction_reference,
    incomeSplitConfig: JSON.parse(row.split_shown) as InvoiceReply['incomeSplitConfig'],
    ...presentPaper(row),
  }
}

export async function get(ctx: Ctx, merchant: Merchant, reference: string): Promise<InvoiceReply> {
  const row = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.find(r, merchant.id, reference))
  return view(ctx, row ?? fail('INVOICE_NOT_FOUND'))
}

export async function list(ctx: Ctx, merchant: Merchant, query: QueryOf<typeof listInvoices>) {
  const asked = pageAsked(query)
  const { rows, total } = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.list(r, merchant.id, asked))
  return toPage(
    rows.map((row) => view(ctx, row)),
    asked,
    total,
  )
}

/** The invoice of a transaction that was made for one. */
export const findByTransaction = (
  ctx: Ctx,
  merchant: Merchant,
  transactionId: bigint,
): Promise<sql.InvoiceRow | null> =>
  readAs(ctx, merchant.cell, merchant.id, (r) => sql.findById(r, merchant.id, transactionId))
