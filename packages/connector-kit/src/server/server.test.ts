import { request as rawRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { connect } from 'node:net'
import { BANK_PATHS, NameEnquiriesAnswer, PayoutAnswer } from '@cowrie/contract/bank/connector'
import { BankBalances, Capabilities, CONNECTOR_PATHS, NumbersAnswer } from '@cowrie/contract/bank/v2/connectors'
import { PAYOUT_PATHS_V2, PayoutAnswerV2 } from '@cowrie/contract/bank/v2/payouts'
import { Compile } from 'typebox/compile'
import { afterEach, describe, expect, test } from 'vitest'
import { makeCertificate } from '../../../../apps/gateway/test/kit/certificates.ts'
import { call, KEY, NEXT_KEY } from '../../test/gateway.ts'
import { createMapping } from '../../test/mapping.ts'
import { newOrder, newSession } from '../../test/samples.ts'
import { useStore } from '../../test/store.ts'
import { useUpstream } from '../../test/upstream.ts'
import { createMeter } from '../kit/meter.ts'
import { createLog } from '../log/log.ts'
import { createNumbers } from '../numbers/numbers.ts'
import { createOrders } from '../orders/orders.ts'
import type { Mapping, Named } from './mapping.ts'
import { type AdapterServer, type ServerParts, serve } from './server.ts'
import { serveWebhooks } from './webhooks.ts'

const { store, query } = useStore()
const bank = useUpstream()
const lines: string[] = []
const NAMES: Readonly<Record<string, Named>> = {
  '0123456789': { kind: 'known', accountName: 'Ada Obi', reference: 'NE-1' },
  '0123456780': { kind: 'known', accountName: 'Bola Ade' },
  '0000000404': { kind: 'absent' },
}
const mapping: Mapping = {
  ...createMapping(bank.url),
  self: { bankCode: '999', bankName: 'Bank of the test', environment: 'TEST' },
  name: async ({ accountNumber }) => {
    if (accountNumber === '0000000666') throw new Error('the bank threw 5531886652142950')
    return NAMES[accountNumber] ?? { kind: 'unknown', why: 'silence' }
  },
}

const open: AdapterServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.drain(100)))
  lines.length = 0
})
async function start(more: Partial<ServerParts> = {}): Promise<AdapterServer> {
  const log = createLog({ name: 'test', clock: store().clock, write: (line) => void lines.push(line) })
  const orders = createOrders({ ...store(), mapping })
  const server = await serve({ ...store(), mapping, orders, keys: () => [KEY], log, ...more })
  open.push(server)
  return server
}
const post = (url: string, path: string, message: unknown, how: Parameters<typeof call>[4] = {}) =>
  call(url, 'POST', path, message, how)

describe('payouts', () => {
  test('order, the same again, another under its session, inquiry, bar', async () => {
    const { url } = await start()
    const order = newOrder()
    const paid = { status: 200, json: { sessionId: order.sessionId, status: 'SUCCESS', responseCode: '00' } }
    expect(await post(url, BANK_PATHS.payouts, order)).toMatchObject(paid)
    expect(await post(url, BANK_PATHS.payouts, order)).toMatchObject(paid)
    expect(await post(url, BANK_PATHS.payouts, { ...order, amount: '1.00' })).toMatchObject({ status: 409 })
    expect(await post(url, BANK_PATHS.payoutInquiries, { sessionId: order.sessionId })).toMatchObject(paid)
    expect(await post(url, BANK_PATHS.payoutBars, { sessionId: order.sessionId })).toMatchObject(paid)
    expect(bank.transfers).toHaveLength(1)
    const sessionId = newSession()
    const inquiry = await post(url, BANK_PATHS.payoutInquiries, { sessionId })
    expect(inquiry).toMatchObject({ status: 200, json: { status: 'UNKNOWN', responseCode: '25' } })
    const bar = await post(url, BANK_PATHS.payoutBars, { sessionId })
    expect(bar).toMatchObject({ status: 200, json: { status: 'FAILED', responseCode: '21' } })
    for (const reply of [inquiry, bar]) expect(Compile(PayoutAnswer).Check(reply?.json)).toBe(true)
  })

  test('a session is one payout at both versions; version 1 is answered as ever, version 2 with what else is known', async () => {
    const seen: unknown[] = []
    const forward: Mapping['forward'] = async (outgoing, limits) => {
      seen.push(outgoing.nameEnquiryReference)
      const said = await mapping.forward(outgoing, limits)
      return said.kind === 'known' ? { ...said, networkReference: 'NIP-1', feeKobo: 1075n } : said
    }
    const { url } = await start({ orders: createOrders({ ...store(), mapping: { ...mapping, forward } }) })
    const order = newOrder()
    const { sessionId } = order
    const v1 = { sessionId, status: 'SUCCESS', responseCode: '00', message: expect.any(String) }
    const v2 = { ...v1, networkReference: 'NIP-1', fee: '10.75' }
    const ordered = await post(url, PAYOUT_PATHS_V2.payouts, { ...order, nameEnquiryReference: 'NE-1' })
    expect(ordered).toMatchObject({ status: 200, json: v2, signed: true })
    expect(Compile(PayoutAnswerV2).Check(ordered?.json)).toBe(true)
    expect(seen).toEqual(['NE-1'])
    expect((await post(url, BANK_PATHS.payouts, order))?.json).toEqual(v1)
    for (const path of [BANK_PATHS.payoutInquiries, BANK_PATHS.payoutBars])
      expect((await post(url, path, { sessionId }))?.json).toEqual(v1)
    for (const path of [PAYOUT_PATHS_V2.payoutInquiries, PAYOUT_PATHS_V2.payoutBars])
      expect((await post(url, path, { sessionId }))?.json).toEqual(v2)
    const wrong = { ...newOrder(), nameEnquiryReference: 'with a space' }
    expect(await post(url, PAYOUT_PATHS_V2.payouts, wrong)).toMatchObject({ status: 400 })
    expect(bank.transfers).toHaveLength(1)
    expect((await call(url, 'GET', CONNECTOR_PATHS.capabilities))?.json).toMatchObject({ payouts: { version: 2 } })
  })

  test('the reference of a name enquiry is in the answer of version 2 only', async () => {
    const { url } = await start()
    const account = { bankCode: '058', accountNumber: '0123456789' }
    const named = { ...account, accountName: 'Ada Obi' }
    expect((await post(url, BANK_PATHS.nameEnquiry, account))?.json).toEqual(named)
    expect((await post(url, PAYOUT_PATHS_V2.nameEnquiry, account))?.json).toEqual({
      ...named,
      nameEnquiryReference: 'NE-1',
    })
    const without = { ...account, accountNumber: '0123456780' }
    expect((await post(url, PAYOUT_PATHS_V2.nameEnquiry, without))?.json).toEqual({
      ...without,
      accountName: 'Bola Ade',
    })
    expect(await post(url, PAYOUT_PATHS_V2.nameEnquiry, { ...account, accountNumber: '0000000404' })).toMatchObject({
      status: 404,
    })
  })

  test('100 at once, at two servers: one order at the bank', async () => {
    const [one, two] = [await start(), await start()]
    const order = newOrder()
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, turn) => post((turn % 2 ? one : two).url, BANK_PATHS.payouts, order)),
    )
    expect(new Set(replies.map((reply) => reply?.status))).toEqual(new Set([200]))
    expect(bank.times(order.sessionId)).toBe(1)
  })

  test.each([
    ['no session', { sessionId: undefined }],
    ['a session of 29 digits', { sessionId: '0'.repeat(29) }],
    ['an amount that is a number', { amount: 12500.5 }],
    ['an amount of three decimals', { amount: '1.005' }],
    ['an amount of one decimal', { amount: '1.5' }],
    ['an amount with an exponent', { amount: '1e3' }],
    ['a negative amount', { amount: '-1.00' }],
    ['nothing to pay', { amount: '0.00' }],
    ['an amount that nobody has', { amount: `${'9'.repeat(30)}.00` }],
    ['an account of nine digits', { destinationAccountNumber: '012345678' }],
    ['no name', { destinationAccountName: '' }],
  ])('400 for %s; nothing is recorded', async (_name, change) => {
    const { url } = await start()
    expect(await post(url, BANK_PATHS.payouts, { ...newOrder(), ...change })).toMatchObject({ status: 400 })
    expect(await query(`select * from ${store().schema}.orders`)).toEqual([])
    expect(bank.transfers).toEqual([])
  })
})

describe('a signature', () => {
  test('of either key during a rotation; without a restart', async () => {
    let keys = [KEY]
    const { url } = await start({ keys: () => keys })
    const inquire = (how: Parameters<typeof call>[4]) =>
      post(url, BANK_PATHS.payoutInquiries, { sessionId: newSession() }, how).then((reply) => reply?.status)
    expect([await inquire({}), await inquire({ key: NEXT_KEY })]).toEqual([200, 401])
    keys = [NEXT_KEY, KEY]
    expect([await inquire({}), await inquire({ key: NEXT_KEY })]).toEqual([200, 200])
    keys = [NEXT_KEY]
    expect([await inquire({}), await inquire({ key: NEXT_KEY })]).toEqual([401, 200])
  })

  test.each([
    ['made with another key', { key: 'a key that nobody knows' }],
    ['of a body that was changed', { body: '{"sessionId":"000013261118020500000000000000" }' }],
    ['of 301 seconds ago', { secondsOff: -302 }],
    ['of 301 seconds ahead', { secondsOff: 302 }],
  ])('%s is refused, on every path, and changes nothing', async (_name, how) => {
    const { url } = await start()
    for (const path of [BANK_PATHS.payouts, BANK_PATHS.payoutBars, '/nowhere'])
      expect(await post(url, path, newOrder(), how)).toMatchObject({ status: 401 })
    expect(await query(`select * from ${store().schema}.orders`)).toEqual([])
  })

  test('of 299 seconds ago is taken', async () => {
    const { url } = await start()
    const message = { sessionId: newSession() }
    expect(await post(url, BANK_PATHS.payoutInquiries, message, { secondsOff: -299 })).toMatchObject({ status: 200 })
  })

  test('a server without a real key does not start', async () => {
    await expect(start({ keys: () => [] })).rejects.toThrow('at least 16')
    await expect(start({ keys: () => [''] })).rejects.toThrow('at least 16')
  })
})

describe('names', () => {
  const ask = (url: string, accountNumber: string) =>
    post(url, BANK_PATHS.nameEnquiry, { bankCode: '058', accountNumber })

  test('known, absent, unknown, and a bank that throws', async () => {
    const { url } = await start()
    const json = { bankCode: '058', accountNumber: '0123456789', accountName: 'Ada Obi' }
    expect(await ask(url, '0123456789')).toMatchObject({ status: 200, json })
    expect(await ask(url, '0000000404')).toMatchObject({ status: 404 })
    expect(await ask(url, '0000000001')).toMatchObject({ status: 503 })
    expect(await ask(url, '0000000666')).toMatchObject({ status: 503 })
  })

  test('many at once, in their order; one that is unknown makes no null of it', async () => {
    const { url } = await start()
    const list = (numbers: readonly string[]) =>
      post(url, BANK_PATHS.nameEnquiries, {
        accounts: numbers.map((accountNumber) => ({ bankCode: '058', accountNumber })),
      })
    const numbers = Array.from({ length: 500 }, (_, at) =>
      at % 3 ? '0123456789' : at % 2 ? '0000000404' : '0123456780',
    )
    const reply = await list(numbers)
    const NAMED = new Map([
      ['0123456789', 'Ada Obi'],
      ['0123456780', 'Bola Ade'],
    ])
    const names = numbers.map((number) => NAMED.get(number) ?? null)
    expect(reply).toMatchObject({ status: 200, json: { accountNames: names } })
    expect(Compile(NameEnquiriesAnswer).Check(reply?.json)).toBe(true)
    expect(await list(['0123456789', '0000000001'])).toMatchObject({ status: 503 })
    expect(await list([...numbers, '0123456789'])).toMatchObject({ status: 400 })
  })

  test('501 where the bank has none: 404 would mean that the account does not exist', async () => {
    const { name: _name, ...without } = mapping
    const { url } = await start({ mapping: without })
    expect(await ask(url, '0123456789')).toMatchObject({
      status: 501,
      json: { error: 'This adapter has no such call' },
    })
  })
})

describe('version 2', () => {
  test('says what it can do: what it has calls for, or what it says itself', async () => {
    const { url } = await start()
    const reply = await call(url, 'GET', CONNECTOR_PATHS.capabilities)
    expect(reply).toMatchObject({ status: 200, json: { ...mapping.self, capabilities: ['payout', 'name'] } })
    expect(Compile(Capabilities).Check(reply?.json)).toBe(true)
    const more = await start({ mapping: { ...mapping, number: issue, balances } })
    expect((await call(more.url, 'GET', CONNECTOR_PATHS.capabilities))?.json['capabilities']).toEqual([
      ...['numbers', 'credits', 'payout', 'name', 'balance'],
    ])
    const said = await start({ mapping: { ...mapping, capabilities: ['credits'] } })
    expect((await call(said.url, 'GET', CONNECTOR_PATHS.capabilities))?.json['capabilities']).toEqual(['credits'])
  })

  test('signs its answers, refusals too, each for its own call; who cannot sign gets none', async () => {
    const { url } = await start()
    const [said, again] = [
      await call(url, 'GET', CONNECTOR_PATHS.capabilities),
      await call(url, 'GET', CONNECTOR_PATHS.capabilities, undefined, { secondsOff: 1 }),
    ]
    expect(said).toMatchObject({ signed: true, json: { signsAnswers: true } })
    expect(again?.headers.get('cowrie-signature')).not.toBe(said?.headers.get('cowrie-signature'))
    expect(await post(url, '/bank/v1/nothing', {})).toMatchObject({ status: 501, signed: true })
    const wrong = await post(url, BANK_PATHS.payouts, {}, { key: NEXT_KEY })
    expect([wrong?.status, wrong?.headers.get('cowrie-signature')]).toEqual([401, null])
  })

  test('mutual TLS: who shows no certificate of the authority is not answered', async () => {
    const [own, gateway] = [makeCertificate({ name: 'localhost' }), makeCertificate({ name: 'gateway' })]
    const { url } = await start({ tls: { cert: own.cert, key: own.key, ca: gateway.authority } })
    const { port } = new URL(url)
    const get = (certificate: { cert?: string; key?: string }): Promise<number> =>
      new Promise((done, failed) => {
        const address = { host: '127.0.0.1', servername: 'localhost', port, path: '/health', ca: own.authority }
        secureRequest({ ...address, ...certificate, agent: false }, (answer) => {
          answer.resume()
          done(answer.statusCode ?? 0)
        })
          .on('error', failed)
          .end()
      })
    expect(await get({ cert: gateway.cert, key: gateway.key })).toBe(200)
    await expect(get({})).rejects.toThrow(/certificate|socket|ECONN|alert/i)
    await expect(get({ cert: own.cert, key: own.key })).rejects.toThrow(/certificate|socket|ECONN|alert|unknown ca/i)
  })

  const at = '2026-11-18T02:00:00.000Z'
  const account = { accountNumber: '0112345678', bankCode: '999', available: '-1250.50', at }
  const balances: NonNullable<Mapping['balances']> = async () => ({ kind: 'known', accounts: [account] })

  test('balances: known, unknown, not as the protocol has them, and 501', async () => {
    const ask = async (more: Partial<Mapping>) =>
      call((await start({ mapping: { ...mapping, ...more } })).url, 'GET', CONNECTOR_PATHS.balances)
    const reply = await ask({ balances })
    expect(reply).toMatchObject({ status: 200, json: { accounts: [account] } })
    expect(Compile(BankBalances).Check(reply?.json)).toBe(true)
    expect(await ask({ balances: async () => ({ kind: 'unknown', why: 'silence' }) })).toMatchObject({ status: 503 })
    const rounded = { ...account, available: '1250.5' }
    expect(await ask({ balances: async () => ({ kind: 'known', accounts: [rounded] }) })).toMatchObject({ status: 500 })
    expect(await ask({})).toMatchObject({ status: 501 })
  })

  let issued = 0
  const issue: NonNullable<Mapping['number']> = async () => {
    issued += 1
    return { kind: 'known', accountNumber: String(9_900_000_000 + issued), bankCode: '999', validUntil: null }
  }
  const log = createLog({ name: 'test', clock: { now: () => new Date() }, write: (line) => void lines.push(line) })

  test('numbers: ordered, the same again, another order, too many, a bank that makes none, and 501', async () => {
    const numbers = createNumbers({ ...store(), mapping: { number: issue }, log })
    const { url } = await start({ numbers })
    const order = { reference: 'N-1', count: 3, accountName: 'Adire Stores' }
    const reply = await post(url, CONNECTOR_PATHS.numbers, order)
    expect(reply?.status).toBe(200)
    expect(Compile(NumbersAnswer).Check(reply?.json)).toBe(true)
    expect(reply?.json['numbers']).toHaveLength(3)
    expect((await post(url, CONNECTOR_PATHS.numbers, order))?.json).toEqual(reply?.json)
    expect(await post(url, CONNECTOR_PATHS.numbers, { ...order, count: 4 })).toMatchObject({ status: 409 })
    expect(await post(url, CONNECTOR_PATHS.numbers, { ...order, count: 501 })).toMatchObject({ status: 400 })
    const none = createNumbers({ ...store(), mapping: { number: async () => ({ kind: 'unknown', why: 'x' }) }, log })
    const dry = await start({ numbers: none })
    expect(await post(dry.url, CONNECTOR_PATHS.numbers, { ...order, reference: 'N-2' })).toMatchObject({ status: 503 })
    expect(await post((await start()).url, CONNECTOR_PATHS.numbers, order)).toMatchObject({ status: 501 })
  })

  test('metrics: what is open, what waits, what the bank answered, what is in stock; without a signature and without secrets', async () => {
    const meter = createMeter()
    const stocked = { number: issue, nameless: true }
    const numbers = createNumbers({ ...store(), mapping: stocked, spare: 2, log, meter })
    const orders = createOrders({ ...store(), mapping, meter })
    const claims = { waiting: async () => ({ count: 3, oldest: null }) }
    const { url } = await start({ orders, numbers, claims, meter })
    await numbers.fill()
    await post(url, BANK_PATHS.payouts, newOrder({ narration: 'a word that nobody must read' }))
    bank.behaviour = 'wait'
    await post(url, BANK_PATHS.payouts, newOrder())
    bank.behaviour = 'mute'
    await post(url, BANK_PATHS.payouts, newOrder())
    await post(url, BANK_PATHS.nameEnquiry, { bankCode: '058', accountNumber: '0000000404' })
    await store().pool.query(
      `insert into ${store().schema}.notices (key, reference, path, body, digest, made_at, due_at)
       values ('k', 'r', '/p', 'a word that nobody must read', 'd', $1, $1)`,
      [new Date(store().clock.now().getTime() - 90_000)],
    )
    const response = await fetch(`${url}/metrics`)
    expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4')
    const text = await response.text()
    for (const line of [
      'database_up 1',
      'orders_open{state="accepted"} 0',
      'orders_open{state="forwarded"} 1',
      'orders_open{state="pending"} 1',
      'orders_ended_total{status="success"} 1',
      'notices_waiting 1',
      'claims_waiting 3',
      'claims_oldest_seconds 0',
      'numbers_spare 2',
      'numbers_missing 0',
      'bank_calls_total{call="forward",outcome="known"} 1',
      'bank_calls_total{call="forward",outcome="accepted"} 1',
      'bank_calls_total{call="forward",outcome="unknown"} 1',
      'bank_calls_total{call="name",outcome="absent"} 1',
      'bank_calls_total{call="number",outcome="known"} 2',
    ])
      expect(text.split('\n')).toContain(`cowrie_connector_${line}`)
    expect(text).toMatch(/^cowrie_connector_notices_oldest_seconds 9\d$/m)
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(/^(?:# (?:HELP|TYPE) .+|[a-z_]+(?:\{[a-z]+="[a-z_]+"(?:,[a-z]+="[a-z_]+")*\})? \d+)$/)
    expect(text).not.toContain('nobody must read')
    expect(text).not.toContain(KEY)
  })

  test('metrics without a database: what the process counted, and that the database is away', async () => {
    const { url } = await start()
    await query(`drop table ${store().schema}.notices`)
    const response = await fetch(`${url}/metrics`)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('cowrie_connector_database_up 0')
  })
})

describe('the door of webhooks', () => {
  test('has its own paths only, and gives the exact bytes', async () => {
    const log = createLog({ name: 'test', clock: store().clock, write: (line) => void lines.push(line) })
    const seen: string[] = []
    const door = await serveWebhooks({
      log,
      routes: {
        '/hook': async ({ raw, json }) => {
          seen.push(raw.toString())
          return { status: 200, body: { json } }
        },
        '/broken': async () => {
          throw new Error('postgres://adapter:s3cret-of-pg@db/x')
        },
      },
    })
    const send = (path: string, body: string, method = 'POST') =>
      fetch(door.url + path, { method, ...(method === 'GET' ? {} : { body }) }).then(({ status }) => status)
    expect(await send('/hook?x=1', '{ "a" :1}')).toBe(200)
    expect(seen).toEqual(['{ "a" :1}'])
    expect(await send('/hook', '{"a"')).toBe(400)
    expect(await send('/hook', 'x'.repeat(70_000))).toBe(413)
    expect(await send('/hook', '', 'GET')).toBe(404)
    for (const path of ['/metrics', '/health', '/ready', BANK_PATHS.payouts, '/constructor', '/toString'])
      expect(await send(path, '{}')).toBe(404)
    expect(await send('/broken', '{}')).toBe(500)
    expect(lines.join('')).not.toContain('s3cret-of-pg')
    await door.close(100)
  })
})

describe('the door', () => {
  test('says which bank it is', async () => {
    const { url } = await start()
    expect(await call(url, 'GET', BANK_PATHS.self)).toMatchObject({ status: 200, json: mapping.self })
  })

  test('a body that is not JSON, or not UTF-8, or empty: 400', async () => {
    const { url } = await start()
    expect(await call(url, 'POST', BANK_PATHS.payouts)).toMatchObject({ status: 400 })
    expect(await post(url, BANK_PATHS.payouts, [])).toMatchObject({ status: 400 })
    expect(await post(url, BANK_PATHS.payouts, 'x')).toMatchObject({ status: 400 })
  })

  test('413 for a body that is too long, said or not, before it is checked', async () => {
    const { url } = await start()
    expect(await post(url, BANK_PATHS.payouts, { narration: 'x'.repeat(200_000) })).toMatchObject({ status: 413 })
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = rawRequest(`${url}${BANK_PATHS.payouts}`, { method: 'POST' }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject)
      sent.write('x'.repeat(100_000))
      sent.write('x'.repeat(100_000))
      sent.end()
    })
    expect(status).toBe(413)
  })

  test('a fault is 500 in our words: nothing of it is sent, and no secret logged', async () => {
    const failing = createOrders({ ...store(), mapping })
    const inquire = async (): Promise<never> => {
      throw new Error('password=hunter2 for postgres://adapter:s3cret-of-pg@db/x, card 5531886652142950')
    }
    const { url } = await start({ orders: { ...failing, inquire } })
    const reply = await post(url, BANK_PATHS.payoutInquiries, { sessionId: newSession() })
    expect(reply?.json).toEqual({ error: 'The adapter failed; the outcome is unknown' })
    expect(reply?.status).toBe(500)
    expect(lines.join('')).toContain('a call failed')
    for (const secret of ['s3cret-of-pg', '5531886652142950']) expect(lines.join('')).not.toContain(secret)
  })

  test('health and readiness, unsigned', async () => {
    const server = await start()
    const look = async (path: string) => (await fetch(server.url + path)).status
    expect([await look('/health'), await look('/ready')]).toEqual([200, 200])
    await query(`drop table ${store().schema}.migrations`)
    expect([await look('/health'), await look('/ready')]).toEqual([200, 503])
  })

  test('draining answers what has arrived and waits for the bank, then takes nothing more', async () => {
    bank.behaviour = 'hold'
    const server = await start()
    const order = newOrder()
    const reply = post(server.url, BANK_PATHS.payouts, order)
    await expect.poll(() => bank.held.length).toBe(1)
    const drained = server.drain()
    await expect
      .poll(
        () =>
          new Promise((resolve) =>
            connect(Number(new URL(server.url).port), '127.0.0.1', () => resolve('open')).on('error', () =>
              resolve('closed'),
            ),
          ),
      )
      .toBe('closed')
    for (const letGo of bank.held) letGo()
    expect(await reply).toMatchObject({ status: 200, json: { status: 'SUCCESS' } })
    await drained
    expect(await query(`select status from ${store().schema}.orders`)).toEqual([{ status: 'SUCCESS' }])
  })

  test('draining waits for a call to the bank whose gateway was answered PENDING long ago', async () => {
    bank.behaviour = 'hold'
    const server = await start({ orders: createOrders({ ...store(), mapping, answerWithinMs: 0 }) })
    expect(await post(server.url, BANK_PATHS.payouts, newOrder())).toMatchObject({ json: { status: 'PENDING' } })
    await expect.poll(() => bank.held.length).toBe(1)
    let drained = false
    const draining = server.drain().then(() => {
      drained = true
    })
    await expect
      .poll(() =>
        fetch(`${server.url}/health`).then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed')
    expect(drained).toBe(false)
    for (const letGo of bank.held) letGo()
    await draining
    expect(await query(`select status from ${store().schema}.orders`)).toEqual([{ status: 'SUCCESS' }])
  })
})
