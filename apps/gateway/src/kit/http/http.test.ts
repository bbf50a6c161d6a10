// Every answer is the envelope: for what nobody serves, for what is not HTTP, for a lost database and for
// faults of ours. And the pages, which are not the envelope but carry their policy.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Refusal } from '@cowrie/contract/kit/envelope'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { undeclared } from '#test/kit/contract.ts'
import {
  type Answer,
  CELLS,
  type Harness,
  INIT,
  INIT_PAYMENT,
  initBody,
  initialise,
  useHarness,
} from '#test/kit/harness.ts'
import { freePort } from '../../../../../tools/ports.ts'
import { createApi } from '../../app.ts'
import { openGateway } from '../../gateway.ts'

const harness = useHarness()
const CLOCK = '/sandbox/clock'

const code = (answer: Answer): string => answer.json?.problem?.code
const refusal = Compile(Refusal)
/** The body is a refusal of the contract and nothing more. */
const isEnvelope = (body: unknown): boolean =>
  refusal.Check(body) && undeclared(Refusal as never, body, '').length === 0

/** Sends bytes as they are and reads until the server ends. */
const raw = (url: string, bytes: string | Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', (part) => {
      text += part.toString()
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
    socket.setTimeout(20_000, () => socket.destroy())
  })

describe('a path nobody serves', () => {
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('404 ROUTE_UNKNOWN for %s, in the envelope', async (method) => {
    const answer = await harness().call(method, '/api/v9/nothing?x=1')
    expect([answer.status, code(answer)]).toEqual([404, 'ROUTE_UNKNOWN'])
    expect(answer.json.responseMessage).toBe(`No such endpoint: ${method} /api/v9/nothing`)
    expect(isEnvelope(answer.json)).toBe(true)
    expect(answer.json.problem.requestId).toBe(answer.headers.get('x-request-id'))
  })
  test.each([
    ['POST', '/api/v1/merchant/transaction/init-transaction', `POST ${INIT}`],
    ['POST', '/api/v2/merchant/transactions/init-transaction/', `POST ${INIT}`],
    ['GET', '/api/v2/transaction/CWRY%7C1', 'GET /api/v2/transactions/{transactionReference}'],
    ['POST', '/api/v1/auth/logni?x=1', 'POST /api/v1/auth/login'],
    ['GET', '/api/v1/auth/logins', 'POST /api/v1/auth/login'],
  ])('404 for %s %s, with the one that was probably meant', async (method, path, meant) => {
    const answer = await harness().call(method, path)
    expect([answer.status, answer.json.problem.hint]).toEqual([404, `Did you mean ${meant}?`])
  })
  test.each([
    '/api/v9/nothing',
    '/nothing',
    '/operatr/v1/acts',
    '/dashboard/v1/hint',
    '/api/v1',
    `/api/${'x'.repeat(5_000)}`,
  ])('404 for %s without a guess: nothing documented is near', async (path) => {
    const answer = await harness().call('GET', path)
    expect([answer.status, answer.json.problem.hint]).toEqual([404, 'Check the method and the path in the reference.'])
  })
  test('405 METHOD_NOT_ALLOWED with Allow for a method the path does not have', async () => {
    const h = harness()
    for (const [method, path, allow] of [
      ['GET', INIT, 'POST'],
      ['GET', `${INIT}/?a=b`, 'POST'],
      ['DELETE', INIT, 'POST'],
      ['POST', '/api/v2/transactions/x', 'GET, HEAD'],
      ['PATCH', CLOCK, 'GET, HEAD'],
      ['PATCH', '/api/v1/sub-accounts', 'GET, HEAD, POST, PUT'],
    ] as const) {
      const answer = await h.call(method, path, { token: await h.token(h.merchants.main) })
      expect([answer.status, code(answer), isEnvelope(answer.json)]).toEqual([405, 'METHOD_NOT_ALLOWED', true])
      expect([path, answer.headers.get('allow')]).toEqual([path, allow])
    }
  })
  test('404 without a body for HEAD', async () => {
    const answer = await fetch(`${harness().apiUrl}/nothing`, { method: 'HEAD' })
    expect([answer.status, await answer.text()]).toEqual([404, ''])
  })
  test('4xx in the envelope for an address that cannot be decoded or is too long', async () => {
    const h = harness()
    for (const path of ['/%zz', '/api/v2/transactions/%', `/api/v2/transactions/${'x'.repeat(400)}`]) {
      const text = await raw(h.apiUrl, `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
      expect(text, path).toMatch(/^HTTP\/1.1 4\d\d /)
      expect(isEnvelope(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)))).toBe(true)
      expect(text, path).toMatch(/\r\nx-request-id: /)
    }
  })
})

describe('a body', () => {
  const send = async (h: Harness, text: string, headers?: Record<string, string>) =>
    h.call('POST', INIT, { raw: text, token: await h.token(h.merchants.main), ...(headers ? { headers } : {}) })

  test.each(['{', '{"a":1}}', "{'a':1}", '{"a":undefined}', '{"a":1,}', '\u0000', '{"a":"\n"}', '\ufeff{}', 'a=1&b=2'])(
    '400 MALFORMED_BODY for %j',
    async (text) => {
      const answer = await send(harness(), text)
      expect([answer.status, code(answer)]).toEqual([400, 'MALFORMED_BODY'])
    },
  )
  test.each(['[]', '"text"', 'null', '7', 'true'])('400 FIELD_INVALID for %s in place of an object', async (text) => {
    const answer = await send(harness(), text)
    expect([answer.status, code(answer), answer.json.problem.field]).toEqual([400, 'FIELD_INVALID', 'body'])
  })
  test('413 BODY_TOO_LARGE above 64 kB; 64 kB are read', async () => {
    const h = harness()
    const body = JSON.stringify(initBody(h.merchants.main))
    expect((await send(h, body + ' '.repeat(64 * 1024 - body.length))).status).toBe(200)
    const over = await send(h, body + ' '.repeat(64 * 1024 - body.length + 1))
    expect([over.status, code(over)]).toEqual([413, 'BODY_TOO_LARGE'])
  })
  test('413 BODY_TOO_LARGE for a body that does not say its length', async () => {
    const h = harness()
    const chunk = `${(70_000).toString(16)}\r\n${' '.repeat(70_000)}\r\n0\r\n\r\n`
    const head = `POST ${INIT} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${await h.token(h.merchants.main)}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n`
    expect(await raw(h.apiUrl, head + chunk)).toMatch(/^HTTP\/1.1 413 [\s\S]*BODY_TOO_LARGE/)
  })
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1'])(
    '200 for JSON that says it is %s',
    async (type) => {
      const h = harness()
      const answer = await send(h, JSON.stringify(initBody(h.merchants.main)), { 'content-type': type })
      expect(answer.status).toBe(200)
    },
  )
  test('200 for a GET with a body, which is not read', async () => {
    const h = harness()
    const token = await h.token(h.merchants.main)
    const text = await raw(
      h.apiUrl,
      `GET ${CLOCK} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{]`,
    )
    expect(text).toMatch(/^HTTP\/1.1 200 /)
  })
})

describe('what is not HTTP', () => {
  test.each([
    ['garbage', 'garbage\r\n\r\n'],
    ['a TLS hello', Buffer.from('160301020001000001fc0303', 'hex')],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a header of 100 kB', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nhost: a\r\nx: \u0000\r\n\r\n'],
  ])('400 in the envelope for %s', async (_, bytes) => {
    const text = await raw(harness().apiUrl, bytes)
    expect(text).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
    const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))
    expect([isEnvelope(body), body.problem.code]).toEqual([true, 'MALFORMED_BODY'])
  })
})

describe('faults of ours', () => {
  const INSIDE = /select|insert|pg_|postgres|ECONN|127\.0\.0\.1:\d+ refused|\.ts\b|node_modules|planted/i

  test('503 UNAVAILABLE while the database is gone, without a word of why; 200 when it is back', async () => {
    const h = harness()
    // Both cells are reached through a door of our own, which can be shut.
    const target = new URL(h.databases['01'])
    const sockets = new Set<Socket>()
    const door = createServer((inner) => {
      const outer = connect(Number(target.port), target.hostname)
      for (const [one, other] of [
        [inner, outer],
        [outer, inner],
      ] as const) {
        sockets.add(one)
        one.on('error', () => other.destroy())
        one.on('close', () => other.destroy())
        one.pipe(other)
      }
    })
    await new Promise<void>((done) => door.listen(0, '127.0.0.1', done))
    const { port: doorPort } = door.address() as AddressInfo
    const cells = new Map(
      CELLS.map((cell) => {
        const through = new URL(h.databases[cell])
        through.host = `127.0.0.1:${doorPort}`
        return [cell as string, { app: through.href, engine: through.href }]
      }),
    )
    const port = await freePort()
    const config = { ...h.config, cells, port, connections: 4 }
    const gateway = await openGateway(config, 'test')
    const app = createApi(gateway, config)
    await app.listen({ host: '127.0.0.1', port })
    try {
      const token = await h.token(h.merchants.main)
      const send = async (method: string, path: string, body?: unknown) => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
          method,
          headers: { authorization: `Bearer ${token}` },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        return { status: answer.status, text: await answer.text() }
      }
      const { transactionReference } = await initialise(h, h.merchants.main)
      const asked: [string, string, unknown?][] = [
        ['GET', `/api/v2/transactions/${encodeURIComponent(transactionReference)}`],
        ['POST', INIT, initBody(h.merchants.main)],
        ['POST', INIT_PAYMENT, { transactionReference }],
        ['GET', '/sandbox/events'],
      ]
      for (const [method, path, body] of asked) expect((await send(method, path, body)).status, path).toBe(200)
      door.close()
      for (const socket of sockets) socket.destroy()
      for (const [method, path, body] of asked) {
        const answer = await send(method, path, body)
        expect([path, answer.status]).toEqual([path, 503])
        const said = JSON.parse(answer.text)
        expect([isEnvelope(said), said.problem.code]).toEqual([true, 'UNAVAILABLE'])
        expect(answer.text).not.toMatch(INSIDE)
      }
      await new Promise<void>((done) => door.listen(doorPort, '127.0.0.1', done))
      for (const [method, path] of asked.filter(([verb]) => verb === 'GET'))
        expect((await send(method, path)).status, path).toBe(200)
      expect((await send('POST', INIT, initBody(h.merchants.main))).status).toBe(200)
    } finally {
      await app.close()
      await gateway.close()
      door.close()
      for (const socket of sockets) socket.destroy()
    }
  })

  test('500 INTERNAL for a throw of our own and for one of the database, without a word of why', async () => {
    const h = harness()
    const port = await freePort()
    const app = createApi(h.gateway, { ...h.config, port })
    app.get('/planted/error', async () => {
      throw new Error('planted secret at line 7')
    })
    app.get('/planted/text', () => {
      throw 'planted secret' // oxlint-disable-line no-throw-literal
    })
    await app.listen({ host: '127.0.0.1', port })
    try {
      for (const path of ['/planted/error', '/planted/text']) {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`)
        const text = await answer.text()
        expect([answer.status, JSON.parse(text).problem.code, isEnvelope(JSON.parse(text))]).toEqual([
          500,
          'INTERNAL',
          true,
        ])
        expect(text).not.toMatch(INSIDE)
      }
    } finally {
      await app.close()
    }
    await h.sql(
      '01',
      `create function planted() returns trigger language plpgsql as $$ begin raise exception 'planted %', new; end $$`,
    )
    await h.sql('01', 'create trigger planted before insert on transactions for each row execute function planted()')
    try {
      const answer = await h.as(h.merchants.main, 'POST', INIT, initBody(h.merchants.main))
      expect([answer.status, code(answer)]).toEqual([500, 'INTERNAL'])
      expect(answer.text).not.toMatch(INSIDE)
    } finally {
      await h.sql('01', 'drop function planted() cascade')
    }
  })
})

describe('addresses as clients write them', () => {
  test('200 with raw and encoded bars, in lower-case escapes too, and with a slash behind', async () => {
    const h = harness()
    const { transactionReference } = await initialise(h, h.merchants.main)
    const token = await h.token(h.merchants.main)
    const encoded = encodeURIComponent(transactionReference)
    for (const path of [transactionReference, encoded, encoded.toLowerCase().replace('cwry', 'CWRY'), `${encoded}/`]) {
      const text = await raw(
        h.apiUrl,
        `GET /api/v2/transactions/${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`,
      )
      expect(text, path).toMatch(/^HTTP\/1.1 200 /)
      expect(text).toContain(`"transactionReference":"${transactionReference}"`)
    }
    expect((await h.call('GET', `${CLOCK}/`, { token })).status).toBe(200)
  })
  test('4xx for %00 in the path and in the query', async () => {
    const h = harness()
    const { main } = h.merchants
    for (const path of [
      '/%00',
      '/api/v2/transactions/%00',
      '/api/v2/transactions/CWRY%7C01%00',
      '/api/v1/idempotency-keys/%00',
      '/api/v2/merchant/transactions/query?transactionReference=%00',
      '/api/v2/merchant/transactions/query?paymentReference=a%00',
      '/sandbox/events?after=%00',
      '/sandbox/mails?to=%00',
      '/checkout/%00/%00',
      '/checkout/CWRY%7C01%7C20260101000000%7C000001/%00',
    ]) {
      const answer = await h.as(main, 'GET', path)
      expect(answer.status, path).toBeGreaterThanOrEqual(400)
      expect(answer.status, path).toBeLessThan(500)
    }
  })
})

describe('pages', () => {
  const policyOf = (answer: Answer): string => answer.headers.get('content-security-policy') ?? ''
  const expectPage = (answer: Answer, expected: number) => {
    expect(answer.status).toBe(expected)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(policyOf(answer)).toMatch(/^default-src 'none'; /)
    expect(policyOf(answer)).toContain("frame-ancestors 'none'")
    expect(policyOf(answer)).toContain("base-uri 'none'")
    expect(policyOf(answer)).not.toMatch(/unsafe|\*|script-src/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(answer.headers.get('cache-control')).toBe(expected === 200 ? 'no-cache' : 'no-store')
    expect(answer.text).not.toMatch(/<script|\son\w+=|javascript:/i)
  }

  test('200 for /docs and / with their policy, 404 for /checkout', async () => {
    const h = harness()
    const pages = [await h.call('GET', '/docs'), await h.call('GET', '/'), await h.call('GET', '/checkout')]
    expect(pages.map((page) => page.status)).toEqual([200, 200, 404])
    for (const page of pages) expectPage(page, page.status)
  })
  test('404 as a page for a browser at an unknown address, with the request; the envelope for everybody else', async () => {
    const h = harness()
    const open = (path: string, headers: Record<string, string>, method = 'GET') => h.call(method, path, { headers })
    const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    for (const path of ['/nothing', '/docs/more?a=%3Cscript%3E', '/%3Cscript%3Ealert(1)%3C/script%3E']) {
      const answer = await open(path, browser)
      expectPage(answer, 404)
      expect(answer.text).toContain('There is nothing at this address')
      expect(answer.text).toContain(`Request ${answer.headers.get('x-request-id')}`)
    }
    // Only a browser says that it navigates; a client in a test may not.
    const navigate = (path: string) =>
      raw(
        h.apiUrl,
        `GET ${path} HTTP/1.1\r\nhost: a\r\naccept: text/html\r\nsec-fetch-mode: navigate\r\nconnection: close\r\n\r\n`,
      )
    for (const [path, status, title] of [
      [INIT, 405, 'This address is for programs'],
      ['/dashboard/v1/views/home.show', 401, 'Log in'],
    ] as const) {
      const text = await navigate(path)
      expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*content-type: text/html; charset=utf-8`))
      expect(text).toContain(title)
    }
    // Java's own client says that it prefers pages; what it calls are addresses of the API.
    const java = { accept: 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2' }
    for (const [path, headers, method] of [
      ['/api/v9/nothing', java],
      ['/sandbox/nothing', java],
      ['/connector/nothing', java],
      ['/dashboard/v1/nothing', java],
      ['/nothing', { accept: '*/*' }],
      ['/nothing', { accept: 'application/json' }],
      ['/nothing', browser, 'POST'],
    ] as const) {
      const answer = await open(path, headers, method)
      expect([path, answer.status, isEnvelope(answer.json)]).toEqual([path, 404, true])
    }
  })
  test('200 for /favicon.ico, once a visit', async () => {
    const answer = await harness().call('GET', '/favicon.ico')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'")
  })
  test('200 for /openapi.json, which names every route of the sandbox', async () => {
    const answer = await harness().call('GET', '/openapi.json')
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.json.paths)).toContain(INIT)
    expect(Object.keys(answer.json.paths)).toContain('/sandbox/clock/advance')
  })
})
