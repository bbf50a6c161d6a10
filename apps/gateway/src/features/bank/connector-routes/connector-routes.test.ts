// Payouts through several connectors: by the routes of two people, by another connector while one is away,
// and never by two.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { creditNotice, payoutNotice } from '@cowrie/contract/bank/connector'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { notice, send } from '#test/bank/notices.ts'
import { actorOf, approveAs, doAct, show } from '#test/features/access/acts.ts'
import { bola, byTwo, refusal, sade } from '#test/features/access/merchants.ts'
import { SECOND_KEY, type SecondBank, secondBank } from '#test/features/bank/second-bank.ts'
import { account, atBank, money, newMerchant, sent, statusOf } from '#test/features/payouts/disbursements.ts'
import { advance, type Harness, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { openSecondApi } from '#test/kit/second-api.ts'
import { until } from '#test/kit/waiting.ts'

let second: SecondBank
/** Pays, has no statements, and never answers the first time that it is asked what it can do. */
let plainWasAsked = 0
const plain = createServer((_, response) => {
  plainWasAsked += 1
  const self = { bankCode: '999', bankName: 'Plain', environment: 'TEST', capabilities: ['payout'] }
  if (plainWasAsked > 1) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(self))
})
const harness = useHarness({
  settings: async ({ apiUrl }) => {
    second = await secondBank(apiUrl)
    await new Promise<void>((done) => plain.listen(0, '127.0.0.1', done))
    const plainUrl = `http://127.0.0.1:${(plain.address() as AddressInfo).port}`
    return {
      CONNECTORS: `second=${second.url},plain=${plainUrl}`,
      CONNECTOR_SECOND_KEY: SECOND_KEY,
      CONNECTOR_PLAIN_KEY: 'the key of the plain bank, of 32 bytes and more',
    }
  },
})
afterAll(async () => {
  plain.closeAllConnections()
  plain.close()
  await second.end()
})
beforeEach(() => second.start())

const route = (h: Harness, input: object, reason = 'a test wants it') =>
  byTwo(h, 'routes.set', { cell: '01', input, reason })
const routes = async (h: Harness): Promise<any[]> => (await show(h, bola, 'routes.list', { cell: '01' })).routes
const rowOf = async (h: Harness, reference: string): Promise<any> =>
  (
    await h.sql(
      '01',
      `select d.status, c.name as connector, d.session_id from disbursements d join connectors c on c.id = d.connector where d.reference = $1`,
      [reference],
    )
  )[0]

/** Of a merchant of its own, by the ending of the account: 7788 is paid at once, 0002 is never answered. */
async function payout(h: Harness, over: Record<string, unknown> = {}, merchant?: TestMerchant) {
  const payer = merchant ?? (await newMerchant(h))
  const { reference } = await sent(h, payer, over)
  return { payer, reference: reference as string, row: await rowOf(h, reference as string) }
}
const word = (h: Harness, sessionId: string, status: string, key: string) => {
  const body = { sessionId, status, responseCode: '00', message: 'word', at: new Date().toISOString() }
  return send(h, payoutNotice.path, body, { key })
}

describe('routes', () => {
  test('two people set one; what is in force, coming and past; a withdrawn one is none', async () => {
    const h = harness()
    const asked = await doAct(h, bola, 'routes.set', {
      cell: '01',
      input: { connectors: ['second', 'bank'], bankCode: '044' },
    })
    expect(asked.outcome).toBe('WAITING')
    expect(await refusal(approveAs(h, bola, asked.reference))).toBe('APPROVAL_OWN')
    expect(await routes(h)).toEqual([])
    await approveAs(h, sade, asked.reference)
    expect(await routes(h)).toMatchObject([
      { bankCode: '044', above: '0.00', connectors: ['second', 'bank'], state: 'IN_FORCE' },
    ])
    await route(h, { connectors: ['bank'], bankCode: '044', validFrom: '2099-01-01' })
    await route(h, { connectors: [], bankCode: '044' })
    expect((await routes(h)).map(({ connectors, state }) => [connectors, state])).toEqual([
      [['bank'], 'COMING'],
      [[], 'IN_FORCE'],
      [['second', 'bank'], 'PAST'],
    ])
    const { row } = await payout(h, { destinationBankCode: '044' })
    expect(row).toMatchObject({ connector: 'bank' })
  })

  test('of a connector without statements none is waited for, though this process has not heard from it yet', async () => {
    const h = harness()
    const [, , unheard] = h.gateway.ctx.connectors.all
    expect(unheard?.can('statement')).toBe(true)
    await until('it was asked', async () => plainWasAsked === 1)
    await route(h, { connectors: ['plain', 'second'], bankCode: '035' })
    const days = await h.sql(
      '01',
      `select distinct c.name from connectors c join statement_days d on d.connector = c.id where c.name in ('plain', 'second')`,
    )
    expect(days).toEqual([{ name: 'second' }])
  })

  test.each([
    ['a connector that is not configured', { connectors: ['third'] }, 'ROUTE_CONNECTOR'],
    ['a connector twice', { connectors: ['second', 'second'] }, 'FIELD_INVALID'],
    ['a bank that is none', { connectors: ['second'], bankCode: '999999' }, 'FIELD_INVALID'],
    ['the past', { connectors: ['second'], validFrom: '2020-01-01' }, 'ROUTE_DATE'],
    ['an instant without an offset', { connectors: ['second'], validFrom: '2099-01-01T00:00:00' }, 'ROUTE_DATE'],
  ])('%s is refused', async (_, input, code) => {
    expect(await refusal(doAct(harness(), bola, 'routes.set', { cell: '01', input }))).toBe(code)
  })

  test('only who may set them does', async () => {
    const input = { connectors: ['second'] }
    for (const role of ['finance', 'support', 'auditor'] as const)
      expect(await refusal(doAct(harness(), actorOf('operator', role), 'routes.set', { cell: '01', input }))).toBe(
        'PERMISSION_DENIED',
      )
  })
})

describe('a payout', () => {
  test('goes through the connector of its bank, is paid there and nowhere else, and stays with it', async () => {
    const h = harness()
    await route(h, { connectors: ['second'], bankCode: '057' })
    const { payer, reference, row } = await payout(h, { destinationBankCode: '057' })
    expect(row).toMatchObject({ status: 'SUCCESS', connector: 'second' })
    expect(await second.payout(row.session_id)).toMatchObject({ status: 'SUCCESS' })
    expect(await atBank(h, row.session_id)).toBeNull()
    const others = await payout(h)
    expect(others.row).toMatchObject({ status: 'SUCCESS', connector: 'bank' })
    expect(await second.payout(others.row.session_id)).toBeNull()

    // Whoever was not given it has no say about it, and does not learn that it exists.
    expect(await word(h, row.session_id, 'REVERSED', h.config.keys.bank[0].key)).toMatchObject({ status: 404 })
    expect(await word(h, others.row.session_id, 'REVERSED', SECOND_KEY)).toMatchObject({ status: 404 })
    expect(await statusOf(h, payer, reference)).toBe('SUCCESS')
    expect(await word(h, row.session_id, 'REVERSED', SECOND_KEY)).toMatchObject({ status: 200 })
    expect(await statusOf(h, payer, reference)).toBe('REVERSED')
  })

  test('of more than an amount goes through the connector of large ones', async () => {
    const h = harness()
    await route(h, { connectors: ['second'], bankCode: '011', above: '5000' })
    expect((await payout(h, { destinationBankCode: '011', amount: 5000 })).row.connector).toBe('bank')
    expect((await payout(h, { destinationBankCode: '011', amount: 5000.01 })).row.connector).toBe('second')
  })

  test('that waits for a worker is routed when it is sent', async () => {
    const h = harness()
    await route(h, { connectors: ['second'], bankCode: '070' })
    const { reference, row } = await payout(h, { destinationBankCode: '070', async: true })
    expect(row).toMatchObject({ connector: 'bank', session_id: null })
    await advance(h, 1)
    expect(await rowOf(h, reference)).toMatchObject({ status: 'SUCCESS', connector: 'second' })
  })

  test('while its connector is away: what was sent waits there, what comes later goes by another, nothing twice', async () => {
    const h = harness()
    await route(h, { connectors: ['second', 'bank'], bankCode: '032' })
    await second.stop()
    const payer = await newMerchant(h)
    const made = []
    for (let turn = 0; turn < 8; turn += 1)
      made.push(await payout(h, { destinationBankCode: '032', destinationAccountNumber: account() }, payer))
    const through = made.map(({ row }) => [row.connector, row.status])
    expect(through).toEqual([
      ...Array.from({ length: 5 }, () => ['second', 'PENDING']),
      ...Array.from({ length: 3 }, () => ['bank', 'SUCCESS']),
    ])
    // Nobody else is asked about them, whatever time passes; their money stays held.
    await advance(h, 3600)
    expect(await statusOf(h, payer, made[0]?.reference ?? '')).toBe('PENDING')
    expect((await money(h, payer)).hold).toBeGreaterThan(0n)

    await second.start()
    await advance(h, 120)
    for (const { reference, row } of made.slice(0, 5)) {
      expect(await statusOf(h, payer, reference)).toBe('FAILED') // it never received them: barred there, then released
      expect(await second.payout(row.session_id)).toMatchObject({ status: 'FAILED', paid: '0.00' })
      expect(await atBank(h, row.session_id)).toBeNull()
    }
    expect((await money(h, payer)).hold).toBe(0n)
    // The first that comes has it asked whose an account is, and goes by another; no payout is what finds
    // out.
    const back = async () => (await payout(h, { destinationBankCode: '032' })).row
    expect(await back()).toMatchObject({ connector: 'bank', status: 'SUCCESS' })
    await until('it is back', async () => (await back()).connector === 'second')
    expect(await back()).toMatchObject({ connector: 'second', status: 'SUCCESS' })
  })

  test('of a connector that is not configured any more stays as it is', async () => {
    const h = harness()
    await route(h, { connectors: ['second'], bankCode: '033' })
    const { payer, reference } = await payout(h, {
      destinationBankCode: '033',
      destinationAccountNumber: account('0002'),
    })
    expect(await rowOf(h, reference)).toMatchObject({ status: 'PENDING', connector: 'second' })
    const without = await openSecondApi(h, { connectors: [], keys: { ...h.config.keys, connectors: new Map() } })
    try {
      const said = await without.gateway.ctx.connectors.of('second').inquirePayout({ sessionId: '0'.repeat(30) })
      expect(said).toMatchObject({ kind: 'unknown' })
      expect(await word(h, (await rowOf(h, reference)).session_id, 'SUCCESS', SECOND_KEY)).toMatchObject({
        status: 200,
      })
    } finally {
      await without.close()
    }
    expect(await statusOf(h, payer, reference)).toBe('SUCCESS')
  })
})

test('a second connector has no say about money received', async () => {
  const h = harness()
  const body = notice(h.merchants.main.walletNumber, '10.00')
  expect(await send(h, creditNotice.path, body, { key: SECOND_KEY })).toMatchObject({ status: 401 })
  expect(await send(h, creditNotice.path, body)).toMatchObject({ status: 200 })
})
