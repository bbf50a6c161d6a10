// Money is kobo in a bigint. This file is the only place where text or a number becomes kobo, or kobo becomes
// either.
import Type, { type TSchema } from 'typebox'

export type Kobo = bigint & { readonly __unit: 'kobo' }
export const kobo = (value: bigint): Kobo => value as Kobo

/** Thirteen digits of naira are a thousand times Nigeria's yearly GDP: a bound that no honest request meets,
 *  and that keeps every amount exact as a JSON number (2^53 kobo is 90 trillion naira). */
const DECIMAL = /^(\d{1,13})(?:\.(\d{1,2}))?$/

/** Reads the source text of an amount. `1e3`, `20.001`, `-5`, ` 20`, `0x14` and the like give null. */
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

/** An amount as it arrives: the validator sees the source text of the number (or numeric text, which existing
 *  clients send), the documentation says number. */
export const AmountIn = Type.Unsafe<string>({
  type: 'string',
  pattern: DECIMAL.source,
  'x-wire': 'number',
  description: 'Naira, at most two decimals',
})
/** Whether a schema wants the source text of a JSON number. */
export const wantsSource = (schema: TSchema): boolean => (schema as { 'x-wire'?: string })['x-wire'] !== undefined

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
