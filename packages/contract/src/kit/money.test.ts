import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  calculateCharge,
  calculateFee,
  calculatePartFee,
  type FeeRule,
  kobo,
  nairaNumber,
  nairaText,
  parseNaira,
} from './money.ts'

/** One kobo below 14 digits of naira: the largest amount there is. */
const LARGEST = 10n ** 15n - 1n
const amounts = fc.bigInt({ min: 0n, max: LARGEST })
/** Small, around thousands, and all the way up: a uniform choice over 10^15 never meets the small ones. */
const anyAmount = fc.oneof(
  fc.bigInt({ min: 0n, max: 20_000n }),
  fc.bigInt({ min: 0n, max: 20_000_000n }),
  amounts,
  fc.constantFrom(0n, 1n, 99n, 100n, LARGEST),
)

describe('parseNaira', () => {
  test('reads back what nairaText writes, for every amount below 14 digits of naira', () => {
    fc.assert(
      fc.property(anyAmount, (amount) => {
        expect(parseNaira(nairaText(amount))).toBe(amount)
      }),
    )
  })

  test.each([
    ['0', 0n],
    ['0.0', 0n],
    ['0.00', 0n],
    ['0.01', 1n],
    ['0.1', 10n],
    ['00', 0n],
    ['007', 700n],
    ['1', 100n],
    ['20', 2_000n],
    ['20.0', 2_000n],
    ['20.5', 2_050n],
    ['20.05', 2_005n],
    ['1500.50', 150_050n],
    ['9007199254740.99', 900_719_925_474_099n],
    ['9999999999999', 999_999_999_999_900n],
    ['9999999999999.99', LARGEST],
  ])('reads %j as %s kobo', (text, expected) => {
    expect(parseNaira(text)).toBe(expected)
  })

  const REFUSED: readonly string[] = [
    // exponents, and numbers of other kinds
    ...['1e3', '1E3', '1e+3', '1e-3', '2e0', '0x14', '0X14', '0b1', '0o7', '20n', 'NaN', 'Infinity', '-Infinity', '∞'],
    // signs
    ...['-0', '-5', '-0.01', '+5', '+0', '--5', '5-', '−5', '(5)'],
    // the point
    ...['', '.', '1.', '.5', '.50', '1..5', '1.2.3', '0.', '..'],
    // a third decimal, also when it is zero
    ...['20.001', '20.000', '20.999', '0.005', '1.0000000000000001', '20.000000000000001'],
    // spaces, wherever
    ...[' 20', '20 ', ' 20 ', '2 0', '\t20', '20\n', '20\r\n', '\u00a020', '20\u2003', '\ufeff20', '20\u0000', ' '],
    // separators and currencies
    ...['1,500', '1,500.00', '1 500', '1_500', "1'500", '1.500,00', '₦20', 'NGN20', '20 NGN', '$20', '20%', '20/1'],
    // digits of other scripts
    ...['２０', '٢٠', '२०', '২০', '𝟐𝟎', '²', '½'],
    // too large
    ...['10000000000000', '10000000000000.00', '00000000000001', '99999999999999', '1'.repeat(400)],
    // words and lists
    ...['twenty', 'null', 'true', '[20]', '20,', '20;', '"20"', '1\n2'],
  ]
  test.each(REFUSED)('refuses %j', (text) => {
    expect(parseNaira(text)).toBeNull()
  })

  test('refuses every text that is not digits with at most two decimals', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom(...'0123456789.,eE+- x'.split('')) }),
      fc.double().map(String),
      fc.bigInt().map(String),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const [whole = '', decimals, ...rest] = text.split('.')
        const digits = (part: string) => part.split('').every((c) => c >= '0' && c <= '9')
        const right =
          rest.length === 0 &&
          whole.length >= 1 &&
          whole.length <= 13 &&
          digits(whole) &&
          (decimals === undefined || (decimals.length >= 1 && decimals.length <= 2 && digits(decimals)))
        expect(parseNaira(text) !== null).toBe(right)
      }),
    )
  })
})

describe('nairaText', () => {
  test.each([
    [0n, '0.00'],
    [1n, '0.01'],
    [10n, '0.10'],
    [100n, '1.00'],
    [98_500n, '985.00'],
    [-1n, '-0.01'],
    [-98_505n, '-985.05'],
  ])('writes %s kobo as %s', (amount, text) => {
    expect(nairaText(amount)).toBe(text)
  })
})

describe('nairaNumber', () => {
  test('is written as JSON with exactly the digits of nairaText, up to trailing zeros', () => {
    fc.assert(
      fc.property(anyAmount, (amount) => {
        const short = nairaText(amount).replace(/\.?0+$/, (zeros) => (zeros.startsWith('.') ? '' : zeros.slice(0, -1)))
        expect(JSON.stringify(nairaNumber(amount))).toBe(short.replace(/\.(\d)0$/, '.$1'))
      }),
      { numRuns: 2_000 },
    )
  })

  test('no two amounts share a number, not even at the bound', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 100_000n }), (below) => {
        const amount = LARGEST - below
        expect(nairaNumber(amount)).not.toBe(nairaNumber(amount + 1n))
        expect(parseNaira(String(nairaNumber(amount)))).toBe(amount)
      }),
    )
  })
})

describe('feeOf', () => {
  const DEFAULT: FeeRule = { basisPoints: 150n, flatKobo: 0n, capKobo: 200_000n }
  const rules = fc.record({
    basisPoints: fc.bigInt({ min: 0n, max: 10_000n }),
    flatKobo: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 100_000n })),
    capKobo: fc.bigInt({ min: 0n, max: 10n ** 9n }),
  })

  /** Round half up of numerator/denominator, as in a textbook: the whole part, one more if the rest is a half
   *  or more. */
  const halfUp = (numerator: bigint, denominator: bigint): bigint => {
    const whole = numerator / denominator
    return 2n * (numerator - whole * denominator) >= denominator ? whole + 1n : whole
  }

  test('is 1.5 % rounded half up, and never above the cap', () => {
    fc.assert(
      fc.property(anyAmount, (amount) => {
        const exact = halfUp(amount * 3n, 200n)
        expect(calculateFee(kobo(amount), DEFAULT)).toBe(exact < 200_000n ? exact : 200_000n)
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    [33n, 0n], // 0.495
    [34n, 1n], // 0.51
    [100n, 2n], // 1.5: a half goes up
    [300n, 5n], // 4.5
    [150_000n, 2_250n],
    [13_333_299n, 199_999n], // 199 999.485
    [13_333_300n, 200_000n], // 199 999.5
    [13_333_400n, 200_000n], // 200 001: the cap
    [LARGEST, 200_000n],
  ])('of %s kobo is %s', (amount, fee) => {
    expect(calculateFee(kobo(amount), DEFAULT)).toBe(fee)
  })

  test('is never negative, never above the amount and never above the cap, whatever the rule', () => {
    fc.assert(
      fc.property(anyAmount, rules, (amount, rule) => {
        const fee = calculateFee(kobo(amount), rule)
        expect({ fee, fits: fee >= 0n && fee <= amount && fee <= rule.capKobo }).toEqual({ fee, fits: true })
      }),
      { numRuns: 2_000 },
    )
  })

  test('never falls when the amount grows', () => {
    fc.assert(
      fc.property(anyAmount, anyAmount, rules, (a, b, rule) => {
        const [less, more] = a < b ? [a, b] : [b, a]
        expect(calculateFee(kobo(less), rule)).toBeLessThanOrEqual(calculateFee(kobo(more), rule))
      }),
    )
  })

  test.each([
    [2_000n, 2_000n], // of 20 naira nothing is left
    [10_000n, 10_000n], // 100 and 1.50: more than was paid
    [10_154n, 10_152n],
    [100_000n, 11_500n],
    [13_000_000n, 200_000n], // the cap is over both
  ])('of %s kobo with a flat part of 100 naira is %s', (amount, fee) => {
    expect(calculateFee(kobo(amount), { ...DEFAULT, flatKobo: 10_000n })).toBe(fee)
  })

  test('parts add up to the fee of the whole under one rule, the flat part with the first, and none bears more than itself', () => {
    const parts = fc.array(fc.bigInt({ min: 1n, max: 10n ** 8n }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(parts, rules, (amounts, rule) => {
        let paid = 0n
        const fees = amounts.map((amount) => {
          const fee = calculatePartFee(kobo(paid), kobo(amount), rule)
          expect({ fee, fits: fee >= 0n && fee <= amount }).toEqual({ fee, fits: true })
          paid += amount
          return fee
        })
        expect(fees.reduce((sum, fee) => sum + fee, 0n)).toBe(calculateFee(kobo(paid), rule))
        expect(fees[0]).toBe(calculateFee(kobo(amounts[0] as bigint), rule))
      }),
      { numRuns: 2_000 },
    )
  })

  test('a charge beside an amount has the flat part also of nothing, and is never above the cap', () => {
    expect(calculateCharge(0n, { basisPoints: 150n, flatKobo: 6_000n, capKobo: 10_000n })).toBe(6_000n)
    expect(calculateCharge(100n, { basisPoints: 0n, flatKobo: 1_000n, capKobo: 1_000n })).toBe(1_000n)
    expect(calculateCharge(10n ** 9n, { basisPoints: 100n, flatKobo: 1_000n, capKobo: 5_000n })).toBe(5_000n)
  })
})
