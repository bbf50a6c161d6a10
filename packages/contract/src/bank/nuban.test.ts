import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkDigit, isNuban, nuban } from './nuban.ts'

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((all) => all.join(''))
const bankCodes = fc.oneof(digits(3), digits(5), digits(6))
const serials = digits(9)

describe('nuban', () => {
  test.each([
    ['011', '000001457', 9],
    ['011', '000000022', 0],
    ['50515', '012345678', 5],
    ['950547', '000000022', 4],
  ])('the published check digit of bank %s, serial %s is %s', (bankCode, serial, digit) => {
    expect(checkDigit(bankCode, serial)).toBe(digit)
    expect(nuban(bankCode, serial)).toBe(`${serial}${digit}`)
    expect(isNuban(bankCode, `${serial}${digit}`)).toBe(true)
  })

  test('a made number is a right one, and no other last digit is', () => {
    fc.assert(
      fc.property(bankCodes, serials, (bankCode, serial) => {
        const made = nuban(bankCode, serial)
        const right = '0123456789'.split('').filter((digit) => isNuban(bankCode, serial + digit))
        expect(right).toEqual([made[9]])
      }),
    )
  })

  test('a bank of three digits is 000 and those, one of five is 9 and those', () => {
    fc.assert(
      fc.property(digits(3), digits(5), serials, (bank, other, serial) => {
        expect(checkDigit(bank, serial)).toBe(checkDigit(`000${bank}`, serial))
        expect(checkDigit(other, serial)).toBe(checkDigit(`9${other}`, serial))
      }),
    )
  })

  // The weights 3 and 7 have inverses modulo 10, so a difference of 1 to 9 never weighs 0.
  test('any single changed digit is refused, in every place', () => {
    fc.assert(
      fc.property(bankCodes, serials, fc.nat(9), fc.integer({ min: 1, max: 9 }), (bankCode, serial, place, by) => {
        const made = nuban(bankCode, serial)
        const changed = made
          .split('')
          .map((d, at) => (at === place ? String((Number(d) + by) % 10) : d))
          .join('')
        expect(isNuban(bankCode, changed)).toBe(false)
      }),
      { numRuns: 1_000 },
    )
  })

  // Weights of neighbours differ by 4 or by 0: what the check digit cannot see is said here, so that nobody
  // relies on it.
  test('swapped neighbours in the serial are seen exactly if their weights differ and the digits do not differ by 5', () => {
    fc.assert(
      fc.property(digits(3), serials, fc.nat(7), (bankCode, serial, place) => {
        const [a, b] = [Number(serial[place]), Number(serial[place + 1])]
        fc.pre(a !== b)
        const swapped = serial.slice(0, place) + b + a + serial.slice(place + 2)
        const weightsDiffer = (place % 3 === 1) !== ((place + 1) % 3 === 1)
        const seen = weightsDiffer && Math.abs(a - b) !== 5
        expect(checkDigit(bankCode, swapped) !== checkDigit(bankCode, serial)).toBe(seen)
      }),
      { numRuns: 1_000 },
    )
  })

  test.each(['', '123', '00000145790', '000001457x', ' 000001457', '000001457９', '0000014-79'])(
    'refuses %j, which is not ten digits',
    (text) => {
      expect(isNuban('011', text)).toBe(false)
    },
  )
})
