// What a payer typed, as it arrives: clear, or sealed. It is read, passed on, and forgotten.
import { RawCard } from '@cowrie/contract/bank/connector'
import type { CardAuthorisationV2, CardInput } from '@cowrie/contract/bank/v2/cards'
import { parseNaira } from '@cowrie/contract/kit/money'
import { Compile } from 'typebox/compile'
import type { OutgoingCharge, TypedInput } from './mapping.ts'
import { openSealed, type SealKeys } from './seal.ts'

/** `unreadable`: it is sealed with a key that is not ours, is not a card, or is another than was said.
 *  Nothing was passed on. */
export type Read<T> = { readonly kind: 'read'; readonly read: T } | { readonly kind: 'unreadable' }
type ReadCharge = (Read<OutgoingCharge> & { readonly kobo: bigint }) | { readonly kind: 'malformed' }
type ReadInput = { readonly kind: 'read'; readonly read: TypedInput } | { readonly kind: 'malformed' }

const cards = Compile(RawCard)
const MALFORMED = { kind: 'malformed' } as const

function parse(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}

const DIGITS = /^\d{12,19}$/
const isCard = (card: unknown): card is RawCard =>
  cards.Check(card) &&
  DIGITS.test(card.number) &&
  /^(?:0[1-9]|1[0-2])$/.test(card.expiryMonth) &&
  /^\d{4}$/.test(card.expiryYear) &&
  /^\d{3,4}$/.test(card.cvv) &&
  (card.pin === undefined || /^\d{4,12}$/.test(card.pin))

/** Whether a card is the one that the gateway knows of. Whoever could show other digits than are charged
 *  could slip past its limits. */
const isKnown = (known: CardAuthorisationV2['knownOfCard'], { number, expiryMonth, expiryYear }: RawCard): boolean =>
  known === undefined ||
  (number.startsWith(known.first6) &&
    number.endsWith(known.last4) &&
    expiryMonth === known.expiryMonth &&
    expiryYear === known.expiryYear)

/** `hasPage`: cards are typed on the acquirer's page, and only there. */
export function readCharge(order: CardAuthorisationV2, keys: SealKeys, hasPage = false): ReadCharge {
  const { chargeReference: reference, amount, merchantName, returnUrl, payer } = order
  const { card, sealedCard, cardReference, onPage } = order
  const kobo = parseNaira(amount)
  const given = [card, sealedCard, cardReference, onPage].filter((one) => one !== undefined)
  if (kobo === null || kobo <= 0n || given.length !== 1) return MALFORMED
  if (cardReference === undefined && hasPage !== (onPage === true)) return MALFORMED
  const about = { reference, kobo, merchantName, returnUrl, payer }
  if (onPage) return { kind: 'read', kobo, read: { ...about, onPage } }
  if (cardReference !== undefined) return { kind: 'read', kobo, read: { ...about, cardReference } }
  const typed = card ?? parse(openSealed(sealedCard ?? '', keys))
  return isCard(typed) && isKnown(order.knownOfCard, typed)
    ? { kind: 'read', kobo, read: { ...about, card: typed } }
    : { kind: 'unreadable', kobo }
}

const FORMS: Readonly<Record<Exclude<TypedInput['kind'], 'ADDRESS'>, RegExp>> = {
  PIN: /^\d{4,12}$/,
  OTP: /^[A-Za-z0-9]{3,20}$/,
  PHONE: /^\+?\d{7,15}$/,
  BIRTHDAY: /^\d{4}-\d\d-\d\d$/,
}

/** Refused without being used up: who meant well may say it again. */
export function readInput(input: CardInput, keys: SealKeys): ReadInput {
  const { chargeReference: reference, kind, value, sealedValue, address } = input
  if ([value, sealedValue, address].filter((one) => one !== undefined).length !== 1) return MALFORMED
  if (kind === 'ADDRESS')
    return address === undefined ? MALFORMED : { kind: 'read', read: { reference, kind, address } }
  const typed = value ?? (sealedValue !== undefined && kind === 'PIN' ? openSealed(sealedValue, keys) : null)
  return typed !== null && FORMS[kind].test(typed)
    ? { kind: 'read', read: { reference, kind, value: typed } }
    : MALFORMED
}
