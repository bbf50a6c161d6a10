// What the issuer does in version 2 of the protocol that version 1 has no words for, by amount, as
// issuer.rules.ts has it for codes.
import { CARD_INPUTS, type CardInputKind } from '@cowrie/contract/bank/v2/cards'
import { OTP_TRIES, SANDBOX_CARDS } from '@cowrie/contract/collections/cards'
import { CODES, SANDBOX_OTP } from './issuer.rules.ts'
import type { Charge } from './issuer.sql.ts'

export type Play = {
  /** It has decided, and says so only after a while. */
  readonly decidesLate?: true
  /** What is decided of a card that may pay. */
  readonly code?: string
  /** What the payer is asked for. */
  readonly input?: CardInputKind
  /** And for a code after that. */
  readonly thenOtp?: true
  /** A reversal is confirmed only after a while. */
  readonly reversesLate?: true
}

/** How long the late ones take. */
export const LATE_MS = 20_000

const PLAYS: Readonly<Record<string, Play>> = {
  '391137': { decidesLate: true },
  '391237': { decidesLate: true, code: '51' },
  '392137': { input: 'PIN' },
  '392237': { input: 'PHONE' },
  '392337': { input: 'BIRTHDAY' },
  '392437': { input: 'ADDRESS' },
  '392537': { input: 'PIN', thenOtp: true },
  '393137': { input: 'PIN', reversesLate: true },
}
const NOTHING: Play = {}
export const playOf = (kobo: bigint | null): Play => PLAYS[String(kobo)] ?? NOTHING

/** The right answers of the sandbox: they are in no row. Of an address the postal code counts. */
export const SANDBOX_INPUTS: Readonly<Record<CardInputKind | 'OTP', string>> = {
  PIN: SANDBOX_CARDS.plain.pin,
  PHONE: '08031234567',
  BIRTHDAY: '1990-12-31',
  ADDRESS: '100001',
  OTP: SANDBOX_OTP,
}
export const INPUT_KINDS: readonly string[] = [...CARD_INPUTS, 'OTP']

/** Tries of what comes first are counted above those of a code that follows. */
export const triesOf = ({ thenOtp }: Play): number => (thenOtp ? 2 * OTP_TRIES : OTP_TRIES)

/** What the payer is asked for now. */
export function askedFor(charge: Charge, play: Play): CardInputKind | 'OTP' {
  const { input, thenOtp } = play
  return input === undefined || (thenOtp && charge.triesLeft <= OTP_TRIES) ? 'OTP' : input
}

/** Another with each try, so that a repetition is known as one. */
export const inputIdOf = ({ stepId, triesLeft }: Charge): string => `${stepId}T${triesLeft}`

/** A charge after the payer's answer: what follows, one try less, or the end. */
export function afterInput(
  charge: Charge,
  play: Play,
  right: boolean,
): Partial<Pick<Charge, 'state' | 'code' | 'triesLeft'>> {
  const first = askedFor(charge, play) !== 'OTP' && play.thenOtp === true
  if (right) return first ? { triesLeft: OTP_TRIES } : { state: 'APPROVED', code: CODES.approved }
  const last = charge.triesLeft === 1 || (first && charge.triesLeft === OTP_TRIES + 1)
  return last ? { triesLeft: 0, state: 'DECLINED', code: CODES.triesSpent } : { triesLeft: charge.triesLeft - 1 }
}
