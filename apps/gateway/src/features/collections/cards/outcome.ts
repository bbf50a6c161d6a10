// What an issuer's answer does, in one transaction: to the charge, and to the transaction it is for.
//   granted and the transaction waits → APPROVED, PAID        granted, but it was paid or has expired
//     meanwhile → reversed
// Books: what its acquirer owes us → merchant pending, shares and fee income, with the transaction's own
// move.

import type { CardAnswer } from '@cowrie/contract/bank/connector'
import type { CardAnswerV2 } from '@cowrie/contract/bank/v2/cards'
import {
  CHALLENGE_SECONDS,
  CHECKOUT_DECLINES_MAX,
  cardChargeMachine,
  INPUT_SECONDS,
  maskedPan,
  OTP_SECONDS,
} from '@cowrie/contract/collections/cards'
import { isApproval, responseCode } from '@cowrie/contract/collections/response-codes'
import { toProduct, transactionMachine } from '@cowrie/contract/collections/transactions'
import { successfulTransaction } from '@cowrie/contract/events/collections'
import { parseExact } from '@cowrie/contract/kit/exact-json'
import { calculateFee, type Kobo, kobo, nairaNumber, nairaText } from '@cowrie/contract/kit/money'
import { INQUIRE_CHARGE } from '@cowrie/contract/kit/timers'
import { feeScheduleAt } from '#core/access/fees.ts'
import type { Merchant } from '#core/access/merchants.ts'
import { schedule } from '#core/agenda.ts'
import { cellById } from '#core/cells/cells.ts'
import { eventBody } from '#core/events.ts'
import { cardReceivable } from '#core/ledger/chart.ts'
import { mover } from '#core/ledger/move.ts'
import { collection } from '#features/collections/credits/postings.ts'
import { randomHex } from '#kit/crypto.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { assertNever, fail } from '#kit/fail.ts'
import { spacedText } from '#kit/times.ts'
import { markPaid, readAttempts } from './attempts.sql.ts'
import * as sql from './cards.sql.ts'
import { type KnownCard, toKnownCard } from './issuer.ts'

const chargeMoves = mover(cardChargeMachine, {
  name: 'card_charge',
  set: {
    code: 'text',
    message: 'text',
    scheme: 'text',
    bank_code: 'text',
    bank_name: 'text',
    country_code: 'text',
    bin: 'text',
    last4: 'text',
    exp_month: 'text',
    exp_year: 'text',
    otp_id: 'text',
    challenge_id: 'text',
    challenge_page: 'text',
    challenge_acs: 'text',
    input_id: 'text',
    input_kind: 'text',
    input_wrong: 'boolean',
    waits_until: 'timestamptz',
    token: 'text',
    never_reached: 'boolean',
    closed_at: 'timestamptz',
    asking_ended_at: 'timestamptz',
  },
  versioned: true, // a payer may be asked again
})
const payMoves = mover(transactionMachine, {
  name: 'transaction_pay_by_card',
  set: {
    paid_kobo: 'bigint',
    fee_kobo: 'bigint',
    payment_method: 'text',
    closed_at: 'timestamptz',
    on_page: 'boolean',
    quoted_fee_kobo: 'bigint',
    quoted_schedule_id: 'bigint',
  },
})
const failMoves = mover(transactionMachine, {
  name: 'transaction_fail',
  set: { payment_method: 'text', closed_at: 'timestamptz' },
})

type Action = (typeof cardChargeMachine)['moves'][number]['on']
type Changes = Partial<
  Pick<
    sql.ChargeRow,
    | 'code'
    | 'message'
    | 'otp_id'
    | 'waits_until'
    | 'token'
    | 'never_reached'
    | 'input_id'
    | 'input_kind'
    | 'input_wrong'
  >
> & {
  card?: CardAnswer['card']
  known?: KnownCard
  challenge?: NonNullable<CardAnswer['challenge']>
}
const FINAL: ReadonlySet<Action> = new Set(['approve', 'decline', 'reversed'])

/** Moves a charge; false when it has left the state the caller saw. What is not given stays as it was. */
async function moveCharge(t: Tx, charge: sql.ChargeRow, on: Action, changes: Changes): Promise<boolean> {
  const { card, challenge, known = charge } = changes
  const moved = await chargeMoves(t, [
    {
      on,
      id: charge.id,
      merchantId: charge.merchant_id,
      from: charge.status,
      version: charge.version,
      set: {
        code: changes.code ?? charge.code,
        message: changes.message ?? charge.message,
        scheme: card?.scheme ?? charge.scheme,
        bank_code: card?.bankCode ?? charge.bank_code,
        bank_name: card?.bankName ?? charge.bank_name,
        country_code: card?.countryCode ?? charge.country_code,
        bin: known.bin || null,
        last4: known.last4 || null,
        exp_month: known.exp_month || null,
        exp_year: known.exp_year || null,
        otp_id: changes.otp_id ?? charge.otp_id,
        challenge_id: challenge?.id ?? charge.challenge_id,
        challenge_page: challenge?.pageUrl ?? charge.challenge_page,
        challenge_acs: challenge?.acsUrl ?? charge.challenge_acs,
        input_id: changes.input_id ?? charge.input_id,
        input_kind: changes.input_kind ?? charge.input_kind,
        input_wrong: changes.input_wrong ?? false,
        waits_until: changes.waits_until ?? null,
        token: changes.token ?? charge.token,
        never_reached: changes.never_reached ?? charge.never_reached,
        closed_at: FINAL.has(on) ? t.now : null,
        asking_ended_at: null, // whoever moves it on sets its next timer
      },
    },
  ])
  return moved.size === 1
}

/** Gives a charge up: whatever the issuer holds or is about to grant goes back. */
export async function giveUp(t: Tx, charge: sql.ChargeRow, message: string, neverReached = false): Promise<boolean> {
  const moved = await moveCharge(t, charge, 'giveUp', { message, never_reached: neverReached })
  if (moved) await schedule(t, INQUIRE_CHARGE, charge.merchant_id, charge.id, t.now)
  return moved
}

export const confirmReversed = (t: Tx, charge: sql.ChargeRow): Promise<boolean> => moveCharge(t, charge, 'reversed', {})

export type Applied = { readonly charge: sql.ChargeRow; readonly transaction: sql.PayableRow; readonly moved: boolean }

/** Applies an answer of the issuer to a charge that was last seen as `seen`. Does nothing to one that has
 *  moved on since. */
export async function applyOutcome(
  ctx: Ctx,
  t: Tx,
  merchant: Merchant,
  seen: sql.ChargeRow,
  answer: CardAnswerV2,
): Promise<Applied> {
  const transaction =
    (await sql.lockById(t, merchant.id, seen.transaction_id)) ??
    fail('INTERNAL', {}, `transaction ${seen.transaction_id} of charge ${seen.id} not found`)
  const charge = (await sql.find(t, merchant.id, seen.id)) ?? fail('INTERNAL', {}, `card charge ${seen.id} not found`)
  const moved = charge.version === seen.version && (await apply(ctx, t, merchant, transaction, charge, answer))
  return {
    charge: (await sql.find(t, merchant.id, seen.id)) ?? charge,
    transaction: (await sql.lockById(t, merchant.id, transaction.id)) ?? transaction,
    moved,
  }
}

function apply(
  ctx: Ctx,
  t: Tx,
  merchant: Merchant,
  transaction: sql.PayableRow,
  charge: sql.ChargeRow,
  answer: CardAnswerV2,
): Promise<boolean> {
  switch (answer.state) {
    case 'APPROVED':
      return isApproval(answer.code)
        ? approve(ctx, t, merchant, transaction, charge, answer)
        : giveUp(t, charge, 'The issuer granted something else than was asked')
    case 'DECLINED':
    case 'REVERSED':
      return decline(t, transaction, charge, answer)
    case 'OTP':
      return wait(t, charge, 'askOtp', answer, answer.otp?.expiresAt, {
        // The id that a merchant has stays; where the code goes may change with each try.
        otp_id: charge.otp_id ?? answer.otp?.id ?? null,
        input_id: answer.otp?.id ?? null,
        input_wrong: answer.otp?.wrong ?? false,
      })
    case 'CHALLENGE':
      return wait(t, charge, 'askChallenge', answer, answer.challenge?.expiresAt, {
        ...(answer.challenge ? { challenge: answer.challenge } : {}),
      })
    case 'INPUT':
      return wait(t, charge, 'askInput', answer, answer.input?.expiresAt, {
        input_id: answer.input?.id ?? null,
        input_kind: answer.input?.kind ?? null,
        input_wrong: answer.input?.wrong ?? false,
      })
    case 'PENDING':
      return waitForIssuer(t, charge, answer)
    case 'REVERSING':
      return giveUp(t, charge, 'The issuer is returning the money')
    default:
      return assertNever(answer.state)
  }
}

/** How long a payer is waited for, whatever the issuer says: a wait without an end would be nobody's. */
const WAIT_SECONDS = { askOtp: OTP_SECONDS, askChallenge: CHALLENGE_SECONDS, askInput: INPUT_SECONDS } as const

/** Whether an answer asks the payer for something else than the charge waits for. Version 1 asks once. */
export function asksAnew(charge: sql.ChargeRow, { state, otp, input }: CardAnswerV2): boolean {
  if (charge.protocol === 1) return false
  if (state !== charge.status) return true
  if (state === 'OTP') return otp?.id !== charge.input_id
  return state === 'INPUT' && (input?.id !== charge.input_id || (input?.wrong === true && !charge.input_wrong))
}

/** How soon the issuer is asked that does not know yet, though the payer has done their part. */
export const LOOK_SOON_MS = 2_000

/** The issuer does not know yet. A payer who was asked for something has answered it, or is not asked any
 *  more. */
async function waitForIssuer(t: Tx, charge: sql.ChargeRow, answer: CardAnswerV2): Promise<boolean> {
  if (charge.status === 'SENT') return false
  await schedule(t, INQUIRE_CHARGE, charge.merchant_id, charge.id, new Date(t.now.getTime() + LOOK_SOON_MS))
  return moveCharge(t, charge, 'wait', { card: answer.card, message: answer.message })
}

async function wait(
  t: Tx,
  charge: sql.ChargeRow,
  on: keyof typeof WAIT_SECONDS,
  answer: CardAnswerV2,
  until: string | undefined,
  changes: Changes,
): Promise<boolean> {
  if (charge.status !== 'SENT' && !asksAnew(charge, answer)) return false // it waits already
  const latest = t.now.getTime() + WAIT_SECONDS[on] * 1000
  const waitsUntil = new Date(Math.min(latest, Date.parse(until ?? t.now.toISOString())))
  await schedule(t, INQUIRE_CHARGE, charge.merchant_id, charge.id, waitsUntil)
  return moveCharge(t, charge, on, {
    ...changes,
    card: answer.card,
    message: answer.message,
    waits_until: waitsUntil,
  })
}

async function approve(
  ctx: Ctx,
  t: Tx,
  merchant: Merchant,
  transaction: sql.PayableRow,
  charge: sql.ChargeRow,
  answer: CardAnswerV2,
): Promise<boolean> {
  if (transaction.status !== 'PENDING')
    return giveUp(t, charge, `The transaction was ${transaction.status} when the issuer granted the money`)
  const known = toKnownCard(charge, answer)
  const { code, message, card, cardReference } = answer
  const keeps = charge.token === null && charge.keep_card && known.bin !== ''
  const fresh = keeps && cardReference !== undefined ? newToken() : null
  const changes = { code, message, card, known, ...(fresh ? { token: fresh } : {}) }
  if (!(await moveCharge(t, charge, 'approve', changes))) return false
  const paying = { ...charge, ...known, token: fresh ?? charge.token }
  if (fresh && cardReference !== undefined)
    await sql.insertToken(t, fresh, paying, card, transaction.customer_email, cardReference)
  await markPaid(t, charge.merchant_id, charge.id)
  await pay(ctx, t, merchant, transaction, paying, card)
  return true
}

/** `CWRY_` and 128 bits. */
const newToken = (): string => `CWRY_${randomHex(16).toUpperCase()}`

const cardDetailsOf = (charge: sql.ChargeRow, card: CardAnswer['card']) => ({
  cardType: card.scheme,
  last4: charge.last4,
  expMonth: charge.exp_month,
  expYear: charge.exp_year,
  bin: charge.bin,
  bankCode: card.bankCode,
  bankName: card.bankName,
  reusable: charge.token !== null,
  countryCode: card.countryCode,
  supportsTokenization: charge.token !== null,
  maskedPan: maskedPan(charge.bin, charge.last4),
})

/** The bytes of the event that says a card has paid. */
const paidBody = (
  transaction: sql.PayableRow,
  charge: sql.ChargeRow,
  card: CardAnswer['card'],
  { paid, fee, now }: { readonly paid: Kobo; readonly fee: Kobo; readonly now: Date },
): string =>
  eventBody(successfulTransaction, {
    product: toProduct(transaction),
    transactionReference: transaction.reference,
    paymentReference: transaction.payment_reference,
    paidOn: spacedText(now),
    paymentDescription: transaction.description,
    metaData: parseExact(transaction.meta_data) as Record<string, unknown>,
    paymentSourceInformation: [],
    destinationAccountInformation: {},
    amountPaid: nairaNumber(paid),
    totalPayable: nairaNumber(paid), // the amount, and the fee where the payer bears it
    cardDetails: cardDetailsOf(charge, card),
    paymentMethod: 'CARD',
    currency: 'NGN',
    settlementAmount: nairaText(paid - fee),
    paymentStatus: 'PAID',
    customer: { name: transaction.customer_name, email: transaction.customer_email },
    ...(transaction.by_page ? { openedBy: 'PAGE' as const } : {}),
  })

async function pay(
  ctx: Ctx,
  t: Tx,
  merchant: Merchant,
  transaction: sql.PayableRow,
  charge: sql.ChargeRow,
  card: CardAnswer['card'],
): Promise<void> {
  const [transferId, eventId] = (await cellById(ctx, t.cell).takeIds(2)) as [bigint, bigint]
  const { quoted_fee_kobo, quoted_schedule_id } = charge
  const schedule = quoted_fee_kobo === null ? feeScheduleAt(merchant, 'CARD', t.now) : null
  const paid: Kobo = kobo(charge.kobo)
  const fee = schedule ? calculateFee(paid, schedule) : kobo(quoted_fee_kobo ?? 0n)
  const moved = await payMoves(t, [
    {
      on: 'pay',
      id: transaction.id,
      merchantId: transaction.merchant_id,
      from: 'PENDING',
      set: {
        paid_kobo: paid,
        fee_kobo: fee,
        payment_method: 'CARD',
        closed_at: t.now,
        on_page: charge.channel === 'CHECKOUT',
        // What was quoted for a transfer does not count any more.
        quoted_fee_kobo,
        quoted_schedule_id,
      },
      post: collection({
        transferId,
        transaction: { ...transaction, quoted_fee_kobo },
        paid,
        fee,
        feeScheduleId: schedule?.id ?? quoted_schedule_id,
        from: cardReceivable(charge.connector),
      }),
      event: {
        id: eventId,
        type: successfulTransaction.type,
        object: transaction.reference,
        body: paidBody(transaction, charge, card, { paid, fee, now: t.now }),
      },
    },
  ])
  if (moved.size !== 1) fail('INTERNAL', {}, `transaction ${transaction.id}: state changed despite row lock`)
}

/** Late: the payer had to act and did not. That is not a refusal, and the transaction may still be paid. */
const isLapse = (charge: sql.ChargeRow, answer: CardAnswerV2): boolean =>
  charge.status !== 'SENT' && answer.code === LAPSED
export const LAPSED = '68'

async function decline(
  t: Tx,
  transaction: sql.PayableRow,
  charge: sql.ChargeRow,
  answer: CardAnswerV2,
): Promise<boolean> {
  const message = responseCode(answer.code).payer
  if (isLapse(charge, answer)) return giveUp(t, charge, message)
  if (!(await moveCharge(t, charge, 'decline', { code: answer.code, message, card: answer.card }))) return false
  // A customer has days to pay an invoice, by whatever way works: a refused card does not end it.
  if (transaction.product_type === 'INVOICE') return true
  const { declines } = await readAttempts(t, charge.merchant_id, charge.transaction_id)
  if (transaction.status !== 'PENDING' || (charge.channel === 'CHECKOUT' && declines < CHECKOUT_DECLINES_MAX))
    return true
  await failTransaction(t, transaction)
  return true
}

async function failTransaction(t: Tx, { id, merchant_id }: sql.PayableRow): Promise<void> {
  const set = { payment_method: 'CARD', closed_at: t.now }
  await failMoves(t, [{ on: 'fail', id, merchantId: merchant_id, from: 'PENDING', set }])
}

/** Too many attempts: whatever the issuer holds for the open charge goes back, and the transaction is over.
 *  Not an invoice: whoever has its link could end it for its customer. It takes no further card, and can be
 *  paid by transfer. */
export async function endAttempts(t: Tx, transaction: sql.PayableRow, open: sql.ChargeRow | null): Promise<void> {
  if (open) await giveUp(t, open, 'Too many attempts with a card')
  if (transaction.status === 'PENDING' && transaction.product_type !== 'INVOICE') await failTransaction(t, transaction)
}
