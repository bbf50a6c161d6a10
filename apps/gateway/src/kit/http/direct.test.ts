// The direct way and the framework's hold the same promises: each test asks the same route both ways. And
// which requests take which.
import { once } from 'node:events'
import { request as send } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { creditNotice } from '@cowrie/contract/bank/connector'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { notice, signature, waiting } from '#test/bank/notices.ts'
import { type Harness, INIT, INIT_PAYMENT, initBody, status, unique, useHarness } from '#test/kit/harness.ts'
import { createApi } from '../../app.ts'
import type { Log, LogFields } from '../log.ts'
import type { HttpReply } from './answers.ts'
import type { FastifyInstance } from './http.ts'

const harness = useHarness()

type Line = { level: string; message: string } & LogFields
let lines: Line[] = []
let app: FastifyInstance
let url: string
let port: number
/** Paths that the framework served. */
let framework: string[] = []

const at =
  (level: string) =>
  (message: string, fields: LogFields = {}) =>
    void lines.push({ level, message, ...fields })

beforeEach(async () => {
  const h = harness()
  lines = []
  framework = []
  const log: Log = {
    ...{ infoEnabled: true, info: at('info'), warn: at('warn'), error: at('error') },
    silence: () => {},
    flush: async () => {},
  }
  const publicUrl = 'https://pay.example'
  app = createApi({ ...h.gateway, ctx: { ...h.gateway.ctx, publicUrl, log } }, { ...h.config, publicUrl })
  app.addHook('onRequest', (request, _reply, done) => {
    framework.push(request.url)
    done()
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
  url = `http://127.0.0.1:${port}`
})
afterEach(() => app.close())

const post = async (path: string, body: string, headers: Record<string, string>) => {
  const answer = await fetch(url + path, { method: 'POST', headers, body })
  const text = await answer.text()
  return { status: answer.status, headers: Object.fromEntries(answer.headers), json: JSON.parse(text) }
}
const json = { 'content-type': 'application/json' }
const asMain = async (h: Harness) => ({ ...json, authorization: `Bearer ${await h.token(h.merchants.main)}` })
/** What differs from one answer to the next of the same kind. */
const VARYING = ['date', 'x-request-id', 'ratelimit-remaining', 'ratelimit-reset', 'content-length']
const steady = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !VARYING.includes(name)))

describe.each([
  ['directly', ''],
  ['by the framework', '?'],
])('a request served %s', (_, query) => {
  const byFramework = query === '?'

  test('is answered with the headers of every answer, and an id of its own', async () => {
    const h = harness()
    const answers = [
      await post(INIT + query, JSON.stringify(initBody(h.merchants.main)), await asMain(h)),
      await post(INIT + query, JSON.stringify(initBody(h.merchants.main)), await asMain(h)),
    ] as const
    expect(framework.length).toBe(byFramework ? 2 : 0)
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(steady(answers[0].headers)).toEqual({
      ...{ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
      ...{ 'x-content-type-options': 'nosniff', 'strict-transport-security': 'max-age=31536000' },
      ...{ 'ratelimit-limit': expect.any(String), connection: 'keep-alive', 'keep-alive': expect.any(String) },
    })
    expect(answers[0].headers['ratelimit-remaining']).toMatch(/^\d+$/)
    const [first, second] = answers.map(({ headers }) => headers['x-request-id'])
    expect(first).toMatch(/^[\da-f-]{36}$/)
    expect(second).not.toBe(first)
  })

  test('has fields that nobody knows named in a header, also with an Idempotency-Key; not in live', async () => {
    const h = harness()
    const send = async (headers: Record<string, string>) => {
      const body = { ...initBody(h.merchants.main), redirectURL: 'https://shop.example', colour: 'red' }
      const answer = await post(INIT + query, JSON.stringify(body), headers)
      return [answer.status, answer.headers['x-cowrie-unknown-fields']]
    }
    const named = 'redirectURL (did you mean redirectUrl?), colour'
    expect(await send(await asMain(h))).toEqual([200, named])
    expect(await send({ ...(await asMain(h)), 'idempotency-key': unique('key') })).toEqual([200, named])
    const live = createApi({ ...h.gateway, ctx: { ...h.gateway.ctx, environment: 'live' } }, h.config)
    const sandboxUrl = url
    try {
      await live.listen({ host: '127.0.0.1', port: 0 })
      url = `http://127.0.0.1:${(live.server.address() as AddressInfo).port}`
      const { apiKey, secretKey } = h.merchants.main
      const basic = { authorization: `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}` }
      const { accessToken } = (await post('/api/v1/auth/login', '', basic)).json.responseBody
      expect(await send({ ...json, authorization: `Bearer ${accessToken}` })).toEqual([200, undefined])
    } finally {
      url = sandboxUrl
      await live.close()
    }
  })

  test('by another method is 405 with Allow, whoever asks', async () => {
    const h = harness()
    for (const headers of [await asMain(h), json])
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const answer = await fetch(url + INIT + query, { method, headers, ...(method === 'PUT' ? { body: '{}' } : {}) })
        const { problem } = (await answer.json()) as { problem: { code: string } }
        expect([answer.status, problem.code, answer.headers.get('allow')]).toEqual([405, 'METHOD_NOT_ALLOWED', 'POST'])
      }
  })

  test('is a line of the access log', async () => {
    const h = harness()
    const { headers, status } = await post(
      INIT_PAYMENT + query,
      '{"transactionReference":"CWRY|01|20260101000000|000001"}',
      { ...(await asMain(h)), traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
    )
    await h.until('the line is there', async () => lines.length > 0)
    expect(lines).toEqual([
      {
        ...{
          level: 'info',
          message: 'answered',
          requestId: headers['x-request-id'],
          method: 'POST',
          route: INIT_PAYMENT,
        },
        ...{ status, ms: expect.any(Number), traceId: '0af7651916cd43dd8448eb211c80319c' },
        ...{ cell: '01', merchantId: h.merchants.main.id, reference: 'CWRY|01|20260101000000|000001' },
        code: 'TRANSACTION_REFERENCE_INVALID',
      },
    ])
  })

  test('is refused without a token before its body has come, and its connection is cut when none comes', async () => {
    const h = harness()
    const line = connect(port, '127.0.0.1', () =>
      line.write(
        `POST ${INIT}${query} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n`,
      ),
    )
    let text = ''
    line.on('data', (part) => {
      text += part.toString()
    })
    const ended = once(line, 'close')
    await h.until('the answer is there', async () => text.includes('TOKEN_MISSING'))
    expect(text).toMatch(/^HTTP\/1.1 401 /)
    await ended
  })

  test('is refused by name: a body that is not JSON, a field, a token, a signature', async () => {
    const h = harness()
    const headers = await asMain(h)
    const told = async (path: string, body: string, more: Record<string, string>) => {
      const answer = await post(path + query, body, more)
      expect(answer.json.problem.requestId).toBe(answer.headers['x-request-id'])
      return [answer.status, answer.json.problem.code]
    }
    expect(await told(INIT, '{', headers)).toEqual([400, 'MALFORMED_BODY'])
    expect(await told(INIT, '', headers)).toEqual([400, 'FIELD_MISSING'])
    expect(await told(INIT, '{}', headers)).toEqual([400, 'FIELD_MISSING'])
    expect(await told(INIT, '{}', { ...json, authorization: 'Bearer a.b.c' })).toEqual([401, 'TOKEN_INVALID'])
    expect(await told(creditNotice.path, '{}', json)).toEqual([401, 'SIGNATURE_INVALID'])
    expect(framework.length).toBe(byFramework ? 5 : 0)
  })

  test('is read up to its limit of 64 kB, and refused beyond', async () => {
    const h = harness()
    const body = JSON.stringify(initBody(h.merchants.main))
    const headers = await asMain(h)
    const padded = (size: number) => post(INIT + query, body + ' '.repeat(size - body.length), headers)
    expect((await padded(64 * 1024)).status).toBe(200)
    expect((await padded(64 * 1024 + 1)).json.problem.code).toBe('BODY_TOO_LARGE')
  })

  test('carries a notice of the bank', async () => {
    const h = harness()
    const made = await waiting(h, h.merchants.main, { amount: 1000 })
    const body = JSON.stringify(notice(made.accountNumber, '1000.00'))
    // The signature is over the path, which has no query.
    const answer = await post(creditNotice.path + query, body, { ...json, ...signature(h, body, creditNotice.path) })
    expect([answer.status, answer.json.responseMessage]).toEqual([200, 'success'])
    expect((await status(h, h.merchants.main, made.transactionReference)).paymentStatus).toBe('PAID')
  })

  test('whose body breaks off is one warning, and nothing is done', async () => {
    const h = harness()
    const head = `POST ${INIT}${query} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${await h.token(h.merchants.main)}\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{`
    await post(INIT, '{}', await asMain(h)) // the token is known, so the body is read at once
    const begun = once(app.server, 'request')
    const line = connect(port, '127.0.0.1', () => line.write(head))
    line.on('error', () => {})
    await begun
    line.resetAndDestroy()
    await h.until('it was noticed', async () => lines.some(({ level }) => level === 'warn'))
    expect(lines.filter(({ level }) => level !== 'info')).toMatchObject([{ level: 'warn', code: 'UNAVAILABLE' }])
  })

  test('that is under way when the server closes is answered; the next on its connection is 503, and the connection ends', async () => {
    const h = harness()
    const token = await h.token(h.merchants.main)
    await post(INIT, '{}', await asMain(h))
    const request = (body: string) =>
      `POST ${INIT}${query} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n${body}`
    const begun = once(app.server, 'request')
    const line = connect(port, '127.0.0.1', () => line.write(request('{')))
    let text = ''
    line.on('data', (part) => {
      text += part.toString()
    })
    const ended = once(line, 'close')
    await begun
    const closed = app.close()
    await h.until('nobody is let in any more', async () => !app.server.listening)
    line.write(`}${request('{}')}`)
    await ended
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 503'])
    await closed
  })
})

test('a direct request that fails after half of its answer is cut off and logged, and the next is served', async () => {
  const h = harness()
  const plant = ({ raw }: HttpReply) => {
    raw.writeHead(200, { 'content-length': '9' })
    return Promise.reject(new Error('planted'))
  }
  app.direct.set('/planted', { bodyBytesMax: 99, serve: (_, reply, read) => read(() => plant(reply)) })
  await expect(fetch(`${url}/planted`, { method: 'POST', headers: json, body: '{}' })).rejects.toThrow('fetch failed')
  expect(lines.filter(({ level }) => level === 'error')).toHaveLength(2) // the fault, and that its answer was begun
  expect((await post(INIT, JSON.stringify(initBody(h.merchants.main)), await asMain(h))).status).toBe(200)
})

describe('what goes to the framework', () => {
  test.each([
    ['another content type', { 'content-type': 'text/plain' }],
    ['a strange charset', { 'content-type': 'application/json; charset=latin1' }],
  ])('a request with %s', async (_, more) => {
    const h = harness()
    const answer = await post(INIT, JSON.stringify(initBody(h.merchants.main)), { ...(await asMain(h)), ...more })
    expect([answer.status, framework]).toEqual([200, [INIT]])
  })
  test.each([
    ['a body in chunks', json],
    ['a body of no stated type', {}],
  ])('%s', async (_, type) => {
    const h = harness()
    const body = JSON.stringify(initBody(h.merchants.main))
    const authorization = `Bearer ${await h.token(h.merchants.main)}`
    const request = send(url + INIT, { method: 'POST', headers: { authorization, ...type } })
    request.write(body.slice(0, 5))
    request.end(body.slice(5))
    const [answer] = await once(request, 'response')
    answer.resume()
    expect([answer.statusCode, framework]).toEqual([200, [INIT]])
  })
  test('a path with a slash behind, and another method', async () => {
    const h = harness()
    const headers = await asMain(h)
    expect((await post(`${INIT}/`, JSON.stringify(initBody(h.merchants.main)), headers)).status).toBe(200)
    const put = await fetch(url + INIT, { method: 'PUT', headers, body: '{}' })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'POST'])
    expect(framework).toEqual([`${INIT}/`])
  })
})
