// How the sandbox's issuer judges a card and an amount. Nothing is stored here: the number only passes
// through memory.
import { createHash } from 'node:crypto'
import { findBank } from '@cowrie/contract/bank/banks'
import type { CardAnswer, RawCard } from '@cowrie/contract/bank/connector'
import { isCardNumber, SANDBOX_CARDS } from '@cowrie/contract/collections/cards'
import { RESPONSE_CODES } from '@cowrie/contract/collections/response-codes'
import { westAfricanMonthEnd } from '../kit/clock.ts'

/** How a card behaves once its details are right. */
export type Behaviour = 'plain' | 'otp' | 'threeDs'

/** What is stored of a card. */
export type KeptCard = {
  readonly bin: string
  readonly last4: string
  readonly expiryMonth: string
  readonly expiryYear: string
  readonly behaviour: Behaviour
}

/** The code of every OTP in the sandbox. It is written on pages and in messages, never in a row. */
export const SANDBOX_OTP = SANDBOX_CARDS.otp.otp

export const CODES = {
  approved: '00',
  /** The failing card, and a wrong CVV: ISO 8583 has no code for that, and an issuer that named it would let
   *  a thief try numbers until one fits. */
  refused: '05',
  unknownNumber: '14',
  cancelled: '17',
  expired: '54',
  wrongPin: '55',
  unknownCard: '56',
  /** The payer did not respond in time. */
  tooLate: '68',
  triesSpent: '75',
} as const

export const isNumberLike = (number: string): boolean => /^\d{12,19}$/.test(number)

export const keptCard = (card: RawCard): KeptCard => ({
  bin: card.number.slice(0, 6),
  last4: card.number.slice(-4),
  expiryMonth: card.expiryMonth,
  expiryYear: card.expiryYear,
  behaviour: behaviourOf(card.number),
})

function behaviourOf(number: string): Behaviour {
  if (number === SANDBOX_CARDS.otp.number) return 'otp'
  return number === SANDBOX_CARDS.threeDs.number ? 'threeDs' : 'plain'
}

export const isExpired = (card: Pick<KeptCard, 'expiryMonth' | 'expiryYear'>, now: Date): boolean =>
  westAfricanMonthEnd(Number(card.expiryYear), Number(card.expiryMonth)) <= now

/** The code with which the card itself is refused, or null. The failing card has a wrong check digit, so it
 *  comes first. */
export function faultOf(card: RawCard, now: Date): string | null {
  if (card.number === SANDBOX_CARDS.failing.number) return CODES.refused
  if (!isCardNumber(card.number)) return CODES.unknownNumber
  if (isExpired(card, now)) return CODES.expired
  // A card that is not one of ours takes any three or four digits: the right ones are unknown.
  const known = Object.values(SANDBOX_CARDS).find(({ number }) => number === card.number)
  if (known !== undefined && card.cvv !== known.cvv) return CODES.refused
  return card.pin === undefined || card.pin === SANDBOX_CARDS.plain.pin ? null : CODES.wrongPin
}

/** `silent`: decided, but the answer is lost. `lost`: the question never arrives. `slow`: decided after three
 *  seconds. */
export type Manner = 'at once' | 'silent' | 'lost' | 'slow'
export type Grant = { readonly code: string; readonly manner: Manner }

const TIMEOUTS: Readonly<Record<string, Grant>> = {
  '390138': { code: '00', manner: 'silent' },
  '390238': { code: '51', manner: 'silent' },
  '390338': { code: '00', manner: 'lost' },
  '390438': { code: '00', manner: 'slow' },
}

/** What a card that may pay is answered: 39NN.39 gives the code NN, 390N.38 a timeout, everything else is
 *  granted. */
export function grantOf(kobo: bigint): Grant {
  const code = /^39(\d\d)39$/.exec(String(kobo))?.[1]
  if (code !== undefined && code in RESPONSE_CODES) return { code, manner: 'at once' }
  return TIMEOUTS[String(kobo)] ?? { code: CODES.approved, manner: 'at once' }
}

const SCHEMES: readonly (readonly [RegExp, string])[] = [
  [/^(?:506[01]|507[89]|6500)/, 'Verve'],
  [/^4/, 'Visa'],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, 'Mastercard'],
]
const ISSUERS = ['011', '033', '044', '057', '058']

/** The bank follows from the first six digits, so a card always has the same one. */
export function describeCard(bin: string | null): CardAnswer['card'] {
  if (bin === null) return { scheme: 'Unknown', bankCode: '', bankName: '', countryCode: 'NG' }
  const bankCode = ISSUERS[createHash('sha256').update(bin).digest().readUInt32BE(0) % ISSUERS.length] ?? '058'
  return {
    scheme: SCHEMES.find(([pattern]) => pattern.test(bin))?.[1] ?? 'Unknown',
    bankCode,
    bankName: findBank(bankCode)?.name ?? bankCode,
    countryCode: 'NG',
  }
}
