import { expect, test } from 'vitest'
import { keyedOf, NAV_KEYS } from './nav-keys.ts'
import { MERCHANT_NAV, OPERATOR_NAV } from './nav-list.ts'

test.each([
  ['merchant', MERCHANT_NAV],
  ['operator', OPERATOR_NAV],
] as const)('%s: no two entries of the navigation share a key, and every key leads to an entry', (side, nav) => {
  const keyed = keyedOf(side, nav)
  const shared = [...Map.groupBy(keyed, ({ key }) => key).values()].filter((entries) => entries.length > 1)
  expect(shared.map((entries) => entries.map(({ word }) => word))).toEqual([])
  expect(Object.fromEntries(keyed.map(({ key, to }) => [key, to]))).toEqual(NAV_KEYS[side])
  for (const { key, word } of keyed) expect([word, key]).toEqual([word, expect.stringMatching(/^[a-z,]$/)])
})
