// The first minutes of a new user, from outside: one command, one payment, one verified notification, and
// nothing left behind. What is tested here is what `cowrie sandbox` starts, by HTTP and signals only.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { handleOf } from '../../tools/sandbox/handle.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FIRST_PAID_LIMIT_MS = 60_000

type Sandbox = { readonly npm: ChildProcess; readonly group: number; readonly startedAt: number; readonly handle: any }

const groups: number[] = []
const cleanUps: (() => void)[] = []
afterEach(() => {
  // Only what a failed test left: a group that has ended is not there to be killed.
  for (const group of groups.splice(0)) {
    if (membersOf(group).length > 0) process.kill(-group, 'SIGKILL')
  }
  for (const cleanUp of cleanUps.splice(0)) cleanUp()
})

/** Living processes of a group. Zombies are dead: who ought to reap them is not ours to test. */
function membersOf(group: number): string[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pgid=,stat=,pid=,args='], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => {
    const [pgid, stat] = line.trim().split(/\s+/)
    return pgid === String(group) && !stat?.startsWith('Z')
  })
}

const BY_NPM = ['npm', 'run', '--silent', 'sandbox', '--']
const BY_NPX = ['npx', 'cowrie', 'sandbox']

/** As a person types it, in a process group of its own. */
async function startSandbox(
  options: readonly string[] = [],
  [command = '', ...words]: readonly string[] = BY_NPM,
  stdin: 'ignore' | 'pipe' = 'ignore',
): Promise<Sandbox> {
  const startedAt = Date.now()
  const npm = spawn(command, [...words, '--json', '--ephemeral', '--port', '0', ...options], {
    cwd: ROOT,
    detached: true,
    stdio: [stdin, 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] }, // vitest's own settings are not a user's
  })
  const group = npm.pid!
  groups.push(group)
  const lines = createInterface({ input: npm.stdout! })
  const [line] = (await Promise.race([
    once(lines, 'line'),
    once(npm, 'exit').then(([code]) => Promise.reject(new Error(`the sandbox ended with ${code}`))),
  ])) as [string]
  return { npm, group, startedAt, handle: JSON.parse(line) }
}

const isOpen = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    const answer = (open: boolean) => {
      socket.destroy()
      resolve(open)
    }
    socket.once('connect', () => answer(true))
    socket.once('error', () => answer(false))
    socket.setTimeout(2_000, () => answer(false))
  })

const portsOf = ({ handle }: Sandbox): string[] => [
  handle.apiUrl,
  handle.operatorUrl,
  handle.guidesUrl,
  handle.simulatorUrl,
  handle.databaseUrl,
]

/** Waits until the npm process has ended and then demands that nothing else of its group lives and no port
 *  answers. */
async function expectGone(sandbox: Sandbox): Promise<void> {
  const { npm, group } = sandbox
  await expect.poll(() => npm.exitCode ?? npm.signalCode).not.toBeNull()
  await expect.poll(() => membersOf(group), { interval: 50 }).toEqual([]) // nothing is left behind
  for (const url of portsOf(sandbox)) expect(await isOpen(url), `${url} still answers`).toBe(false)
}

type Hook = { readonly headers: IncomingHttpHeaders; readonly body: Buffer }

async function startReceiver(): Promise<{ url: string; next: Promise<Hook> }> {
  const { promise: next, resolve } = Promise.withResolvers<Hook>()
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      response.writeHead(200).end()
      resolve({ headers: request.headers, body: Buffer.concat(parts) })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanUps.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, next }
}

async function call(url: string, headers: Record<string, string>, body?: unknown): Promise<any> {
  const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const answer = await fetch(url, { ...post, headers: { 'content-type': 'application/json', ...headers } })
  const json: any = await answer.json()
  expect(answer.status, JSON.stringify(json)).toBe(200)
  return json
}

/** The steps that the sandbox prints; answers with the reference of a transaction that is PAID. */
async function payOnce({ apiUrl, simulatorUrl, merchants: { main } }: any): Promise<string> {
  const basic = `Basic ${Buffer.from(`${main.apiKey}:${main.secretKey}`).toString('base64')}`
  const login = await call(`${apiUrl}/api/v1/auth/login`, { authorization: basic }, {})
  const bearer = { authorization: `Bearer ${login.responseBody.accessToken}` }
  const init = await call(`${apiUrl}/api/v1/merchant/transactions/init-transaction`, bearer, {
    amount: 1500,
    customerEmail: 'ngozi@example.com',
    paymentReference: 'order-1',
    currencyCode: 'NGN',
    contractCode: main.contractCode,
  })
  const { transactionReference } = init.responseBody
  const issued = await call(`${apiUrl}/api/v1/merchant/bank-transfer/init-payment`, bearer, { transactionReference })
  const { bankCode, accountNumber } = issued.responseBody
  const transfer = await call(`${simulatorUrl}/api/transfers`, {}, { bankCode, accountNumber, amount: 1500 })
  expect(transfer.status).toBe('ACCEPTED')
  const path = `${apiUrl}/api/v2/transactions/${encodeURIComponent(transactionReference)}`
  await expect
    .poll(async () => (await call(path, bearer)).responseBody)
    .toMatchObject({ paymentStatus: 'PAID', amountPaid: '1500.00' })
  return transactionReference
}

const same = (given: unknown, expected: string): boolean =>
  typeof given === 'string' &&
  given.length === expected.length &&
  timingSafeEqual(Buffer.from(given), Buffer.from(expected))

test('from one command to the first PAID and its verified webhook; SIGTERM leaves nothing behind', async () => {
  const receiver = await startReceiver()
  const sandbox = await startSandbox(['--webhook-url', receiver.url])
  const { secretKey } = sandbox.handle.merchants.main
  for (const url of portsOf(sandbox)) expect(await isOpen(url), url).toBe(true)
  const transactionReference = await payOnce(sandbox.handle)
  const { headers, body } = await receiver.next

  expect(JSON.parse(body.toString('utf8'))).toMatchObject({
    eventType: 'SUCCESSFUL_TRANSACTION',
    eventData: { transactionReference, paymentReference: 'order-1', amountPaid: 1500, paymentStatus: 'PAID' },
  })
  const signature = (text: Buffer) => createHmac('sha512', secretKey).update(text).digest('hex')
  expect(same(headers['service-signature'], signature(body))).toBe(true)
  const [id, timestamp] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])]
  const signed = createHmac('sha256', secretKey).update(`${id}.${timestamp}.`).update(body).digest('base64')
  expect(same(headers['webhook-signature'], `v1,${signed}`)).toBe(true)
  expect(Math.abs(Date.now() / 1000 - Number(timestamp))).toBeLessThan(300)
  // The proof that the comparison above can fail.
  expect(same(headers['service-signature'], signature(Buffer.concat([body, Buffer.from(' ')])))).toBe(false)

  const { operatorUrl, operator } = sandbox.handle
  const credentials = { email: operator.email, password: operator.password, asToken: true }
  const { responseBody: entered } = await call(`${operatorUrl}/operator/v1/log-in`, {}, credentials)
  const who = await call(`${operatorUrl}/operator/v1/me`, { authorization: `Session ${entered.token}` })
  expect(who.responseBody, 'the operator that is printed can log in, and sets up a second factor next').toMatchObject({
    email: operator.email,
    role: 'admin',
    factorNeeded: true,
  })

  const took = Date.now() - sandbox.startedAt
  console.log(`first PAID with its verified webhook after ${(took / 1000).toFixed(1)} s`)
  expect(took).toBeLessThan(FIRST_PAID_LIMIT_MS)

  sandbox.npm.kill('SIGTERM')
  await expectGone(sandbox)
})

test('the same seed gives the same keys; Ctrl-C, which reaches the whole group, leaves nothing behind', async () => {
  const sandbox = await startSandbox(['--seed', '7'])
  const { merchants, operator } = sandbox.handle
  // Worked out in this process, from nothing but the seed.
  const elsewhere = handleOf({ api: 1, operator: 2, guides: 6, simulator: 3, postgres: 4, smtp: 5 }, '', '7')
  expect({ merchants, operator }).toEqual({ merchants: elsewhere.merchants, operator: elsewhere.operator })
  process.kill(-sandbox.group, 'SIGINT')
  await expectGone(sandbox)
})

describe('a sandbox that a program started', () => {
  test.each([
    ['npm', BY_NPM],
    ['npx', BY_NPX],
  ])('through %s ends when its standard input is closed, as when that program is gone', async (_name, command) => {
    const sandbox = await startSandbox([], command, 'pipe')
    expect(await isOpen(sandbox.handle.apiUrl)).toBe(true)
    sandbox.npm.stdin!.end()
    await expectGone(sandbox)
  })

  // npm hands it to its shell, and Debian's shell to nobody.
  test.each([
    ['npm', BY_NPM],
    ['npx', BY_NPX],
  ])('through %s ends when only that is sent a SIGINT', async (_name, command) => {
    const sandbox = await startSandbox([], command)
    expect(sandbox.npm.kill('SIGINT')).toBe(true)
    await expectGone(sandbox)
  })
})
