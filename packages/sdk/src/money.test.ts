import { nairaText, parseNaira } from '@cowrie/contract/kit/money'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountsAsText, kobo, naira } from './money.ts'

const read = (text: string): bigint | null => {
  try {
    return kobo(text)
  } catch {
    return null
  }
}

test('kobo and naira read and write as the gateway does', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), (amount) => {
      expect(naira(amount)).toBe(nairaText(amount))
      expect(naira(-amount)).toBe(nairaText(-amount))
      expect(kobo(naira(amount))).toBe(amount)
      expect(kobo(naira(-amount))).toBe(-amount)
    }),
  )
  fc.assert(
    fc.property(fc.oneof(fc.string({ maxLength: 8 }), fc.stringMatching(/^[0-9., e-]{0,6}$/)), (text) => {
      fc.pre(!text.startsWith('-')) // the SDK reads movements of a wallet, too
      expect(read(text)).toBe(parseNaira(text))
    }),
  )
})

test.each([
  ['20', 2_000n],
  ['20.5', 2_050n],
  ['0.05', 5n],
  ['-20.50', -2_050n],
])('%s naira are %s kobo', (text, expected) => {
  expect(kobo(text)).toBe(expected)
})

test.each(['1,500', '1500.001', '1e3', ' 20', '', '₦20', '.5', '--1'])('%j is not an amount', (text) => {
  expect(() => kobo(text)).toThrow(/is not an amount such as '1500.00'/)
})

test('a number is refused with the reason; a number of kobo too', () => {
  expect(() => kobo(20.5 as never)).toThrow(/loses kobo; use text/)
  expect(() => naira(2050 as never)).toThrow(/not a bigint of kobo/)
})

test('every amount of the wire is the same as text: numbers below ten trillion naira keep their kobo', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), (amount) => {
      const answer = JSON.parse(`{"fee":${nairaText(amount)},"list":[{"fee":null},{"fee":"1.00"},{}]}`)
      amountsAsText(answer, 'fee list.fee nothing.fee')
      expect(answer).toEqual({ fee: nairaText(amount), list: [{ fee: null }, { fee: '1.00' }, {}] })
    }),
  )
})
