// The payer's code, or whatever else the issuer wants to know: taken to it, and counted before it goes, so
// that codes and PINs sent at once do not slip past the limit.
//   OTP, INPUT → [issuer] right: the charge goes on | wrong: counted | no answer: counted, and the timer asks
import type { CardAnswerV2 } from '@cowrie/contract/bank/v2/cards'
import { type authoriseOtp, CARD_CODES_MAX } from '@cowrie/contract/collections/cards'
import { nairaNumber } from '@cowrie/contract/kit/money'
import type { Merchant } from '#core/access/merchants.ts'
import type { StoreResponse } from '#core/idempotency.ts'
import type { Call } from '#core/serving.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { countCode, readAttempts } from './attempts.sql.ts'
import { codesSpent } from './attempts.ts'
import * as sql from './cards.sql.ts'
import { asMerchant, type ChargeReply, checkPayable, finish, NOT_ANSWERED, type Started, view } from './cards.ts'
import { type IssuerOutcome, type PayerInput, submitTo } from './issuer.ts'
import { type Applied, endAttempts, LAPSED } from './outcome.ts'

export type Verdict =
  | { readonly kind: 'applied'; readonly applied: Applied }
  | { readonly kind: 'wrong'; readonly triesLeft: number }
  | { readonly kind: 'spent' }
  | { readonly kind: 'late' }
  /** Of the transaction, whatever the issuer would allow. */
  | { readonly kind: 'attempts spent' }

/** Counts a code of the charge that waits for it; null when the transaction had its codes, and is over. Under
 *  its lock. */
async function countAhead(t: Tx, transaction: sql.PayableRow, open: sql.ChargeRow): Promise<Started | null> {
  const attempts = await readAttempts(t, open.merchant_id, transaction.id)
  if (codesSpent(attempts)) {
    await endAttempts(t, transaction, open)
    return null
  }
  // The rest are on their way to the issuer: only its answer tells whether one more may be tried.
  if (attempts.codes >= CARD_CODES_MAX) fail('CHARGE_UNDER_WAY')
  await countCode(t, open, { sent: 1, wrong: 0 })
  return { transaction, charge: open }
}

const TRIES_SPENT = '75'
/** Asked for the same again, or for no more. A PIN that was right may be followed by a code. */
const isWrong = ({ state, code, input }: CardAnswerV2, kind: PayerInput['kind']): boolean =>
  (state === 'OTP' && kind === 'OTP') ||
  (state === 'INPUT' && input?.wrong === true) ||
  (state === 'DECLINED' && code === TRIES_SPENT)

/** What an answer means for the count: a wrong code stays counted, and so does one that nobody answered
 *  for. */
const counted = (outcome: IssuerOutcome, kind: PayerInput['kind']): Parameters<typeof countCode>[2] =>
  outcome.kind !== 'yes' || isWrong(outcome.value, kind) ? { sent: 0, wrong: 1 } : { sent: -1, wrong: 0 }

/** Does what the issuer answered to a code; the last wrong one ends the transaction. */
async function conclude(
  ctx: Ctx,
  t: Tx,
  merchant: Merchant,
  started: Started,
  { kind, outcome }: { readonly kind: PayerInput['kind']; readonly outcome: IssuerOutcome },
  store: (t: Tx, applied: Applied) => Promise<unknown>,
): Promise<Verdict> {
  const { id, transaction_id } = started.charge
  await sql.lockById(t, merchant.id, transaction_id)
  await countCode(t, started.charge, counted(outcome, kind))
  const said = outcome.kind === 'yes' ? outcome.value : null
  const wrong = said !== null && isWrong(said, kind)
  const applied = await finish(ctx, t, merchant, started, outcome)
  if (wrong && codesSpent(await readAttempts(t, merchant.id, transaction_id))) {
    const transaction = (await sql.lockById(t, merchant.id, transaction_id)) ?? started.transaction
    const now = await sql.find(t, merchant.id, id)
    await endAttempts(t, transaction, now?.status === 'OTP' || now?.status === 'INPUT' ? now : null)
    return { kind: 'attempts spent' }
  }
  if (wrong && said.state !== 'DECLINED') return { kind: 'wrong', triesLeft: said.otp?.triesLeft ?? 0 }
  const refusal = said && refusalOf(said)
  if (refusal) return refusal
  if (applied.moved || applied.charge.status === 'OTP') await store(t, applied)
  return { kind: 'applied', applied }
}

const refusalOf = ({ state, code }: CardAnswerV2): Verdict | null =>
  state !== 'DECLINED' ? null : code === LAPSED ? { kind: 'late' } : code === TRIES_SPENT ? { kind: 'spent' } : null

/** Takes what the payer was asked for to the issuer and does what it answers. It is kept nowhere. `find`
 *  gives the charge under the lock of its transaction. */
export async function submit(
  ctx: Ctx,
  merchant: Merchant,
  find: (t: Tx) => Promise<Started>,
  given: PayerInput,
  store: (t: Tx, applied: Applied) => Promise<unknown>,
): Promise<Verdict> {
  const step = asMerchant(ctx, merchant)
  const started = await step(async (t) => {
    const { transaction, charge } = await find(t)
    return countAhead(t, transaction, charge)
  })
  if (started === null) {
    ctx.wake(merchant.cell)
    return { kind: 'attempts spent' }
  }
  const outcome = await submitTo(ctx, merchant.cell, started.charge, given)
  const verdict = await step((t) => conclude(ctx, t, merchant, started, { kind: given.kind, outcome }, store))
  ctx.wake(merchant.cell)
  return verdict
}

export const createAuthoriseOtp = (ctx: Ctx) => ({
  multiStep: async ({ merchant, body }: Call<typeof authoriseOtp>, store: StoreResponse<ChargeReply>) => {
    const find = async (t: Tx): Promise<Started> => {
      const transaction = checkPayable(await sql.lockByReference(t, merchant.id, body.transactionReference), t.now)
      const open = await sql.findOpen(t, merchant.id, transaction.id)
      if (open?.status !== 'OTP' || open.otp_id !== body.tokenId) fail('CARD_PAYMENT_NOT_FOUND', { field: 'tokenId' })
      return { transaction, charge: open }
    }
    const given = { kind: 'OTP', value: body.token } as const
    const verdict = await submit(ctx, merchant, find, given, (t, applied) => store.late(t, otpView(ctx, applied)))
    if (verdict.kind === 'wrong') fail('OTP_WRONG', { field: 'token', left: String(verdict.triesLeft) })
    if (verdict.kind === 'spent') fail('OTP_TRIES_SPENT', { field: 'token' })
    if (verdict.kind === 'late') fail('OTP_EXPIRED', { field: 'token' })
    if (verdict.kind === 'attempts spent') fail('CARD_ATTEMPTS_SPENT', { field: 'token' })
    const { applied } = verdict
    // Sent twice at once: the other one was first, and this one did nothing.
    if (!applied.moved && applied.charge.status === 'APPROVED')
      fail('TRANSACTION_CLOSED', { state: applied.transaction.status })
    return otpView(ctx, applied)
  },
})

function otpView(ctx: Ctx, applied: Applied): ChargeReply {
  const reply = view(ctx, applied)
  const { charge, transaction } = applied
  if (charge.status === 'OTP') return { ...reply, status: 'PENDING', message: NOT_ANSWERED }
  if (charge.status !== 'APPROVED') return reply
  return {
    ...reply,
    paymentStatus: 'SUCCESSFUL',
    paymentDescription: transaction.description,
    amountPaid: nairaNumber(charge.kobo),
    currencyPaid: 'NGN',
  }
}
