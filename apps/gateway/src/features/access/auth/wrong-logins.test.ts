// Unauthenticated callers: wrong logins are counted per address and key, and everything anonymous takes from
// a bucket per address.
import pg from 'pg'
import { expect, test } from 'vitest'
import { createWrongLogins } from '#core/access/wrong-logins.ts'
import type { Cell } from '#kit/ctx.ts'
import { toNetwork } from '#kit/http/addresses.ts'
import { type Harness, initialise, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { SOON_MS } from '#test/kit/waiting.ts'
import { freePort } from '../../../../../../tools/ports.ts'
import { createApi } from '../../../app.ts'

const harness = useHarness()
const LOGIN = '/api/v1/auth/login'

type Init = { method?: string; headers?: Record<string, string>; body?: string }

/** An api behind a proxy of ours, whose own time stands still until the test moves it. */
async function openApi(h: Harness, over: { anonymousPerSecond?: number } = {}) {
  const port = await freePort()
  let nowMs = 1_000_000
  const app = createApi(h.gateway, { ...h.config, trustedProxies: ['127.0.0.1/32'], ...over, port }, () => nowMs)
  await app.listen({ host: '127.0.0.1', port })
  const send = async (path: string, from: string, init: Init = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, 'x-forwarded-for': from },
    })
    const text = await answer.text()
    return {
      status: answer.status,
      wait: Number(answer.headers.get('retry-after')),
      text,
      json: text.startsWith('{') ? JSON.parse(text) : null,
    }
  }
  return {
    send,
    logIn: (from: string, apiKey: string, secret: string) => {
      const authorization = `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`
      return send(LOGIN, from, { method: 'POST', headers: { authorization } })
    },
    pass: (ms: number) => {
      nowMs += ms
    },
    close: () => app.close(),
  }
}
type Api = Awaited<ReturnType<typeof openApi>>
async function guess(api: Api, from: string, apiKey: string, times: number) {
  const statuses: number[] = []
  for (let n = 0; n < times; n += 1) statuses.push((await api.logIn(from, apiKey, `wrong-${n}`)).status)
  return statuses
}
const right = (api: Api, from: string, { apiKey, secretKey }: TestMerchant) => api.logIn(from, apiKey, secretKey)

test('429 RATE_LIMITED with Retry-After after forty wrong logins within a minute, also for the right secret, until the wait is over', async () => {
  const h = harness()
  const { main } = h.merchants
  const api = await openApi(h)
  try {
    expect(await guess(api, '127.0.0.1', main.apiKey, 20)).toEqual(Array(20).fill(401))
    api.pass(30_000)
    expect(await guess(api, '127.0.0.1', main.apiKey, 20)).toEqual(Array(20).fill(401))
    const refused = await right(api, '127.0.0.1', main)
    expect([refused.status, refused.json.problem.code, refused.json.requestSuccessful]).toEqual([
      429,
      'RATE_LIMITED',
      false,
    ])
    expect(refused.wait).toBe(30)
    api.pass(29_000)
    expect((await right(api, '127.0.0.1', main)).status).toBe(429)
    api.pass(1_000)
    expect((await right(api, '127.0.0.1', main)).status).toBe(200)
  } finally {
    await api.close()
  }
})

test("429 touches neither other addresses, other keys, other merchants nor the merchant's token", async () => {
  const h = harness()
  const { main, other } = h.merchants
  const api = await openApi(h)
  try {
    await guess(api, '127.0.0.1', main.apiKey, 40)
    expect((await right(api, '127.0.0.1', main)).status).toBe(429)
    expect((await right(api, '127.0.0.2', main)).status).toBe(200)
    expect((await right(api, '127.0.0.1', other)).status).toBe(200)
    const headers = { authorization: `Bearer ${await h.token(main)}` }
    expect((await api.send('/sandbox/clock', '127.0.0.1', { headers })).status).toBe(200)
  } finally {
    await api.close()
  }
})

test('429 comes after as many tries for a key that nobody has, and at once among a hundred parallel ones', async () => {
  const h = harness()
  const api = await openApi(h)
  try {
    const nobody = `MK_TEST_01${'Q'.repeat(8)}`
    expect((await guess(api, '127.0.0.1', nobody, 41)).indexOf(429)).toBe(40)
    // A hundred at once: all of them are past the first look before the database answers any.
    const holder = new pg.Client({ connectionString: h.databases['01'] })
    await holder.connect()
    await holder.query('begin; lock table merchants in access exclusive mode')
    const guesses = Array.from({ length: 100 }, (_, n) =>
      api.logIn('127.0.0.3', `MK_TEST_01${'P'.repeat(8)}`, `wrong-${n}`),
    )
    const { engine } = h.gateway.ctx.cells.get('01') as Cell
    await h.until('all of them wait', async () => engine.pool.waitingCount >= 90)
    await holder.query('rollback')
    await holder.end()
    const answers = await Promise.all(guesses)
    expect(answers.filter((answer) => answer.status === 401).length).toBe(40)
    expect(answers.filter((answer) => answer.status === 429).length).toBe(60)
  } finally {
    await api.close()
  }
})

test("moving the sandbox's clock neither lifts the limit nor prolongs it", async () => {
  const h = harness()
  const { second } = h.merchants
  const api = await openApi(h)
  try {
    await guess(api, '127.0.0.1', second.apiKey, 40)
    const moved = await h.as(h.merchants.main, 'POST', '/sandbox/clock/advance', { seconds: 7200 })
    expect(moved.status).toBe(200)
    expect((await right(api, '127.0.0.1', second)).status).toBe(429)
    api.pass(60_000)
    expect((await right(api, '127.0.0.1', second)).status).toBe(200)
  } finally {
    await api.close()
  }
})

test('403 for a foreign address says the same for a right secret and for a wrong one', async () => {
  const h = harness()
  const { other } = h.merchants
  await h.sql('01', `update merchants set allowed_addresses = '{10.0.0.0/8}' where id = $1`, [other.id])
  const api = await openApi(h)
  try {
    const replyTo = async (secret: string) => {
      const { status, text } = await api.logIn('127.0.0.1', other.apiKey, secret)
      return [status, text.replace(/"requestId":"[^"]+"/, '')]
    }
    await h.until('the list is in force', async () => (await replyTo(other.secretKey))[0] === 403, SOON_MS)
    expect(await replyTo('wrong')).toEqual(await replyTo(other.secretKey))
  } finally {
    await h.sql('01', `update merchants set allowed_addresses = '{127.0.0.0/8}' where id = $1`, [other.id])
    await api.close()
  }
})

test('429 in front of everything anonymous once an address has used its share; tokens, signatures and other addresses pass', async () => {
  const h = harness()
  const { main } = h.merchants
  const { checkoutUrl } = await initialise(h, main)
  const api = await openApi(h, { anonymousPerSecond: 2 })
  const checkout = new URL(checkoutUrl).pathname
  const paths = [checkout, `${checkout}/status`, `${checkout}/live`, '/docs', '/openapi.json', '/api/v9/nothing']
  try {
    for (let n = 0; n < 20; n += 1) expect((await api.send('/api/v9/nothing', '127.0.0.1')).status).toBe(404)
    for (const path of paths) {
      const answer = await api.send(path, '127.0.0.1')
      expect([path, answer.status, answer.json.problem.code, answer.wait]).toEqual([path, 429, 'RATE_LIMITED', 1])
    }
    const forged = { method: 'POST', headers: { 'x-cowrie-signature': 'v1=00' }, body: '{}' }
    expect((await api.send('/connector/v1/credits', '127.0.0.1', forged)).status).toBe(429)
    expect((await right(api, '127.0.0.1', main)).status).toBe(429)
    const bad = { headers: { authorization: 'Bearer a.b.c' } }
    expect((await api.send('/sandbox/clock', '127.0.0.1', bad)).status).toBe(429)
    const good = { headers: { authorization: `Bearer ${await h.token(main)}` } }
    expect((await api.send('/sandbox/clock', '127.0.0.1', good)).status).toBe(200)
    expect((await api.send('/health', '127.0.0.1')).status).toBe(200)
    expect((await api.send('/docs', '127.0.0.2')).status).toBe(200)
    api.pass(1_000)
    expect((await right(api, '127.0.0.1', main)).status).toBe(200)
    for (let n = 0; n < 30; n += 1) expect((await right(api, '127.0.0.1', main)).status).toBe(200) // somebody known
  } finally {
    await api.close()
  }
})

test('records of wrong logins are bounded, and an IPv6 caller is its network of 64 bits', () => {
  let nowMs = 0
  const wrong = createWrongLogins(() => nowMs)
  for (let n = 0; n < 40; n += 1) wrong.count('2001:db8:1:2::1', 'key')
  expect(wrong.waitSeconds('2001:db8:1:2:ffff::9', 'key')).toBe(60)
  expect(wrong.waitSeconds('2001:db8:1:3::1', 'key')).toBe(0)
  nowMs = 59_001
  expect(wrong.waitSeconds('2001:db8:1:2::1', 'key')).toBe(1)
  for (let n = 0; n < 20_000; n += 1) wrong.count('41.0.0.1', `key-${n}`)
  expect(wrong.waitSeconds('2001:db8:1:2::1', 'key')).toBe(0) // pushed out: there is no room for more
  expect(['::1', '2001:DB8::', 'fe80::1%eth0', '41.0.0.1', 'unknown'].map(toNetwork)).toEqual([
    '0:0:0:0',
    '2001:db8:0:0',
    'fe80:0:0:0',
    '41.0.0.1',
    'unknown',
  ])
})
