// The card issuer: approves a charge, declines it, or asks the payer first.
//   authorise → APPROVED | DECLINED | OTP → the right code | CHALLENGE → approve on the page; reverse →
//     REVERSED, from anywhere
// Books: taken on the way into APPROVED, returned on the way out. A payer who lets the time pass is declined
// with 68.
import { setTimeout as pause } from 'node:timers/promises'
import type { CardAnswer, RawCard } from '@cowrie/contract/bank/connector'
import { CHALLENGE_SECONDS, OTP_SECONDS, OTP_TRIES } from '@cowrie/contract/collections/cards'
import { isApproval, responseCode } from '@cowrie/contract/collections/response-codes'
import type pg from 'pg'
import type { Clock } from '../kit/clock.ts'
import { type Play, triesOf } from './acquirer.rules.ts'
import {
  CODES,
  describeCard,
  faultOf,
  grantOf,
  isExpired,
  type KeptCard,
  keptCard,
  SANDBOX_OTP,
} from './issuer.rules.ts'
import {
  type Change,
  type Charge,
  changeCharge,
  findCharge,
  findStoredCard,
  insertCharge,
  isOverdue,
  newId,
  reverseCharge,
} from './issuer.sql.ts'

export type Issuer = { readonly pool: pg.Pool; readonly clock: Clock; readonly stopping: AbortSignal }

export type Authorisation = {
  readonly chargeReference: string
  readonly kobo: bigint
  readonly merchantName: string
  readonly returnUrl: string
  readonly paysWith: { readonly card: RawCard } | { readonly cardReference: string }
}

/** What becomes of a call: an answer, a connection that is cut without one, or a refusal of the call
 *  itself. */
export type Outcome =
  | { readonly kind: 'charge'; readonly charge: Charge }
  | { readonly kind: 'silence' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'other charge' }

const SILENCE_MS = 200
const SLOW_MS = 3_000

/** `play`: what version 2 has besides. */
export async function authorise(issuer: Issuer, asked: Authorisation, play: Play | null = null): Promise<Outcome> {
  const { pool, clock } = issuer
  const known = await present(issuer, asked.chargeReference)
  if (known !== null) return sameCharge(asked, known)

  const decision = played(await decideOn(pool, asked, clock.now()), play)
  const grant = isApproval(decision.code) ? grantOf(asked.kobo) : null
  if (grant?.manner === 'lost') return silence(issuer)
  if (grant?.manner === 'slow' && !(await passed(issuer, SLOW_MS))) return { kind: 'silence' }
  const made = await insertCharge(
    pool,
    newCharge(asked, { ...decision, ...(grant && { code: play?.code ?? grant.code }) }, clock.now(), play),
  )
  if (made && grant?.manner === 'silent') return silence(issuer)
  const charge = await present(issuer, asked.chargeReference)
  return charge === null ? { kind: 'unknown' } : sameCharge(asked, charge)
}

/** One reference names one charge for ever; only one that was barred in advance cannot be compared. */
function sameCharge(asked: Authorisation, charge: Charge): Outcome {
  const same = charge.kobo === null || charge.kobo === asked.kobo
  return same ? { kind: 'charge', charge } : { kind: 'other charge' }
}

type Decision = {
  readonly card: KeptCard | null
  /** Empty while the payer has to act. */
  readonly code: string
  readonly step: Charge['step']
  readonly cardReference: string | null
}

async function decideOn(pool: pg.Pool, { paysWith }: Authorisation, now: Date): Promise<Decision> {
  if ('card' in paysWith) {
    const card = keptCard(paysWith.card)
    const fault = faultOf(paysWith.card, now)
    const step = fault !== null || card.behaviour === 'plain' ? null : card.behaviour === 'otp' ? 'OTP' : 'CHALLENGE'
    return { card, step, code: fault ?? (step === null ? CODES.approved : ''), cardReference: null }
  }
  // A stored card is charged by the merchant: its holder is not present and cannot be asked.
  const { cardReference } = paysWith
  const card = await findStoredCard(pool, cardReference)
  if (card === null) return { card, step: null, code: CODES.unknownCard, cardReference: null }
  return { card, step: null, code: isExpired(card, now) ? CODES.expired : CODES.approved, cardReference }
}

/** A card that may pay, and whose holder is there, may be asked for more. */
const played = (decision: Decision, play: Play | null): Decision =>
  play?.input === undefined || decision.step !== null || decision.cardReference !== null || !isApproval(decision.code)
    ? decision
    : { ...decision, step: 'OTP', code: '' }

function newCharge(asked: Authorisation, decision: Decision, now: Date, play: Play | null): Charge {
  const { chargeReference, kobo, merchantName, returnUrl } = asked
  const { step, code, card } = decision
  const granted = step === null && isApproval(code)
  const seconds = step === 'OTP' ? OTP_SECONDS : CHALLENGE_SECONDS
  return {
    chargeReference,
    kobo,
    merchantName,
    returnUrl,
    card,
    code,
    step,
    askedAt: now,
    changedAt: now,
    state: step ?? (granted ? 'APPROVED' : 'DECLINED'),
    stepId: step === null ? null : newId(),
    triesLeft: step === 'OTP' ? triesOf(play ?? {}) : 0,
    waitsUntil: step === null ? null : new Date(now.getTime() + seconds * 1000),
    cardReference: granted ? (decision.cardReference ?? newId()) : null,
  }
}

/** The charge as it is now: an overdue one is declined when it is next read. */
export async function present(issuer: Issuer, reference: string): Promise<Charge | null> {
  const charge = await findCharge(issuer.pool, 'charge_reference', reference)
  const now = issuer.clock.now()
  return charge !== null && isOverdue(charge, now) ? changeCharge(issuer.pool, reference, now, () => null) : charge
}

async function silence(issuer: Issuer): Promise<Outcome> {
  await passed(issuer, SILENCE_MS)
  return { kind: 'silence' }
}

/** False when the simulator stops meanwhile: then nothing more may be done. */
const passed = (issuer: Issuer, ms: number): Promise<boolean> =>
  pause(ms, true, { signal: issuer.stopping }).catch(() => false)

export async function confirmOtp(
  issuer: Issuer,
  asked: { readonly chargeReference: string; readonly otpId: string; readonly otp: string },
): Promise<Outcome> {
  const charge = await present(issuer, asked.chargeReference)
  if (charge === null || charge.step !== 'OTP' || charge.stepId !== asked.otpId) return { kind: 'unknown' }
  const right = asked.otp === SANDBOX_OTP
  const grant = grantOf(charge.kobo ?? 0n)
  const rehearses = right && charge.state === 'OTP'
  if (rehearses && grant.manner === 'lost') return silence(issuer)
  if (rehearses && grant.manner === 'slow' && !(await passed(issuer, SLOW_MS))) return { kind: 'silence' }

  let moved = false
  const after = await changeCharge(issuer.pool, asked.chargeReference, issuer.clock.now(), (now) => {
    if (now.state !== 'OTP') return null
    moved = true
    return right ? granted(grant.code) : afterWrongCode(now)
  })
  if (moved && right && grant.manner === 'silent') return silence(issuer)
  return after === null ? { kind: 'unknown' } : { kind: 'charge', charge: after }
}

const granted = (code: string): Change => ({ code, state: isApproval(code) ? 'APPROVED' : 'DECLINED' })

const afterWrongCode = ({ triesLeft }: Charge): Change =>
  triesLeft > 1 ? { triesLeft: triesLeft - 1 } : { triesLeft: 0, state: 'DECLINED', code: CODES.triesSpent }

export async function inquire(issuer: Issuer, reference: string): Promise<Outcome> {
  const charge = await present(issuer, reference)
  return charge === null ? { kind: 'unknown' } : { kind: 'charge', charge }
}

export const reverse = async ({ pool, clock }: Issuer, reference: string): Promise<Outcome> => ({
  kind: 'charge',
  charge: await reverseCharge(pool, reference, clock.now()),
})

/** The charge behind a page's address, as it is now; null when there is none. */
export async function findStep(issuer: Issuer, step: 'OTP' | 'CHALLENGE', id: string): Promise<Charge | null> {
  const charge = await findCharge(issuer.pool, 'step_id', id)
  return charge === null || charge.step !== step ? null : present(issuer, charge.chargeReference)
}

/** The payer decides on the issuer's page; a challenge that is over stays as it is. */
export const answerChallenge = (issuer: Issuer, charge: Charge, approves: boolean): Promise<Charge | null> =>
  changeCharge(issuer.pool, charge.chargeReference, issuer.clock.now(), (now) => {
    if (now.state !== 'CHALLENGE') return null
    return approves ? granted(grantOf(now.kobo ?? 0n).code) : { state: 'DECLINED', code: CODES.cancelled }
  })

/** What the gateway reads. `base` is the address under which it reached us, where the payer's browser will go
 *  too. */
export function answerOf(charge: Charge, base: string): CardAnswer {
  const { chargeReference, state, code, cardReference, stepId, triesLeft } = charge
  const expiresAt = charge.waitsUntil?.toISOString() ?? ''
  const page = `${base}/3ds/${stepId}`
  return {
    chargeReference,
    state,
    code,
    message: messageOf(charge),
    card: describeCard(charge.card?.bin ?? null),
    ...(state === 'APPROVED' && cardReference !== null && { cardReference }),
    ...(state === 'OTP' &&
      stepId !== null && {
        otp: { id: stepId, triesLeft, expiresAt, wrong: triesLeft < OTP_TRIES },
      }),
    ...(state === 'CHALLENGE' &&
      stepId !== null && {
        challenge: { id: stepId, pageUrl: page, acsUrl: `${page}/acs`, expiresAt },
      }),
  }
}

function messageOf({ state, code, triesLeft }: Charge): string {
  if (state === 'CHALLENGE') return "Confirm the payment on your bank's page."
  if (state === 'REVERSED') return 'The payment was cancelled. Your card was not charged.'
  if (state !== 'OTP') return responseCode(code).payer
  const first =
    triesLeft === OTP_TRIES ? 'Enter the code your bank sent you.' : `Wrong code. Attempts left: ${triesLeft}.`
  return `${first} In the sandbox it is ${SANDBOX_OTP}.`
}
