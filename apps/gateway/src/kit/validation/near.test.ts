import { distance } from '@cowrie/contract/errors/kit/distance'
import { ROUTES } from '@cowrie/contract/index'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Schema } from './faults.ts'
import { mayBeShown, nearest } from './near.ts'

const FIELDS = ['amount', 'customerEmail', 'customerName', 'paymentReference', 'redirectUrl', 'contractCode']

describe('nearest', () => {
  test.each([
    ['ammount', 'amount'],
    ['amuont', 'amount'],
    ['redirectURL', 'redirectUrl'],
    ['redirect_url', 'redirectUrl'],
    ['customerMail', 'customerEmail'],
    ['email', 'customerEmail'],
    ['paymentRef', 'paymentReference'],
    ['contract', 'contractCode'],
  ])('%s was meant to be %s', (given, meant) => {
    expect(nearest(given, FIELDS)).toBe(meant)
  })

  test.each(['customer', 'x', '', 'colour', 'reference code', '4111111111111111'])(
    '%j is near none, or two',
    (given) => {
      expect(nearest(given, FIELDS)).toBeNull()
    },
  )

  test('currency codes and other short words are not guessed', () => {
    expect(nearest('USD', ['NGN'])).toBeNull()
    expect(nearest('card', ['CARD', 'USSD'])).toBe('CARD')
  })

  test('every name of every body with one letter left out is guessed right or not at all', () => {
    for (const { id, body } of ROUTES) {
      const names = Object.keys((body as Schema | undefined)?.properties ?? {})
      for (const name of names.filter((one) => one.length > 4))
        for (let at = 0; at < name.length; at += 1) {
          const given = name.slice(0, at) + name.slice(at + 1)
          if (names.includes(given)) continue
          expect([name, null], `${id}: ${given}`).toContain(nearest(given, names))
        }
    }
  })
})

test('the distance is that of the definition, and says no more than "further" beyond its limit', () => {
  const slow = (one: string, other: string): number => {
    if (one === '' || other === '') return one.length + other.length
    const same = one[0] === other[0] ? 0 : 1
    const swapped =
      one.length > 1 && other.length > 1 && one[0] === other[1] && one[1] === other[0]
        ? 1 + slow(one.slice(2), other.slice(2))
        : Number.POSITIVE_INFINITY
    return Math.min(
      slow(one.slice(1), other) + 1,
      slow(one, other.slice(1)) + 1,
      slow(one.slice(1), other.slice(1)) + same,
      swapped,
    )
  }
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 })
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 3 }), (one, other, most) => {
      const far = slow(one, other)
      const said = distance(one, other, most)
      expect(far <= most ? said : said > most).toBe(far <= most ? far : true)
    }),
  )
})

test('numbers that were sent as names are not shown', () => {
  expect(['redirectURL', 'card.cvc', 'line_2'].map(mayBeShown)).toEqual([true, true, true])
  expect(
    ['4111111111111111', 'amount4111111111111111', 'a b', 'ключ', 'x\r\ny', '', 'a'.repeat(65)].some(mayBeShown),
  ).toBe(false)
})
