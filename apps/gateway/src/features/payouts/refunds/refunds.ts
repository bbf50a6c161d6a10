// Refunds: money of a transaction that was paid by transfer or card is returned, out of the merchant's
// wallet.
//   judge → enquire the name → accept (hold, order) → PENDING → COMPLETED | FAILED        COMPLETED → FAILED,
//     reversed
//   a card payment goes back to its card, through the issuer; nobody's name is enquired, and no account can
//     be named
//   to an account that did not pay: the gates of a transfer (approval, limits, the merchant's server) and, to
//     a name that did not pay,
//   a code (authorise.ts)
//   above what the merchant chose, and whatever an agent proposes, wherever it goes: one of its people
//     approves it first, and no code is issued
// Books: accepted: wallet → clearing, amount and fee (REFUND_HOLD); the rest is in outcome.ts. Who waits: the
// bank. What is left of a transaction is decided under the lock of the wallet, which every refund of the
// merchant takes first.

import { nairaText, parseNaira } from '@cowrie/contract/kit/money'
import type { BodyOf } from '@cowrie/contract/kit/spec'
import { APPROVE_REFUND, EXPIRE_REFUND } from '@cowrie/contract/kit/timers'
import {
  type initiateRefund,
  NOTE_MAX,
  REASON_MAX,
  REFUND_FEE_KOBO,
  REFUND_MINIMUM_KOBO,
} from '@cowrie/contract/payouts/refunds'
import { calculatePrice, type Price } from '#core/access/fees.ts'
import type { Merchant } from '#core/access/merchants.ts'
import { schedule } from '#core/agenda.ts'
import { cellById, engineTx, readAs, tx } from '#core/cells/cells.ts'
import { announceAll } from '#core/events.ts'
import type { StoreResponse } from '#core/idempotency.ts'
import { accountId } from '#core/ledger/chart.ts'
import { lockWallets, post } from '#core/ledger/ledger.ts'
import type { Call } from '#core/serving.ts'
import { naira } from '#features/events/mails/mail-look.ts'
import { queueMail } from '#features/events/mails/mails.ts'
import { fileCode, type IssuedCode, issueCode, type Subject } from '#features/wallets/authorisation/codes.ts'
import { owes, walletAndReceivable } from '#features/wallets/receivables/gate.ts'
import { askPerson, authoriseBy, needDecider, needsPerson } from '#features/wallets/second-person/second-person.ts'
import { askingWhereNeeded, countAlone, counts, type Goal } from '#features/wallets/wallets/alone.ts'
import { countDay } from '#features/wallets/wallets/day-limit.ts'
import { toActivity, toLowBalance } from '#features/wallets/wallets/wallets.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { idsFrom, refundReference } from '#kit/ids.ts'
import { stampText } from '#kit/times.ts'
import {
  type Destination,
  enquireDestination,
  isNotPayer,
  isSame,
  namedAccount,
  onlySource,
  toCardDestination,
} from './destination.ts'
import { orderRefund } from './order.ts'
import { presentRefund, type RefundRecord } from './presenter.ts'
import * as sql from './refunds.sql.ts'

type Asked = BodyOf<typeof initiateRefund>

export const IN_PROGRESS = 'Transaction refund is in progress.'
const WAITS_FOR_CODE = 'Transaction refund is waiting for authorization.'
const WAITS_FOR_PERSON = 'Transaction refund is waiting for approval.'

// ---- rules

function amountOf({ refundAmount, refundReason, customerNote }: Asked): bigint {
  for (const [field, text, most] of [
    ['refundReason', refundReason, REASON_MAX],
    ['customerNote', customerNote, NOTE_MAX],
  ] as const)
    if (Array.from(text).length > most) fail('REFUND_TEXT_TOO_LONG', { field, most: String(most) })
  const kobo = parseNaira(refundAmount) ?? fail('AMOUNT_INVALID', { field: 'refundAmount' })
  return kobo < REFUND_MINIMUM_KOBO ? fail('REFUND_TOO_SMALL', { field: 'refundAmount' }) : kobo
}

const TRANSFERRED: ReadonlySet<string> = new Set(['ACCOUNT_TRANSFER', 'USSD'])

/** Whether so much of a transaction can be refunded. Asked twice: before the bank is asked for a name, so
 *  that nobody waits for a refusal, and under the lock, where the answer counts. */
export function judge(transaction: sql.Refundable | null, kobo: bigint): sql.Refundable {
  const field = 'transactionReference'
  if (!transaction) return fail('REFUND_TRANSACTION_UNKNOWN', { field })
  const { status, payment_method, product_type, paid_kobo, closed_at, reversed_kobo, refunded_kobo } = transaction
  if (paid_kobo === 0n) fail('REFUND_NOT_PERMITTED', { field, why: `it is ${status}` })
  // What was dialled came from an account too, and can go back there.
  if ((!TRANSFERRED.has(payment_method ?? '') && payment_method !== 'CARD') || product_type === 'DIRECT_DEBIT')
    fail('REFUND_NOT_PERMITTED', { field, why: 'it was not paid by transfer or card' })
  // Of several transfers a bank may have reversed one: the others can go back.
  if (reversed_kobo >= paid_kobo) fail('REFUND_NOT_PERMITTED', { field, why: 'a bank reversed it' })
  if (closed_at === null) fail('REFUND_NOT_PERMITTED', { field, why: 'it still accepts payments' })
  const left = paid_kobo - reversed_kobo - refunded_kobo
  if (left <= 0n) fail('REFUND_ALL_DONE', { field })
  if (kobo > left) fail('REFUND_TOO_LARGE', { field: 'refundAmount', left: nairaText(left) })
  return transaction
}

/** Whether the merchant may send so much at once to whom it likes. */
function checkGates({ transfers }: Merchant, kobo: bigint): void {
  if (!transfers.approved) fail('TRANSFERS_NOT_APPROVED')
  if (kobo > transfers.perTransferKobo) fail('TRANSFER_LIMIT', { field: 'refundAmount' })
}

/** What a refund of an amount costs, decided when it is accepted. */
export const refundPrice = (merchant: Merchant, kobo: bigint, at: Date): Price =>
  calculatePrice(merchant, 'REFUND', at, kobo, () => REFUND_FEE_KOBO)

// ---- command

export async function initiate(
  ctx: Ctx,
  { merchant, body }: Call<typeof initiateRefund>,
  store: StoreResponse<RefundRecord>,
): Promise<RefundRecord> {
  const asked = await requestOf(ctx, merchant, body)
  const record = await askingWhereNeeded(asked.person, async (person) => {
    const request = person ? { ...asked, person, issued: null } : asked
    const work = async (t: Tx): Promise<RefundRecord> => {
      const accepted = presentRefund(await accept(ctx, t, request))
      await store(t, accepted)
      return accepted
    }
    // What is counted for a day is the engine's to write, and so is the queue of approvals.
    const made =
      request.elsewhere || person || counts(merchant)
        ? await engineTx(ctx, merchant.cell, work)
        : await tx(ctx, merchant.cell, merchant.id, work)
    if (request.issued) await mailRefundCode(ctx, merchant, body.refundReference, request.issued)
    return made
  })
  ctx.wake(merchant.cell)
  return record
}

/** All that a refund is accepted with. */
type RefundRequest = {
  readonly merchant: Merchant
  readonly body: Asked
  readonly kobo: bigint
  readonly destination: Destination
  /** To an account that did not pay. */
  readonly elsewhere: boolean
  /** It waits for one of the merchant's people. */
  readonly person: boolean
  readonly issued: IssuedCode | null
}

async function requestOf(ctx: Ctx, merchant: Merchant, body: Asked): Promise<RefundRequest> {
  const kobo = amountOf(body)
  const given = namedAccount(body)
  const person = needsPerson(merchant, kobo)
  await needDecider(ctx, merchant)
  const payer = await readAs(ctx, merchant.cell, merchant.id, async (r) => {
    if (await sql.find(r, merchant.id, body.refundReference))
      fail('REFUND_REFERENCE_USED', { field: 'refundReference' })
    const { id, payment_method } = judge(await sql.findRefundable(r, merchant.id, body.transactionReference), kobo)
    return payment_method === 'CARD'
      ? { charge: await sql.findCharge(r, merchant.id, id) }
      : { sources: await sql.listSources(r, merchant.id, id) }
  })
  if ('charge' in payer) {
    const destination = toCardDestination(given, payer.charge, body.transactionReference)
    return { merchant, body, kobo, destination, elsewhere: false, person, issued: null }
  }
  const { sources } = payer
  const account = given ?? onlySource(sources)
  const elsewhere = !sources.some(isSame(account))
  if (elsewhere) checkGates(merchant, kobo)
  const destination = await enquireDestination(ctx, given, account)
  const coded = !person && elsewhere && merchant.transfers.otp && isNotPayer(destination.account_name, sources)
  const issued = coded ? issueCode(ctx, merchant, toCodeSubject({ ...body, ...destination, kobo })) : null
  return { merchant, body, kobo, destination, elsewhere, person, issued }
}

// ---- accepted: the money is held

/** Holds the money and orders it, if the reference, the transaction, the limits and the wallet allow it
 *  now. */
async function accept(ctx: Ctx, t: Tx, request: RefundRequest): Promise<sql.RefundRow> {
  const { merchant, body, kobo } = request
  const wallet = accountId(merchant.id, 'WALLET')
  const locked = await lockWallets(t, walletAndReceivable(merchant.id))
  const before = locked.get(wallet) ?? fail('REFUND_BALANCE_UNAVAILABLE')
  if (await sql.find(t, merchant.id, body.refundReference)) fail('REFUND_REFERENCE_USED', { field: 'refundReference' })
  const transaction = judge(await sql.findRefundable(t, merchant.id, body.transactionReference), kobo)
  if (owes(locked, merchant.id)) fail('RECEIVABLE_OPEN')
  const price = refundPrice(merchant, kobo, t.now)
  const whole = kobo + price.kobo
  if (before < whole) fail('REFUND_FUNDS')
  if (request.elsewhere) await countDay(t, merchant, kobo, 'refundAmount')
  if (!request.person) await countAlone(t, { merchant, parts: [{ kobo, to: goalOf(request) }] }, 'refundAmount')
  const next = idsFrom(await cellById(ctx, t.cell).takeIds(6))
  const row = rowOf(t, next(), request, transaction, price)
  const { id } = row
  await sql.insert(t, row)
  await begin(ctx, t, row, request, { approval: next(), mail: next() })
  const movement = { objectId: id, before, after: before - whole }
  await announceAll(t, [
    toActivity(merchant, { ...movement, ...activityWords(row), id: next(), version: 1 }, t.now),
    ...toLowBalance(merchant, { ...movement, id: next() }, t.now),
  ])
  const entries = [
    { account: wallet, kobo: -whole },
    { account: accountId(merchant.id, 'CLEARING'), kobo: whole },
  ]
  const about = { merchantId: merchant.id, object: 'refund', objectId: id }
  await post(t, [{ ...about, id: next(), kind: 'REFUND_HOLD', entries }])
  return row
}

/** Back to whoever paid is no new account. */
const goalOf = ({ elsewhere, destination: { bank_code, account_number } }: RefundRequest): Goal =>
  elsewhere && bank_code !== null && account_number !== null
    ? { bankCode: bank_code, accountNumber: account_number }
    : null

function rowOf(
  t: Tx,
  id: bigint,
  { merchant, body, kobo, destination, elsewhere, person, issued }: RefundRequest,
  transaction: sql.Refundable,
  price: Price,
): sql.RefundRow {
  const asked = !issued && asksFirst(merchant, elsewhere) ? 'ASKED' : null
  return {
    id,
    merchant_id: merchant.id,
    reference: refundReference(t.cell, stampText(t.now), id),
    refund_reference: body.refundReference,
    transaction_id: transaction.id,
    transaction_reference: body.transactionReference,
    status: 'PENDING',
    version: 1,
    kobo,
    fee_kobo: price.kobo,
    fee_schedule_id: price.scheduleId,
    type: kobo === transaction.paid_kobo ? 'FULL_REFUND' : 'PARTIAL_REFUND',
    reason: body.refundReason,
    customer_note: body.customerNote,
    ...destination,
    approval: person ? 'PERSON' : asked,
    comment: person ? WAITS_FOR_PERSON : issued ? WAITS_FOR_CODE : IN_PROGRESS,
    created_at: t.now,
    completed_at: null,
    elsewhere,
    authorize_by: issued || person ? authoriseBy(t.now) : null,
  }
}

// ---- what happens next

/** It is ordered at once, or waits: for a person, for its code, or for the merchant's server. */
async function begin(
  ctx: Ctx,
  t: Tx,
  row: sql.RefundRow,
  { merchant, issued }: RefundRequest,
  ids: { readonly approval: bigint; readonly mail: bigint },
): Promise<void> {
  const { id, merchant_id, authorize_by, approval } = row
  if (authorize_by !== null) await schedule(t, EXPIRE_REFUND, merchant_id, id, authorize_by)
  if (approval === 'PERSON') await askPerson(t, merchant, ids, waitingOf(row))
  else if (issued) await fileCode(t, merchant_id, id, issued)
  else if (approval === 'ASKED') await schedule(t, APPROVE_REFUND, merchant_id, id, t.now)
  else {
    await orderRefund(ctx, t, row)
    await queueMail(t, ids.mail, merchant, ownersMail(row))
  }
}

/** As whoever decides about it sees it. No name: what is kept with approvals is not erased with a payer. */
const waitingOf = ({ refund_reference, kobo, masked_pan, account_number, bank_code, elsewhere }: sql.RefundRow) => ({
  kind: 'REFUND' as const,
  reference: refund_reference,
  kobo,
  to:
    masked_pan !== null
      ? `the card that paid, ${masked_pan}`
      : elsewhere
        ? `account ${account_number}, bank ${bank_code}, which did not pay`
        : `the account that paid, ending in ${account_number?.slice(-4)}`,
})

/** Whether the merchant's server is asked before it is ordered: as for a transfer, so only where it goes to
 *  an account that did not pay. */
export const asksFirst = ({ transfers }: Merchant, elsewhere: boolean): boolean =>
  elsewhere && transfers.approvalUrl !== null

/** What a code of a refund is for. */
export const toCodeSubject = (refund: {
  readonly refundReference: string
  readonly kobo: bigint
  readonly bank_code: string | null
  readonly account_number: string | null
  readonly account_name: string | null
}): Subject => ({
  reference: refund.refundReference,
  kobo: refund.kobo,
  to: `${refund.bank_code}/${refund.account_number}`,
  says: `A refund to ${refund.account_name}, ${refund.account_number}`,
})

/** After the commit. The refund has no state for a mail that is not taken: the merchant asks for another. */
export async function mailRefundCode(
  ctx: Ctx,
  merchant: Merchant,
  reference: string,
  issued: IssuedCode,
): Promise<void> {
  if (!(await issued.mail()))
    ctx.log.warn('authorization code of a refund was not mailed', {
      cell: merchant.cell,
      merchantId: merchant.id,
      reference,
    })
}

// ---- words

/** The owner is notified of every refund; of one that waits, by the mail about that. */
export const ownersMail = (row: sql.RefundRow) => ({
  subject: `Refund ${row.refund_reference}`,
  text: [
    `A refund of ${naira(row.kobo)}, reference ${row.refund_reference}, for transaction ${row.transaction_reference} is on its way.`,
    wayOf(row),
    'If you did not request this, replace your secret key at once and contact support.',
  ].join('\n\n'),
})

function wayOf({ masked_pan, account_number, account_name, elsewhere }: sql.RefundRow): string {
  if (masked_pan !== null) return `It goes back to the card that paid, ending in ${masked_pan.slice(-4)}.`
  const ending = account_number?.slice(-4)
  return elsewhere
    ? `It goes to ${account_name}, account ending in ${ending}. This is not an account that paid.`
    : `It goes back to the account that paid, ending in ${ending}.`
}

/** How a movement in the wallet names its refund. */
export const activityWords = (row: sql.RefundRow) => ({
  reference: row.refund_reference,
  narration: `Refund of ${row.transaction_reference}`,
})
