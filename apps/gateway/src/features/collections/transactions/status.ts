// The status record of a transaction: what a merchant sees of it, by either of its references. Nothing moves
// here.

import { maskedPan } from '@cowrie/contract/collections/cards'
import { toDeclineCode } from '@cowrie/contract/collections/decline-codes'
import { publicBankCode } from '@cowrie/contract/collections/payment-policy'
import { type getTransaction, toChannel, toProduct } from '@cowrie/contract/collections/transactions'
import { parseExact } from '@cowrie/contract/kit/exact-json'
import { nairaText } from '@cowrie/contract/kit/money'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import { payableKobo } from '#core/access/fees.ts'
import type { Merchant } from '#core/access/merchants.ts'
import { readAs } from '#core/cells/cells.ts'
import type { Ctx, Read, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { slashedText } from '#kit/times.ts'
import * as sql from './transactions.sql.ts'

// ---- whether it takes money

export type Payable = {
  readonly status: string
  readonly kobo: bigint
  readonly paid_kobo: bigint
  readonly expires_at: Date
  readonly closed_at: Date | null
  readonly product_type?: string | null
  /** A bank reversed money of it. */
  readonly flagged?: boolean
}

/** Whether a transaction takes money: it waits, or it waits for the rest. */
export const isOpen = (row: Payable, now: Date): boolean =>
  row.expires_at > now && (row.status === 'PENDING' || (row.status === 'PARTIALLY_PAID' && row.closed_at === null))

// ---- the record

const masked = (accountNumber: string): string => `******${accountNumber.slice(-4)}`

const cardDetails = (card: sql.CardRow) => ({
  cardType: card.scheme,
  last4: card.last4,
  expMonth: card.exp_month,
  expYear: card.exp_year,
  bin: card.bin,
  bankCode: card.bank_code,
  bankName: card.bank_name,
  reusable: card.token !== null,
  countryCode: card.country_code,
  cardToken: card.token,
  supportsTokenization: card.token !== null,
  maskedPan: maskedPan(card.bin, card.last4),
})

function statusView(row: sql.StatusRow): ReplyOf<typeof getTransaction> {
  const payments = row.credits.map((credit) => ({
    accountName: credit.sender_name,
    accountNumber: masked(credit.sender_account_number),
    bankCode: publicBankCode(credit.sender_bank_code),
    amountPaid: nairaText(BigInt(credit.kobo)),
  }))
  const paid = row.paid_kobo > 0n
  // While it takes the rest it is not closed: the last transfer says when.
  const last = row.credits.at(-1)
  const paidAt = row.status === 'PARTIALLY_PAID' && last ? new Date(last.received_at) : row.closed_at
  return {
    transactionReference: row.reference,
    paymentReference: row.payment_reference,
    amountPaid: nairaText(row.paid_kobo),
    totalPayable: nairaText(payableKobo(row)),
    settlementAmount: nairaText(row.paid_kobo - row.fee_kobo),
    paidOn: paid && paidAt ? slashedText(paidAt) : null,
    paymentStatus: row.status,
    paymentDescription: row.description,
    currency: 'NGN',
    paymentMethod: row.payment_method ?? (row.account_number === null ? null : 'ACCOUNT_TRANSFER'),
    product: toProduct(row),
    collectionChannel: toChannel(row),
    cardDetails: row.card && cardDetails(row.card),
    ...(row.declined === null ? {} : { declineCode: toDeclineCode(row.declined) }),
    accountDetails: payments[0] ?? null,
    accountPayments: payments,
    customer: { email: row.customer_email, name: row.customer_name },
    metaData: parseExact(row.meta_data) as Record<string, unknown>,
  }
}

/** The record as a transaction of the database sees it. */
export const findRecord = async (
  t: Tx,
  merchantId: bigint,
  reference: string,
): Promise<ReplyOf<typeof getTransaction>> =>
  statusView((await sql.findByReference(t, merchantId, reference)) ?? fail('TRANSACTION_NOT_FOUND'))

/** Records by the numbers of their transactions, which the caller has from rows of the merchant. */
export async function recordsByIds(
  read: Read,
  ids: readonly bigint[],
): Promise<Map<bigint, ReplyOf<typeof getTransaction>>> {
  const rows = ids.length === 0 ? [] : await sql.listByIds(read, ids)
  return new Map(rows.map((row) => [row.id, statusView(row)]))
}

/** What a transaction was paid, and the split it keeps. */
export const keptSplit = async (read: Read, merchantId: bigint, reference: string): Promise<sql.SplitRow> =>
  (await sql.findSplit(read, merchantId, reference)) ?? fail('TRANSACTION_NOT_FOUND')

export async function getByReference(ctx: Ctx, merchant: Merchant, reference: string) {
  const row = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.findByReference(r, merchant.id, reference))
  return statusView(row ?? fail('TRANSACTION_NOT_FOUND'))
}

export async function query(
  ctx: Ctx,
  merchant: Merchant,
  asked: { transactionReference?: string; paymentReference?: string },
) {
  const { transactionReference: reference, paymentReference } = asked
  if (reference !== undefined) {
    const found = await getByReference(ctx, merchant, reference)
    // Both are given: they must name the same transaction, or a caller takes one payment for another.
    if (paymentReference !== undefined && paymentReference !== found.paymentReference) fail('TRANSACTION_NOT_FOUND')
    return found
  }
  if (paymentReference === undefined) fail('REFERENCE_REQUIRED')
  const row = await readAs(ctx, merchant.cell, merchant.id, (r) =>
    sql.findByPaymentReference(r, merchant.id, paymentReference),
  )
  return statusView(row ?? fail('PAYMENT_NOT_FOUND'))
}
