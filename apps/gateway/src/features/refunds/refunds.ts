// Refunds: money of a transaction that was paid by transfer goes back, out of the merchant's wallet.
//   judge → enquire the name → accept (set aside, order) → PENDING → COMPLETED | FAILED        COMPLETED → FAILED, taken back
// Books: accepted: wallet → clearing, amount and fee (REFUND_HOLD); the rest is in settle.ts. Who waits: the bank. What is left of a
// transaction is decided under the lock of the wallet, which every refund of the merchant takes first.
import { bankOf } from '@cowrie/contract/banks'
import type { BodyOf, QueryOf, ReplyOf } from '@cowrie/contract/kit'
import { nairaNumber, nairaText, parseNaira } from '@cowrie/contract/money'
import { pageAsked, pageOf } from '@cowrie/contract/pages'
import {
  type getRefund,
  type initiateRefund,
  type listRefunds,
  NOTE_MAX,
  REASON_MAX,
  REFUND_FEE_KOBO,
  REFUND_MINIMUM_KOBO,
} from '@cowrie/contract/refunds'
import type { Call } from '../../core/bind.ts'
import { cellOf, readAs, tx } from '../../core/cells.ts'
import { accountId } from '../../core/chart.ts'
import { announceAll } from '../../core/events.ts'
import { lockWallets, post } from '../../core/ledger.ts'
import type { Merchant } from '../../core/merchants.ts'
import type { Keep } from '../../core/requests.ts'
import type { Ctx, Tx } from '../../kit/ctx.ts'
import { fail } from '../../kit/fail.ts'
import { refundReference } from '../../kit/ids.ts'
import { readMoment, slashedText, stampText } from '../../kit/times.ts'
import { activityOf, lowBalanceOf } from '../disbursements/accept.ts'
import { placeOrders } from '../orders/orders.ts'
import { owes, purseOf } from '../receivables/gate.ts'
import * as sql from './refunds.sql.ts'

type Asked = BodyOf<typeof initiateRefund>
type Shown = ReplyOf<typeof getRefund>

export const IN_PROGRESS = 'Transaction refund is in progress.'

// ---- what is asked, before anything is known

function amountOf({ refundAmount, refundReason, customerNote }: Asked): bigint {
  for (const [field, text, most] of [
    ['refundReason', refundReason, REASON_MAX],
    ['customerNote', customerNote, NOTE_MAX],
  ] as const)
    if (Array.from(text).length > most) fail('REFUND_TEXT_TOO_LONG', { field, most: String(most) })
  const kobo = parseNaira(refundAmount) ?? fail('AMOUNT_INVALID', { field: 'refundAmount' })
  return kobo < REFUND_MINIMUM_KOBO ? fail('REFUND_TOO_SMALL', { field: 'refundAmount' }) : kobo
}

/** The account that the merchant names, if it does. Clients send empty fields for none. */
function givenDestination(body: Asked): sql.Source | null {
  const account_number = body.destinationAccountNumber || null
  const bank_code = body.destinationAccountBankCode || body.destinationBankCode || null
  if (account_number === null && bank_code === null) return null
  return {
    account_number: account_number ?? fail('FIELD_MISSING', { field: 'destinationAccountNumber' }),
    bank_code: bank_code ?? fail('FIELD_MISSING', { field: 'destinationAccountBankCode' }),
  }
}

// ---- the rules

/** Whether so much of a transaction can be refunded. Asked twice: before the bank is asked for a name, so that nobody waits for
 *  a refusal, and under the lock, where the answer counts. */
export function judge(transaction: sql.Refundable | null, kobo: bigint): sql.Refundable {
  const field = 'transactionReference'
  if (!transaction) return fail('REFUND_TRANSACTION_UNKNOWN', { field })
  const { status, payment_method, product_type, paid_kobo, closed_at, flagged, refunded_kobo } = transaction
  if (paid_kobo === 0n) fail('REFUND_NOT_PERMITTED', { field, why: `it is ${status}` })
  if (payment_method !== 'ACCOUNT_TRANSFER' || product_type === 'DIRECT_DEBIT')
    fail('REFUND_NOT_PERMITTED', { field, why: 'it was not paid by transfer' })
  if (flagged) fail('REFUND_NOT_PERMITTED', { field, why: 'a bank took money of it back' })
  if (closed_at === null) fail('REFUND_NOT_PERMITTED', { field, why: 'it still takes payments' })
  const left = paid_kobo - refunded_kobo
  if (left <= 0n) fail('REFUND_ALL_DONE', { field })
  if (kobo > left) fail('REFUND_TOO_LARGE', { field: 'refundAmount', left: nairaText(left) })
  return transaction
}

type Destination = {
  readonly strategy: sql.RefundRow['strategy']
  readonly bank_code: string
  readonly account_number: string
  readonly account_name: string
}

/** To the account that is named, or to the one that paid. Which of several that paid should have it, we cannot know. */
async function destinationOf(ctx: Ctx, given: sql.Source | null, sources: readonly sql.Source[]): Promise<Destination> {
  const field = 'destinationAccountNumber'
  if (!given && sources.length > 1) fail('REFUND_ACCOUNT_INVALID', { field, why: 'several accounts paid' })
  const account = given ?? sources[0] ?? fail('REFUND_ACCOUNT_INVALID', { field, why: 'it is not known who paid' })
  const { bank_code, account_number } = account
  if (!bankOf(bank_code)) fail('REFUND_ACCOUNT_INVALID', { field: 'destinationAccountBankCode', why: 'no such bank' })
  if (!/^\d{10}$/.test(account_number)) fail('REFUND_ACCOUNT_INVALID', { field, why: 'not ten digits' })
  const outcome = await ctx.bank.nameEnquiry({ bankCode: bank_code, accountNumber: account_number })
  if (outcome.kind === 'no') fail('REFUND_ACCOUNT_INVALID', { field, why: 'the bank knows no such account' })
  if (outcome.kind !== 'yes') return fail('REFUND_ENQUIRY_UNANSWERED', {}, `name enquiry: ${outcome.why}`)
  const strategy = given ? 'MERCHANT_WALLET' : 'ORIGINAL_PAYMENT_SOURCE'
  return { strategy, bank_code, account_number, account_name: outcome.value.accountName }
}

// ---- commands

export function createRefunds(ctx: Ctx) {
  return async ({ merchant, body }: Call<typeof initiateRefund>, keep: Keep<Shown>): Promise<Shown> => {
    const kobo = amountOf(body)
    const given = givenDestination(body)
    const sources = await readAs(ctx, merchant.cell, merchant.id, async (r) => {
      if (await sql.find(r, merchant.id, body.refundReference))
        fail('REFUND_REFERENCE_USED', { field: 'refundReference' })
      const { id } = judge(await sql.findRefundable(r, merchant.id, body.transactionReference), kobo)
      return given ? [] : sql.listSources(r, merchant.id, id)
    })
    const destination = await destinationOf(ctx, given, sources)
    const record = await tx(ctx, merchant.cell, merchant.id, async (t) => {
      const accepted = recordOf(await accept(ctx, t, merchant, body, kobo, destination))
      await keep(t, accepted)
      return accepted
    })
    ctx.wake(merchant.cell)
    return record
  }
}

/** Sets the money aside and orders it, if the reference, the transaction and the wallet allow it now. */
async function accept(
  ctx: Ctx,
  t: Tx,
  merchant: Merchant,
  body: Asked,
  kobo: bigint,
  destination: Destination,
): Promise<sql.RefundRow> {
  const wallet = accountId(merchant.id, 'WALLET')
  const locked = await lockWallets(t, purseOf(merchant.id))
  const before = locked.get(wallet) ?? fail('REFUND_BALANCE_UNAVAILABLE')
  if (await sql.find(t, merchant.id, body.refundReference)) fail('REFUND_REFERENCE_USED', { field: 'refundReference' })
  const transaction = judge(await sql.findRefundable(t, merchant.id, body.transactionReference), kobo)
  if (owes(locked, merchant.id)) fail('RECEIVABLE_OPEN')
  const whole = kobo + REFUND_FEE_KOBO
  if (before < whole) fail('REFUND_FUNDS')
  const ids = await cellOf(ctx, t.cell).takeIds(4)
  const [id, transferId, activityId, alertId] = ids as [bigint, bigint, bigint, bigint]
  const row: sql.RefundRow = {
    id,
    merchant_id: merchant.id,
    reference: refundReference(t.cell, stampText(t.now), id),
    refund_reference: body.refundReference,
    transaction_id: transaction.id,
    transaction_reference: body.transactionReference,
    status: 'PENDING',
    version: 1,
    kobo,
    fee_kobo: REFUND_FEE_KOBO,
    type: kobo === transaction.paid_kobo ? 'FULL_REFUND' : 'PARTIAL_REFUND',
    reason: body.refundReason,
    customer_note: body.customerNote,
    ...destination,
    comment: IN_PROGRESS,
    created_at: t.now,
    completed_at: null,
  }
  await sql.insert(t, row)
  await placeOrders(ctx, t, [orderOf(row)])
  const movement = { objectId: id, before, after: before - whole }
  await announceAll(t, [
    activityOf(merchant, { ...movement, ...activityWords(row), id: activityId, version: 1 }, t.now),
    ...lowBalanceOf(merchant, { ...movement, id: alertId }, t.now),
  ])
  const entries = [
    { account: wallet, kobo: -whole },
    { account: accountId(merchant.id, 'CLEARING'), kobo: whole },
  ]
  const about = { merchantId: merchant.id, object: 'refund', objectId: id }
  await post(t, [{ ...about, id: transferId, kind: 'REFUND_HOLD', feeScheduleId: null, entries }])
  return row
}

const orderOf = (row: sql.RefundRow) => ({
  merchantId: row.merchant_id,
  purpose: 'REFUND' as const,
  subject: row.id,
  kobo: row.kobo,
  bankCode: row.bank_code,
  accountNumber: row.account_number,
  accountName: row.account_name,
  narration: row.customer_note,
})

/** How a movement in the wallet names its refund. */
export const activityWords = (row: sql.RefundRow) => ({
  reference: row.refund_reference,
  narration: `Refund of ${row.transaction_reference}`,
})

// ---- what is shown

export const recordOf = (row: sql.RefundRow): Shown => ({
  refundReference: row.refund_reference,
  transactionReference: row.transaction_reference,
  refundReason: row.reason,
  customerNote: row.customer_note,
  refundAmount: nairaNumber(row.kobo),
  refundType: row.type,
  refundStatus: row.status,
  refundStrategy: row.strategy,
  comment: row.comment,
  createdOn: slashedText(row.created_at),
  reference: row.reference,
  ...(row.completed_at === null ? {} : { completedOn: slashedText(row.completed_at) }),
  fee: nairaNumber(row.fee_kobo),
  currencyCode: 'NGN',
  destinationAccountNumber:
    row.strategy === 'MERCHANT_WALLET' ? row.account_number : `******${row.account_number.slice(-4)}`,
  destinationAccountName: row.account_name,
  destinationBankCode: row.bank_code,
  destinationBankName: bankOf(row.bank_code)?.name ?? row.bank_code,
})

export const findRefund = async (ctx: Ctx, merchant: Merchant, reference: string): Promise<Shown> =>
  recordOf(
    (await readAs(ctx, merchant.cell, merchant.id, (r) => sql.find(r, merchant.id, reference))) ??
      fail('REFUND_NOT_FOUND'),
  )

const momentOf = (field: string, text: string | undefined): Date | null => {
  if (text === undefined) return null
  return readMoment(text) ?? fail('FIELD_INVALID', { field, why: 'must be milliseconds since 1970 or a date' })
}

export async function listOfRefunds(
  ctx: Ctx,
  merchant: Merchant,
  query: QueryOf<typeof listRefunds>,
): Promise<ReplyOf<typeof listRefunds>> {
  const cut = pageAsked(query)
  const filter = {
    transactionReference: query.transactionReference ?? null,
    status: query.refundStatus ?? null,
    from: momentOf('from', query.from),
    to: momentOf('to', query.to),
  }
  const { rows, total } = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.list(r, merchant.id, filter, cut))
  return pageOf(rows.map(recordOf), cut, total)
}
