// Cards: the issuer is asked for money, and may want an OTP of the payer, or the payer on its own page, first.
//   charge → SENT → [issuer] APPROVED | DECLINED | OTP → [payer's code] … | CHALLENGE → [payer at the issuer] …
// The card passes through memory to the issuer and is gone: rows keep first six, last four and expiry. Who waits: SENT for
// the issuer (the timer cards.look asks it), OTP and CHALLENGE for the payer, until waits_until (the same timer gives up).
import type { CardAnswer, CardAuthorisation, RawCard } from '@cowrie/contract/bank-connector'
import type { authorise3ds, authoriseOtp, ChargeResult, chargeCard } from '@cowrie/contract/cards'
import { INVOICE_DECLINES_MAX, isCardNumber, SANDBOX_CARDS } from '@cowrie/contract/cards'
import type { BodyOf } from '@cowrie/contract/kit'
import { nairaNumber, nairaText } from '@cowrie/contract/money'
import type { Static } from 'typebox'
import { schedule } from '../../core/agenda.ts'
import type { Call } from '../../core/bind.ts'
import { cellOf, tx } from '../../core/cells.ts'
import type { Merchant } from '../../core/merchants.ts'
import type { Keep } from '../../core/requests.ts'
import { randomToken } from '../../kit/crypto.ts'
import type { Ctx, Outcome, Tx } from '../../kit/ctx.ts'
import { fail } from '../../kit/fail.ts'
import { cardChargeReference } from '../../kit/ids.ts'
import { plainText } from '../../kit/times.ts'
import * as sql from './cards.sql.ts'
import { giveUp, LAPSED, LOOK, type Settled, settle } from './settle.ts'

export type ChargeReply = Static<typeof ChargeResult>

/** Longer than the longest wait for the issuer's answer: whoever finds the charge SENT after this asks anew. */
const LOOK_AFTER_MS = 15_000
/** When the issuer did not answer, it is asked again soon. */
const LOOK_SOON_MS = 2_000

// ---- the card as it was typed

/** Reads a card, or refuses it; nothing of it is ever in a refusal. */
export function readCard(ctx: Ctx, given: BodyOf<typeof chargeCard>['card']): RawCard {
  const number = given.number.replace(/[\s-]/g, '')
  const known = ctx.environment === 'sandbox' && number === SANDBOX_CARDS.failing.number
  if (!known && !isCardNumber(number)) fail('CARD_NUMBER_INVALID', { field: 'card.number' })
  const month = Number(given.expiryMonth)
  if (month < 1 || month > 12) fail('FIELD_INVALID', { field: 'card.expiryMonth', why: 'must be 1 to 12' })
  const expiryMonth = String(month).padStart(2, '0')
  const expiryYear = given.expiryYear.length === 2 ? `20${given.expiryYear}` : given.expiryYear
  if (hasExpired(expiryMonth, expiryYear, ctx.clock.now())) fail('CARD_EXPIRED', { field: 'card.expiryYear' })
  return { number, expiryMonth, expiryYear, cvv: given.cvv, ...(given.pin === undefined ? {} : { pin: given.pin }) }
}

/** A card is good until the end of its month, West Africa Time. */
export const hasExpired = (month: string, year: string, now: Date): boolean =>
  `${year}-${month}` < plainText(now).slice(0, 7)

// ---- the first step: a charge that is on its way

export type Started = { readonly charge: sql.ChargeRow; readonly transaction: sql.PayableRow }

/** What the issuer is shown: a card as typed, or the name it gave to one it knows. */
export type Means = { readonly card: RawCard } | { readonly stored: sql.TokenRow }

const kept = (means: Means) =>
  'card' in means
    ? {
        bin: means.card.number.slice(0, 6),
        last4: means.card.number.slice(-4),
        expMonth: means.card.expiryMonth,
        expYear: means.card.expiryYear,
        token: null,
      }
    : {
        bin: means.stored.bin,
        last4: means.stored.last4,
        expMonth: means.stored.exp_month,
        expYear: means.stored.exp_year,
        token: means.stored.token,
      }

/** Inserts the charge and its timer, under the lock of the transaction. */
export async function insertCharge(
  ctx: Ctx,
  t: Tx,
  transaction: sql.PayableRow,
  means: Means,
  channel: sql.Channel,
): Promise<sql.ChargeRow> {
  const [id] = (await cellOf(ctx, t.cell).takeIds(1)) as [bigint]
  const charge = await sql.insert(t, {
    id,
    merchantId: transaction.merchant_id,
    transactionId: transaction.id,
    reference: cardChargeReference(t.cell, id),
    channel,
    kobo: transaction.kobo,
    returnToken: randomToken(),
    ...kept(means),
  })
  await schedule(t, LOOK, charge.merchant_id, id, new Date(t.now.getTime() + LOOK_AFTER_MS))
  return charge
}

function checkPayable(transaction: sql.PayableRow | null, now: Date): sql.PayableRow {
  if (!transaction) return fail('TRANSACTION_REFERENCE_INVALID', { field: 'transactionReference' })
  const { status } = transaction
  if (status !== 'PENDING' || transaction.expires_at <= now)
    fail('TRANSACTION_CLOSED', { state: status === 'PENDING' ? 'EXPIRED' : status })
  if (!transaction.methods.includes('CARD')) fail('METHOD_NOT_ENABLED', { method: 'CARD' })
  return transaction
}

const isSameCard = (charge: sql.ChargeRow, card: RawCard): boolean => {
  const { bin, last4, expMonth, expYear } = kept({ card })
  return charge.bin === bin && charge.last4 === last4 && charge.exp_month === expMonth && charge.exp_year === expYear
}

/** Starts a charge. One that waits for the payer makes room for it; one that waits for the issuer does not. */
async function start(
  ctx: Ctx,
  t: Tx,
  merchant: Merchant,
  reference: string,
  card: RawCard,
  channel: sql.Channel,
): Promise<Started> {
  const transaction = checkPayable(await sql.lockByReference(t, merchant.id, reference), t.now)
  if (transaction.product_type === 'INVOICE') {
    const declines = await sql.countDeclines(t, merchant.id, transaction.id)
    if (declines >= INVOICE_DECLINES_MAX) fail('INVOICE_CARDS_SPENT')
  }
  const open = await sql.findOpen(t, merchant.id, transaction.id)
  if (open?.status === 'SENT') fail('CHARGE_UNDER_WAY')
  if (open) await giveUp(t, open, 'Another charge of the transaction took its place')
  return { transaction, charge: await insertCharge(ctx, t, transaction, { card }, channel) }
}

// ---- the second and third: the issuer's answer, and what it does

export const returnUrl = (ctx: Ctx, charge: sql.ChargeRow): string =>
  `${ctx.publicUrl}/cards/3ds/${charge.reference}/${charge.return_token}`

export function ask(ctx: Ctx, merchant: Merchant, charge: sql.ChargeRow, means: Means): Promise<Outcome<CardAnswer>> {
  const asked: CardAuthorisation = {
    chargeReference: charge.reference,
    amount: nairaText(charge.kobo),
    merchantName: merchant.name,
    returnUrl: returnUrl(ctx, charge),
    ...('card' in means ? { card: means.card } : { cardReference: means.stored.issuer_reference }),
  }
  return ctx.bank.authorise(asked)
}

/** The issuer did not say yes or no: the timer asks again soon, and nothing is decided until it has answered. */
async function unanswered(t: Tx, started: Started): Promise<Settled> {
  const { charge } = started
  await schedule(t, LOOK, charge.merchant_id, charge.id, new Date(t.now.getTime() + LOOK_SOON_MS))
  return { ...started, moved: false }
}

/** Ends the second step. A refusal of the message itself (4xx) says nothing about money either: the timer asks. */
export async function finish(
  ctx: Ctx,
  t: Tx,
  merchant: Merchant,
  started: Started,
  outcome: Outcome<CardAnswer>,
): Promise<Settled> {
  return outcome.kind === 'yes' ? settle(ctx, t, merchant, started.charge, outcome.value) : unanswered(t, started)
}

const STATUS_WORDS: Readonly<Record<sql.ChargeStatus, ChargeReply['status']>> = {
  SENT: 'PENDING',
  OTP: 'OTP_AUTHORIZATION_REQUIRED',
  CHALLENGE: 'BANK_AUTHORIZATION_REQUIRED',
  APPROVED: 'SUCCESS',
  DECLINED: 'FAILED',
  REVERSING: 'FAILED',
  REVERSED: 'FAILED',
}
const NOT_ANSWERED = 'The issuer has not answered yet; ask for the status of the transaction'

function view({ charge, transaction }: Settled): ChargeReply {
  const { otp_id, challenge_id, challenge_page, challenge_acs } = charge
  return {
    status: STATUS_WORDS[charge.status],
    message: charge.status === 'SENT' ? NOT_ANSWERED : (charge.message ?? ''),
    transactionReference: transaction.reference,
    paymentReference: transaction.payment_reference,
    authorizedAmount: nairaNumber(charge.kobo),
    ...(charge.status === 'OTP' && otp_id !== null
      ? { otpData: { id: otp_id, message: charge.message ?? '', authData: charge.reference } }
      : {}),
    ...(charge.status === 'CHALLENGE' && challenge_id !== null && challenge_page !== null && challenge_acs !== null
      ? {
          secure3dData: {
            id: challenge_id,
            redirectUrl: challenge_page,
            acsUrl: challenge_acs,
            method: 'POST' as const,
          },
        }
      : {}),
  }
}

// ---- the calls

const asMerchant =
  (ctx: Ctx, merchant: Merchant) =>
  <T>(work: (t: Tx) => Promise<T>): Promise<T> =>
    tx(ctx, merchant.cell, merchant.id, work)

/** Charges a card for a transaction: commits the wish, asks the issuer, commits its answer. */
export async function charge(
  ctx: Ctx,
  merchant: Merchant,
  wish: { reference: string; card: RawCard; channel: sql.Channel },
  keep: (t: Tx, settled: Settled) => Promise<unknown>,
): Promise<Settled> {
  const step = asMerchant(ctx, merchant)
  const started = await step((t) => start(ctx, t, merchant, wish.reference, wish.card, wish.channel))
  const outcome = await ask(ctx, merchant, started.charge, wish)
  const settled = await step(async (t) => {
    const result = await finish(ctx, t, merchant, started, outcome)
    await keep(t, result)
    return result
  })
  ctx.wake(merchant.cell)
  return settled
}

export const createCharge = (ctx: Ctx) => ({
  steps: async ({ merchant, body }: Call<typeof chargeCard>, keep: Keep<ChargeReply>) => {
    const card = readCard(ctx, body.card)
    const wish = { reference: body.transactionReference, card, channel: 'API' as const }
    return view(await charge(ctx, merchant, wish, (t, settled) => keep.late(t, view(settled))))
  },
})

/** The same card again while its charge waits at the issuer's page gets that page; anything else is a new charge. */
export const createAuthorise3ds = (ctx: Ctx) => ({
  steps: async ({ merchant, body }: Call<typeof authorise3ds>, keep: Keep<ChargeReply>) => {
    if (body.apiKey !== merchant.apiKey) fail('API_KEY_FOREIGN', { field: 'apiKey' })
    const card = readCard(ctx, body.card)
    const waiting = await asMerchant(
      ctx,
      merchant,
    )(async (t) => {
      const transaction = checkPayable(await sql.lockByReference(t, merchant.id, body.transactionReference), t.now)
      const open = await sql.findOpen(t, merchant.id, transaction.id)
      if (open?.status !== 'CHALLENGE' || !isSameCard(open, card)) return null
      const reply = view({ charge: open, transaction, moved: false })
      await keep(t, reply)
      return reply
    })
    if (waiting) return waiting
    const wish = { reference: body.transactionReference, card, channel: 'API' as const }
    return view(await charge(ctx, merchant, wish, (t, settled) => keep.late(t, view(settled))))
  },
})

// ---- the payer's code

export type OtpVerdict =
  | { readonly kind: 'settled'; readonly settled: Settled }
  | { readonly kind: 'wrong'; readonly triesLeft: number }
  | { readonly kind: 'spent' }
  | { readonly kind: 'late' }

/** Takes the code to the issuer and does what it answers. The code is kept nowhere. */
export async function confirmOtp(
  ctx: Ctx,
  merchant: Merchant,
  started: Started,
  otp: string,
  keep: (t: Tx, settled: Settled) => Promise<unknown>,
): Promise<OtpVerdict> {
  const { charge } = started
  const asked = { chargeReference: charge.reference, otpId: charge.otp_id ?? '', otp }
  const outcome = await ctx.bank.confirmOtp(asked)
  if (outcome.kind === 'yes' && outcome.value.state === 'OTP')
    return { kind: 'wrong', triesLeft: outcome.value.otp?.triesLeft ?? 0 }
  const refusal = outcome.kind === 'yes' ? refusalOf(outcome.value) : null
  const settled = await asMerchant(
    ctx,
    merchant,
  )(async (t) => {
    const result = await finish(ctx, t, merchant, started, outcome)
    if (refusal === null && (result.moved || result.charge.status === 'OTP')) await keep(t, result)
    return result
  })
  ctx.wake(merchant.cell)
  return refusal ?? { kind: 'settled', settled }
}

const TRIES_SPENT = '75'
const refusalOf = ({ state, code }: CardAnswer): OtpVerdict | null =>
  state !== 'DECLINED' ? null : code === LAPSED ? { kind: 'late' } : code === TRIES_SPENT ? { kind: 'spent' } : null

export const createAuthoriseOtp = (ctx: Ctx) => ({
  steps: async ({ merchant, body }: Call<typeof authoriseOtp>, keep: Keep<ChargeReply>) => {
    const started = await asMerchant(
      ctx,
      merchant,
    )(async (t): Promise<Started> => {
      const transaction = checkPayable(await sql.lockByReference(t, merchant.id, body.transactionReference), t.now)
      const open = await sql.findOpen(t, merchant.id, transaction.id)
      if (open?.status !== 'OTP' || open.otp_id !== body.tokenId) fail('CARD_PAYMENT_NOT_FOUND', { field: 'tokenId' })
      return { transaction, charge: open }
    })
    const verdict = await confirmOtp(ctx, merchant, started, body.token, (t, settled) => keep.late(t, otpView(settled)))
    if (verdict.kind === 'wrong') fail('OTP_WRONG', { field: 'token', left: String(verdict.triesLeft) })
    if (verdict.kind === 'spent') fail('OTP_TRIES_SPENT', { field: 'token' })
    if (verdict.kind === 'late') fail('OTP_EXPIRED', { field: 'token' })
    const { settled } = verdict
    // Sent twice at once: the other one was first, and this one did nothing.
    if (!settled.moved && settled.charge.status === 'APPROVED')
      fail('TRANSACTION_CLOSED', { state: settled.transaction.status })
    return otpView(settled)
  },
})

function otpView(settled: Settled): ChargeReply {
  const reply = view(settled)
  const { charge, transaction } = settled
  if (charge.status === 'OTP') return { ...reply, status: 'PENDING', message: NOT_ANSWERED }
  if (charge.status !== 'APPROVED') return reply
  return {
    ...reply,
    paymentStatus: 'SUCCESSFUL',
    paymentDescription: transaction.description,
    amountPaid: nairaText(charge.kobo),
    currencyPaid: 'NGN',
  }
}
