// A JSON number is what it is, not how it is written; what no amount can be is refused, never rounded.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PercentIn, parsePercent, splitFault } from '../collections/splits.ts'
import { AmountIn, nairaText, numberReader, parseNaira } from './money.ts'

const LARGEST = 10n ** 15n - 1n
const readAmount = numberReader(AmountIn) as (source: string) => string
const readPercent = numberReader(PercentIn) as (source: string) => string
const kobo = (source: string): bigint | null => parseNaira(readAmount(source))
const amounts = fc.oneof(
  fc.bigInt({ min: 0n, max: 20_000_000n }),
  fc.bigInt({ min: 0n, max: LARGEST }),
  fc.constantFrom(0n, 1n, 99n, 100n, LARGEST),
)

/** One amount in one of the many notations of JSON: the point moved, noughts added. */
const written = fc
  .record({ amount: amounts, move: fc.integer({ min: -20, max: 20 }), noughts: fc.nat(30), big: fc.boolean() })
  .map(({ amount, move, noughts, big }) => {
    const digits = amount.toString().padStart(3, '0')
    const point = digits.length - 2 - move
    const all = point < 1 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0')
    const [whole, part] = [all.slice(0, Math.max(point, 1)), all.slice(Math.max(point, 1)) + '0'.repeat(noughts)]
    const mantissa = whole.replace(/^0+(?=\d)/, '') + (part === '' ? '' : `.${part}`)
    return { amount, text: `${mantissa}${big ? 'E' : 'e'}${move > 0 && big ? '+' : ''}${move}` }
  })

describe('an amount as a JSON number', () => {
  test('is itself in every notation of JSON', () => {
    fc.assert(
      fc.property(written, ({ amount, text }) => {
        expect({ text, kobo: kobo(text) }).toEqual({ text, kobo: amount })
      }),
      { numRuns: 5_000 },
    )
  })

  test('is itself as the double nearest to it, written as short as it can be: by JavaScript, Python, Go, Java', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(kobo(String(Number(nairaText(amount))))).toBe(amount)
        expect(kobo(Number(nairaText(amount)).toExponential())).toBe(amount)
      }),
      { numRuns: 5_000 },
    )
  })

  test('below a thousand million naira it is itself as a double written with seventeen digits, and up to three steps beside it', () => {
    const bits = new BigInt64Array(1)
    const double = new Float64Array(bits.buffer)
    const small = fc.bigInt({ min: 1n, max: 10n ** 10n })
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 11n }),
        small,
        fc.integer({ min: -3, max: 3 }),
        (any, less, steps) => {
          expect(kobo(Number(nairaText(any)).toPrecision(17))).toBe(any)
          double[0] = Number(nairaText(less))
          bits[0] = (bits[0] as bigint) + BigInt(steps)
          expect(kobo(String(double[0]))).toBe(less)
        },
      ),
      { numRuns: 5_000 },
    )
  })

  test('is never rounded: 0.0000001 away from every amount of two decimals, and further, is refused', () => {
    const thirds = fc.integer({ min: 1, max: 99_999 }).map((part) => String(part).padStart(5, '0'))
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 12n }),
        thirds,
        fc.constantFrom('', '0', '000'),
        (amount, more, noughts) => {
          expect(kobo(`${nairaText(amount)}${more}${noughts}`)).toBeNull()
        },
      ),
      { numRuns: 5_000 },
    )
  })

  test.each([
    ['1.0E7', 1_000_000_000n],
    ['6E+2', 60_000n],
    ['1e3', 100_000n],
    ['1000.000', 100_000n],
    ['110.00000000000001', 11_000n],
    ['2500.2999999999997', 250_030n],
    ['99.999999999', 10_000n],
    ['20.00000009999', 2_000n],
    ['19.99999990001', 2_000n],
    ['-0', 0n],
    ['-0.0', 0n],
    ['0e999999999999', 0n],
    ['1e-999999999999', 0n],
    ['-5.551115123125783e-17', 0n],
    ['9999999999999.99', LARGEST],
    ['9.99999999999999e12', LARGEST],
  ])('%s', (source, expected) => {
    expect(kobo(source)).toBe(expected)
  })
  test.each([
    ...['10.005', '20.001', '1e-3', '20.0000001', '19.9999999', '20.0000002', '-5', '-0.01', '-1e3'],
    ...['1e13', '10000000000000', '9999999999999.999999999', '1e400', '1e999999999999', '1'.repeat(400)],
  ])('%s is refused', (source) => {
    expect(kobo(source)).toBeNull()
  })
})

describe('a percentage as a JSON number', () => {
  test.each([
    ['33.333333333333336', 33_333_333n],
    ['66.66666666666667', 66_666_666n],
    ['16.666666666666668', 16_666_666n],
    ['29.999999999999996', 30_000_000n],
    ['7.000000000000001', 7_000_000n],
    ['1E2', 100_000_000n],
    ['100.0000000', 100_000_000n],
    ['99.9999999999999', 100_000_000n],
    ['12.3456789', 12_345_678n],
    ['0.0000001', 0n],
  ])('%s', (source, parts) => {
    expect(parsePercent(readPercent(source))).toBe(parts)
  })
  test.each(['100.000001', '101', '-1', '1e3', '-33.333333333333336'])('%s is refused', (source) => {
    expect(parsePercent(readPercent(source))).toBeNull()
  })

  test('shares of a whole that were divided in doubles still add up to at most 100', () => {
    const parts = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(parts, (weights) => {
        const total = weights.reduce((sum, one) => sum + one, 0)
        const items = weights.map((weight, at) => ({
          key: String(at),
          of: { percent: parsePercent(readPercent(String((100 * weight) / total))) as bigint },
          fee: 'NONE' as const,
        }))
        expect(splitFault(10_000n, items)).toBeNull()
      }),
      { numRuns: 5_000 },
    )
  })
})
