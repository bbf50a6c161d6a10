// For every entry of the table a real HTTP handler with exactly that mistake, written here a second time as
// such code is written, must be named: from the digest in its answer, and, when it is silent, by what it
// takes.
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { readTarget } from './arguments.ts'
import { type Attempt, createCourier } from './courier.ts'
import type { Finding } from './diagnose.ts'
import type { FeedEvent } from './gateway.ts'
import { MISTAKES } from './mistakes.ts'

const API_KEY = 'API_TEST_4711'
const SECRET = 'SGVsbG8gdGhlcmUhIA7890'
const EVENT: FeedEvent = {
  eventId: 'evt_01_7',
  number: 7,
  eventType: 'SUCCESSFUL_TRANSACTION',
  object: 'order-7',
  objectVersion: 2,
  createdAt: '2026-05-01T00:00:00.000Z',
  body: {
    eventData: {
      product: { type: 'WEB_SDK', reference: 'order/7' },
      amountPaid: 1500,
      fee: 22.5,
      customer: { name: 'Adé Ọlá', email: 'ade@example.com' },
    },
    eventType: 'SUCCESSFUL_TRANSACTION',
    metaData: { note: 'https://shop.example/ọjà' },
  },
}

type Delivery = { readonly raw: Buffer; readonly headers: IncomingHttpHeaders }
const hmac = (key: string | Buffer, text: string | Buffer, algorithm = 'sha512') =>
  createHmac(algorithm, key).update(text)
const sha512 = (text: string) => createHash('sha512').update(text).digest('hex')
const parsed = ({ raw }: Delivery) => JSON.parse(raw.toString())
const escaped = (text: string) =>
  text
    .split('')
    .map((unit) => (unit > '~' ? `\\u${`000${unit.charCodeAt(0).toString(16)}`.slice(-4)}` : unit))
    .join('')
const sorted = (value: any): any =>
  Array.isArray(value) || typeof value !== 'object'
    ? value
    : Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((key) => [key, sorted(value[key])]),
      )

/** The digest each wrong handler makes; it compares it with service-signature. */
const HANDLERS: Readonly<Record<string, (delivery: Delivery) => string>> = {
  'indent of 2': (d) => hmac(SECRET, JSON.stringify(parsed(d), null, 2)).digest('hex'),
  'indent of 4': (d) => hmac(SECRET, JSON.stringify(parsed(d), null, '    ')).digest('hex'),
  'Python spaces': (d) =>
    hmac(SECRET, escaped(d.raw.toString().replaceAll('":', '": ').replaceAll(/,"/g, ', "'))).digest('hex'),
  'PHP slashes': (d) => hmac(SECRET, escaped(d.raw.toString().replaceAll('/', '\\/'))).digest('hex'),
  'escaped letters': (d) => hmac(SECRET, escaped(d.raw.toString())).digest('hex'),
  'sorted keys': (d) => hmac(SECRET, JSON.stringify(sorted(parsed(d)))).digest('hex'),
  'numbers as 100.0': (d) => hmac(SECRET, d.raw.toString().replace('1500', '1500.0')).digest('hex'),
  'eventData only': (d) => hmac(SECRET, JSON.stringify(parsed(d).eventData)).digest('hex'),
  'newline behind the body': (d) => hmac(SECRET, Buffer.concat([d.raw, Buffer.from('\n')])).digest('hex'),
  'no body': () => hmac(SECRET, '').digest('hex'),
  'object as text': (d) => hmac(SECRET, String(parsed(d))).digest('hex'),
  'read as Latin-1': (d) => hmac(SECRET, d.raw.toString('latin1')).digest('hex'),
  'hashed as Latin-1': (d) => createHmac('sha512', SECRET).update(d.raw.toString(), 'binary').digest('hex'),
  'API key as secret': (d) => hmac(API_KEY, d.raw).digest('hex'),
  'newline behind the secret': (d) => hmac(`${SECRET}\n`, d.raw).digest('hex'),
  'space behind the secret': (d) => hmac(`${SECRET} `, d.raw).digest('hex'),
  'carriage return behind the secret': (d) => hmac(`${SECRET}\r`, d.raw).digest('hex'),
  'quoted secret': (d) => hmac(`"${SECRET}"`, d.raw).digest('hex'),
  'secret from base64': (d) => hmac(Buffer.from(SECRET, 'base64'), d.raw).digest('hex'),
  'empty secret': (d) => hmac('', d.raw).digest('hex'),
  'undefined secret': (d) => hmac(`${undefined}`, d.raw).digest('hex'),
  'key and body swapped': (d) => hmac(d.raw, SECRET).digest('hex'),
  'plain hash of secret and body': (d) => sha512(SECRET + d.raw.toString()),
  'plain hash of body and secret': (d) => sha512(d.raw.toString() + SECRET),
  'plain hash of the body': (d) => sha512(d.raw.toString()),
  'HMAC-SHA256': (d) => hmac(SECRET, d.raw, 'sha256').digest('hex'),
  'upper-case hex': (d) => hmac(SECRET, d.raw).digest('hex').toUpperCase(),
  base64: (d) => hmac(SECRET, d.raw).digest('base64'),
  'other header': (d) => hmac(SECRET, d.raw).digest('hex'),
  'Standard Webhooks secret': ({ raw, headers }) => {
    const text = [headers['webhook-id'], headers['webhook-timestamp'], raw.toString()].join('.')
    return `v1,${hmac(Buffer.from(SECRET, 'base64'), text, 'sha256').digest('base64')}`
  },
}
const OTHER_HEADER = new Set(['other header', 'Standard Webhooks secret'])
const headerOf = (name: string) => (OTHER_HEADER.has(name) ? 'webhook-signature' : 'service-signature')

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

type Verdict = { readonly status: number; readonly text?: string }
async function serve(judge: (delivery: Delivery) => Verdict): Promise<{ url: string; calls: () => number }> {
  let calls = 0
  const server = createServer((request: IncomingMessage, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      calls++
      const { status, text = '' } = judge({ raw: Buffer.concat(parts), headers: request.headers })
      response.writeHead(status).end(text)
    })
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, calls: () => calls }
}

/** Takes events to the address, as `cowrie listen` does; answers with what it said. */
async function carry(url: string, events = [EVENT], diagnose = true) {
  const findings: Finding[] = []
  const attempts: Attempt[] = []
  const courier = createCourier({
    gateway: { credentials: () => ({ url: '', apiKey: API_KEY, secretKey: SECRET, source: '' }) },
    target: readTarget(url),
    signal: new AbortController().signal,
    report: { attempt: (_, one) => attempts.push(one), finding: (_, one) => findings.push(one) },
    diagnose,
    pauses: [],
  })
  for (const event of events) await courier.deliver(event)
  return { findings, names: findings.map(({ mistake }) => mistake), statuses: attempts.map((one) => one.answer.status) }
}

describe('the table', () => {
  test('has a handler here for every entry, and no name twice', () => {
    expect(MISTAKES.map(({ name }) => name).sort()).toEqual(Object.keys(HANDLERS).sort())
  })

  test('no two entries expect the same, and none the right one, when the body lets them differ', () => {
    const signed = { apiKey: API_KEY, secretKey: SECRET, body: JSON.stringify(EVENT.body), id: 'a', timestamp: '1' }
    const values = MISTAKES.map(({ header, expects }) => `${header} ${expects(signed)}`)
    expect(new Set(values).size).toBe(MISTAKES.length)
    expect(values).not.toContain(`undefined ${hmac(SECRET, signed.body).digest('hex')}`)
  })

  test('every entry says what is done, how to fix it, and shows a line of code; none shows a key', () => {
    for (const { does, fix, code } of MISTAKES) {
      expect(does).toMatch(/^[a-z].*[^.]$/)
      expect(fix).toMatch(/^[A-Za-z].*\.$/)
      expect(code.length).toBeLessThanOrEqual(69) // eighty columns with its indent
      expect(`${does}${fix}${code}`).not.toMatch(`${SECRET}|${API_KEY}`)
    }
  })
})

describe.each(Object.entries(HANDLERS))('a handler with the mistake "%s"', (name, digest) => {
  test('that says nothing is found by what it takes', async () => {
    const { url } = await serve((d) => ({ status: d.headers[headerOf(name)] === digest(d) ? 200 : 401 }))
    const { findings, names } = await carry(url)
    expect(names).toEqual([name])
    expect(findings[0]?.says).toContain('it accepted the event when it was signed that way')
  })

  // The one that makes the right digest names nothing wrong; what it takes tells.
  test.runIf(name !== 'other header')('that names its digest is found without sending again', async () => {
    const { url, calls } = await serve((d) => ({
      status: 403,
      text: JSON.stringify({ error: 'bad signature', got: d.headers['service-signature'], expected: digest(d) }),
    }))
    const { findings, names } = await carry(url)
    expect(names).toEqual([name])
    expect(findings[0]?.says).toContain('its response contains the digest')
    expect(calls()).toBe(1)
  })
})

describe('no false finding', () => {
  const right = (d: Delivery) => hmac(SECRET, d.raw).digest('hex')

  test('a right handler takes the event, and nothing is said', async () => {
    const { url, calls } = await serve((d) => ({ status: d.headers['service-signature'] === right(d) ? 200 : 401 }))
    expect(await carry(url)).toMatchObject({ statuses: [200], findings: [] })
    expect(calls()).toBe(1)
  })

  test('a handler that refuses the first and then takes anything is not accused of a mistake', async () => {
    let first = true
    const { url } = await serve(() => {
      const status = first ? 401 : 200
      first = false
      return { status }
    })
    const { names, findings } = await carry(url)
    expect(names).toEqual([null])
    expect(findings[0]?.says).toContain('your handler accepts the same event with a made-up signature')
  })

  test('a handler that takes the same event the second time was perhaps restarted', async () => {
    let calls = 0
    const { url } = await serve((d) => ({
      status: calls++ > 0 && d.headers['service-signature'] === right(d) ? 200 : 401,
    }))
    expect((await carry(url)).findings[0]?.says).toContain('then accepted it with the same signature')
  })

  test('a handler that refuses everything is shown which header to read, once in a session', async () => {
    const { url, calls } = await serve(() => ({ status: 401 }))
    const { names, findings } = await carry(url, [EVENT, { ...EVENT, number: 8 }, { ...EVENT, number: 9 }])
    expect(names).toEqual([null])
    expect(findings[0]?.fix).toContain('reads service-signature (not webhook-signature')
    expect(calls()).toBe(3 + 2 + MISTAKES.length)
  })

  test('one that names the right digest and refuses compares it with something else', async () => {
    const { url } = await serve((d) => ({ status: 401, text: right(d) }))
    expect((await carry(url)).findings[0]?.says).toContain('compares it with something else')
  })

  test('a body that a mistake does not change does not prove it', async () => {
    const plain = { ...EVENT, body: { a: 'b' } }
    const { url } = await serve((d) => ({ status: 401, text: d.raw.toString() }))
    expect((await carry(url, [plain])).names).toEqual([null])
  })

  test('500, 404 and --no-diagnose are not diagnosed', async () => {
    for (const status of [500, 404]) {
      const { url, calls } = await serve(() => ({ status }))
      expect((await carry(url)).findings).toEqual([])
      expect(calls()).toBe(1)
    }
    const { url, calls } = await serve(() => ({ status: 401 }))
    expect((await carry(url, [EVENT], false)).findings).toEqual([])
    expect(calls()).toBe(1)
  })
})
