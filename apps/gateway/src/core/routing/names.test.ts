import fc from 'fast-check'
import { expect, test } from 'vitest'
import { connectorOfMoney, moneyName, referenceOfMoney } from './names.ts'

const reference = fc.stringMatching(/^[!-~]{1,60}$/)
const connector = fc.integer({ min: 1, max: 32_767 })

test('a name says the connector and the reference, and no two have the same', () =>
  fc.assert(
    fc.property(connector, reference, connector, reference, (one, a, two, b) => {
      const name = moneyName(one, a)
      expect([connectorOfMoney(name), referenceOfMoney(name)]).toEqual([one, a])
      expect(name === moneyName(two, b)).toBe(one === two && a === b)
    }),
  ))

test('the first connector names money as its bank does', () => expect(moneyName(1, 'S-1')).toBe('S-1'))
