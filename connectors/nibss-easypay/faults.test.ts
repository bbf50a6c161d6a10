// Whatever goes wrong between the adapter and NIBSS, the gateway gets PENDING, and the truth when it
// inquires. What was not taken stays PENDING: nobody can tell that from an order that is still on its way.
import type { PayoutOrder } from '@cowrie/contract/bank/connector'
import { expect, test } from 'vitest'
import type { Behaviour } from '../../packages/connector-kit/test/fake.ts'
import { newOrder, useEasyPay } from './test/harness.ts'
import { settle } from './test/processes.ts'

const { fake, gateway, notices, env } = useEasyPay()

type Fault = {
  readonly what: string
  readonly behaviour: Behaviour
  readonly how?: { readonly status?: number; readonly code?: string; readonly taken?: boolean }
}
const QUICK: readonly Fault[] = [
  ...[429, 500, 503].flatMap((status) => [
    { what: `${status}, not taken`, behaviour: 'status' as const, how: { status } },
    { what: `${status}, taken`, behaviour: 'status' as const, how: { status, taken: true } },
  ]),
  { what: '500 that looks like a failure, taken', behaviour: 'status', how: { status: 500, code: '07', taken: true } },
  { what: '500 that looks like a payment, not taken', behaviour: 'status', how: { status: 500, code: '00' } },
  { what: 'a page of HTML', behaviour: 'html' },
  { what: 'a page of HTML, taken', behaviour: 'html', how: { taken: true } },
  { what: 'half a body', behaviour: 'half' },
  { what: 'half a body, not taken', behaviour: 'half', how: { taken: false } },
  ...['01', '09', '25', '26', '91', '94', '96', '97', 'ZZ', '', 'ninety-six'].flatMap((code) => [
    { what: `code "${code}", taken`, behaviour: 'code' as const, how: { code, taken: true } },
    { what: `code "${code}", not taken`, behaviour: 'code' as const, how: { code, taken: false } },
  ]),
]

/** What the adapter says is what the books say, however often it is asked, and nothing was taken twice. */
async function expectTruth({ sessionId }: PayoutOrder): Promise<void> {
  const taken = await fake().times(sessionId)
  expect(taken).toBeLessThanOrEqual(1)
  if (taken === 1) await fake().settle(sessionId, 'SUCCESS')
  const truth = taken === 1 ? 'SUCCESS' : 'PENDING'
  expect([await gateway.inquire(sessionId), await gateway.bar(sessionId)]).toEqual([truth, truth])
  expect(await fake().times(sessionId)).toBe(taken)
}

test.each(QUICK)('$what: PENDING, then the truth', async ({ behaviour, how }) => {
  await fake().next('order', behaviour, how)
  const order = newOrder()
  expect(await gateway.pay(order)).toBe('PENDING')
  // The gateway orders again when it is in doubt.
  expect(await gateway.pay(order)).toBe('PENDING')
  await expectTruth(order)
})

const noticeOf = ({ sessionId }: PayoutOrder) => notices.filter((notice) => notice['sessionId'] === sessionId)

test('silence: PENDING in time, then the truth', async () => {
  // The first never gets beyond its name enquiry.
  const { names = 0 } = await fake().counts()
  await fake().next('name', 'deaf')
  const unsent = newOrder()
  const unsentPaid = gateway.pay(unsent)
  await expect.poll(async () => (await fake().counts())['names']).toBe(names + 1)

  await fake().next('order', 'mute')
  await fake().next('order', 'deaf')
  await fake().next('order', 'slow', { delayMs: 9_000 })
  const orders = [newOrder(), newOrder(), newOrder()]
  const sessions = new Set(orders.map(({ sessionId }) => sessionId))
  expect(await Promise.all([unsentPaid, ...orders.map(gateway.pay)])).toEqual(Array(4).fill('PENDING'))
  expect((await fake().books()).orders.filter(({ reference }) => sessions.has(reference))).toHaveLength(2)

  // Of the slow one and of the unsent one the gateway has been answered already, so it is notified, once
  // each.
  await expect.poll(() => noticeOf(unsent)).toMatchObject([{ status: 'FAILED', responseCode: '21' }])
  const slow = orders.filter((order) => noticeOf(order).length > 0)
  expect(slow.map(noticeOf)).toMatchObject([[{ status: 'SUCCESS', responseCode: '00' }]])
  for (const order of orders) await expectTruth(order)
  expect([await gateway.inquire(unsent.sessionId), await fake().times(unsent.sessionId)]).toEqual(['FAILED', 0])
})

test('a query that fails changes nothing', async () => {
  await fake().next('order', 'pend')
  const order = newOrder()
  expect(await gateway.pay(order)).toBe('PENDING')
  await fake().settle(order.sessionId, 'SUCCESS')
  for (const behaviour of ['html', 'half'] as const) {
    await fake().next('inquiry', behaviour)
    expect(await gateway.inquire(order.sessionId)).toBe('PENDING')
  }
  for (const status of [429, 500]) {
    await fake().next('inquiry', 'status', { status })
    expect(await gateway.bar(order.sessionId)).toBe('PENDING')
  }
  expect(await gateway.inquire(order.sessionId)).toBe('SUCCESS')
})

test('the answer to a transfer that expired meets the next token: paid, once', async () => {
  await fake().next('order', 'status', { status: 401 })
  const order = newOrder()
  expect(await gateway.pay(order)).toBe('SUCCESS')
  await expectTruth(order)
})

test('a token that is refused twice is not fetched for ever: PENDING', async () => {
  const { tokens = 0 } = await fake().counts()
  await fake().next('order', 'status', { status: 401, times: 2 })
  const order = newOrder()
  expect(await gateway.pay(order)).toBe('PENDING')
  expect(await fake().counts()).toMatchObject({ tokens: tokens + 1 })
  await expectTruth(order)
})

test('one token is fetched for fifty calls at once, when the one before has expired', async () => {
  expect((await gateway.name('058', '0123456789'))?.status).toBe(200)
  const { tokens = 0 } = await fake().counts()
  await fake().expireTokens()
  const orders = Array.from({ length: 50 }, () => newOrder())
  expect(new Set(await Promise.all(orders.map(gateway.pay)))).toEqual(new Set(['SUCCESS']))
  expect(await fake().counts()).toMatchObject({ tokens: tokens + 1 })
})

test('what NIBSS never received is PENDING with 96 until two people end it by name', async () => {
  await fake().next('order', 'status', { status: 503 })
  const order = newOrder()
  expect(await gateway.order(order)).toMatchObject({ status: 'PENDING', responseCode: '96' })
  expect(await settle(env(), 'Bayo Ade', 'FAILED', order.sessionId)).toMatchObject({ code: 0 })
  expect(await settle(env(), 'Ada Obi', 'FAILED', order.sessionId)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${order.sessionId} ended`),
  })
  expect(await gateway.inquire(order.sessionId)).toBe('FAILED')
  await expect
    .poll(() => notices.filter(({ sessionId }) => sessionId === order.sessionId))
    .toMatchObject([{ status: 'FAILED' }])
  expect(await fake().times(order.sessionId)).toBe(0)
})
