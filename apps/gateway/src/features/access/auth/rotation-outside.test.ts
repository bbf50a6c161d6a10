// A rotation seen from outside: the notifications of two merchants in two cells, another process and its log.
import { createHmac } from 'node:crypto'
import { HOUR_SECONDS } from '@cowrie/contract/kit/durations'
import { describe, expect, test } from 'vitest'
import {
  basic,
  CLOCK,
  credentialOf,
  FINISH,
  finish,
  formsOf,
  given,
  join,
  LOGIN,
  logIn,
  ROTATE,
  tokenOf,
  use,
  verdict,
} from '#test/features/access/secret-keys.ts'
import { startApi } from '#test/kit/api-process.ts'
import { advance, type Harness, paid, type Received, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { SOON_MS } from '#test/kit/waiting.ts'

const harness = useHarness()

const sha512 = (key: string, { text }: Received) => createHmac('sha512', key).update(text).digest('hex')
const standard = (key: string, { headers, text }: Received) =>
  `v1,${createHmac('sha256', key)
    .update([headers['webhook-id'], headers['webhook-timestamp'], text].join('.'))
    .digest('base64')}`

/** Of the next payment, the notification; the merchant calls with the key it has. */
async function notificationFor(h: Harness, merchant: TestMerchant): Promise<Received> {
  const { paymentReference } = await paid(h, merchant)
  await advance(h, 1)
  const found = h.received.filter(({ text }) => text.includes(paymentReference))
  expect(found).toHaveLength(1)
  return found[0] as Received
}
const expectSigned = (received: Received, [current, next]: readonly [string, string?]) => {
  expect(received.headers['service-signature']).toBe(sha512(current, received))
  expect(received.headers['service-signature-next']).toBe(next && sha512(next, received))
  const both = [current, ...(next ? [next] : [])].map((key) => standard(key, received))
  expect(received.headers['webhook-signature']).toBe(both.join(' '))
}

describe('a rotation, from one key to the next', () => {
  test('two merchants in two cells: both keys open and sign until the overlap of each ends, then the new one alone', async () => {
    const h = harness()
    const [a, b] = [await join(h, '01'), await join(h, '02')]
    for (const merchant of [a, b]) {
      expect(verdict(await h.as(merchant, 'PUT', '/sandbox/webhook-urls', { all: h.receiverUrl() }))).toBe('200')
      expectSigned(await notificationFor(h, merchant), [merchant.secretKey])
    }
    const newA = { ...a, secretKey: (await given(h, a, a.secretKey)).secretKey }
    const newB = { ...b, secretKey: (await given(h, b, b.secretKey, 48)).secretKey }
    expectSigned(await notificationFor(h, a), [a.secretKey, newA.secretKey])
    expectSigned(await notificationFor(h, newB), [b.secretKey, newB.secretKey])

    await advance(h, 24 * HOUR_SECONDS - 300)
    const [oldToken, newToken] = [await tokenOf(h, a, a.secretKey), await tokenOf(h, a, newA.secretKey)]
    expect([await use(h, oldToken), await use(h, newToken)]).toEqual(['200', '200'])
    expectSigned(await notificationFor(h, newA), [a.secretKey, newA.secretKey])
    await advance(h, 300)
    expect([await use(h, oldToken), await use(h, newToken)]).toEqual(['401 TOKEN_INVALID', '200'])
    expect(verdict(await logIn(h, a, a.secretKey))).toBe('401 CREDENTIALS_INVALID')
    expectSigned(await notificationFor(h, newA), [newA.secretKey])
    expectSigned(await notificationFor(h, b), [b.secretKey, newB.secretKey])

    await advance(h, 24 * HOUR_SECONDS)
    expect(verdict(await logIn(h, b, b.secretKey))).toBe('401 CREDENTIALS_INVALID')
    expectSigned(await notificationFor(h, newB), [newB.secretKey])
    for (const merchant of [newA, newB]) expect(credentialOf(await tokenOf(h, merchant, merchant.secretKey))).toBe(2)
    await tokenOf(h, h.merchants.main, h.merchants.main.secretKey) // which had no part in it
  })
})

describe('another process', () => {
  test('takes tokens of the new key at once, and within 5 s of the end none of the old; its log holds neither key', async () => {
    const h = harness()
    const merchant = await join(h)
    const api = await startApi(h, 'trace')
    const keys: string[] = []
    let log = ''
    const there = async (method: string, path: string, headers: Record<string, string>) => {
      const answer = await fetch(api.url + path, { method, headers })
      return { status: answer.status, json: (await answer.json()) as any }
    }
    const useThere = async (token: string) => (await there('GET', CLOCK, { authorization: `Bearer ${token}` })).status
    try {
      const old = await tokenOf(h, merchant, merchant.secretKey)
      expect(await useThere(old)).toBe(200) // it remembers the merchant from now on
      const { secretKey } = await given(h, merchant, merchant.secretKey)
      const fresh = await tokenOf(h, merchant, secretKey)
      expect(await useThere(fresh)).toBe(200)
      expect((await there('POST', LOGIN, basic(merchant, secretKey))).status).toBe(200)
      expect(verdict(await finish(h, merchant, secretKey))).toBe('200')
      await h.until('the old token ends there', async () => (await useThere(old)) === 401, SOON_MS)
      expect((await there('POST', LOGIN, basic(merchant, merchant.secretKey))).status).toBe(401)
      expect(await useThere(fresh)).toBe(200)

      const rotated = await there('POST', ROTATE, basic(merchant, secretKey))
      const third = rotated.json.responseBody.secretKey as string
      expect(third).toMatch(/^[A-Z0-9]{32}$/)
      expect((await there('POST', ROTATE, basic(merchant, third))).status).toBe(409)
      expect((await there('POST', FINISH, basic(merchant, third))).status).toBe(200)
      keys.push(merchant.secretKey, secretKey, third)
    } finally {
      log = await api.stop()
    }
    expect(log).toContain(ROTATE)
    for (const form of keys.flatMap(formsOf)) expect(log).not.toContain(form)
  })
})
