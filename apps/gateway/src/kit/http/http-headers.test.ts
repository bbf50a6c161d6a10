// What every answer says beside its body, what browsers may keep, and what reaches the log when
// unauthenticated callers make trouble.
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type Harness, INIT, initBody, initialise, useHarness } from '#test/kit/harness.ts'
import { createApi } from '../../app.ts'
import { Failure } from '../fail.ts'
import { type Log, type LogFields, seldom } from '../log.ts'
import type { FastifyInstance } from './http.ts'

const harness = useHarness()
const servers: FastifyInstance[] = []
afterEach(async () => {
  for (const app of servers.splice(0)) await app.close()
})

type Line = { level: string; message: string } & LogFields
function listening(): { log: Log; lines: Line[] } {
  const lines: Line[] = []
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      void lines.push({ level, message, ...fields })
  return {
    lines,
    log: {
      infoEnabled: false,
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      silence: () => {},
      flush: async () => {},
    },
  }
}

async function openApi(h: Harness, { log, publicUrl = h.config.publicUrl }: { log?: Log; publicUrl?: string }) {
  const ctx = { ...h.gateway.ctx, publicUrl, ...(log ? { log } : {}) }
  const app = createApi({ ...h.gateway, ctx }, { ...h.config, publicUrl })
  app.get('/unavailable', async () => {
    throw new Failure('UNAVAILABLE', {}, 'too many are waiting')
  })
  servers.push(app)
  await app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

describe('headers', () => {
  test('strict-transport-security on every answer where payers come by https, and nowhere else', async () => {
    const h = harness()
    const url = await openApi(h, { publicUrl: 'https://pay.example' })
    for (const path of ['/docs', '/checkout', '/api/v9/nothing', '/sandbox/clock'])
      expect((await fetch(url + path)).headers.get('strict-transport-security'), path).toBe('max-age=31536000')
    expect((await fetch(`${h.apiUrl}/docs`)).headers.get('strict-transport-security')).toBeNull()
  })

  test('303 of a checkout form carries what every answer carries', async () => {
    const h = harness()
    const { checkoutUrl } = await initialise(h, h.merchants.main)
    const answer = await fetch(`${checkoutUrl}/account`, { method: 'POST', body: '', redirect: 'manual' })
    expect(answer.status).toBe(303)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      location: new URL(checkoutUrl).pathname,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-request-id': expect.any(String),
    })
  })
})

describe('pages that do not change', () => {
  test.each(['/docs', '/docs/transactions', '/docs/recurring-payment', '/openapi.json', '/'])(
    '%s has an ETag, is 304 for whoever has it, and is packed',
    async (path) => {
      const h = harness()
      const get = (headers: Record<string, string>) => fetch(h.apiUrl + path, { headers })
      const plain = await get({ 'accept-encoding': 'identity' })
      const text = await plain.text()
      const packed = await get({ 'accept-encoding': 'gzip' })
      expect(packed.headers.get('content-encoding')).toBe('gzip')
      expect(await packed.text()).toBe(text)
      const etag = packed.headers.get('etag') ?? ''
      expect(etag).toMatch(/^"[\w-]{22}gzip"$/)
      expect(plain.headers.get('etag')).not.toBe(etag)
      for (const held of [etag, `W/${etag}`, `"other", ${etag}`]) {
        const again = await get({ 'accept-encoding': 'gzip', 'if-none-match': held })
        expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
        expect(again.headers.get('cache-control')).toBe('no-cache')
      }
      expect((await get({ 'accept-encoding': 'gzip', 'if-none-match': '"other"' })).status).toBe(200)
    },
  )
})

describe('the log', () => {
  test('refused work is one warning in ten seconds with how many there were, and no stack', async () => {
    const h = harness()
    const { log, lines } = listening()
    const url = await openApi(h, { log })
    for (let n = 0; n < 30; n += 1) expect((await fetch(`${url}/unavailable`)).status).toBe(503)
    expect(lines).toEqual([
      {
        level: 'warn',
        message: 'requests were refused',
        requestId: expect.any(String),
        route: '/unavailable',
        code: 'UNAVAILABLE',
        detail: 'too many are waiting',
        count: 1,
      },
    ])
  })

  test('bodies that break off are one warning, and no stack', async () => {
    const h = harness()
    const { log, lines } = listening()
    const url = await openApi(h, { log })
    const head = `POST ${INIT} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${await h.token(h.merchants.main)}\r\ncontent-type: application/json\r\ncontent-length: 99\r\nexpect: 100-continue\r\n\r\n{`
    for (let n = 0; n < 10; n += 1)
      await new Promise<void>((done) => {
        const line = connect(Number(new URL(url).port), '127.0.0.1', () => line.write(head))
        line.once('data', () => line.resetAndDestroy()) // the server has said: go on
        line.on('error', () => {}).once('close', () => done())
      })
    await fetch(`${url}/health`)
    await h.until('it is told', async () => lines.length > 0)
    expect(lines.map(({ level, code, error }) => [level, code, error])).toEqual([['warn', 'UNAVAILABLE', undefined]])
  })

  test('a warning that anybody can cause is counted while it is not written', () => {
    const { log, lines } = listening()
    for (let ms = 0; ms <= 20_000; ms += 1_000) seldom(log, 'refused', { code: 'UNAVAILABLE' }, ms)
    expect(lines.map(({ count }) => count)).toEqual([1, 10, 10])
  })
})

test.each(['https://shop.example@evil.example/', 'https://a:b@evil.example/', 'http://@evil.example:x@a/'])(
  '400 FIELD_INVALID for a redirectUrl with a user name: %s',
  async (redirectUrl) => {
    const h = harness()
    const { main } = h.merchants
    const answer = await h.as(main, 'POST', INIT, initBody(main, { redirectUrl }))
    expect([answer.status, answer.json.problem.code, answer.json.problem.field]).toEqual([
      400,
      'FIELD_INVALID',
      'redirectUrl',
    ])
  },
)
