// Lines, by real sockets: who has no token is refused before its body is read, and who is slow or keeps its
// half of a line open does not hold it.
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { INIT, INIT_PAYMENT, initBody, useHarness } from '#test/kit/harness.ts'
import { createApi } from '../../app.ts'
import { monotonicMs } from '../clock.ts'
import { createLog } from '../log.ts'
import { blockList } from './addresses.ts'
import { createAnonymousLimit } from './anonymous-limit.ts'
import { createHttp, type FastifyInstance, TIMES } from './http.ts'

const harness = useHarness()
const BATCH = '/api/v2/disbursements/batch'
/** A line that is not cut after its two seconds would stay for the fifteen of a request. */
const CUT_MS = TIMES.lingerMs + 10_000

const lines: Socket[] = []
const servers: FastifyInstance[] = []
afterEach(async () => {
  for (const line of lines.splice(0)) line.destroy()
  for (const app of servers.splice(0)) await app.close()
})

/** A line that stays open on the client's side whatever the server does, and what came over it. */
async function dial(url: string): Promise<{ line: Socket; output: () => string; ended: Promise<void> }> {
  const line = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true })
  lines.push(line)
  let text = ''
  line.on('data', (part) => {
    text += part.toString()
  })
  line.on('error', () => {})
  const ended = new Promise<void>((done) => line.once('end', done).once('close', () => done()))
  await new Promise((done) => line.once('connect', done))
  return { line, output: () => text, ended }
}
const head = (path: string, more: string[]): string =>
  [`POST ${path} HTTP/1.1`, 'host: a', 'content-type: application/json', ...more, '', ''].join('\r\n')
const open = (app: FastifyInstance): Promise<number> =>
  new Promise((done, fail) => app.server.getConnections((error, count) => (error ? fail(error) : done(count))))

/** A server with short limits and one route. */
async function hasty(): Promise<{ app: FastifyInstance; url: string }> {
  const log = createLog('test', 'fatal')
  const anonymous = createAnonymousLimit({ perSecond: 200, trustedProxies: blockList([]), log, now: monotonicMs })
  const app = createHttp(
    { log, publicUrl: 'http://a', anonymous },
    { ...TIMES, headersMs: 200, requestMs: 400, lookEveryMs: 50 },
  )
  app.post('/echo', async (request, reply) => reply.send(String(request.body)))
  servers.push(app)
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` }
}

describe('a body nobody has vouched for', () => {
  test.each([
    ['no token', []],
    ['a bad token', ['authorization: Bearer a.b.c']],
  ])('401 with %s, before a byte of four megabytes has come', async (_, authorization) => {
    const h = harness()
    const { line, output } = await dial(h.apiUrl)
    line.write(head(BATCH, ['content-length: 4000000', ...authorization]))
    await h.until('the answer is there', async () => output().includes('"requestSuccessful":false'))
    expect(output()).toMatch(/^HTTP\/1.1 401 /)
  })

  test('401 reaches a client that sends its four megabytes all the same, and the line serves on', async () => {
    const h = harness()
    const answer = await h.call('POST', BATCH, { raw: ' '.repeat(4_000_000) })
    expect([answer.status, answer.json.problem.code]).toEqual([401, 'TOKEN_MISSING'])
    expect((await h.as(h.merchants.main, 'POST', INIT, initBody(h.merchants.main))).status).toBe(200)
  })

  test('404 for an unknown path, before the body has come', async () => {
    const h = harness()
    const { line, output } = await dial(h.apiUrl)
    line.write(head('/api/v9/nothing', ['content-length: 60000']))
    await h.until('the answer is there', async () => output().includes('ROUTE_UNKNOWN'))
    expect(output()).toMatch(/^HTTP\/1.1 404 /)
  })

  test('the line is cut when the refused body does not come', async () => {
    const h = harness()
    const app = createApi(h.gateway, h.config)
    servers.push(app)
    await app.listen({ host: '127.0.0.1', port: 0 })
    const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    const { line, output } = await dial(url)
    line.write(head(INIT_PAYMENT, ['content-length: 60000']))
    await h.until('it is open', async () => (await open(app)) === 1)
    await h.until('it is cut', async () => (await open(app)) === 0, CUT_MS)
    expect(output()).toMatch(/^HTTP\/1.1 401 /)
  })
})

describe('a slow client', () => {
  test('408 REQUEST_TIMEOUT when its headers do not end, and the line is cut though it keeps its half open', async () => {
    const h = harness()
    const { app, url } = await hasty()
    const { line, output, ended } = await dial(url)
    line.write('POST /echo HTTP/1.1\r\nhost: a\r\n')
    await ended
    expect(output()).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n[\s\S]*"REQUEST_TIMEOUT"/)
    await h.until('the line is cut', async () => (await open(app)) === 0, CUT_MS)
  })

  test('408 REQUEST_TIMEOUT when its body drips', async () => {
    const h = harness()
    const { app, url } = await hasty()
    const { line, output, ended } = await dial(url)
    line.write(head('/echo', ['content-length: 1000']))
    const drip = setInterval(() => line.write('x'), 20)
    await ended
    clearInterval(drip)
    expect(output()).toMatch(/^HTTP\/1.1 408 /)
    await h.until('the line is cut', async () => (await open(app)) === 0, CUT_MS)
  })

  test('what is not HTTP is answered 400 and cut, though the client keeps its half open', async () => {
    const h = harness()
    const { app, url } = await hasty()
    const { line, output, ended } = await dial(url)
    line.write('garbage\r\n\r\n')
    await ended
    expect(output()).toMatch(/^HTTP\/1.1 400 /)
    await h.until('the line is cut', async () => (await open(app)) === 0, CUT_MS)
  })

  test('the api allows ten seconds for headers, fifteen for a request, looks every second and takes 10,000 lines', () => {
    const h = harness()
    const app = createApi(h.gateway, h.config)
    servers.push(app)
    const { headersTimeout, requestTimeout, maxConnections } = app.server
    expect([headersTimeout, requestTimeout, maxConnections]).toEqual([10_000, 15_000, 10_000])
    expect(TIMES.lookEveryMs).toBe(1_000)
  })
})
