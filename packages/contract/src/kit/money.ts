// Money is kobo in a bigint. This file is the only place where text or a number becomes kobo, or kobo becomes
// either.
import Type, { type TSchema } from 'typebox'

export type Kobo = bigint & { readonly __unit: 'kobo' }
export const kobo = (value: bigint): Kobo => value as Kobo

/** Thirteen digits of naira are a thousand times Nigeria's yearly GDP: a bound that no honest request meets,
 *  and that keeps every amount exact as a JSON number (2^53 kobo is 90 trillion naira). */
const DECIMAL = /^(\d{1,13})(?:\.(\d{1,2}))?$/

/** Reads an amount that came as text, or as a number that `numberReader` has read. `1e3`, `20.001`, `-5`, `
 *  20`, `0x14` and the like give null. */
export function parseNaira(text: string): Kobo | null {
  const match = DECIMAL.exec(text)
  if (!match) return null
  return kobo(BigInt(match[1] as string) * 100n + BigInt((match[2] ?? '').padEnd(2, '0')))
}

/** `985.00`: decimal text with two places. */
export function nairaText(amount: bigint): string {
  const sign = amount < 0n ? '-' : ''
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The JSON number of an amount; exact, because amounts stay far below 2^53 kobo. */
export const nairaNumber = (amount: bigint): number => Number(amount) / 100

/** The kinds of number that are read from their source text: how many decimals each keeps, and how many
 *  noughts or nines after those are the dust that binary floats leave. A percentage drops what is left beyond
 *  that, always downwards: shares that add up to at most 100 then still do. All others are refused. */
const WIRES = {
  number: { decimals: 2, dust: 5, drops: false }, // dust: less than 0.0000001
  quantity: { decimals: 3, dust: 4, drops: false },
  percent: { decimals: 6, dust: 3, drops: true },
  integer: { decimals: 0, dust: Number.POSITIVE_INFINITY, drops: false },
} as const
type Wire = keyof typeof WIRES

const WHOLE_DIGITS_MAX = 13
const WRITTEN = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** The digits of a number without the noughts around them, and where its point is: 0.digits × 10^point. */
function digitsOf(whole: string, part: string, power: string): { digits: string; point: number } {
  const all = whole + part
  let [from, to] = [0, all.length]
  while (from < to && all[from] === '0') from += 1
  while (to > from && all[to - 1] === '0') to -= 1
  return { digits: all.slice(from, to), point: whole.length + Number(power) - from }
}

function decimalText(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0')
  let to = digits.length
  while (to > digits.length - decimals && digits[to - 1] === '0') to -= 1
  const part = digits.slice(digits.length - decimals, to)
  return digits.slice(0, digits.length - decimals) + (part === '' ? '' : `.${part}`)
}

/** A JSON number is what it is, not how it is written: `1.0E7`, `6E+2`, `1000.000` and `110.00000000000001`
 *  are 10000000, 600, 1000 and 110. Exact on the text. What is no number of this kind stays as it is written,
 *  for the schema to refuse. */
function plainNumber(source: string, { decimals, dust, drops }: (typeof WIRES)[Wire]): string {
  const [, sign, whole = '', part = '', power = ''] = WRITTEN.exec(source) ?? []
  if (sign === '' && part.length <= decimals && power === '') return source
  const { digits, point } = digitsOf(whole, part, power)
  if (digits === '') return '0'
  if (point > WHOLE_DIGITS_MAX) return source
  const kept = decimals + point
  const rest = kept < 0 ? '0'.repeat(Math.min(-kept, decimals + 10)) + digits : digits.slice(kept)
  const isAbove = rest.length > dust && rest.startsWith('9'.repeat(Math.min(dust, rest.length)))
  if (rest !== '' && !isAbove && !drops && !rest.startsWith('0'.repeat(Math.min(dust, rest.length)))) return source
  const units = BigInt(digits.slice(0, Math.max(kept, 0)).padEnd(Math.max(kept, 0), '0')) + (isAbove ? 1n : 0n)
  return units === 0n ? '0' : sign + decimalText(units, decimals)
}

/** An amount as it arrives: the validator sees the source text of the number (or numeric text, which existing
 *  clients send), the documentation says number. */
export const AmountIn = Type.Unsafe<string>({
  type: 'string',
  pattern: DECIMAL.source,
  'x-wire': 'number',
  description: 'Naira, at most two decimals',
})
const wireOf = (schema: TSchema): Wire | undefined => (schema as { 'x-wire'?: Wire })['x-wire']
/** Whether a schema wants the source text of a JSON number. */
export const wantsSource = (schema: TSchema): boolean => wireOf(schema) !== undefined
/** How the source text of such a number becomes the text that the schema looks at; null for other schemas. */
export function numberReader(schema: TSchema): ((source: string) => string) | null {
  const wire = wireOf(schema)
  return wire === undefined ? null : (source) => plainNumber(source, WIRES[wire])
}

/** Amounts as they leave. */
export const AmountNumber = Type.Number({ description: 'Naira' })
export const AmountText = Type.String({
  pattern: '^\\d+\\.\\d\\d$',
  description: 'Naira as decimal text',
  examples: ['985.00'],
})

/** A rate in basis points and a flat part, with a cap over both, rounded half up to the kobo: the form of
 *  every fee. */
export type FeeRule = { readonly basisPoints: bigint; readonly flatKobo: bigint; readonly capKobo: bigint }
/** What is charged beside an amount, as for a payout. */
export function calculateCharge(amount: bigint, rule: FeeRule): Kobo {
  const fee = rule.flatKobo + (amount * rule.basisPoints + 5_000n) / 10_000n
  return kobo(fee > rule.capKobo ? rule.capKobo : fee)
}
/** What is kept of a payment: never more than was paid. */
export function calculateFee(amount: Kobo, rule: FeeRule): Kobo {
  const fee = calculateCharge(amount, rule)
  return fee > amount ? amount : fee
}

/** The fee of a part of a payment, by the rule of its own moment: what the rule makes of the whole so far,
 *  less what it makes of what had come before. Under one rule the parts add up to the fee of the whole, cap
 *  and rounding included, and the flat part comes with the first; a rule that comes later leaves earlier
 *  parts as they were. */
export const calculatePartFee = (before: Kobo, part: Kobo, rule: FeeRule): Kobo =>
  kobo(calculateFee(kobo(before + part), rule) - calculateFee(before, rule))
