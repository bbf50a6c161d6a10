import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parsePercent, percentNumber, type SplitItem, shareOut, splitFault, WHOLE } from './splits.ts'

const RUNS = { numRuns: 10_000 }
const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)
const percent = (text: string): bigint => parsePercent(text) as bigint

const amounts = fc.oneof(
  fc.bigInt({ min: 1n, max: 200n }),
  fc.bigInt({ min: 1n, max: 20_000_000n }),
  fc.bigInt({ min: 1n, max: 10n ** 15n - 1n }),
)
/** Numbers that sum to at most the whole: cuts of a line. */
const partsOf = (whole: bigint, cuts: readonly bigint[]): bigint[] => {
  const marks = [...cuts.map((cut) => cut % (whole + 1n)), 0n].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return marks.slice(1).map((mark, at) => mark - (marks[at] as bigint))
}
const cuts = fc.array(fc.bigInt({ min: 0n, max: 10n ** 16n }), { minLength: 5, maxLength: 5 })

type Config = { asked: bigint; items: SplitItem[] }
/** Every split that a transaction may have: percentages, fixed amounts and both, bearing the fee in every
 *  way. */
const configs: fc.Arbitrary<Config> = fc
  .record({
    asked: amounts,
    count: fc.integer({ min: 0, max: 5 }),
    percents: cuts,
    fixed: cuts,
    fees: cuts,
    kinds: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    bears: fc.array(fc.constantFrom('NONE', 'PROPORTION', 'PART'), { minLength: 5, maxLength: 5 }),
  })
  .map(({ asked, count, percents, fixed, fees, kinds, bears }) => {
    const percentParts = partsOf(WHOLE, percents)
    const taken = sum(percentParts.slice(0, count).filter((_, at) => kinds[at]))
    const fixedParts = partsOf((asked * (WHOLE - taken)) / WHOLE, fixed)
    const feeParts = partsOf(WHOLE, fees)
    const items = Array.from({ length: count }, (_, at): SplitItem => {
      const bearing = bears[at] as 'NONE' | 'PROPORTION' | 'PART'
      return {
        key: `CWRY_SUB_${at}`,
        of: kinds[at] ? { percent: percentParts[at] as bigint } : { fixed: fixedParts[at] as bigint },
        fee: bearing === 'PART' ? (feeParts[at] as bigint) : bearing,
      }
    })
    return { asked, items }
  })
/** A payment of any size, with any fee within it. */
const payments = fc
  .record({ config: configs, paid: amounts, fee: fc.bigInt({ min: 0n, max: 10n ** 16n }), exact: fc.boolean() })
  .map(({ config, paid, fee, exact }) => {
    const really = exact ? config.asked : paid
    return { ...config, paid: really, fee: fee % (really + 1n) }
  })

describe('parsePercent', () => {
  test.each([
    ['0', 0n],
    ['100', 100_000_000n],
    ['100.000000', 100_000_000n],
    ['33.33', 33_330_000n],
    ['33.333333', 33_333_333n],
    ['0.000001', 1n],
    ['20.5', 20_500_000n],
  ])('%s', (text, parts) => expect(parsePercent(text)).toBe(parts))

  test.each([
    '',
    '-1',
    '101',
    '100.1',
    '100.000001',
    '1e1',
    '.5',
    '5.',
    '0.0000001',
    '100.0000000',
    ' 5',
    '5%',
    '1000',
  ])('null for "%s"', (text) => expect(parsePercent(text)).toBeNull())

  test('is shown as the number whose text it was read from', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (parts) => {
        const shown = percentNumber(BigInt(parts))
        expect(parsePercent(String(shown))).toBe(BigInt(parts))
      }),
      RUNS,
    )
  })
})

describe('shareOut', () => {
  test('parts and fee sum to what was paid, and nothing is below zero, for every split and every payment', () => {
    fc.assert(
      fc.property(payments, ({ paid, fee, items }) => {
        const { shares, merchantNet } = shareOut(paid, fee, items)
        expect(sum(shares.map((share) => share.net)) + merchantNet + fee).toBe(paid)
        expect(merchantNet >= 0n).toBe(true)
        for (const share of shares) {
          expect(share.gross >= 0n && share.fee >= 0n && share.net >= 0n).toBe(true)
          expect(share.gross - share.fee).toBe(share.net)
        }
      }),
      RUNS,
    )
  })

  test('a percentage is within one kobo of its exact value, a fixed amount is exact while the money suffices', () => {
    fc.assert(
      fc.property(payments, ({ paid, fee, asked, items }) => {
        const { shares } = shareOut(paid, fee, items)
        const wrong = items.filter(({ of }, at) => {
          const gross = shares[at]?.gross as bigint
          if ('fixed' in of) return paid >= asked ? gross !== of.fixed : gross > of.fixed
          const off = gross * WHOLE - paid * of.percent
          return off <= -WHOLE || off >= WHOLE
        })
        expect(wrong).toEqual([])
      }),
      RUNS,
    )
  })

  test('the percentages together get their sum, rounded down', () => {
    fc.assert(
      fc.property(payments, ({ paid, fee, items }) => {
        const { shares } = shareOut(paid, fee, items)
        const parts = items.map(({ of }) => ('percent' in of ? of.percent : null))
        const gross = sum(shares.filter((_, at) => parts[at] !== null).map((share) => share.gross))
        expect(gross).toBe((paid * sum(parts.map((part) => part ?? 0n))) / WHOLE)
      }),
      RUNS,
    )
  })

  test('the order of the list does not matter when the fixed amounts are covered', () => {
    fc.assert(
      fc.property(payments, fc.array(fc.nat(), { minLength: 5, maxLength: 5 }), ({ paid, fee, asked, items }, mix) => {
        fc.pre(paid >= asked)
        const order = items.map((_, at) => at).sort((a, b) => (mix[a] as number) - (mix[b] as number))
        const straight = shareOut(paid, fee, items)
        const mixed = shareOut(
          paid,
          fee,
          order.map((at) => items[at] as SplitItem),
        )
        expect(mixed.merchantNet).toBe(straight.merchantNet)
        for (const [place, at] of order.entries()) expect(mixed.shares[place]).toEqual(straight.shares[at])
      }),
      RUNS,
    )
  })

  test('a tie of remainders goes to the lower code, wherever it stands in the list: a published rule', () => {
    const half = (key: string): SplitItem => ({ key, of: { percent: percent('50') }, fee: 'NONE' })
    for (const keys of [
      ['CWRY_SUB_1', 'CWRY_SUB_2'],
      ['CWRY_SUB_2', 'CWRY_SUB_1'],
    ]) {
      const { shares } = shareOut(101n, 0n, keys.map(half))
      expect(Object.fromEntries(keys.map((key, at) => [key, shares[at]?.gross]))).toEqual({
        CWRY_SUB_1: 51n,
        CWRY_SUB_2: 50n,
      })
    }
    const third = (key: string): SplitItem => ({ key, of: { percent: percent('25') }, fee: 'NONE' })
    const { shares } = shareOut(102n, 0n, ['D', 'B', 'C', 'A'].map(third))
    expect(shares.map(({ gross }) => gross)).toEqual([25n, 26n, 25n, 26n])
  })

  test('fixed amounts that are not covered are served in the order of the list', () => {
    fc.assert(
      fc.property(payments, ({ paid, fee, items }) => {
        const { shares } = shareOut(paid, fee, items)
        const gross = (at: number): bigint => shares[at]?.gross as bigint
        const cut = items.findIndex(({ of }, at) => 'fixed' in of && gross(at) < of.fixed)
        const served = items.filter(({ of }, at) => cut >= 0 && at > cut && 'fixed' in of && gross(at) > 0n)
        expect(served).toEqual([])
      }),
      RUNS,
    )
  })

  test('a sub account that bears no fee has none, as long as the merchant can bear it', () => {
    fc.assert(
      fc.property(payments, ({ paid, fee, items }) => {
        const { shares, merchantNet } = shareOut(paid, fee, items)
        const bearing = items.filter((item, at) => item.fee === 'NONE' && (shares[at]?.fee as bigint) > 0n)
        expect(merchantNet === 0n ? [] : bearing).toEqual([])
      }),
      RUNS,
    )
  })

  const item = (key: string, of: SplitItem['of'], fee: SplitItem['fee'] = 'NONE'): SplitItem => ({ key, of, fee })
  const worked: [string, bigint, bigint, SplitItem[], [bigint, bigint][], bigint][] = [
    [
      'the worked example of the documentation',
      333_333n,
      5_000n,
      [item('A', { percent: percent('20') }), item('B', { percent: percent('33.33') })],
      [
        [66_666n, 0n],
        [111_100n, 0n],
      ],
      150_567n,
    ],
    [
      'a fixed amount and 40 % of the fee',
      200_000n,
      3_000n,
      [item('A', { fixed: 35_025n }, percent('40'))],
      [[35_025n, 1_200n]],
      163_175n,
    ],
    [
      'bearing without a percentage: in proportion to the share',
      200_000n,
      3_000n,
      [item('A', { percent: percent('50') }, 'PROPORTION')],
      [[100_000n, 1_500n]],
      98_500n,
    ],
    [
      'in proportion, of what no percentage names',
      200_000n,
      3_000n,
      [item('A', { percent: percent('50') }, 'PROPORTION'), item('B', { fixed: 1_000n }, percent('20'))],
      [
        [100_000n, 1_200n],
        [1_000n, 600n],
      ],
      97_800n,
    ],
    [
      'all of it to one that bears nothing: the merchant has nothing, so the share bears the fee',
      100_000n,
      1_500n,
      [item('A', { percent: WHOLE })],
      [[100_000n, 1_500n]],
      0n,
    ],
    [
      'a share smaller than its part of the fee',
      100_000n,
      1_500n,
      [item('A', { fixed: 100n }, WHOLE)],
      [[100n, 100n]],
      98_500n,
    ],
    [
      'less than the fixed amounts: percentages first, then in the order of the list',
      100_000n,
      1_500n,
      [item('A', { fixed: 70_000n }), item('B', { fixed: 70_000n }), item('C', { percent: percent('10') })],
      [
        [70_000n, 1_050n],
        [20_000n, 300n],
        [10_000n, 150n],
      ],
      0n,
    ],
    [
      'one kobo, three thirds: the tie goes by code, not by place',
      1n,
      0n,
      [item('B', { percent: 33_333_333n }), item('A', { percent: 33_333_333n }), item('C', { percent: 33_333_334n })],
      [
        [0n, 0n],
        [0n, 0n],
        [1n, 0n],
      ],
      0n,
    ],
  ]
  test.each(worked)('%s', (_, paid, fee, items, expected, merchantNet) => {
    const out = shareOut(paid, fee, items)
    expect(out.shares.map((share) => [share.gross, share.fee])).toEqual(expected)
    expect(out.merchantNet).toBe(merchantNet)
  })
})

describe('splitFault', () => {
  const item = (key: string, of: SplitItem['of'], fee: SplitItem['fee'] = 'NONE'): SplitItem => ({ key, of, fee })
  test('every split that the tests generate is possible', () => {
    fc.assert(
      fc.property(configs, ({ asked, items }) => {
        expect(splitFault(asked, items)).toBeNull()
      }),
      RUNS,
    )
  })
  test.each<[string, SplitItem[]]>([
    ['five', ['A', 'B', 'C', 'D', 'E', 'F'].map((key) => item(key, { percent: 1n }))],
    ['twice', [item('A', { percent: 1n }), item('A', { fixed: 1n })]],
    ['the percentages add up', [item('A', { percent: percent('60') }), item('B', { percent: percent('40.0001') })]],
    ['than the amount', [item('A', { fixed: 100_001n })]],
    ['than the amount', [item('A', { fixed: 50_001n }), item('B', { percent: percent('50') })]],
    ['the fee percentages', [item('A', { percent: 1n }, percent('60')), item('B', { percent: 1n }, percent('41'))]],
  ])('%s', (words, items) => {
    expect(splitFault(100_000n, items)).toContain(words === 'five' ? 'at most 5' : words)
  })
})
