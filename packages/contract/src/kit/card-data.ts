// Card numbers where they do not belong: in texts that are kept, shown and sent on. Other numbers pass,
// whatever their length.
import type { TSchema } from 'typebox'
import { hasCheckDigit } from './check-digit.ts'

const GROUPS = /\d+(?:[ -]\d+)*/g
const [LEAST, MOST] = [13, 19]
/** Visa, Verve, American Express. */
const PREFIX = /^(?:4|506[01]|507[89]|6500|3[47])/
/** Of 16 digits only: a Nigerian telephone number with its country code has 13 and begins with 234. */
const MASTERCARD = /^(?:5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)/

const isCardData = (digits: string): boolean =>
  (PREFIX.test(digits) || (digits.length === 16 && MASTERCARD.test(digits))) && hasCheckDigit(digits)

/** Whether a text holds a card number: 13 to 19 digits, plain or in groups parted by single spaces or
 *  hyphens. Digits beside it, as an expiry date, do not hide it. */
export function holdsCardNumber(text: string): boolean {
  for (const [run] of text.matchAll(GROUPS)) {
    const groups = run.split(/[ -]/)
    for (let from = 0; from < groups.length; from += 1) {
      let digits = ''
      for (let to = from; to < groups.length && digits.length <= MOST; to += 1) {
        digits += groups[to]
        if (digits.length >= LEAST && digits.length <= MOST && isCardData(digits)) return true
      }
    }
  }
  return false
}

/** What a JSON text must hold before its fields are worth a look: 13 digits in reach of each other, a number
 *  with an exponent, or an escaped character, which might be a digit. */
const WORTH_A_LOOK = /\d(?:[ -]?\d){12}|\d[eE][+\d]|\\u00/
export const mayHoldCardNumber = (json: string): boolean => WORTH_A_LOOK.test(json)

const META_DATA = /^meta_?data$/i
const WORDS = /(?:name|description|narration|reason|note|title)$/i

/** Where a body has texts that a card number must not stand in: `deep` at any depth, `text` in the field
 *  itself, or below it. */
export type Guard = 'deep' | 'text' | { readonly items: Guard } | { readonly keys: Readonly<Record<string, Guard>> }

type Shape = TSchema & { properties?: Record<string, Shape>; items?: Shape; anyOf?: Shape[]; type?: string }

/** The guard of a body, from its schema and the names of its fields; null when there is nothing to guard. */
export function cardGuard(schema: TSchema): Guard | null {
  const shape = schema as Shape
  if (shape.items) {
    const items = cardGuard(shape.items)
    return items && { items }
  }
  const keys: Record<string, Guard> = {}
  for (const [name, property] of Object.entries(shape.properties ?? {})) {
    const inner = META_DATA.test(name) ? 'deep' : WORDS.test(name) ? 'text' : cardGuard(property)
    if (inner) keys[name] = inner
  }
  return Object.keys(keys).length > 0 ? { keys } : null
}
