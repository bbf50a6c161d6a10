// Card numbers where they do not belong: in texts that are kept, shown and sent on. Other numbers pass,
// whatever their length.
import type { TSchema } from 'typebox'
import { hasCheckDigit } from './check-digit.ts'

const [LEAST, MOST] = [13, 19]
/** Visa, Verve, American Express. */
const PREFIX = /^(?:4|506[01]|507[89]|6500|3[47])/
/** Of 16 digits only: a Nigerian telephone number with its country code has 13 and begins with 234. */
const MASTERCARD = /^(?:5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)/

const isCardData = (digits: string): boolean =>
  (PREFIX.test(digits) || (digits.length === 16 && MASTERCARD.test(digits))) && hasCheckDigit(digits)

/** Digits of any script by their value: Unicode has them in tens, one after the other. */
let digitValues: ReadonlyMap<string, string> | null = null
function readDigits(): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (let code = 0, place = 0; code < 0x20000; code += 1) {
    const one = String.fromCodePoint(code)
    place = /\p{Nd}/u.test(one) ? place + 1 : 0
    if (place > 0) values.set(one, String((place - 1) % 10))
  }
  return values
}

const PLAIN = /^[\x20-\x7e]*$/
/** Full-width, Arabic or circled digits as ours, without what nobody sees between them; any space as a space,
 *  any dash as a hyphen. A copy from a web page brings such spaces. */
function inPlainDigits(text: string): string {
  if (PLAIN.test(text)) return text
  digitValues ??= readDigits()
  const values = digitValues
  return text
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Mn}\p{Me}]/gu, '')
    .replace(/\p{Nd}/gu, (one) => values.get(one) ?? one)
    .replace(/[\s\p{Zs}]/gu, ' ')
    .replace(/[\p{Pd}\u2212]/gu, '-')
}

const RUN = /\d+(?:[^\p{L}\p{N}]{1,3}\d+)*/gu
/** What parts two groups of one number: a space or a hyphen, or one other mark, then the same one throughout.
 *  A comma with a space parts amounts of a list. Null: nothing that parts a number. */
function markOf(gap: string): string | null {
  const mark = gap.trim()
  if (mark === '' || mark === '-') return ' '
  return Array.from(mark).length > 1 || (mark === ',' && gap !== ',') ? null : mark
}

/** Whether a text holds a card number: 13 to 19 digits of any script, plain or in groups. Digits beside it,
 *  as an expiry date, do not hide it. */
export function holdsCardNumber(text: string): boolean {
  for (const [run] of inPlainDigits(text).matchAll(RUN)) {
    const groups = run.match(/\d+/g) ?? []
    const marks = (run.match(/\D+/g) ?? []).map(markOf)
    for (let from = 0; from < groups.length; from += 1) {
      let digits = ''
      for (let to = from; to < groups.length && digits.length <= MOST; to += 1) {
        if (to > from && (marks[to - 1] === null || marks[to - 1] !== marks[from])) break
        digits += groups[to]
        if (digits.length >= LEAST && digits.length <= MOST && isCardData(digits)) return true
      }
    }
  }
  return false
}

/** Fields side by side, each with one group of a card as it is printed: four and four, or four, six and five.
 *  Halves of eight digits are let pass: order and customer numbers look so, and one in seventy pairs would be
 *  a card. */
const PRINTED = /^(?:\d{4} ){3}\d{4}(?: \d{1,3})?$|^\d{4} \d{6} \d{5}$/
export function holdSplitCardNumber(texts: readonly (string | null)[]): boolean {
  const groups = texts.map((text) => (text === null || text.length > 40 ? '' : inPlainDigits(text).trim()))
  return groups.some((_, at) =>
    [3, 4, 5].some((count) => {
      const printed = groups.slice(at, at + count).join(' ')
      return PRINTED.test(printed) && isCardData(printed.replaceAll(' ', ''))
    }),
  )
}

/** What a JSON text must hold before its fields are worth a look: 13 digits in reach of each other, a number
 *  with an exponent, a group of four alone, or a character that may be a digit: an escaped one, or one of
 *  another script. */
const WORTH_A_LOOK = /\d(?:[^0-9A-Za-z"]{0,3}\d){12}|"\d{4}"|\d[eE][+\d]|\\[bfnrtu]|[^ -~\s]/
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
