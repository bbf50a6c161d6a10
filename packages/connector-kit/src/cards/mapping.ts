// What an adapter tells the kit of its acquirer. Each result is one of a few kinds, and there is none for
// "probably declined": whatever the adapter does not know for certain is `unknown`, and stays PENDING until
// the acquirer says something certain.
import type { RawCard } from '@cowrie/contract/bank/connector'
import type { CardAnswerV2, CardInput, CardInputKind, CardSettings } from '@cowrie/contract/bank/v2/cards'
import { RESPONSE_CODES } from '@cowrie/contract/collections/response-codes'
import type { Limits, Unknown } from '../orders/mapping.ts'

/** What an answer shows of a card. Empty where the acquirer has not said it. */
export type CardFacts = {
  readonly scheme: string
  readonly bankCode: string
  readonly bankName: string
  readonly countryCode: string
}
/** All that may be kept of a card. */
export type KnownCard = NonNullable<CardAnswerV2['knownOfCard']>
type About = {
  /** What the acquirer calls the charge. */
  readonly bankReference?: string
  readonly card?: CardFacts
  /** Names the card for later charges. */
  readonly cardReference?: string
  /** Of a card that was typed on the acquirer's page. */
  readonly known?: KnownCard
}
export type AskedKind = CardInputKind | 'OTP'

/** The money was taken. */
export type Approved = About & { readonly kind: 'approved' }
/** It was not, and never will be. `code` is ISO 8583 field 39. */
export type Declined = About & { readonly kind: 'declined'; readonly code: string }
/** The acquirer goes on after the payer has said this, and not before. */
export type Asks = About & { readonly kind: 'asks'; readonly input: AskedKind }
/** The payer has to go to this page. */
export type Challenge = About & { readonly kind: 'challenge'; readonly pageUrl: string }
export type Pending = About & { readonly kind: 'pending' }
/** Nothing was taken so far: the acquirer has no such charge, or nobody goes on with it. Both may change in a
 *  moment. Of a charge on the acquirer's page also where a card was refused there: the payer may try
 *  another. */
export type Idle = { readonly kind: 'idle' }
/** The money is on its way back, or is back. */
export type Returned = { readonly kind: 'reversing' | 'reversed' }
/** The acquirer did not take the charge, and never will. "Duplicate reference" is not one of these. */
export type NotTaken = { readonly kind: 'refused'; readonly code: string }

export type CardSaid = Approved | Declined | Asks | Challenge | Pending | Idle | Returned | NotTaken | Unknown

/** A charge on its way. Nothing of it is stored but the reference and the amount. */
export type OutgoingCharge = {
  readonly reference: string
  readonly kobo: bigint
  readonly merchantName: string
  readonly returnUrl: string
  readonly payer: { readonly name: string; readonly email: string }
} & ({ readonly card: RawCard } | { readonly cardReference: string } | { readonly onPage: true })

export type TypedInput = { readonly reference: string } & (
  | { readonly kind: Exclude<AskedKind, 'ADDRESS'>; readonly value: string }
  | { readonly kind: 'ADDRESS'; readonly address: NonNullable<CardInput['address']> }
)

export type OutgoingInput = TypedInput & { readonly kobo: bigint }

/** A charge that was forwarded. */
export type Charged = {
  readonly reference: string
  readonly kobo: bigint
  readonly bankReference: string | null
  /** The payer types the card on the acquirer's page. */
  readonly onPage: boolean
}

export type CardMapping = {
  readonly pin: CardSettings['pin']
  /** True: payers type their cards on the acquirer's page. `charge` then gets `onPage` in place of a card,
   *  and says `challenge`. */
  readonly page?: boolean
  /** Called once per charge, ever. */
  readonly charge: (charge: OutgoingCharge, limits: Limits) => Promise<CardSaid>
  /** Called once per input that was asked for. */
  readonly input: (input: OutgoingInput, limits: Limits) => Promise<CardSaid>
  /** What became of it? Called as often as the gateway inquires. */
  readonly ask: (charge: Charged, limits: Limits) => Promise<CardSaid>
  /** Returns all of an approved charge. Called by one process at a time, and again until it says `reversed`:
   *  it looks for what it has made before it makes anything. */
  readonly reverse: (charge: Charged, limits: Limits) => Promise<CardSaid>
}

const KINDS: Readonly<Record<CardSaid['kind'], true>> = {
  ...{ approved: true, declined: true, asks: true, challenge: true, pending: true },
  ...{ idle: true, reversing: true, reversed: true, refused: true, unknown: true },
}
const PAGE = /^https?:\/\/\S{1,1990}$/

/** More digits than these are never kept, whatever an adapter says. */
const isKnownCard = ({ first6, last4, expiryMonth, expiryYear }: KnownCard): boolean =>
  /^\d{6}$/.test(first6) && /^\d{4}$/.test(last4) && /^\d{2}$/.test(expiryMonth) && /^\d{4}$/.test(expiryYear)

/** A result as the types promise it, or `unknown`: an adapter with a hole in its table declines no charge. */
export function soundCard(said: CardSaid, mayRefuse: boolean): CardSaid {
  if (!Object.hasOwn(KINDS, said.kind)) return { kind: 'unknown', why: 'the adapter gave a result of no known kind' }
  if (said.kind === 'refused' && !mayRefuse) return { kind: 'unknown', why: 'the acquirer refused the question' }
  if ((said.kind === 'declined' || said.kind === 'refused') && (said.code === '00' || !RESPONSE_CODES[said.code]))
    return { kind: 'unknown', why: 'the adapter gave a code that declines nothing' }
  if (said.kind === 'challenge' && !PAGE.test(said.pageUrl))
    return { kind: 'unknown', why: 'the adapter gave a page that is not an address' }
  if ('known' in said && said.known !== undefined && !isKnownCard(said.known)) {
    const { known: _, ...rest } = said
    return rest
  }
  return said
}
