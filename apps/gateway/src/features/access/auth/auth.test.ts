// Who is asking: login, tokens, addresses, rates, and where the secret key must never be seen.

import { login } from '@cowrie/contract/access/auth'
import { initTransaction } from '@cowrie/contract/collections/transactions'
import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { conforms } from '#test/kit/contract.ts'
import {
  type Answer,
  advance,
  CELLS,
  type CellName,
  type Harness,
  INIT,
  initBody,
  paid,
  type TestMerchant,
  unique,
  useHarness,
} from '#test/kit/harness.ts'
import { SOON_MS } from '#test/kit/waiting.ts'
import { freePort } from '../../../../../../tools/ports.ts'
import { seedMerchant } from '../../../../../../tools/sandbox/seed.ts'
import { createApi } from '../../../app.ts'
import { joinMerchant } from '../../../join.ts'

const harness = useHarness()
const LOGIN = '/api/v1/auth/login'
const CLOCK = '/sandbox/clock'

const basic = (apiKey: string, secretKey: string): string =>
  `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`
const logIn = (h: Harness, authorization: string, more: { raw?: string; headers?: Record<string, string> } = {}) =>
  h.call('POST', LOGIN, {
    ...(more.raw === undefined ? {} : { raw: more.raw }),
    headers: { authorization, ...more.headers },
  })
const code = (answer: Answer): string => answer.json?.problem?.code
const withoutId = (answer: Answer): string => answer.text.replace(/"requestId":"[^"]+"/, '')

async function join(h: Harness, label: string, requestsPerSecond = 100_000): Promise<TestMerchant> {
  const cell: CellName = '01'
  const merchant = seedMerchant({
    seed: 'auth',
    cell,
    label,
    name: `Merchant ${label}`,
    email: `${label}@auth.example`,
    transferOtp: false,
    requestsPerSecond,
  })
  return { ...merchant, cell, id: await joinMerchant(h.gateway.ctx, cell, merchant) }
}

/** A second api of the same gateway, with its own settings. */
async function secondApi(h: Harness, over: { trustedProxies?: string[] }) {
  const port = await freePort()
  const app = createApi(h.gateway, { ...h.config, ...over, port })
  await app.listen({ host: '127.0.0.1', port })
  return { url: `http://127.0.0.1:${port}`, close: () => app.close() }
}

describe('auth.login', () => {
  test('200 gives a token for an hour that opens the API', async () => {
    const h = harness()
    const { main } = h.merchants
    const answer = await logIn(h, basic(main.apiKey, main.secretKey))
    expect(answer.status).toBe(200)
    expect(answer.json.responseBody.expiresIn).toBe(3600)
    const token = answer.json.responseBody.accessToken as string
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    expect(claims).toMatchObject({ client_id: main.apiKey, aud: 'cowrie-sandbox', sub: String(main.id) })
    expect(claims.exp - claims.iat).toBe(3600)
    expect((await h.call('GET', CLOCK, { token })).status).toBe(200)
  })

  test.each([
    ['no body', {}],
    ['no body with a JSON content type', { headers: { 'content-type': 'application/json' } }],
    ['an empty object', { raw: '{}' }],
  ])('200 with %s', async (_, form) => {
    const { main } = harness().merchants
    expect((await logIn(harness(), basic(main.apiKey, main.secretKey), form)).status).toBe(200)
  })

  test('401 AUTHORIZATION_MISSING without the header', async () => {
    const answer = await harness().call('POST', LOGIN)
    expect([answer.status, code(answer)]).toEqual([401, 'AUTHORIZATION_MISSING'])
    expect(answer.json.responseMessage).toBe('Unauthorized, supply authorization header')
  })

  const wrong: Record<string, (m: Harness['merchants']) => string> = {
    'a wrong secret': ({ main }) => basic(main.apiKey, `${main.secretKey.slice(0, -1)}_`),
    'an empty secret': ({ main }) => basic(main.apiKey, ''),
    'the secret in lower case': ({ main }) => basic(main.apiKey, main.secretKey.toLowerCase()),
    'the secret with a space behind it': ({ main }) => basic(main.apiKey, `${main.secretKey} `),
    "another merchant's secret": ({ main, other }) => basic(main.apiKey, other.secretKey),
    'a key nobody has': ({ main }) => basic(`MK_TEST_01${'Z'.repeat(8)}`, main.secretKey),
    'a key of a cell that is not there': ({ main }) => basic(`MK_TEST_99${'Z'.repeat(8)}`, main.secretKey),
    'the same key, named for another cell': ({ main }) =>
      basic(main.apiKey.replace('MK_TEST_01', 'MK_TEST_02'), main.secretKey),
    'the key in lower case': ({ main }) => basic(main.apiKey.toLowerCase(), main.secretKey),
    'SQL in place of a key': ({ main }) => basic(`' or '1'='1`, main.secretKey),
    'no colon': ({ main }) => `Basic ${Buffer.from(main.apiKey).toString('base64')}`,
    'text that is not base64': () => 'Basic ***',
    'another scheme': ({ main }) => basic(main.apiKey, main.secretKey).replace('Basic', 'Digest'),
    'nothing behind the scheme': () => 'Basic',
  }
  test.each(Object.entries(wrong))('401 CREDENTIALS_INVALID with %s', async (_, header) => {
    const h = harness()
    const answer = await logIn(h, header(h.merchants))
    expect([answer.status, code(answer)]).toEqual([401, 'CREDENTIALS_INVALID'])
  })

  test.each([
    [
      'Bearer',
      ({ main }: Harness['merchants']) => `Bearer ${main.secretKey}`,
      /takes Authorization: Basic .*, not Bearer/,
    ],
    ['no base64', ({ main }: Harness['merchants']) => `Basic ${main.apiKey}:${main.secretKey}`, /the base64 of/],
    [
      'the keys swapped',
      ({ main }: Harness['merchants']) => basic(main.secretKey, main.apiKey),
      /API key stands first/,
    ],
    ['a key of live', () => basic('MK_PROD_01ABCDEFGH', 'X'.repeat(32)), /MK_PROD_ are for live/],
  ])('401 with %s: the hint says what is wrong by its form, and repeats nothing', async (_, header, says) => {
    const h = harness()
    const answer = await logIn(h, header(h.merchants))
    expect([answer.status, code(answer)]).toEqual([401, 'CREDENTIALS_INVALID'])
    expect(answer.json.problem.hint).toMatch(says)
    expect(answer.text).not.toContain(h.merchants.main.secretKey.slice(0, 6))
  })

  test('401 says the same, but for the request id, for an unknown key and for a wrong secret', async () => {
    const h = harness()
    const unknown = await logIn(h, wrong['a key nobody has']!(h.merchants))
    const mistaken = await logIn(h, wrong['a wrong secret']!(h.merchants))
    expect(withoutId(unknown)).toBe(withoutId(mistaken))
  })

  test('413 BODY_TOO_LARGE for 64 kB and one byte', async () => {
    const h = harness()
    const { main } = h.merchants
    const answer = await logIn(h, basic(main.apiKey, main.secretKey), { raw: ' '.repeat(64 * 1024 + 1) })
    expect([answer.status, code(answer)]).toEqual([413, 'BODY_TOO_LARGE'])
  })
})

describe('tokens', () => {
  type Made = {
    key?: Uint8Array
    alg?: string
    audience?: string
    subject?: string
    cell?: string
    credential?: number
  }
  /** A token made here. With nothing changed it is as good as one from login. */
  const make = (h: Harness, { key, alg = 'HS256', audience = 'cowrie-sandbox', ...claims }: Made = {}) => {
    const { main } = h.merchants
    const now = Math.floor(h.gateway.ctx.clock.now().getTime() / 1000)
    return new SignJWT({ cell: claims.cell ?? main.cell, credential: claims.credential ?? 1 })
      .setProtectedHeader({ alg })
      .setSubject(claims.subject ?? String(main.id))
      .setAudience(audience)
      .setExpirationTime(now + 600)
      .sign(key ?? h.gateway.ctx.keys.tokens[0])
  }
  const segment = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const payloadOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

  test('200 for the token the refused ones below are made from', async () => {
    const h = harness()
    expect((await h.call('GET', CLOCK, { token: await make(h) })).status).toBe(200)
  })

  const bad: Record<string, (h: Harness) => string | Promise<string>> = {
    'text that is not a token': () => 'not-a-token',
    'three dots of nothing': () => '..',
    'an equals sign behind it': async (h) => `${await make(h)}=`,
    'another text for the same signature': async (h) => {
      const token = await make(h)
      const [last = ''] = token.slice(-1)
      const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
      return token.slice(0, -1) + letters[letters.indexOf(last) ^ 1] // 32 bytes leave two spare bits
    },
    'alg none': async (h) => `${segment({ alg: 'none' })}.${(await make(h)).split('.')[1]}.`,
    'alg none with the signature kept': async (h) => {
      const [, payload, signature] = (await make(h)).split('.')
      return `${segment({ alg: 'none' })}.${payload}.${signature}`
    },
    'HS256 with another key': (h) => make(h, { key: Buffer.alloc(32, 7) }),
    'HS512 with the right key': (h) => make(h, { alg: 'HS512' }),
    'the audience of live': (h) => make(h, { audience: 'cowrie-live' }),
    'claims changed under the signature': async (h) => {
      const [head, , signature] = (await make(h)).split('.')
      const claims = { ...payloadOf(await make(h)), sub: String(h.merchants.other.id) }
      return `${head}.${segment(claims)}.${signature}`
    },
    'a later expiry under the signature': async (h) => {
      const [head, , signature] = (await make(h)).split('.')
      return `${head}.${segment({ ...payloadOf(await make(h)), exp: 99_999_999_999 })}.${signature}`
    },
    'a merchant that does not exist': (h) => make(h, { subject: '999999999' }),
    'a subject that is not a number': (h) => make(h, { subject: "1'--" }),
    'a cell that is not there': (h) => make(h, { cell: '77' }),
    'a credential that was never given': (h) => make(h, { credential: 2 }),
  }
  test.each(Object.entries(bad))('401 TOKEN_INVALID for %s', async (_, token) => {
    const h = harness()
    const answer = await h.call('GET', CLOCK, { token: await token(h) })
    expect([answer.status, code(answer)]).toEqual([401, 'TOKEN_INVALID'])
    expect(answer.json).toMatchObject({ error: 'invalid_token', responseCode: '99', requestSuccessful: false })
  })

  test.each([
    ['no header', undefined],
    ['Basic in place of Bearer', basic('a', 'b')],
    ['nothing behind the scheme', 'Bearer'],
  ])('401 TOKEN_MISSING with %s', async (_, authorization) => {
    const answer = await harness().call('GET', CLOCK, { headers: authorization ? { authorization } : {} })
    expect([answer.status, code(answer)]).toEqual([401, 'TOKEN_MISSING'])
    expect(answer.json.error).toBe('unauthorized')
  })

  test.each([
    ['the secret key', ({ secretKey }: TestMerchant) => secretKey, /looks like a secret key.*auth\/login/],
    ['a secret key that nobody has', () => 'A1'.repeat(16), /looks like a secret key.*auth\/login/],
    ['the API key', ({ apiKey }: TestMerchant) => apiKey, /looks like an API key.*auth\/login/],
    ['the pair in base64', (m: TestMerchant) => basic(m.apiKey, m.secretKey).slice(6), /looks like a pair of keys/],
    ['the word Bearer again', () => 'Bearer a.b.c', /stands twice/],
    ['undefined', () => 'undefined', /before it had one/],
    ['a token of nobody', () => 'a.b.c', /Log in again/],
  ])('401 TOKEN_INVALID for %s as a token: a hint by its form, which repeats nothing of it', async (_, token, says) => {
    const h = harness()
    const { main } = h.merchants
    for (const [method, path] of [
      ['GET', CLOCK],
      ['POST', INIT],
    ] as const) {
      const answer = await h.call(method, path, { token: token(main), ...(method === 'POST' ? { body: {} } : {}) })
      expect([answer.status, code(answer)]).toEqual([401, 'TOKEN_INVALID'])
      expect([answer.json.responseMessage, answer.json.problem.hint]).toEqual([
        'Cannot convert access token to JSON',
        expect.stringMatching(says),
      ])
      expect(answer.text).not.toMatch(new RegExp(`${main.secretKey.slice(0, 6)}|${main.apiKey}|A1A1`))
    }
  })

  test.each([
    ['Basic', basic('a', 'b'), /Basic is for log-in/],
    ['no scheme', 'a.b.c', /word Bearer and a space/],
    ['nothing behind it', 'Bearer ', /Nothing follows|accessToken as/],
  ])('401 TOKEN_MISSING with %s: the hint says how it is written', async (_, authorization, says) => {
    const answer = await harness().call('GET', CLOCK, { headers: { authorization } })
    expect([code(answer), answer.json.problem.hint]).toEqual(['TOKEN_MISSING', expect.stringMatching(says)])
  })

  test('401 TOKEN_EXPIRED when the clock is an hour on, also for a token the api has seen, and not before', async () => {
    const h = harness()
    const { second } = h.merchants
    const fresh = async () =>
      (await logIn(h, basic(second.apiKey, second.secretKey))).json.responseBody.accessToken as string
    const [seen, unseen] = [await fresh(), await fresh()]
    await advance(h, 3570)
    expect((await h.call('GET', CLOCK, { token: seen })).status).toBe(200)
    await advance(h, 31)
    for (const token of [seen, unseen]) {
      const answer = await h.call('GET', CLOCK, { token })
      expect([answer.status, code(answer)]).toEqual([401, 'TOKEN_EXPIRED'])
    }
    expect((await h.call('GET', CLOCK, { token: await fresh() })).status).toBe(200)
  })

  test('401 TOKEN_INVALID within 5 s of a new credential, which new tokens carry', async () => {
    const h = harness()
    const merchant = await join(h, 'revoked')
    const token = await h.token(merchant)
    expect((await h.call('GET', CLOCK, { token })).status).toBe(200)
    await h.sql('01', 'update merchants set credential = credential + 1 where id = $1', [merchant.id])
    await h.until('the old token ends', async () => (await h.call('GET', CLOCK, { token })).status === 401, SOON_MS)
    expect(code(await h.call('GET', CLOCK, { token }))).toBe('TOKEN_INVALID')
    await h.until(
      'a new token works',
      async () => {
        const answer = await logIn(h, basic(merchant.apiKey, merchant.secretKey))
        return (await h.call('GET', CLOCK, { token: answer.json.responseBody.accessToken })).status === 200
      },
      SOON_MS,
    )
  })
})

describe('addresses', () => {
  test('403 ADDRESS_NOT_ALLOWED for login and calls within 5 s of a new list; X-Forwarded-For counts behind our proxy only', async () => {
    const h = harness()
    const merchant = await join(h, 'walled')
    const token = await h.token(merchant)
    await h.sql('01', `update merchants set allowed_addresses = '{10.0.0.0/8}' where id = $1`, [merchant.id])
    await h.until('the call is refused', async () => (await h.call('GET', CLOCK, { token })).status === 403, SOON_MS)
    expect(code(await h.call('GET', CLOCK, { token }))).toBe('ADDRESS_NOT_ALLOWED')
    // The interface has a code of its own for transfers.
    const transfer = await h.call('POST', '/api/v2/disbursements/single', { token, body: {} })
    expect([transfer.status, transfer.json.responseCode]).toEqual([403, 'D06'])
    const authorization = basic(merchant.apiKey, merchant.secretKey)
    await h.until('login is refused', async () => (await logIn(h, authorization)).status === 403, SOON_MS)
    expect(code(await logIn(h, authorization))).toBe('ADDRESS_NOT_ALLOWED')

    const claimed = { 'x-forwarded-for': '10.1.2.3' }
    expect((await h.call('GET', CLOCK, { token, headers: claimed })).status).toBe(403)
    expect((await logIn(h, authorization, { headers: claimed })).status).toBe(403)

    const proxied = await secondApi(h, { trustedProxies: ['127.0.0.1/32'] })
    try {
      const ask = async (forwarded: string | null) => {
        const headers = { authorization: `Bearer ${token}`, ...(forwarded ? { 'x-forwarded-for': forwarded } : {}) }
        return (await fetch(proxied.url + CLOCK, { headers })).status
      }
      expect(await ask('10.1.2.3')).toBe(200)
      expect(await ask('8.8.8.8, 10.1.2.3')).toBe(200)
      expect(await ask('10.1.2.3, 8.8.8.8')).toBe(403)
      expect(await ask('::ffff:10.1.2.3')).toBe(200)
      expect(await ask('unknown')).toBe(403)
      expect(await ask('')).toBe(403)
      expect(await ask(null)).toBe(403)
    } finally {
      await proxied.close()
    }
  })
})

describe('rates', () => {
  test('429 RATE_LIMITED with its headers beyond 3 a second, while another merchant is untouched', async () => {
    const h = harness()
    const slow = await join(h, 'slow', 3)
    const token = await h.token(slow) // the first of the three
    const answers = await Promise.all(Array.from({ length: 12 }, () => h.call('GET', CLOCK, { token })))
    const refused = answers.filter((answer) => answer.status === 429)
    expect(answers.filter((answer) => answer.status === 200).length).toBeLessThanOrEqual(5)
    expect(refused.length).toBeGreaterThanOrEqual(7)
    for (const answer of refused) {
      expect(code(answer)).toBe('RATE_LIMITED')
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'ratelimit-limit': '3',
        'ratelimit-remaining': '0',
        'ratelimit-reset': '1',
        'retry-after': '1',
      })
    }
    const others = await Promise.all(Array.from({ length: 12 }, () => h.as(h.merchants.other, 'GET', CLOCK)))
    expect(others.map((answer) => answer.status)).toEqual(others.map(() => 200))
    const logins = await Promise.all(Array.from({ length: 8 }, () => logIn(h, basic(slow.apiKey, slow.secretKey))))
    expect(logins.map(code)).toContain('RATE_LIMITED')
    // Retry-After says one second; whoever stays barred never gets there.
    await h.until('it is served again', async () => (await h.call('GET', CLOCK, { token })).status === 200)
  })

  test('200 counts the remaining requests down', async () => {
    const h = harness()
    const merchant = await join(h, 'counted', 20)
    const token = await h.token(merchant)
    const first = await h.call('GET', CLOCK, { token })
    const burst = await Promise.all(Array.from({ length: 15 }, () => h.call('GET', CLOCK, { token })))
    expect(first.headers.get('ratelimit-limit')).toBe('20')
    const least = Math.min(...burst.map((answer) => Number(answer.headers.get('ratelimit-remaining'))))
    expect(least).toBeLessThan(Number(first.headers.get('ratelimit-remaining')))
  })
})

describe('headers', () => {
  test('every answer has an x-request-id of its own; those to a known merchant tell the rate', async () => {
    const h = harness()
    const { main } = h.merchants
    const known = [
      await h.as(main, 'GET', CLOCK),
      await h.as(main, 'POST', INIT, initBody(main)),
      await h.as(main, 'POST', INIT, {}),
      await h.as(main, 'GET', '/api/v2/transactions/none'),
      await logIn(h, basic(main.apiKey, main.secretKey)),
    ]
    const unknown = [
      await h.call('POST', LOGIN),
      await h.call('GET', CLOCK),
      await h.call('GET', '/nowhere'),
      await h.call('GET', '/docs'),
    ]
    const ids = [...known, ...unknown].map((answer) => answer.headers.get('x-request-id'))
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
    for (const answer of known) {
      for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'])
        expect(answer.headers.get(name), name).toMatch(/^\d+$/)
    }
    const [docs, ...rest] = [...known, ...unknown].reverse()
    for (const answer of rest) expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(docs?.headers.get('cache-control')).toBe('no-cache') // the same for everybody
  })

  test("a caller's own x-request-id is not taken over", async () => {
    const answer = await harness().call('GET', CLOCK, { headers: { 'x-request-id': 'mine' } })
    expect(answer.headers.get('x-request-id')).not.toBe('mine')
  })
})

describe('the secret key', () => {
  test('is in no column of any table, in no answer and in no notification', async () => {
    const h = harness()
    const { main } = h.merchants
    await h.as(main, 'PUT', '/sandbox/webhook-urls', { all: h.receiverUrl() })
    const key = unique('key')
    const answers = [
      await h.as(main, 'POST', INIT, initBody(main), { 'idempotency-key': key }),
      await h.as(main, 'GET', `/api/v1/idempotency-keys/${key}`),
      await logIn(h, basic(main.apiKey, main.secretKey)),
      await logIn(h, basic(main.apiKey, `${main.secretKey}x`)),
      await logIn(h, basic(main.secretKey, main.apiKey)),
      await h.call('GET', CLOCK, { token: main.secretKey }),
    ]
    await paid(h, main)
    await advance(h, 60)
    for (const path of ['/sandbox/events', '/sandbox/mails', '/sandbox/webhook-urls', '/docs', '/dashboard'])
      answers.push(await h.as(main, 'GET', path))
    expect(h.received.length).toBeGreaterThan(0)
    const forms = ['utf8', 'base64', 'base64url', 'hex'].map((form) =>
      Buffer.from(main.secretKey)
        .toString(form as BufferEncoding)
        .replace(/=+$/, ''),
    )
    for (const form of forms) {
      for (const answer of answers) {
        expect(answer.text).not.toContain(form)
        expect(JSON.stringify([...answer.headers])).not.toContain(form)
      }
      for (const { text, headers } of h.received) expect(text + JSON.stringify(headers)).not.toContain(form)
    }
    for (const cell of CELLS) {
      const tables = await h.sql<{ name: string }>(
        cell,
        `select table_name as name from information_schema.tables where table_schema = 'public'`,
      )
      expect(tables.map(({ name }) => name)).toContain('merchants')
      const holding = async (text: string) => {
        const found: string[] = []
        for (const { name } of tables) {
          const rows = await h.sql(cell, `select from ${name} t where strpos(t::text, $1) > 0 limit 1`, [text])
          if (rows.length > 0) found.push(name)
        }
        return found
      }
      for (const form of forms) expect(await holding(form), `cell ${cell}`).toEqual([])
      const inCell = await holding(main.apiKey) // the search does find
      expect(inCell.includes('merchants')).toBe(cell === main.cell)
    }
  })
})

describe('the contract', () => {
  test('the check of every answer finds an undeclared field, a missing one, a foreign code and a wrong status', () => {
    const headers = new Headers({ 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'r' })
    const hold = (status: number, body: unknown, route: typeof login | typeof initTransaction = login) =>
      conforms(route, { status, headers, text: JSON.stringify(body) })
    const success = { requestSuccessful: true, responseMessage: 'success', responseCode: '0' }
    const responseBody = { accessToken: 't', expiresIn: 3600 }
    const refusal = (word: string) => ({
      requestSuccessful: false,
      responseMessage: 'm',
      responseCode: '99',
      problem: { code: word, hint: 'h', docUrl: 'd', requestId: 'r' },
    })
    hold(200, { ...success, responseBody })
    hold(401, refusal('CREDENTIALS_INVALID'))
    expect(() => hold(200, { ...success, responseBody: { ...responseBody, secretKey: 's' } })).toThrow(
      'auth.login answered',
    )
    expect(() => hold(200, { ...success, responseBody, more: 1 })).toThrow('auth.login answered')
    expect(() => hold(200, { ...success, responseBody: { expiresIn: 3600 } })).toThrow('auth.login answered')
    expect(() => hold(401, refusal('DUPLICATE_PAYMENT_REFERENCE'))).toThrow('auth.login answered')
    expect(() => hold(400, refusal('CREDENTIALS_INVALID'))).toThrow('auth.login answered')
    expect(() => hold(401, refusal('NO_SUCH_CODE'))).toThrow('auth.login answered')
    expect(() => hold(401, refusal('CREDENTIALS_INVALID'), initTransaction)).toThrow('transactions.init answered')
  })
})
