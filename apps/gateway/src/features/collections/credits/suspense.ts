// Suspense: unmatched money.
//   HELD → RETURNING → [bank: yes] RETURNED      RETURNING → [bank: no] HELD      HELD → [seven days]
//     RETURNING
//   HELD → [two operators, or its merchant's people] REASSIGNED (decisions.ts, held-money)
// Books: received as bank → suspense; RETURNED moves suspense → bank, never before the bank has said yes. Who
// waits: the bank's answer, asked for again under the same session with growing pauses; the owner of what is
// held, until decide_by.

import { findBank } from '@cowrie/contract/bank/banks'
import type { CreditNotice } from '@cowrie/contract/bank/connector'
import { publicBankCode } from '@cowrie/contract/collections/payment-policy'
import { DECIDE_WITHIN_DAYS, suspenseMachine } from '@cowrie/contract/collections/suspense'
import { toProduct } from '@cowrie/contract/collections/transactions'
import { type RejectionReason, rejectedPayment } from '@cowrie/contract/events/collections'
import { DAY_MS } from '@cowrie/contract/kit/durations'
import { parseExact } from '@cowrie/contract/kit/exact-json'
import { type Kobo, nairaNumber, nairaText } from '@cowrie/contract/kit/money'
import { RETURN_SUSPENSE, SUSPENSE_OVERDUE } from '@cowrie/contract/kit/timers'
import { payableKobo } from '#core/access/fees.ts'
import type { Merchant } from '#core/access/merchants.ts'
import { schedule } from '#core/agenda.ts'
import { cellById, engineTx, readAll } from '#core/cells/cells.ts'
import { announce, eventBody } from '#core/events.ts'
import { accountId, bankAccount, HOUSE } from '#core/ledger/chart.ts'
import { type Posting, post } from '#core/ledger/ledger.ts'
import { mover } from '#core/ledger/move.ts'
import { connectorOfMoney, moneyName, referenceOfMoney } from '#core/routing/names.ts'
import { bankFor } from '#core/routing/routing.ts'
import type { Suspended } from '#features/collections/payment-policy/payment-policy.ts'
import { naira } from '#features/events/mails/mail-look.ts'
import { queueMail } from '#features/events/mails/mails.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { type CellId, FIRST_CONNECTOR_ID } from '#kit/ids.ts'
import { spacedText } from '#kit/times.ts'
import * as sql from './suspense.sql.ts'

/** Answers that say the money cannot go back. Any other one (a signature not taken, too many requests) says
 *  nothing of it. Nor does 409: a bank that has returned the credit, or taken it back, may say so, and that
 *  money must not be held here as if it were there. */
const REFUSES: ReadonlySet<number> = new Set([400, 404, 410, 422])
const PAUSE_FIRST_SECONDS = 5
const PAUSE_MAX_SECONDS = 6 * 3600

const daysAfter = (now: Date): Date => new Date(now.getTime() + DECIDE_WITHIN_DAYS * DAY_MS)
/** 5 s, 10 s, 20 s … up to six hours. */
export const pauseSeconds = (attempts: number): number =>
  Math.min(PAUSE_MAX_SECONDS, PAUSE_FIRST_SECONDS * 2 ** Math.min(attempts, 20))

export const itemMoves = mover(suspenseMachine, {
  name: 'suspense',
  set: {
    owner: 'text',
    decide_by: 'timestamptz',
    refusal: 'text',
    return_session_id: 'text',
    closed_at: 'timestamptz',
  },
})
const set = (item: Pick<sql.ItemRow, 'owner' | 'decide_by' | 'refusal'>) => ({
  owner: item.owner,
  decide_by: item.decide_by,
  refusal: item.refusal,
  return_session_id: null,
  closed_at: null,
})

// ---- it comes

export type Arrived = {
  readonly row: sql.OfTransaction
  readonly notice: CreditNotice
  readonly paid: Kobo
  readonly merchant: Merchant
  /** When it was paid, where only a statement shows it: what it costs to accept is of then. */
  readonly paidAt?: Date | undefined
}

/** Books money that is not counted, explains it, tells it, and starts its way back where that is what comes
 *  next. */
export async function suspendIn(ctx: Ctx, t: Tx, arrived: Arrived, verdict: Suspended): Promise<void> {
  const { row, merchant } = arrived
  const paid: bigint = arrived.paid
  const ids = await cellById(ctx, t.cell).takeIds(4)
  const [id, transferId, eventId, mailId] = ids as [bigint, bigint, bigint, bigint]
  const whose = { merchantId: row.merchant_id, transactionId: row.id }
  const decideBy = await take(t, id, transferId, whose, arrived, verdict)
  await announce(t, {
    id: eventId,
    merchantId: row.merchant_id,
    type: rejectedPayment.type,
    object: row.reference,
    objectId: row.id,
    objectVersion: row.version,
    body: eventBody(rejectedPayment, rejection(arrived, verdict, decideBy, t.now)),
  })
  await queueMail(t, mailId, merchant, arrivalMail(row, paid, verdict, decideBy))
}
export const suspend = (ctx: Ctx, cell: CellId, arrived: Arrived, verdict: Suspended): Promise<void> =>
  engineTx(ctx, cell, (t) => suspendIn(ctx, t, arrived, verdict))

/** Money for a number that was never given out, or not any more, and for the wallet of a suspended merchant:
 *  it is returned, and nobody is notified. */
export async function suspendUnknown(
  ctx: Ctx,
  cell: CellId,
  notice: CreditNotice,
  paid: Kobo,
  reason: 'ACCOUNT_UNKNOWN' | 'MERCHANT_SUSPENDED',
): Promise<void> {
  const [id, transferId] = (await cellById(ctx, cell).takeIds(2)) as [bigint, bigint]
  const nobody = { merchantId: HOUSE, transactionId: null }
  const verdict = { reason, next: 'RETURN' } as const
  await engineTx(ctx, cell, (t) => take(t, id, transferId, nobody, { notice, paid }, verdict))
}

/** The two constraints that a repeated session violates; PostgreSQL names whichever it checks first. */
const ONE_SESSION: ReadonlySet<string> = new Set(['bank_sessions_pkey', 'suspense_items_bank_reference_key'])
export const isSameSession = (error: unknown): boolean =>
  ONE_SESSION.has((error as { constraint?: string } | null)?.constraint ?? '')

/** The row, the posting and the timers of money that comes into suspense; answers the day by which somebody
 *  must decide. */
export async function take(
  t: Tx,
  id: bigint,
  transferId: bigint,
  whose: { readonly merchantId: bigint; readonly transactionId: bigint | null },
  { notice, paid, paidAt }: Pick<Arrived, 'notice' | 'paid' | 'paidAt'>,
  { reason, next }: { readonly reason: Reason; readonly next: Suspended['next'] },
): Promise<Date> {
  const held = next === 'HOLD'
  const owner = held && whose.merchantId !== HOUSE ? 'merchant' : 'operations'
  const item = { owner, decide_by: daysAfter(t.now), refusal: null }
  const row = {
    id,
    transferId,
    kobo: paid,
    reason,
    owner: item.owner,
    decideBy: item.decide_by,
    receivedAt: paidAt ?? t.now,
  }
  await sql.insert(t, whose, notice, row)
  await post(t, [suspensePosting(id, transferId, whose.merchantId, paid, bankOfMoney(notice.sessionId))])
  await schedule(t, SUSPENSE_OVERDUE, whose.merchantId, id, item.decide_by)
  if (!held) await sendBack(t, { id, merchant_id: whose.merchantId, ...item })
  return item.decide_by
}

type Held = Pick<sql.ItemRow, 'id' | 'merchant_id' | 'owner' | 'decide_by' | 'refusal'>

/** Starts the way back of a held item; the bank is asked by the timer. False when it is not held any more. */
export async function sendBack(t: Tx, item: Held): Promise<boolean> {
  const moved = await itemMoves(t, [
    { on: 'sendBack', id: item.id, merchantId: item.merchant_id, from: 'HELD', set: set(item) },
  ])
  if (moved.size > 0) await schedule(t, RETURN_SUSPENSE, item.merchant_id, item.id, t.now)
  return moved.size > 0
}

// ---- it goes back

/** Asks the bank to send items back, all at once: each call has its own limit, and none waits for a silent
 *  one. */
export async function returnItems(ctx: Ctx, cell: CellId, ids: readonly bigint[]): Promise<void> {
  const items = await readAll(ctx, cell, (r) => sql.listByIds(r, ids))
  await Promise.all(items.filter((item) => item.status === 'RETURNING').map((item) => returnItem(ctx, cell, item)))
}

async function returnItem(ctx: Ctx, cell: CellId, item: sql.ToldRow): Promise<void> {
  const [connector, sessionId] = [connectorOfMoney(item.bank_reference), referenceOfMoney(item.bank_reference)]
  const bank = connector === FIRST_CONNECTOR_ID ? ctx.bank : await bankFor(ctx, cell, connector)
  const outcome = await bank.returnCredit({
    sessionId,
    amount: nairaText(item.kobo),
    reason: wordsToSender(item.reason as Reason, item.reference ?? sessionId),
  })
  const [transferId, mailId] = (await cellById(ctx, cell).takeIds(2)) as [bigint, bigint]
  const common = { id: item.id, merchantId: item.merchant_id, from: 'RETURNING' } as const
  await engineTx(ctx, cell, async (t) => {
    if (outcome.kind === 'yes') {
      const returned = moneyName(connector, outcome.value.returnSessionId)
      const closed = { ...set(item), return_session_id: returned, closed_at: t.now }
      await itemMoves(t, [{ ...common, on: 'returned', set: closed, post: returnPosting(item, transferId) }])
    } else if (outcome.kind === 'unknown' || !REFUSES.has(outcome.status)) {
      await sql.countAttempt(t, item)
      const again = new Date(t.now.getTime() + pauseSeconds(item.attempts) * 1000)
      await schedule(t, RETURN_SUSPENSE, item.merchant_id, item.id, again)
    } else {
      const kept = { owner: 'operations', decide_by: daysAfter(t.now), refusal: outcome.said ?? outcome.why }
      const moved = await itemMoves(t, [{ ...common, on: 'refused', set: set(kept) }])
      if (moved.size === 0) return
      await schedule(t, SUSPENSE_OVERDUE, item.merchant_id, item.id, kept.decide_by)
      await tellOwner(t, mailId, item, refusalMail(item, kept.refusal))
    }
  })
}

/** The bank has reversed an item's money on its own; the caller has the item's lock. False when it has left
 *  suspense: it is back already by our own return, or a wallet has it. */
export async function markReversed(
  t: Tx,
  item: sql.ItemRow,
  transferId: bigint,
  reversalReference: string,
): Promise<boolean> {
  if (item.status !== 'HELD' && item.status !== 'RETURNING') return false
  const closed = { ...set(item), return_session_id: reversalReference, closed_at: t.now }
  const { id, merchant_id: merchantId, status: from } = item
  await itemMoves(t, [{ on: 'takenBack', id, merchantId, from, set: closed, post: returnPosting(item, transferId) }])
  return true
}

// ---- its day passes

/** Held money whose day has passed goes back; where that was refused, or the bank is silent, its owner is
 *  notified again. */
export async function handleOverdue(ctx: Ctx, cell: CellId, ids: readonly bigint[]): Promise<void> {
  const mailIds = await cellById(ctx, cell).takeIds(ids.length)
  await engineTx(ctx, cell, async (t) => {
    const items = await sql.listByIds(t, ids)
    for (const [at, item] of items.entries()) {
      // A timer of an earlier day, after a refusal gave it a new one.
      if (item.status === 'RETURNED' || item.status === 'REASSIGNED' || item.decide_by > t.now) continue
      const next = daysAfter(t.now)
      await sql.setDay(t, item, next)
      await schedule(t, SUSPENSE_OVERDUE, item.merchant_id, item.id, next)
      await tellOwner(t, mailIds[at] as bigint, item, overdueMail(item))
      if (item.status === 'HELD' && item.refusal === null) await sendBack(t, { ...item, decide_by: next })
    }
  })
}

// ---- postings

/** Our account at the bank that has the money. */
const bankOfMoney = (name: string): bigint => bankAccount(connectorOfMoney(name))

const suspensePosting = (id: bigint, transferId: bigint, merchantId: bigint, kobo: bigint, bank: bigint): Posting => ({
  id: transferId,
  merchantId,
  kind: 'SUSPENSE',
  object: 'suspense_item',
  objectId: id,
  entries: [
    { account: bank, kobo: -kobo },
    { account: accountId(HOUSE, 'SUSPENSE'), kobo },
  ],
})

const returnPosting = (item: sql.ItemRow, transferId: bigint): Posting => ({
  id: transferId,
  merchantId: item.merchant_id,
  kind: 'SUSPENSE_RETURN',
  object: 'suspense_item',
  objectId: item.id,
  entries: [
    { account: accountId(HOUSE, 'SUSPENSE'), kobo: -item.kobo },
    { account: bankOfMoney(item.bank_reference), kobo: item.kobo },
  ],
})

// ---- events

export const presentSource = (notice: CreditNotice, paid: bigint) => ({
  bankCode: publicBankCode(notice.senderBankCode),
  amountPaid: nairaNumber(paid),
  accountName: notice.senderName,
  sessionId: referenceOfMoney(notice.sessionId),
  accountNumber: notice.senderAccountNumber,
})

function rejection({ row, notice, paid }: Arrived, { reason, next }: Suspended, decideBy: Date, now: Date) {
  const ofAmount = reason === 'UNDER_PAYMENT' || reason === 'OVER_PAYMENT'
  return {
    metaData: parseExact(row.meta_data) as Record<string, unknown>,
    product: toProduct(row),
    amount: nairaNumber(paid),
    paymentSourceInformation: presentSource(notice, paid),
    transactionReference: row.reference,
    created_on: spacedText(now),
    paymentReference: row.payment_reference,
    paymentRejectionInformation: {
      bankCode: notice.bankCode,
      destinationAccountNumber: notice.accountNumber,
      bankName: findBank(notice.bankCode)?.name ?? notice.bankCode,
      rejectionReason: reason,
      expectedAmount: nairaNumber(payableKobo(row) - (ofAmount ? row.paid_kobo : 0n)),
      nextStep: next,
      heldUntil: next === 'HOLD' ? spacedText(decideBy) : null,
    },
    paymentDescription: row.description,
    customer: { name: row.customer_name, email: row.customer_email },
  }
}

const WHY: Readonly<Record<RejectionReason, string>> = {
  UNDER_PAYMENT:
    'It is less than the amount due, and your payment policy does not accept that. The transaction is still pending.',
  OVER_PAYMENT:
    'It is more than the amount due, and your payment policy does not accept that. The transaction is still pending.',
  TRANSACTION_EXPIRED: 'The transaction had expired, so the money was not accepted.',
  TRANSACTION_COMPLETED: 'The transaction was already complete, so the money was not accepted.',
  TRANSACTION_CANCELLED: 'The transaction or its invoice was cancelled, so the money was not accepted.',
  PAYER_BARRED: 'The sender is on your list of barred payers, so the money was not accepted.',
  SOURCE_NOT_ALLOWED:
    'The account accepts money only from the sources you have listed, and the sender is not one of them.',
  ACCOUNT_INACTIVE: 'No open invoice is attached to the account, so it cannot accept money.',
  ACCOUNT_DEALLOCATED: 'You have deallocated the account, so it no longer accepts money.',
  TRANSACTION_LIMIT: 'It is more than the limit profile of the account allows in one transfer.',
  DAILY_VALUE_LIMIT: 'With it the account would have taken more today than its limit profile allows in a day.',
  DAILY_VOLUME_LIMIT: 'The account has taken as many transfers today as its limit profile allows in a day.',
  MERCHANT_SUSPENDED: 'Your account with us is suspended, so no money is accepted for it.',
}
/** Why money is in suspense; the last is not reported to anybody. */
type Reason = RejectionReason | 'ACCOUNT_UNKNOWN'
const TO_SENDER: Readonly<Record<Reason, string>> = {
  UNDER_PAYMENT: 'less than the amount due',
  OVER_PAYMENT: 'more than the amount due',
  TRANSACTION_EXPIRED: 'the payment came too late',
  TRANSACTION_COMPLETED: 'it was already paid',
  TRANSACTION_CANCELLED: 'the payment had been cancelled',
  PAYER_BARRED: 'the merchant does not accept payments from this account',
  SOURCE_NOT_ALLOWED: 'the account does not accept payments from this sender',
  ACCOUNT_INACTIVE: 'the account does not accept payments at the moment',
  ACCOUNT_DEALLOCATED: 'the account is closed',
  TRANSACTION_LIMIT: 'it is above the limit of one payment to this account',
  DAILY_VALUE_LIMIT: 'it is above what this account accepts in a day',
  DAILY_VOLUME_LIMIT: 'the account has taken all payments that it accepts in a day',
  MERCHANT_SUSPENDED: 'the account does not accept payments at the moment',
  ACCOUNT_UNKNOWN: 'there is no such account',
}
const wordsToSender = (reason: Reason, reference: string): string =>
  `Returned: ${TO_SENDER[reason]}. Reference ${reference}`

/** The mail about an item; none where nobody is known whose it could be. */
async function tellOwner(t: Tx, mailId: bigint, item: sql.ItemRow, mail: { subject: string; text: string }) {
  if (item.merchant_email === null) return
  await queueMail(t, mailId, { id: item.merchant_id, email: item.merchant_email }, mail)
}
const day = (at: Date): string => spacedText(at).slice(0, 16)
const dearMerchant = (...sentences: readonly string[]): string => sentences.join('\n\n')

const arrivalMail = (row: sql.OfTransaction, paid: bigint, { reason, next }: Suspended, decideBy: Date) => ({
  subject: `${naira(paid)} for ${row.reference} was received but not accepted`,
  text: dearMerchant(
    `We received ${naira(paid)} for ${purpose(row)}.`,
    WHY[reason],
    next === 'RETURN'
      ? 'It is being returned to the account it came from. We will write again only if the bank refuses the return.'
      : `It is held, as your payment policy says. If no other decision is made by ${day(decideBy)}, it will be returned to the account it came from.`,
  ),
})

/** What money came for, as its merchant knows it. */
const purpose = (
  of: Pick<sql.ToldRow, 'reference' | 'payment_reference' | 'product_type' | 'product_reference'>,
): string => {
  if (of.product_type === 'RESERVED_ACCOUNT')
    return `your reserved account ${of.product_reference} (transaction ${of.reference})`
  if (of.product_type === 'INVOICE') return `your invoice ${of.product_reference} (transaction ${of.reference})`
  return `transaction ${of.reference} (your reference ${of.payment_reference})`
}
const about = (item: sql.ToldRow): string => `${naira(item.kobo)} received for ${purpose(item)}`

const refusalMail = (item: sql.ToldRow, why: string) => ({
  subject: `${naira(item.kobo)} for ${item.reference} could not be returned`,
  text: dearMerchant(
    `${about(item)} could not be returned: the bank refused.`,
    `The bank's reason: ${why}`,
    'The money is held. Our operations team is looking into it. You do not need to do anything.',
  ),
})

const overdueMail = (item: sql.ToldRow) => ({
  subject: `${naira(item.kobo)} for ${item.reference} is still held`,
  text: dearMerchant(
    `${about(item)} is still held.`,
    item.status === 'RETURNING'
      ? 'We asked the bank to return it, and the bank has not answered. We will keep asking.'
      : item.refusal === null
        ? 'The holding period has ended without a decision, so it is now being returned to the account it came from.'
        : `The bank refused the return: ${item.refusal}. Our operations team has been notified.`,
  ),
})
