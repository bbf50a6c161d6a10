// The developer's first hour from outside: a sandbox, a handler, `cowrie listen` between them as a process of
// its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, connect, createServer as createSocketServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { COMPILED, fileOf } from '../../tools/compiled.ts'
import { type Sandbox, startSandbox } from './browser.ts'

const MAIN = fileOf('cowrie', fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url)))
const FOLDER = mkdtempSync(join(tmpdir(), 'cowrie-shop-')) // no sandbox here or above: keys come from the environment
const NOBODY = 'http://127.0.0.1:9/hook' // the endpoint of the merchant, where nothing listens
/** It takes a tenth of a second; whoever waited for the long-poll that is open would need thirty. */
const STOP_LIMIT_MS = 15_000

let sandbox: Sandbox
const cleanUps: (() => void)[] = []
beforeAll(async () => {
  sandbox = await startSandbox('--webhook-url', NOBODY)
})
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp()
})
afterAll(async () => {
  await sandbox?.stop()
  await rm(FOLDER, { recursive: true })
})

type Run = {
  readonly child: ChildProcess
  readonly output: () => string
  readonly errors: () => string
  readonly exit: Promise<number | null>
  /** Ctrl-C; answers with the exit code and how long it took. */
  stop(): Promise<{ code: number | null; ms: number }>
}

function cowrie(args: readonly string[], url = sandbox.handle.apiUrl): Run {
  const { apiKey, secretKey } = sandbox.handle.merchants.main
  const keys = { COWRIE_URL: url, COWRIE_API_KEY: apiKey, COWRIE_SECRET_KEY: secretKey }
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...COMPILED, ...keys }
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: FOLDER, stdio: ['ignore', 'pipe', 'pipe'], env })
  cleanUps.push(() => child.kill('SIGKILL'))
  const said = { output: '', errors: '' }
  child.stdout.on('data', (part: Buffer) => (said.output += part.toString()))
  child.stderr.on('data', (part: Buffer) => (said.errors += part.toString()))
  const exit = once(child, 'close').then(([code]) => code as number | null)
  return {
    child,
    exit,
    output: () => said.output,
    errors: () => said.errors,
    stop: async () => {
      const started = Date.now()
      child.kill('SIGINT')
      return { code: await exit, ms: Date.now() - started }
    },
  }
}

async function until(run: Run, words: RegExp | string): Promise<void> {
  await expect.poll(() => run.output() + run.errors()).toMatch(words)
}

type Got = { readonly headers: IncomingHttpHeaders; readonly body: Buffer }
async function startHandler(hash: (body: Buffer) => string | Buffer): Promise<{ port: string; got: Got[] }> {
  const got: Got[] = []
  const { secretKey } = sandbox.handle.merchants.main
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts)
      const digest = createHmac('sha512', secretKey).update(hash(body)).digest('hex')
      const right = digest === request.headers['service-signature']
      if (right) got.push({ headers: request.headers, body })
      response.writeHead(right ? 200 : 401).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanUps.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: String((server.address() as AddressInfo).port), got }
}

async function call(path: string, authorization: string, body: unknown): Promise<any> {
  const headers = { 'content-type': 'application/json', authorization }
  const url = path.startsWith('http') ? path : `${sandbox.handle.apiUrl}${path}`
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const json: any = await answer.json()
  expect(answer.status, JSON.stringify(json)).toBe(200)
  return json.responseBody ?? json
}

/** Anew each time: a test moves the clock past the life of a token. */
async function logIn(): Promise<string> {
  const { apiKey, secretKey } = sandbox.handle.merchants.main
  const basic = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`
  return `Bearer ${(await call('/api/v1/auth/login', basic, {})).accessToken}`
}

/** A payment whose notice has a letter beyond ASCII; answers with its reference. */
async function pay(): Promise<string> {
  const { simulatorUrl, merchants } = sandbox.handle
  const bearer = await logIn()
  const { transactionReference } = await call('/api/v1/merchant/transactions/init-transaction', bearer, {
    amount: 1500,
    customerName: 'Adé Ọlá',
    customerEmail: 'ade@example.com',
    paymentReference: `order-${crypto.randomUUID()}`,
    currencyCode: 'NGN',
    contractCode: merchants.main.contractCode,
  })
  const issued = await call('/api/v1/merchant/bank-transfer/init-payment', bearer, { transactionReference })
  const { bankCode, accountNumber } = issued
  await call(`${simulatorUrl}/api/transfers`, '', { bankCode, accountNumber, amount: 1500 })
  return transactionReference
}

test('a payment reaches a handler on this machine, signed as by the gateway; Ctrl-C ends it at once', async () => {
  const handler = await startHandler((body) => body)
  const listen = cowrie(['listen', handler.port, '--path', '/hook'])
  await until(listen, /Waiting for events/)
  const reference = await pay()
  await until(listen, / 200, \d+ ms/)
  const [got] = handler.got
  expect(JSON.parse(got!.body.toString())).toMatchObject({
    eventType: 'SUCCESSFUL_TRANSACTION',
    eventData: { transactionReference: reference, customer: { name: 'Adé Ọlá' } },
  })
  const { secretKey } = sandbox.handle.merchants.main
  const [id, seconds] = [String(got!.headers['webhook-id']), String(got!.headers['webhook-timestamp'])]
  const signed = createHmac('sha256', secretKey).update(`${id}.${seconds}.`).update(got!.body).digest('base64')
  expect(got!.headers).toMatchObject({ 'webhook-signature': `v1,${signed}`, 'cowrie-attempt': '1' })
  expect(Number(got!.headers['cowrie-event-number'])).toBeGreaterThan(0)

  // A long-poll is open now.
  const { code, ms } = await listen.stop()
  expect(code).toBe(0)
  expect(ms).toBeLessThan(STOP_LIMIT_MS)
  expect(listen.output()).toContain('Stopped. 1 event accepted.')
  expect(listen.output()).toContain(`secret key …${secretKey.slice(-4)}`)
  expect(listen.output() + listen.errors()).not.toContain(secretKey)
})

test('a handler that hashes what it parsed is diagnosed; fixed, it takes the event by replay', async () => {
  const wrong = await startHandler((body) => JSON.stringify(JSON.parse(body.toString()), null, 2))
  const listen = cowrie(['listen', wrong.port])
  await until(listen, /Waiting for events/)
  await pay()
  await until(listen, /an indent of two spaces/)
  expect(listen.output()).toMatch(/→ 401, \d+ ms; retry in 1 s/)
  expect(listen.output()).toContain('Hash the raw bytes of the body')
  expect((await listen.stop()).code).toBe(0)
  const number = /events replay (\d+) --to/.exec(listen.output())?.[1]
  expect(number).toBeDefined()

  const fixed = await startHandler((body) => body)
  const replay = cowrie(['events', 'replay', String(number), '--to', fixed.port])
  expect(await replay.exit, replay.errors()).toBe(0)
  expect(replay.output()).toContain('1 of 1 event accepted.')
  expect(fixed.got.map(({ headers }) => headers['cowrie-event-number'])).toEqual([number])

  const refused = cowrie(['events', 'replay', String(number), '--to', wrong.port, '--no-diagnose'])
  expect(await refused.exit).toBe(1)
  expect(refused.errors()).toContain('0 of 1 event accepted.')
})

test('show, tail and replay by the gateway speak of the same event', async () => {
  const tail = cowrie(['events', 'tail', '--json'])
  await until(tail, /Waiting for events/)
  const reference = await pay()
  await expect.poll(tail.output).toMatch(/\n$/)
  const event = JSON.parse(tail.output())
  expect(event).toMatchObject({ object: reference, eventType: 'SUCCESSFUL_TRANSACTION' })
  expect(await tail.stop()).toMatchObject({ code: 0 })

  for (const which of [event.eventId, String(event.number)]) {
    const show = cowrie(['events', 'show', which])
    expect(await show.exit, show.errors()).toBe(0)
    expect(show.output()).toContain(`"transactionReference": "${reference}"`)
    expect(show.output()).toContain(NOBODY)
  }
  const again = cowrie(['events', 'replay', String(event.number)])
  expect(await again.exit, again.errors()).toBe(0)
  expect(again.output()).toContain('The gateway is resending 1 event')
  const beyond = cowrie(['events', 'show', '999999'])
  expect(await beyond.exit).toBe(1)
  expect(beyond.errors()).toContain(`There is no event 999999; the newest is ${event.number}.`)
})

test('logs tail shows a call a moment after its answer, and only those that were asked for', async () => {
  const tail = cowrie(['logs', 'tail', '--json', '--status', '4xx', '--path', '/api/v1/merchant'])
  await until(tail, /Waiting for requests/)
  await pay()
  const path = '/api/v1/merchant/transactions/init-transaction'
  const headers = { 'content-type': 'application/json', authorization: await logIn() }
  const refused = await fetch(sandbox.handle.apiUrl + path, { method: 'POST', headers, body: '{}' })
  await until(tail, /FIELD_MISSING/)
  const lines = tail.output().trim().split('\n')
  expect(lines).toHaveLength(1)
  const requestId = refused.headers.get('x-request-id')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ method: 'POST', path, status: 400, requestId })
  expect(await tail.stop()).toMatchObject({ code: 0 })
})

test('a token that ended because the clock was moved is renewed', async () => {
  const tail = cowrie(['events', 'tail'])
  await until(tail, /Waiting for events/)
  await call('/sandbox/clock/advance', await logIn(), { seconds: 2 * 3600 })
  const first = await pay()
  await until(tail, first)
  const second = await pay() // asked for with the new token
  await until(tail, second)
  expect(await tail.stop()).toMatchObject({ code: 0 })
})

/** A door to the gateway that can be shut: a plain TCP relay. */
async function startDoor(): Promise<{ url: string; shut(): Promise<void>; open(): Promise<void> }> {
  const { hostname, port } = new URL(sandbox.handle.apiUrl)
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket.on('error', () => socket.destroy()))
    socket.on('close', () => sockets.delete(socket))
  }
  const server: Server = createSocketServer((outer) => {
    const inner = connect(Number(port), hostname)
    keep(outer.on('close', () => inner.destroy()))
    keep(inner.on('close', () => outer.destroy()))
    outer.pipe(inner).pipe(outer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  const shut = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  cleanUps.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const open = async () => {
    server.listen(address.port, '127.0.0.1')
    await once(server, 'listening')
  }
  return { url: `http://127.0.0.1:${address.port}`, shut, open }
}

test('a gateway that is away is said once and waited for; what happened meanwhile is not skipped', async () => {
  const handler = await startHandler((body) => body)
  const door = await startDoor()
  const listen = cowrie(['listen', handler.port, '--json'], door.url)
  await until(listen, /Waiting for events/)
  await door.shut()
  await until(listen, /does not answer .* Retrying/)
  const references = [await pay(), await pay()]
  await door.open()
  await until(listen, /The gateway is back/)
  await expect.poll(() => handler.got.length).toBe(2)
  await expect.poll(() => listen.output().split('\n').length).toBe(3)
  const lines = listen.output().trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).object)).toEqual(references)
  expect(listen.errors().match(/does not answer/g)).toHaveLength(1)
  expect(await listen.stop()).toMatchObject({ code: 0 })
})
