// Events reach a real HTTP server in the developer's hand: the bytes, the headers, the order, the attempts,
// the words.
import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { readTarget } from './arguments.ts'
import { type Attempt, createCourier, createLanes } from './courier.ts'
import type { FeedEvent } from './gateway.ts'
import { serviceSignature } from './sign.ts'
import { attemptLine, findingLines, wrap } from './words.ts'

const SECRET = 'a secret'
const make = (number: number, object: string): FeedEvent => ({
  eventId: `evt_01_${number}`,
  number,
  eventType: 'SUCCESSFUL_TRANSACTION',
  object,
  objectVersion: 1,
  createdAt: '2026-05-01T00:00:00.000Z',
  body: { eventData: { amountPaid: 1500.5, name: 'Ọlá' }, eventType: 'SUCCESSFUL_TRANSACTION' },
})

type Got = { readonly headers: IncomingHttpHeaders; readonly body: string }
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function serve(judge: (got: Got, index: number) => number | Promise<number>, host = '127.0.0.1') {
  const got: Got[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const one = { headers: request.headers, body: (await request.toArray()).join('') }
    got.push(one)
    response.writeHead(await judge(one, got.length - 1), { location: '/elsewhere' }).end('said')
  }
  const server = createServer((request, response) => void answer(request, response))
  servers.push(server)
  server.listen(0, host)
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, got, server }
}

function courierTo(address: string, pauses: readonly number[] = [], signal = new AbortController().signal) {
  const attempts: (Attempt & { event: number })[] = []
  const courier = createCourier({
    gateway: { credentials: () => ({ url: '', apiKey: 'a', secretKey: SECRET, source: '' }) },
    target: readTarget(address),
    signal,
    report: { attempt: (event, one) => attempts.push({ event: event.number, ...one }), finding: () => undefined },
    diagnose: true,
    pauses,
  })
  return { courier, attempts }
}

test('the body is the bytes that are signed, and no header is there that a delivery has not', async () => {
  const { port, got } = await serve(() => 200)
  const { courier } = courierTo(String(port))
  const event = make(7, 'order-7')
  expect(await courier.deliver(event)).toBe(true)
  expect(got[0]?.body).toBe(JSON.stringify(event.body))
  expect(got[0]?.headers['service-signature']).toBe(serviceSignature(SECRET, got[0]?.body ?? ''))
  expect(Math.abs(Number(got[0]?.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60)
  expect(Object.keys(got[0]?.headers ?? {}).sort()).toEqual(
    [
      ...['connection', 'content-length', 'host', 'content-type', 'user-agent', 'service-signature'],
      ...['monnify-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'],
      ...['cowrie-attempt', 'cowrie-event-number', 'cowrie-object-version'],
    ].sort(),
  )
})

test('what is not taken is tried again with growing pauses, each attempt counted, and then left', async () => {
  const { port, got } = await serve(() => 500)
  const { courier, attempts } = courierTo(String(port), [0.01, 0.02])
  expect(await courier.deliver(make(1, 'a'))).toBe(false)
  expect(got.map(({ headers }) => headers['cowrie-attempt'])).toEqual(['1', '2', '3'])
  expect(attempts.map((one) => one.againInSeconds)).toEqual([0.01, 0.02, null])
})

test.each([201, 204, 302])('%i does not count, as for a real delivery', async (status) => {
  const { port, got } = await serve(() => status)
  expect(await courierTo(String(port)).courier.deliver(make(1, 'a'))).toBe(false)
  expect(got).toHaveLength(1)
})

test('a later event of an object waits for the earlier one; other objects do not', async () => {
  const { port, got } = await serve(({ headers }, index) =>
    headers['cowrie-event-number'] === '1' && index < 2 ? 500 : 200,
  )
  const { courier } = courierTo(String(port), [0.3, 0.3])
  const done = Promise.withResolvers<void>()
  let left = 4
  const lanes = createLanes(async (event) => {
    await courier.deliver(event)
    if (--left === 0) done.resolve()
  })
  for (const [number, object] of ['a', 'a', 'b', 'a'].entries()) lanes.push(make(number + 1, object))
  await done.promise
  const order = got.map(({ headers }) => Number(headers['cowrie-event-number']))
  expect(order.filter((number) => number !== 3)).toEqual([1, 1, 2, 4])
  expect(order.indexOf(3)).toBeLessThan(order.lastIndexOf(1))
})

test('no more than five are under way at once, and a thousand that wait hold the reading up', async () => {
  let [now, most] = [0, 0]
  const company = Promise.withResolvers<void>()
  const { port } = await serve(async () => {
    most = Math.max(most, ++now)
    if (now === 5) company.resolve()
    await company.promise // the first ones wait for company
    now--
    return 200
  })
  const { courier } = courierTo(String(port), [0, 0, 0]) // a connection that a busy machine loses is tried again
  let taken = 0
  const lanes = createLanes(async (event) => {
    if (await courier.deliver(event)) taken++
  })
  for (let number = 1; number <= 1_010; number++) lanes.push(make(number, `order-${number}`))
  await lanes.room()
  expect(taken).toBeGreaterThan(10)
  expect(most).toBe(5)
  await expect.poll(() => taken).toBe(1_010)
})

test('errors in words: nothing listens, the connection is cut, not HTTP', async () => {
  const { port, server } = await serve(() => 200)
  server.close()
  await once(server, 'close')
  const said = async (address: string) => {
    const { courier, attempts } = courierTo(address)
    await courier.deliver(make(1, 'a'))
    return attempts[0]?.answer.error
  }
  expect(await said(String(port))).toBe(`nothing is listening on 127.0.0.1:${port} or [::1]:${port}`)
  expect(await said(`http://127.0.0.1:${port}/x`)).toBe(`nothing is listening on 127.0.0.1:${port}`)
  expect(await said('http://nowhere.invalid:1/x')).toBe('host nowhere.invalid not found')
  for (const [answer, words] of [
    ['', 'the connection was closed before a response came'],
    ['SSH-2.0-x\r\n', 'does not speak HTTP'],
  ] as const) {
    const rude = createSocketServer((socket) => socket.once('data', () => socket.end(answer)))
    rude.listen(0, '127.0.0.1')
    await once(rude, 'listening')
    expect(await said(String((rude.address() as AddressInfo).port))).toContain(words)
    rude.close()
  }
})

test('a port that only an IPv6 server holds is reached', async () => {
  const { port, got } = await serve(() => 200, '::1')
  expect(await courierTo(String(port)).courier.deliver(make(1, 'a'))).toBe(true)
  expect(got).toHaveLength(1)
})

test('an abort ends a pause and an open attempt at once', async () => {
  const stop = new AbortController()
  const { port, got } = await serve(() => new Promise<number>(() => undefined))
  const open = courierTo(String(port), [60], stop.signal).courier.deliver(make(1, 'a'))
  const refused = courierTo('http://127.0.0.1:1', [60], stop.signal)
  const paused = refused.courier.deliver(make(1, 'a'))
  await expect.poll(() => [got.length, refused.attempts.length]).toEqual([1, 1])
  stop.abort()
  const started = Date.now()
  expect(await Promise.allSettled([open, paused])).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
  expect(Date.now() - started).toBeLessThan(30_000) // the pause would be a minute, the answer would never come
  for (const server of servers) server.closeAllConnections()
})

test('lines fit eighty columns, or break before the arrow', () => {
  const answer = { status: 200, error: null, ms: 12, body: '' }
  const short = attemptLine(make(7, 'order-7'), { number: 1, answer, againInSeconds: null }, '08:05:31')
  expect(short).toBe('08:05:31   7 SUCCESSFUL_TRANSACTION  order-7 → 200, 12 ms')
  const refused = { ...answer, status: null, error: 'nothing is listening on 127.0.0.1:3000 or [::1]:3000' }
  const long = attemptLine(make(7, 'o'.repeat(40)), { number: 1, answer: refused, againInSeconds: 2 }, '08:05:31')
  expect(long.split('\n')[1]).toBe('         → nothing is listening on 127.0.0.1:3000 or [::1]:3000; retry in 2 s')
  for (const line of [...wrap('word '.repeat(60).trim(), 9), ...long.split('\n')])
    expect(line.length).toBeLessThanOrEqual(80)
  const finding = { mistake: null, says: 'says', fix: 'fix', code: 'code' }
  expect(findingLines(finding).split('\n')).toEqual(['         says', '         fix', '           code'])
})
