// How a process starts with a cell that is away, says what it can do, and ends without cutting anybody off.
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { Logins } from '#core/cells/logins.ts'
import { createPrivateServer } from '#core/private-port.ts'
import { createReadiness } from '#core/readiness.ts'
import { monotonicMs, wallMs } from '#kit/clock.ts'
import { deriveKeys } from '#kit/crypto.ts'
import { blockList } from '#kit/http/addresses.ts'
import { createAnonymousLimit } from '#kit/http/anonymous-limit.ts'
import { sendJson, toFailure } from '#kit/http/answers.ts'
import { createHttp } from '#kit/http/http.ts'
import { startApi } from '#test/kit/api-process.ts'
import { INIT, initBody, paid, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { freePort } from '../../../tools/ports.ts'
import { createApi, share, startWorker } from './app.ts'
import { openGateway } from './gateway.ts'

const harness = useHarness()
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})
const AS = { role: 'api', version: '1.2.3' }

/** The way to a database, which is closed until `open`. */
async function way(to: Logins) {
  const port = await freePort()
  const through = (url: string): string => Object.assign(new URL(url), { port: String(port) }).href
  const target = Number(new URL(to.engine).port)
  const server = createServer((socket) => {
    const database = connect(target, '127.0.0.1')
    socket.pipe(database).pipe(socket)
    for (const one of [socket, database]) one.on('error', () => [socket, database].map((each) => each.destroy()))
  })
  const open = async (): Promise<void> => {
    await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
    closing.unshift(() => server.close())
  }
  return { logins: { app: through(to.app), engine: through(to.engine) }, open }
}

test('merchants of a cell that is away pay nothing for asking: when it is back, none is refused as too many', async () => {
  const h = harness()
  const { second: merchant } = h.merchants
  const authorization = `Bearer ${await h.token(merchant)}`
  const config = { ...h.config, connections: 4, anonymousPerSecond: 1 }
  const gateway = await openGateway(config, 'test')
  closing.push(() => gateway.close())
  const app = createApi(gateway, config)
  closing.push(() => app.close())
  const entry = gateway.ctx.cells.get(merchant.cell)?.entry ?? { closed: null }
  const post = async (url: string, authorization: string, payload: object) =>
    (await app.inject({ method: 'POST', url, headers: { authorization }, payload })).statusCode
  const basic = `Basic ${Buffer.from(`${merchant.apiKey}:${merchant.secretKey}`).toString('base64')}`
  const asking = [
    () => post(INIT, authorization, initBody(merchant)),
    () => post('/api/v1/auth/login', basic, {}),
  ] as const
  entry.closed = 'it is away'
  for (const ask of asking) for (let n = 0; n < 40; n += 1) expect(await ask()).toBe(503)
  entry.closed = null
  for (const ask of asking) expect(await ask()).toBe(200)
})

test('a cell that is away at the start stops its own merchants, with 503, and is taken into use when it is back', async () => {
  const h = harness()
  const { main, second } = h.merchants
  const [first, other] = ['01', '02'].map((cell) => h.config.cells.get(cell) as Logins) as [Logins, Logins]
  const { logins, open } = await way(other)
  const cells = new Map([
    ['01', first],
    ['02', logins],
  ])
  const gateway = await openGateway({ ...h.config, connections: 4, cells }, 'api')
  closing.push(() => gateway.close())
  const app = createApi(gateway, h.config)
  closing.push(() => app.close())
  const worker = startWorker(gateway, h.config)
  closing.push(() => worker.stop())
  const probes = createPrivateServer(share(gateway, h.config, []), createReadiness(gateway.ctx, AS))
  closing.push(() => probes.close())
  const init = async (merchant: TestMerchant) =>
    app.inject({
      method: 'POST',
      url: INIT,
      headers: { authorization: `Bearer ${await h.token(merchant)}`, 'content-type': 'application/json' },
      body: JSON.stringify(initBody(merchant)),
    })
  const ready = (query = '') => probes.inject({ method: 'GET', url: `/ready${query}` })
  const unnumbered = async (cell: '01' | '02') => (await h.sql(cell, 'select count(*)::int as n from outbox'))[0].n

  expect((await init(main)).statusCode).toBe(200)
  const refused = await init(second)
  expect(refused.statusCode).toBe(503)
  expect(refused.json()).toMatchObject({ requestSuccessful: false, problem: { code: 'UNAVAILABLE' } })
  await expect(gateway.ctx.ranges.cellOf('50515', '0200000011'), 'a final "unknown" would lose it').rejects.toThrow(
    expect.objectContaining({ code: 'UNAVAILABLE' }),
  )
  expect((await ready()).json()).toMatchObject({
    ready: true,
    cells: {
      '01': { ready: true, fault: null },
      '02': { ready: false, fault: expect.stringContaining('ECONNREFUSED') },
    },
  })
  expect([(await ready()).statusCode, (await ready('?cell=01')).statusCode]).toEqual([200, 200])
  expect((await ready('?cell=02')).statusCode).toBe(503)
  await paid(h, main)
  await h.until('the worker numbers events of the cell that is there', async () => (await unnumbered('01')) === 0)
  await paid(h, second)
  expect(await unnumbered('02')).toBeGreaterThan(0)

  await open()
  await h.until('the cell is in use', async () => (await ready('?cell=02')).statusCode === 200)
  expect((await init(second)).statusCode).toBe(200)
  expect(await gateway.ctx.ranges.cellOf('50515', '0200000011')).toBe('02')
  await h.until('its worker too', async () => (await unnumbered('02')) === 0)
})

test('a cell that is there and the wrong one ends the start, as before', async () => {
  const h = harness()
  const cells = new Map([...h.config.cells, ['02', h.config.cells.get('01') as Logins]])
  await expect(openGateway({ ...h.config, cells }, 'api')).rejects.toThrow('is the one of cell 01; correct CELLS')
})

test('says per cell what is wrong with the clock, the master key and the schema; and is not ready when nothing is left', async () => {
  const h = harness()
  const { ctx } = h.gateway
  const skewed = await createReadiness(ctx, { ...AS, wall: () => wallMs() + 61_500 }).look()
  expect(skewed).toMatchObject({ ready: false, state: 'SERVING', role: 'api', version: '1.2.3' })
  expect(skewed.cells['01']?.fault).toMatch(/^the clock of this process is 61\.\d s ahead of the database's$/)
  const foreign = await createReadiness(
    { ...ctx, keys: deriveKeys([{ version: 1, key: Buffer.alloc(32, 3) }]) },
    AS,
  ).look()
  expect(foreign.cells['02']?.fault).toContain('another MASTER_KEY')
  const [{ name }] = await h.sql('02', 'select max(name) as name from migrations')
  await h.sql('02', `update migrations set name = 'gone' where name = $1`, [name])
  const older = await createReadiness(ctx, AS).look()
  await h.sql('02', `update migrations set name = $1 where name = 'gone'`, [name])
  expect(older).toMatchObject({
    ready: true,
    cells: {
      '01': { ready: true, schema: name },
      '02': { ready: false, fault: expect.stringContaining(`${name} is missing`) },
    },
  })
  const stuck = await createReadiness(ctx, { ...AS, sinceRoundMs: (cell) => (cell === '01' ? 121_000 : 0) }).look()
  expect(stuck.cells['01']?.fault).toBe('no round has ended for 121 s')
  expect(stuck.cells['02']?.fault).toBeNull()
})

describe('the end', () => {
  test('a signal makes an api not ready, and it serves on, with connection: close, until it ends with 0', async () => {
    const h = harness()
    const port = await freePort()
    const api = await startApi(h, 'info', { settings: { PRIVATE_PORT: String(port), DRAIN_SECONDS: '60' } })
    const ready = () => fetch(`http://127.0.0.1:${port}/ready`)
    expect((await ready()).status).toBe(200)
    const before = await fetch(`${api.url}/health`)
    expect(before.headers.get('connection')).toBe('keep-alive')
    const ended = api.stop()
    await h.until('it is not ready', async () => (await ready()).status === 503)
    expect(await (await ready()).json()).toMatchObject({
      ready: false,
      state: 'STOPPING',
      cells: { '01': { ready: true } },
    })
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
    const late = await fetch(api.url + INIT, {
      method: 'POST',
      headers: { authorization: `Bearer ${await h.token(h.merchants.main)}`, 'content-type': 'application/json' },
      body: JSON.stringify(initBody(h.merchants.main)),
    })
    expect([late.status, late.headers.get('connection')]).toEqual([200, 'close'])
    await api.stop() // the second signal ends the wait
    expect(await ended).toContain('"stopping"')
  })

  test('what is under way is answered; who asks later on that connection gets 503 in the envelope; an empty one holds nothing up', async () => {
    const { log } = harness().gateway.ctx
    const anonymous = createAnonymousLimit({ perSecond: 9, trustedProxies: blockList([]), log, now: monotonicMs })
    const app = createHttp({ log, publicUrl: 'http://pay.example', anonymous })
    let release = (): void => undefined
    const held = new Promise<void>((done) => {
      release = done
    })
    let asked = 0
    app.get('/slow', async (_request, reply) => {
      asked += 1
      await held
      return sendJson(reply, 200, '{"slow":true}')
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const [caller, empty] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
    let text = ''
    caller.on('data', (bytes: Buffer) => {
      text += bytes.toString()
    })
    const over = new Promise((done) => caller.once('close', done))
    empty.on('error', () => undefined)
    const line = 'GET /slow HTTP/1.1\r\nhost: pay.example\r\n\r\n'
    caller.write(line)
    await harness().until('the request is under way', async () => asked === 1)
    const closed = app.close()
    caller.write(line)
    await harness().until('the other connection is cut', async () => empty.destroyed || empty.readableEnded)
    release()
    await over
    await closed
    expect(text).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*\{"slow":true\}HTTP\/1\.1 503 [\s\S]*"code":"UNAVAILABLE"/)
    expect(asked).toBe(1)
  })
})

test.each([
  ['Client has encountered a connection error and is not queryable', 'UNAVAILABLE'],
  ['Cannot use a pool after calling end on the pool', 'UNAVAILABLE'],
  ['the database warned during commit: the outcome is unknown', 'UNAVAILABLE'],
  ['Connection terminated unexpectedly', 'UNAVAILABLE'],
  ['undefined is not a function', 'INTERNAL'],
])('"%s" is %s', (message, code) => {
  expect(toFailure(new Error(message)).code).toBe(code)
})
