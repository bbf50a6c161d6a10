// Income splits: how a payment is shared out, as a pure rule on whole kobo. docs/accounting.md tells it in
// words.
import Type, { type Static } from 'typebox'
import { Named } from '../kit/fields.ts'
import { AmountIn, AmountNumber, type Kobo, kobo } from '../kit/money.ts'

/** A percentage is a whole number of millionths of a percent, so six decimals are exact. */
export const WHOLE = 100_000_000n
const PERCENT = /^(?:100(?:\.0{1,6})?|\d{1,2}(?:\.\d{1,6})?)$/

/** Reads the source text of a percentage from 0 to 100; anything else gives null. */
export function parsePercent(text: string): bigint | null {
  if (!PERCENT.test(text)) return null
  const [whole = '', decimals = ''] = text.split('.')
  return BigInt(whole) * 1_000_000n + BigInt(decimals.padEnd(6, '0'))
}
/** The JSON number of a percentage; a quotient of two small whole numbers is the double its decimal text
 *  names. */
export const percentNumber = (parts: bigint): number => Number(parts) / 1_000_000

/** A percentage as it arrives: the validator sees the source text, the documentation says number. */
export const PercentIn = Type.Unsafe<string>({
  type: 'string',
  pattern: PERCENT.source,
  'x-wire': 'percent',
  description: 'Percent, 0 to 100, kept to six decimals',
})
export const PercentNumber = Type.Number({ description: 'Percent' })

export const SPLITS_MAX = 5

export const IncomeSplit = Named('IncomeSplit', {
  subAccountCode: Type.String({ minLength: 1, maxLength: 40 }),
  feeBearer: Type.Optional(Type.Boolean({ description: 'Whether the sub account bears part of the fee' })),
  feePercentage: Type.Optional(PercentIn),
  splitPercentage: Type.Optional(PercentIn),
  splitAmount: Type.Optional(AmountIn),
})
export type IncomeSplit = Static<typeof IncomeSplit>
export const IncomeSplits = Type.Array(IncomeSplit, {
  maxItems: SPLITS_MAX,
  description:
    'Each sub account gets `splitPercentage` of the amount paid, or `splitAmount`, or, with neither, its default percentage; 0 counts as not given. The merchant gets the rest',
})

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
/** A split as it is shown again; what was not given is null. */
export const IncomeSplitShown = Named('IncomeSplitShown', {
  subAccountCode: Type.String(),
  feeBearer: Type.Boolean(),
  feePercentage: Nullable(PercentNumber),
  splitPercentage: Nullable(PercentNumber),
  splitAmount: Nullable(AmountNumber),
})

/** One sub account's part. `key` tells the parties apart and settles ties, so that the order of the list does
 *  not. */
export type SplitItem = {
  readonly key: string
  /** A percentage of what is paid, or a fixed amount. */
  readonly of: { readonly percent: bigint } | { readonly fixed: bigint }
  /** The part of the fee it bears: none, a percentage, or in proportion to its share. */
  readonly fee: 'NONE' | 'PROPORTION' | bigint
}
export type Share = { readonly gross: Kobo; readonly fee: Kobo; readonly net: Kobo }
export type SharedOut = { readonly shares: readonly Share[]; readonly merchantNet: Kobo }

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const total = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n)

/** Whole kobo out of exact parts over one denominator: each is rounded down, and the kobo that their sum has
 *  beyond that go to the largest remainders. Together they get their sum, rounded down. */
function rounded(parts: readonly bigint[], denominator: bigint, keys: readonly string[]): bigint[] {
  const whole = parts.map((part) => part / denominator)
  const over = Number(total(parts) / denominator - total(whole))
  const byRemainder = parts
    .map((part, at) => ({ at, remainder: part % denominator, key: keys[at] as string }))
    .sort((a, b) => (a.remainder === b.remainder ? (a.key < b.key ? -1 : 1) : a.remainder > b.remainder ? -1 : 1))
  for (const { at } of byRemainder.slice(0, over)) whole[at] = (whole[at] as bigint) + 1n
  return whole
}

/** What each party gets of a payment, before the fee: percentages first, then fixed amounts in the order of
 *  the list, each as far as the money goes. */
function grossOf(paid: bigint, items: readonly SplitItem[]): bigint[] {
  const byPercent = rounded(
    items.map(({ of }) => ('percent' in of ? paid * of.percent : 0n)),
    WHOLE,
    items.map((item) => item.key),
  )
  let left = paid - total(byPercent)
  return items.map(({ of }, at) => {
    if ('percent' in of) return byPercent[at] as bigint
    const given = least(of.fixed, left)
    left -= given
    return given
  })
}

/** What each party bears of the fee: its percentage; in proportion to its share, of what no percentage names;
 *  never more than its share. What the merchant's own part cannot bear falls on the shares, in proportion to
 *  what they have left. */
function feesOf(paid: bigint, fee: bigint, items: readonly SplitItem[], gross: readonly bigint[]): bigint[] {
  const keys = items.map((item) => item.key)
  const named = total(items.map((item) => (typeof item.fee === 'bigint' ? item.fee : 0n)))
  const asked = rounded(
    items.map((item, at) => {
      if (item.fee === 'NONE') return 0n
      return item.fee === 'PROPORTION' ? fee * (WHOLE - named) * (gross[at] as bigint) : fee * item.fee * paid
    }),
    WHOLE * paid,
    keys,
  )
  const borne = asked.map((part, at) => least(part, gross[at] as bigint))
  const missing = fee - total(borne) - (paid - total(gross))
  if (missing <= 0n) return borne
  const room = borne.map((part, at) => (gross[at] as bigint) - part)
  const more = rounded(
    room.map((one) => missing * one),
    total(room),
    keys,
  )
  return borne.map((part, at) => part + (more[at] as bigint))
}

/** Shares out a payment and a fee within it. The parts and the fee always sum to what was paid, and
 *  none is below zero. */
export function shareOut(paid: bigint, fee: bigint, items: readonly SplitItem[]): SharedOut {
  const gross = grossOf(paid, items)
  const fees = fee === 0n ? gross.map(() => 0n) : feesOf(paid, fee, items, gross)
  const shares = gross.map((one, at) => {
    const borne = fees[at] as bigint
    return { gross: kobo(one), fee: kobo(borne), net: kobo(one - borne) }
  })
  return { shares, merchantNet: kobo(paid - fee - total(shares.map((share) => share.net))) }
}

/** Why a split of an amount cannot be; null when it can. */
export function splitFault(amount: bigint, items: readonly SplitItem[]): string | null {
  if (items.length > SPLITS_MAX) return `at most ${SPLITS_MAX} sub accounts`
  if (new Set(items.map((item) => item.key)).size !== items.length) return 'a sub account is listed twice'
  const percent = total(items.map(({ of }) => ('percent' in of ? of.percent : 0n)))
  const fixed = total(items.map(({ of }) => ('fixed' in of ? of.fixed : 0n)))
  if (percent > WHOLE) return 'the percentages add up to more than 100'
  if (fixed * WHOLE + amount * percent > amount * WHOLE) return 'the shares add up to more than the amount'
  const fees = total(items.map((item) => (typeof item.fee === 'bigint' ? item.fee : 0n)))
  if (fees > WHOLE) return 'the fee percentages add up to more than 100'
  return null
}
