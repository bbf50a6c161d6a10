// The commands that drive the sandbox and look at what happened, each as a process in the folder of a running
// sandbox.
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STORIES } from '../../../packages/cli/src/drive/stories.ts'
import { MAKERS } from '../../../packages/cli/src/drive/trigger.ts'
import { type Home, newFolder, openHome, runIn, STACK } from './home.ts'

const got: { readonly eventType: string; readonly signed: boolean; readonly body: string }[] = []
let secretKey = ''
const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const body = Buffer.concat(parts)
    const signed = createHmac('sha512', secretKey).update(body).digest('hex') === request.headers['service-signature']
    got.push({ eventType: JSON.parse(body.toString()).eventType, signed, body: body.toString() })
    response.end()
  })
})

let home: Home
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  home = await openHome('--webhook-url', `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`)
  secretKey = home.handle.merchants.main.secretKey
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await home?.stop()
})

type Paid = {
  readonly transactionReference: string
  readonly paymentReference: string
  readonly paymentStatus: string
  readonly amountPaid: string
  readonly event: { readonly number: number; readonly eventId: string } | null
  readonly deliveries: readonly { readonly status: number | null }[]
  readonly steps: readonly { readonly seconds: number; readonly says: string }[]
}

test('pay 5000: asked for, paid at the bank, PAID, and its signed webhook is answered', async () => {
  const { code, out, all } = await home.run('pay', '5,000')
  expect(code, all).toBe(0)
  expect(out).toMatch(/\d\.\d\d s {2}Adire Stores asks for ₦5,000\.00: CWRY\|/)
  expect(out).toMatch(/Webhook to http:\S+ answered 200/)
  expect(out).toMatch(/\nPAID {2}₦5,000\.00 of ₦5,000\.00 {2}CWRY\|/)
  const mine = got.filter(({ body }) => body.includes(/CWRY\|\d\d\|\d{14}\|\d{6}/.exec(out)?.[0] ?? 'nothing'))
  expect(mine).toMatchObject([{ eventType: 'SUCCESSFUL_TRANSACTION', signed: true }])
})

test.each([
  [['--card', 'plain'], 'PAID', 0],
  [['--card', 'otp'], 'PAID', 0],
  [['--card', 'threeDs'], 'PAID', 0],
  [['--method', 'card', '--card', 'failing'], 'FAILED', 1],
  [['--method', 'ussd'], 'PAID', 0],
  [['--scenario', 'twice'], 'PAID', 0],
  [['--scenario', 'late'], 'PENDING', 0],
] as const)('pay 2500.50 %j ends as %s', async (how, status, code) => {
  const said = await home.run('pay', '2500.50', '--json', ...how)
  expect(said.code, said.all).toBe(code)
  expect(JSON.parse(said.out)).toMatchObject({ paymentStatus: status })
})

test('every event that trigger offers is made by real operations', async () => {
  for (const type of Object.keys(MAKERS)) {
    const { event } = await home.json<{ event: { eventType: string } }>(
      'trigger',
      type.toLowerCase().replaceAll('_', '-'),
    )
    expect(event.eventType).toBe(type)
  }
})

test.each(Object.keys(STORIES))('scenario %s is played to its end', async (name) => {
  const { steps, should } = await home.json<{ steps: { says: string }[]; should: string }>('scenario', 'run', name)
  expect(steps.length).toBeGreaterThan(1)
  expect(should).not.toBe('')
})

test('status says what runs, by which clock, and what waits; advance moves that clock', async () => {
  const before = await home.json<{ clock: { now: string }; bank: object; endpoints: object[] }>('status')
  expect(before).toMatchObject({ bank: { alive: true }, url: home.handle.apiUrl })
  expect(before.endpoints.length).toBeGreaterThan(0)
  const { now } = await home.json<{ now: string }>('advance', '1h30m')
  expect(Date.parse(now) - Date.parse(before.clock.now)).toBeGreaterThanOrEqual(90 * 60_000)
  const { out } = await home.run('status')
  expect(out).toContain('ahead of the world')
})

type Shown = { readonly kind: string; readonly record: Readonly<Record<string, unknown>> }[]

test('show finds a payment by both references, its event by number and id, a customer, the wallet', async () => {
  const paid = await home.json<Paid>('pay', '700', '--reference', 'show-me-1')
  const kindOf = async (text: string): Promise<string[]> =>
    (await home.json<Shown>('show', text)).map(({ kind }) => kind)
  expect(await kindOf(paid.transactionReference)).toEqual(['payment'])
  expect(await kindOf('show-me-1')).toEqual(['payment'])
  expect(await kindOf(String(paid.event?.number))).toEqual(['event'])
  expect(await kindOf(paid.event?.eventId ?? '')).toEqual(['event'])
  expect(await kindOf('ngozi@example.com')).toEqual(['customer'])
  expect(await kindOf(home.handle.merchants.main.walletAccountNumber)).toEqual(['wallet'])
  const nothing = await home.run('show', 'nothing-of-mine')
  expect(nothing).toMatchObject({ code: 1, err: expect.stringContaining('Nothing of yours is called nothing-of-mine') })
})

test('explain tells what was asked for, what came and what was delivered, in the order of time', async () => {
  const paid = await home.json<Paid>('pay', '900')
  const { out } = await home.run('explain', paid.transactionReference)
  const at = (words: string) => {
    expect(out).toContain(words)
    return out.indexOf(words)
  }
  expect(at('₦900.00 was asked for')).toBeLessThan(at('₦900.00 was counted by bank transfer: PAID.'))
  expect(at('was counted')).toBeLessThan(at('accepted it.'))
  expect(await home.run('explain', 'nobody')).toMatchObject({
    code: 1,
    err: expect.stringContaining('no payment nobody'),
  })
})

test('open prints an address that answers, and starts no browser where nobody looks', async () => {
  for (const place of ['checkout', 'dashboard', 'docs', 'mails', 'bank']) {
    const { url } = await home.json<{ url: string }>('open', place)
    expect((await fetch(url)).status, place).toBe(200)
  }
})

test('samples copies a handler once and never over another file', async () => {
  expect(await home.run('samples')).toMatchObject({ code: 0, out: expect.stringContaining('handler') })
  expect(await home.run('samples', 'handler')).toMatchObject({
    code: 0,
    out: expect.stringContaining('handler.mjs is in'),
  })
  expect(await home.run('samples', 'handler')).toMatchObject({
    code: 1,
    err: expect.stringContaining('already in this'),
  })
})

test('a second sandbox in the folder says where the first runs, and touches nothing, also with --reset', async () => {
  for (const words of [[], ['--reset']]) {
    const said = await home.run('sandbox', '--port', '0', ...words)
    expect(said).toMatchObject({ code: 1, err: expect.stringContaining(`in this folder, at ${home.handle.apiUrl}`) })
  }
  expect(await home.run('status')).toMatchObject({ code: 0 })
})

test('login keeps the keys in a file of mode 600 and finds them in any folder; wrong ones are refused and not kept', async () => {
  const { apiUrl, merchants } = home.handle
  const elsewhere = newFolder()
  const logIn = (secret: string) =>
    runIn(elsewhere, ['login', '--url', apiUrl], {}, `${merchants.direct.apiKey}\n${secret}\n`)
  expect(await logIn('wrong')).toMatchObject({ code: 1, err: expect.stringContaining('rejected the keys') })
  expect((await runIn(elsewhere, ['status'])).code).toBe(2)
  const said = await logIn(merchants.direct.secretKey)
  expect(said.code, said.all).toBe(0)
  expect(said.all).not.toContain(merchants.direct.secretKey)
  expect(statSync(join(elsewhere, '.local', 'state', 'cowrie', 'keys.json')).mode & 0o777).toBe(0o600)
  const { out } = await runIn(elsewhere, ['status', '--json'])
  expect(JSON.parse(out)).toMatchObject({ apiKey: merchants.direct.apiKey, source: 'keys of your login', bank: null })
  const other = await runIn(elsewhere, ['status', '--url', 'https://other.example'])
  expect(other).toMatchObject({ code: 2, err: expect.stringContaining('sent nowhere else') })
  expect((await runIn(elsewhere, ['logout'])).out).toBe('The keys are forgotten.\n')
  expect((await runIn(elsewhere, ['status'])).code).toBe(2)
  rmSync(elsewhere, { recursive: true })
})

test('wrong keys are named as such, without a stack', async () => {
  const keys = { COWRIE_URL: home.handle.apiUrl, COWRIE_API_KEY: 'MK_TEST_0100000000', COWRIE_SECRET_KEY: 'nothing' }
  for (const words of [['show', 'x'], ['explain', 'x'], ['status']]) {
    const said = await runIn(home.folder, words, keys)
    expect(said).toMatchObject({ code: 1, err: expect.stringContaining('rejected the keys from the environment') })
    expect(said.all).not.toMatch(STACK)
  }
})
