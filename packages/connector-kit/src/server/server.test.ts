import { request as rawRequest } from 'node:http'
import { connect } from 'node:net'
import { BANK_PATHS, NameEnquiriesAnswer, PayoutAnswer } from '@cowrie/contract/bank/connector'
import { Compile } from 'typebox/compile'
import { afterEach, describe, expect, test } from 'vitest'
import { call, KEY, NEXT_KEY } from '../../test/gateway.ts'
import { createMapping } from '../../test/mapping.ts'
import { newOrder, newSession } from '../../test/samples.ts'
import { useStore } from '../../test/store.ts'
import { useUpstream } from '../../test/upstream.ts'
import { createLog } from '../log/log.ts'
import { createOrders } from '../orders/orders.ts'
import type { Mapping, Named } from './mapping.ts'
import { type AdapterServer, type ServerParts, serve } from './server.ts'

const { store, query } = useStore()
const bank = useUpstream()
const lines: string[] = []
const NAMES: Readonly<Record<string, Named>> = {
  '0123456789': { kind: 'known', accountName: 'Ada Obi' },
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
