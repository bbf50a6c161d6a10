// What lines of an invoice come to: exact in kobo, whatever the quantity.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nairaText } from '../kit/money.ts'
import { addsUp, lineKobo, linesKobo, parseQuantity, presentLine, readLines } from './invoices.ts'

const quantities = fc.integer({ min: 1, max: 999_999_999 }) // thousandths
const units = fc.bigInt({ min: 0n, max: 100_000_000_000n })
const thousandths = (count: number): string => (count / 1_000).toFixed(3)

describe('lines', () => {
  test('a line is within half a kobo of quantity × unit amount, and a whole quantity is exact', () => {
    fc.assert(
      fc.property(quantities, units, (count, unit) => {
        const kobo = lineKobo(thousandths(count), unit)
        const off = kobo * 1_000n - BigInt(count) * unit
        expect(off > -500n && off <= 500n).toBe(true)
        expect(count % 1_000 !== 0 || off === 0n).toBe(true)
      }),
    )
  })

  test('the sum is that of the lines, and with the VAT it is the amount, a kobo more or less is not', () => {
    const line = fc.record({ count: quantities, unit: units })
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 50 }), fc.option(units), (given, vat) => {
        const lines = readLines(
          given.map(({ count, unit }) => ({
            description: 'x',
            quantity: thousandths(count),
            unitAmount: nairaText(unit),
          })),
        )
        if (lines === null) throw new Error('lines were not read')
        const sum = given.reduce((all, { count, unit }) => all + lineKobo(thousandths(count), unit), 0n)
        expect(linesKobo(lines)).toBe(sum)
        const total = sum + (vat ?? 0n)
        expect([total - 1n, total, total + 1n].map((kobo) => addsUp(lines, vat, kobo))).toEqual([false, true, false])
      }),
    )
  })

  test('without lines there is nothing to add up', () => expect(addsUp([], null, 250_000n)).toBe(true))

  test.each([
    ['2', '2'],
    ['2.50', '2.5'],
    ['007', '7'],
    ['0.001', '0.001'],
    ['0', null],
    ['0.000', null],
    ['1.0001', null],
    ['-1', null],
    ['1e3', null],
    ['', null],
  ])('the quantity %j is %j', (text, quantity) => expect(parseQuantity(text)).toBe(quantity))

  test('as it is shown', () => {
    const [line] = readLines([{ description: 'Adire', quantity: '2.5', unitAmount: '1000.33' }]) ?? []
    expect(line && presentLine(line)).toEqual({
      description: 'Adire',
      quantity: 2.5,
      unitAmount: 1000.33,
      amount: 2500.83,
    })
    expect(readLines([{ description: 'Adire', quantity: '1', unitAmount: '1.001' }])).toBeNull()
  })
})
