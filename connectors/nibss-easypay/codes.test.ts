// The whole table of response codes, as the network publishes it, through a running adapter; and every code
// that nobody publishes.
import { expect, test } from 'vitest'
import { PUBLISHED } from './fake/codes.ts'
import { CODES, outcomeOf } from './src/codes.ts'
import { newOrder, useEasyPay } from './test/harness.ts'

const { fake, gateway } = useEasyPay()

const published = (call: 'order' | 'inquiry') => PUBLISHED.filter(({ on }) => on === call)

test.each(published('order'))('a transfer is answered with $code: $outcome', async ({ code, outcome }) => {
  await fake().next('order', 'code', { code })
  expect(await gateway.pay(newOrder())).toBe(outcome)
})

test.each(published('inquiry'))('a status query is answered with $code: $outcome', async ({ code, outcome }) => {
  const order = newOrder()
  await fake().next('order', 'pend')
  expect(await gateway.pay(order)).toBe('PENDING')
  await fake().next('inquiry', 'code', { code })
  expect(await gateway.inquire(order.sessionId)).toBe(outcome)
})

test('both tables have the same codes', () => {
  for (const call of ['order', 'inquiry'] as const)
    expect([...CODES].sort()).toEqual(
      published(call)
        .map(({ code }) => code)
        .sort(),
    )
})

test('no code that is not published is a failure or a payment', () => {
  const signs = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcxyz*- '.split('')
  const pairs = signs.flatMap((a) => signs.map((b) => a + b))
  const strange = [...pairs, '', '0', '000', '00 ', ' 00', '007', 'null', 'constructor', 'toString', '__proto__']
  const known = new Set(CODES)
  for (const about of ['transfer', 'query'] as const)
    for (const code of strange.filter((one) => !known.has(one)))
      expect([code, outcomeOf(code, about).kind]).toEqual([code, 'unknown'])
})
