// Amounts are decimal text in naira, in and out. Whoever calculates takes kobo, whole hundredths, as a
// bigint: a float loses kobo.
import { CowrieError } from './errors.ts'
import type { Amount } from './route.ts'

/** As the gateway reads amounts, with a sign: a movement of a wallet can be negative. */
const DECIMAL = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/

/** `kobo('1500.50')` is `150050n`. Throws for anything that is not an amount: `1,500`, `20.001`, a number. */
export function kobo(amount: Amount): bigint {
  const match = typeof amount === 'string' ? DECIMAL.exec(amount) : null
  if (match === null) {
    const hint =
      typeof amount === 'number'
        ? 'It is a number, which loses kobo; use text.'
        : 'Use digits, and at most two decimals after a point.'
    throw new CowrieError('AMOUNT_NOT_DECIMAL', `${JSON.stringify(amount)} is not an amount such as '1500.00'. ${hint}`)
  }
  const [, sign, whole = '', cents = ''] = match
  const value = BigInt(whole) * 100n + BigInt(cents.padEnd(2, '0'))
  return sign === '-' ? -value : value
}

/** `naira(150050n)` is `'1500.50'`: kobo as the text that the gateway takes. */
export function naira(amount: bigint): Amount {
  if (typeof amount !== 'bigint')
    throw new CowrieError('KOBO_NOT_BIGINT', `${JSON.stringify(amount)} is not a bigint of kobo, such as 150050n.`)
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** A number of the wire as text. Exact: amounts stay below ten trillion naira, where a double still tells
 *  kobo apart. */
const asText = (value: unknown): unknown => (typeof value === 'number' ? value.toFixed(2) : value)

function change(value: unknown, [name, ...rest]: readonly string[]): void {
  if (Array.isArray(value)) for (const item of value) change(item, [name ?? '', ...rest])
  else if (typeof value === 'object' && value !== null && name !== undefined) {
    const fields = value as Record<string, unknown>
    if (!(name in fields)) return
    if (rest.length > 0) change(fields[name], rest)
    else fields[name] = asText(fields[name])
  }
}

/** Amounts of an answer that came as numbers become text, in place. `paths`: `content.amount content.fee`. */
export function amountsAsText(value: unknown, paths = ''): void {
  for (const path of paths.split(' ').filter((one) => one !== '')) change(value, path.split('.'))
}
