// Cards: the issuer is asked to charge a card, and may first want an OTP, or the payer on its own page.
//   charge → SENT → [issuer] APPROVED | DECLINED | OTP → [payer's code] … | INPUT → [payer's answer] … |
//     CHALLENGE → [payer at the issuer] …
// The card passes through memory to the issuer and is gone: rows keep first six, last four and expiry. Who
// waits: SENT for the issuer (the timer cards.look asks it), OTP, INPUT and CHALLENGE for the payer, until
// waits_until (the same timer gives up).

import type { RawCard } from '@cowrie/contract/bank/connector'
import type { authorise3ds, ChargeResult, chargeCard } from '@cowrie/contract/collections/cards'
import { isCardNumber, SANDBOX_CARDS } from '@cowrie/contract/collections/cards'
import { toDeclineCode } from '@cowrie/contract/collections/decline-codes'
import { methodLetter } from '@cowrie/contract/collections/transactions'
import { nairaNumber, nairaText } from '@cowrie/contract/kit/money'
import type { BodyOf } from '@cowrie/contract/kit/spec'
import { INQUIRE_CHARGE } from '@cowrie/contract/kit/timers'
import type { Static } from 'typebox'
import { feeScheduleAt, findShownSchedule, NOT_QUOTED, type Quoted, quoteBy } from '#core/access/fees.ts'
import type { Merchant } from '#core/access/merchants.ts'
import { schedule } from '#core/agenda.ts'
import { cellById, tx } from '#core/cells/cells.ts'
import type { StoreResponse } from '#core/idempotency.ts'
import { INQUIRE_AFTER_MS } from '#core/outgoing.ts'
import type { Call } from '#core/serving.ts'
import { randomToken } from '#kit/crypto.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { cardChargeReference } from '#kit/ids.ts'
import { plainText } from '#kit/times.ts'
import { readAttempts } from './attempts.sql.ts'
import { beginAttempt, cancelAttempt, chargesSpent } from './attempts.ts'
import * as sql from './cards.sql.ts'
import { type Authorisation, authorise, type IssuerOutcome, type Route, routeNew } from './issuer.ts'
import { type Applied, applyOutcome, endAttempts, giveUp, LOOK_SOON_MS } from './outcome.ts'

export type ChargeReply = Static<typeof ChargeResult>

// ---- the card as it was typed

/** Reads a card, or refuses it; nothing of it is ever in a refusal. */
export function readCard(ctx: Ctx, given: BodyOf<typeof chargeCard>['card']): RawCard {
  const number = given.number.replace(/[\s-]/g, '')
  const known = ctx.environment === 'sandbox' && number === SANDBOX_CARDS.failing.number
  if (!known && !isCardNumber(number)) fail('CARD_NUMBER_INVALID', { field: 'card.number' })
  return { number, ...readExpiry(ctx, given), cvv: given.cvv, ...(given.pin === undefined ? {} : { pin: given.pin }) }
}

type Expiry = Pick<RawCard, 'expiryMonth' | 'expiryYear'>
export function readExpiry(ctx: Ctx, given: Expiry): Expiry {
  const month = Number(given.expiryMonth)
  if (month < 1 || month > 12) fail('FIELD_INVALID', { field: 'card.expiryMonth', why: 'must be 1 to 12' })
  const expiryMonth = String(month).padStart(2, '0')
  const expiryYear = given.expiryYear.length === 2 ? `20${given.expiryYear}` : given.expiryYear
  if (hasExpired(expiryMonth, expiryYear, ctx.clock.now())) fail('CARD_EXPIRED', { field: 'card.expiryYear' })
  return { expiryMonth, expiryYear }
}

/** A card that the payer's browser has sealed, and what it says of it. Nothing here can open it. */
export type SealedCard = Expiry & {
  readonly jwe: string
  /** The name of the key. */
  readonly kid: string
  readonly first6: string
  readonly last4: string
}

/** A card is good until the end of its month, West Africa Time. */
export const hasExpired = (month: string, year: string, now: Date): boolean =>
  `${year}-${month}` < plainText(now).slice(0, 7)

// ---- the first step: a charge that is on its way

export type Started = { readonly charge: sql.ChargeRow; readonly transaction: sql.PayableRow }

type Typed = { readonly card: RawCard } | { readonly sealed: SealedCard }
/** The payer types the card on its connector's page. */
type OnPage = { readonly onPage: true }
/** What the issuer is shown: a card as typed, or sealed, or the name it gave to one it knows; or it is shown
 *  nothing, and asks itself. */
export type Means = Typed | OnPage | { readonly stored: sql.TokenRow }

/** All that is kept of a card. */
const known = (typed: Typed): Expiry & Pick<SealedCard, 'first6' | 'last4'> => {
  const { expiryMonth, expiryYear } = 'card' in typed ? typed.card : typed.sealed
  if ('sealed' in typed) return { first6: typed.sealed.first6, last4: typed.sealed.last4, expiryMonth, expiryYear }
  const { number } = typed.card
  return { first6: number.slice(0, 6), last4: number.slice(-4), expiryMonth, expiryYear }
}
function kept(means: Means): NonNullable<sql.NewCharge['card']> | null {
  if ('onPage' in means) return null
  if ('stored' in means) return means.stored
  const { first6: bin, last4, expiryMonth: exp_month, expiryYear: exp_year } = known(means)
  return { bin, last4, exp_month, exp_year }
}

/** What is sent to the issuer of it. */
function sent(means: Means): Pick<Authorisation, 'card' | 'sealedCard' | 'knownOfCard' | 'cardReference' | 'onPage'> {
  if ('onPage' in means) return { onPage: true }
  if ('stored' in means) return { cardReference: means.stored.issuer_reference }
  return 'card' in means ? { card: means.card } : { sealedCard: means.sealed.jwe, knownOfCard: known(means) }
}

/** Inserts the charge and its timer, under the lock of the transaction. */
export async function insertCharge(
  t: Tx,
  id: bigint,
  transaction: sql.PayableRow,
  means: Means,
  more: Pick<sql.NewCharge, 'channel' | 'keepCard' | 'quote' | 'route'>,
): Promise<sql.ChargeRow> {
  const charge = await sql.insert(t, {
    id,
    merchantId: transaction.merchant_id,
    transactionId: transaction.id,
    reference: cardChargeReference(t.cell, id),
    kobo: transaction.kobo + (more.quote.quoted_fee_kobo ?? 0n),
    returnToken: randomToken(),
    ...more,
    card: kept(means),
    token: 'stored' in means ? means.stored.token : null,
  })
  await schedule(t, INQUIRE_CHARGE, charge.merchant_id, id, new Date(t.now.getTime() + INQUIRE_AFTER_MS))
  return charge
}

export function checkPayable(transaction: sql.PayableRow | null, now: Date): sql.PayableRow {
  if (!transaction) return fail('TRANSACTION_REFERENCE_INVALID', { field: 'transactionReference' })
  const { status } = transaction
  if (status !== 'PENDING' || transaction.expires_at <= now)
    fail('TRANSACTION_CLOSED', { state: status === 'PENDING' ? 'EXPIRED' : status })
  if (!transaction.methods.includes(methodLetter('CARD'))) fail('METHOD_NOT_ENABLED', { method: 'CARD' })
  return transaction
}

const isSameCard = (charge: sql.ChargeRow, card: RawCard): boolean => {
  const { first6, last4, expiryMonth, expiryYear } = known({ card })
  const { bin, exp_month, exp_year } = charge
  return bin === first6 && charge.last4 === last4 && exp_month === expiryMonth && exp_year === expiryYear
}

/** A card as a payer gives it; one that is sealed or typed elsewhere with whom it is for. */
export type GivenCard =
  | { readonly card: RawCard }
  | ((OnPage | { readonly sealed: SealedCard }) & { readonly route: Route })
export type ChargeRequest = GivenCard & {
  readonly reference: string
  readonly channel: sql.Channel
  /** Whether a payment gives a token. */
  readonly keepCard: boolean
  /** The payer's own, on the hosted page; null where a merchant's server asks. */
  readonly address: string | null
  /** The fee schedule that the hosted page has shown the payer the fee of. */
  readonly shownFees?: string | null
  /** The language that the payer chose on the hosted page, which they find again when the issuer's page sends
   *  them back. */
  readonly language?: string | null
}

type Quoting = Pick<sql.PayableRow, 'kobo' | 'product_type' | 'created_at'>
/** The fee of a card that its payer bears: by what the page has shown, else by what is in force. An invoice
 *  has one amount. */
export function cardQuote(merchant: Merchant, transaction: Quoting, shown: string | null, now: Date): Quoted {
  if (transaction.product_type !== null) return NOT_QUOTED
  const held = shown === null ? null : findShownSchedule(merchant, 'CARD', shown, transaction.created_at, now)
  return quoteBy(held ?? feeScheduleAt(merchant, 'CARD', now), transaction.kobo)
}

/** Starts a charge, or ends the transaction when it had its charges. One that waits for the payer makes room
 *  for it; one that waits for the issuer does not. */
async function start(
  t: Tx,
  id: bigint,
  merchant: Merchant,
  request: ChargeRequest,
  route: Route,
): Promise<Started | 'attempts spent'> {
  const transaction = checkPayable(await sql.lockByReference(t, merchant.id, request.reference), t.now)
  const open = await sql.findOpen(t, merchant.id, transaction.id)
  if (open?.status === 'SENT') fail('CHARGE_UNDER_WAY')
  if (chargesSpent(await readAttempts(t, merchant.id, transaction.id))) {
    // A charge of an invoice that waits for its payer may still pay it.
    await endAttempts(t, transaction, transaction.product_type === 'INVOICE' ? null : open)
    return 'attempts spent'
  }
  if (open) await giveUp(t, open, 'Another charge of the transaction took its place')
  const { channel, keepCard, shownFees = null } = request
  const quote = cardQuote(merchant, transaction, shownFees, t.now)
  return { transaction, charge: await insertCharge(t, id, transaction, request, { channel, keepCard, quote, route }) }
}

// ---- the second and third: the issuer's answer, and what it does

export const returnUrl = (ctx: Ctx, charge: sql.ChargeRow, language: string | null): string =>
  `${ctx.publicUrl}/cards/3ds/${charge.reference}/${charge.return_token}${language === null ? '' : `?lang=${language}`}`

export function ask(
  ctx: Ctx,
  merchant: Merchant,
  { charge, transaction }: Started,
  means: Means,
  language: string | null = null,
): Promise<IssuerOutcome> {
  const asked: Authorisation = {
    chargeReference: charge.reference,
    amount: nairaText(charge.kobo),
    merchantName: merchant.name,
    returnUrl: returnUrl(ctx, charge, language),
    ...sent(means),
  }
  return authorise(ctx, merchant.cell, charge, asked, transaction)
}

/** The issuer did not say yes or no: the timer asks again soon, and nothing is decided until it has
 *  answered. */
async function unanswered(t: Tx, started: Started): Promise<Applied> {
  const { charge } = started
  await schedule(t, INQUIRE_CHARGE, charge.merchant_id, charge.id, new Date(t.now.getTime() + LOOK_SOON_MS))
  return { ...started, moved: false }
}

/** Ends the second step. A refusal of the message itself (4xx) says nothing about money either: the timer
 *  asks. */
export async function finish(
  ctx: Ctx,
  t: Tx,
  merchant: Merchant,
  started: Started,
  outcome: IssuerOutcome,
): Promise<Applied> {
  return outcome.kind === 'yes' ? applyOutcome(ctx, t, merchant, started.charge, outcome.value) : unanswered(t, started)
}

const STATUS_WORDS: Readonly<Record<sql.ChargeStatus, ChargeReply['status']>> = {
  SENT: 'PENDING',
  OTP: 'OTP_AUTHORIZATION_REQUIRED',
  CHALLENGE: 'BANK_AUTHORIZATION_REQUIRED',
  // The payer is sent to a page of ours, which asks: the interface has no other word for it.
  INPUT: 'BANK_AUTHORIZATION_REQUIRED',
  APPROVED: 'SUCCESS',
  DECLINED: 'FAILED',
  REVERSING: 'FAILED',
  REVERSED: 'FAILED',
}
export const NOT_ANSWERED = 'The card issuer has not responded yet; check the status of the transaction'

/** Where the payer has to go, if anywhere: the issuer's page, or ours that asks for what the issuer wants to
 *  know. */
function pageOf(ctx: Ctx, charge: sql.ChargeRow): ChargeReply['secure3dData'] {
  const { status, input_id, challenge_id, challenge_page, challenge_acs } = charge
  if (status === 'INPUT' && input_id !== null) {
    const page = `${ctx.publicUrl}/cards/input/${charge.reference}/${charge.return_token}`
    return { id: input_id, redirectUrl: page, acsUrl: page, method: 'POST' }
  }
  if (status !== 'CHALLENGE' || challenge_id === null || challenge_page === null || challenge_acs === null)
    return undefined
  return { id: challenge_id, redirectUrl: challenge_page, acsUrl: challenge_acs, method: 'POST' }
}

export function view(ctx: Ctx, { charge, transaction }: Applied): ChargeReply {
  const { otp_id } = charge
  const secure3dData = pageOf(ctx, charge)
  return {
    status: STATUS_WORDS[charge.status],
    message: charge.status === 'SENT' ? NOT_ANSWERED : (charge.message ?? ''),
    transactionReference: transaction.reference,
    paymentReference: transaction.payment_reference,
    authorizedAmount: STATUS_WORDS[charge.status] === 'FAILED' ? 0 : nairaNumber(charge.kobo),
    ...(charge.status === 'DECLINED' && charge.code !== null ? { declineCode: toDeclineCode(charge.code) } : {}),
    ...(charge.status === 'OTP' && otp_id !== null
      ? { otpData: { id: otp_id, message: charge.message ?? '', authData: charge.reference } }
      : {}),
    ...(secure3dData === undefined ? {} : { secure3dData }),
  }
}

// ---- the calls

export const asMerchant =
  (ctx: Ctx, merchant: Merchant) =>
  <T>(work: (t: Tx) => Promise<T>): Promise<T> =>
    tx(ctx, merchant.cell, merchant.id, work)

/** What tries with one card are counted by; null: nobody here knows which it is. */
function digitsOf(request: ChargeRequest): string | null {
  if ('onPage' in request) return null
  // Of a sealed card its ends are all that is known: whoever charges it has promised to refuse another one
  // (knownOfCard).
  return 'card' in request ? request.card.number : request.sealed.first6 + request.sealed.last4
}

/** Counts the attempt and starts the charge; an attempt that starts nothing does not count. */
async function begin(ctx: Ctx, merchant: Merchant, request: ChargeRequest): Promise<Started> {
  const [id] = (await cellById(ctx, merchant.cell).takeIds(1)) as [bigint]
  const route = 'card' in request ? await routeNew(ctx, merchant.cell) : request.route
  await beginAttempt(ctx, merchant, id, digitsOf(request), request.address)
  let started: Started | 'attempts spent' | null = null
  try {
    started = await asMerchant(ctx, merchant)((t) => start(t, id, merchant, request, route))
  } finally {
    if (started === null || started === 'attempts spent') await cancelAttempt(ctx, merchant, id)
  }
  if (started !== 'attempts spent') return started
  ctx.wake(merchant.cell)
  return fail('CARD_ATTEMPTS_SPENT')
}

/** Charges a card for a transaction: commits the intent, asks the issuer, commits its answer. */
export async function charge(
  ctx: Ctx,
  merchant: Merchant,
  request: ChargeRequest,
  store: (t: Tx, applied: Applied) => Promise<unknown>,
): Promise<Applied> {
  const started = await begin(ctx, merchant, request)
  const outcome = await ask(ctx, merchant, started, request, request.language ?? null)
  const applied = await asMerchant(
    ctx,
    merchant,
  )(async (t) => {
    const result = await finish(ctx, t, merchant, started, outcome)
    await store(t, result)
    return result
  })
  ctx.wake(merchant.cell)
  return applied
}

/** A charge that a merchant's server asks for. */
const byApi = (
  ctx: Ctx,
  body: Pick<BodyOf<typeof chargeCard>, 'transactionReference' | 'card' | 'saveCard'>,
): ChargeRequest & { readonly card: RawCard } => ({
  reference: body.transactionReference,
  card: readCard(ctx, body.card),
  channel: 'API',
  keepCard: body.saveCard !== false,
  address: null,
})

export const createCharge = (ctx: Ctx) => ({
  multiStep: async ({ merchant, body }: Call<typeof chargeCard>, store: StoreResponse<ChargeReply>) => {
    return view(ctx, await charge(ctx, merchant, byApi(ctx, body), (t, applied) => store.late(t, view(ctx, applied))))
  },
})

/** The same card again while its charge waits at a page gets that page; anything else is a new charge. */
export const createAuthorise3ds = (ctx: Ctx) => ({
  multiStep: async ({ merchant, body }: Call<typeof authorise3ds>, store: StoreResponse<ChargeReply>) => {
    if (body.apiKey !== merchant.apiKey && body.apiKey !== merchant.key?.apiKey)
      fail('API_KEY_FOREIGN', { field: 'apiKey' })
    const request = byApi(ctx, body)
    const waiting = await asMerchant(
      ctx,
      merchant,
    )(async (t) => {
      const transaction = checkPayable(await sql.lockByReference(t, merchant.id, body.transactionReference), t.now)
      const open = await sql.findOpen(t, merchant.id, transaction.id)
      if ((open?.status !== 'CHALLENGE' && open?.status !== 'INPUT') || !isSameCard(open, request.card)) return null
      if (!request.keepCard) await sql.doNotKeep(t, merchant.id, open.id)
      const reply = view(ctx, { charge: open, transaction, moved: false })
      await store(t, reply)
      return reply
    })
    if (waiting) return waiting
    return view(ctx, await charge(ctx, merchant, request, (t, applied) => store.late(t, view(ctx, applied))))
  },
})
