// Routes of what is not a payout: two people say whose account numbers payers get, who charges new cards, and
// who is asked about persons.
import { ROUTED } from '@cowrie/contract/bank/connector-routes'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { offerNumbers } from '#core/routing/stock.ts'
import { refill } from '#features/bank/bank-numbers/bank-numbers.ts'
import { lookUpPerson } from '#features/collections/reserved-accounts/identity.ts'
import { approveAs, doAct, show } from '#test/features/access/acts.ts'
import { bola, byTwo, refusal, sade } from '#test/features/access/merchants.ts'
import { SECOND_KEY, type SecondBank, secondBank } from '#test/features/bank/second-bank.ts'
import { CHARGE, card, chargeBody, charges, chargeWith } from '#test/features/collections/cards.ts'
import { advance, type Harness, INIT_PAYMENT, initialise, status, useHarness } from '#test/kit/harness.ts'
import { until } from '#test/kit/waiting.ts'

const ISSUER = '101'
const [CELL, BVN] = ['01', '22222222222'] as const
let second: SecondBank
const harness = useHarness({
  settings: async ({ apiUrl }) => {
    second = await secondBank(apiUrl, { cards: 2, issues: ISSUER })
    return { CONNECTORS: `second=${second.url}`, CONNECTOR_SECOND_KEY: SECOND_KEY }
  },
})
afterAll(() => second.end())
beforeEach(async () => {
  await second.start()
  const h = harness()
  await Promise.all(h.gateway.ctx.connectors.all.map((one) => one.learn()))
  await refill(h.gateway.ctx, CELL)
  // The tests do not depend on what another one left.
  for (const capability of ROUTED) await route(h, capability, [])
})

/** Each at a later instant: two routes of one instant are refused. */
async function route(h: Harness, capability: string, connectors: readonly string[], over: object = {}) {
  await advance(h, 1)
  return byTwo(h, 'routes.set', { cell: CELL, input: { capability, connectors, ...over }, reason: 'a test wants it' })
}
const routes = async (h: Harness): Promise<any[]> => (await show(h, bola, 'routes.list', { cell: CELL })).routes
const numberFor = async (h: Harness, reference?: string) => {
  const transactionReference = reference ?? (await initialise(h, h.merchants.main)).transactionReference
  const { json } = await h.as(h.merchants.main, 'POST', INIT_PAYMENT, { transactionReference })
  return { transactionReference, ...json.responseBody }
}
const chargedBy = async (h: Harness): Promise<string> => {
  const made = await chargeWith(h, h.merchants.main, 'plain')
  expect(made.body.status).toBe('SUCCESS')
  const [row] = await charges(h, h.merchants.main, made.transactionReference)
  return (await h.sql(CELL, 'select name from connectors where id = $1', [row.connector]))[0].name
}

describe('a route', () => {
  test('is set by two, from an instant on; withdrawn, the order of the settings holds again', async () => {
    const h = harness()
    const asked = await doAct(h, bola, 'routes.set', {
      cell: CELL,
      input: { capability: 'card', connectors: ['second'] },
      reason: 'a test wants it',
    })
    expect(asked.outcome).toBe('WAITING')
    expect(await refusal(approveAs(h, bola, asked.reference))).toBe('APPROVAL_OWN')
    expect(await chargedBy(h)).toBe('bank')
    await advance(h, 1)
    await approveAs(h, sade, asked.reference)
    expect(await chargedBy(h)).toBe('second')
    const tomorrow = new Date(h.gateway.ctx.clock.now().getTime() + 86_400_000).toISOString()
    await route(h, 'card', ['bank', 'second'], { validFrom: tomorrow })
    expect(await chargedBy(h)).toBe('second')
    const shown = (await routes(h)).filter(({ capability }) => capability === 'card')
    expect(shown.slice(0, 2)).toMatchObject([
      { state: 'COMING', connectors: ['bank', 'second'], bankCode: null, above: '0.00' },
      { state: 'IN_FORCE', connectors: ['second'] },
    ])
    await advance(h, 86_401)
    expect(await chargedBy(h)).toBe('bank')
    await route(h, 'card', [])
    expect(await chargedBy(h)).toBe('bank')
  })
  test.each([
    ['a bank', { capability: 'card', connectors: ['second'], bankCode: '044' }, 'FIELD_INVALID'],
    ['an amount', { capability: 'numbers', connectors: ['second'], above: '10' }, 'FIELD_INVALID'],
    ['what no route is for', { capability: 'statement', connectors: ['second'] }, 'FIELD_INVALID'],
    ['a connector that is not configured', { capability: 'card', connectors: ['third'] }, 'ROUTE_CONNECTOR'],
  ])('with %s is refused', async (_, input, code) => {
    expect(await refusal(doAct(harness(), bola, 'routes.set', { cell: CELL, input }))).toBe(code)
  })
  test('of payouts and one of cards do not meet', async () => {
    const h = harness()
    await route(h, 'card', ['second'])
    expect(await routes(h)).not.toContainEqual(expect.objectContaining({ capability: 'payout' }))
    expect(await h.sql(CELL, 'select count(*)::int as n from payout_routes')).toEqual([{ n: 0 }])
  })
  test('list says what each connector can do, and whether it answers', async () => {
    const h = harness()
    const { connectors } = await show(h, bola, 'routes.list', { cell: CELL })
    expect(connectors).toMatchObject([
      { name: 'bank', answers: true },
      { name: 'second', answers: true, capabilities: expect.arrayContaining(['numbers', 'card', 'identity']) },
    ])
  })
})

describe('account numbers', () => {
  test('are of the bank that two people prefer, and of the next while it is away; a payment keeps the one that it has', async () => {
    const h = harness()
    const before = await numberFor(h)
    expect(before.bankCode).toBe('50515')
    await route(h, 'numbers', ['second', 'bank'])
    const after = await numberFor(h)
    expect(after.bankCode).toBe(ISSUER)
    expect(await numberFor(h, before.transactionReference)).toMatchObject({ accountNumber: before.accountNumber })
    await second.pay(after, '1500.00')
    expect(await status(h, h.merchants.main, after.transactionReference)).toMatchObject({ paymentStatus: 'PAID' })
    await second.stop()
    await advance(h, 61) // until it is asked again what it can do
    await until('it is found to be away', async () => (await numberFor(h)).bankCode === '50515')
  })
  test('are given once, whatever becomes of the routes meanwhile', async () => {
    const h = harness()
    const { ctx } = h.gateway
    const offers = Array.from({ length: 40 }, () => offerNumbers(ctx, CELL, 3))
    const changes = (async () => {
      for (const names of [['second'], ['bank'], ['second', 'bank']]) await route(h, 'numbers', names)
    })()
    const given = [
      ...(await Promise.all(offers)),
      ...(await Promise.all([changes, offerNumbers(ctx, CELL, 3)])).slice(1),
    ]
    const numbers = given.flatMap((one) => (one as { numbers: readonly string[] }).numbers)
    expect(new Set(numbers).size).toBe(numbers.length)
  })
})

describe('a card', () => {
  test('of a payment that is under way stays with its connector, whatever the route says now', async () => {
    const h = harness()
    const { main } = h.merchants
    await route(h, 'card', ['second'])
    const made = await initialise(h, main)
    const asked = await h.as(main, 'POST', CHARGE, chargeBody(made.transactionReference, card('otp')))
    expect(asked.json.responseBody.status).toBe('OTP_AUTHORIZATION_REQUIRED')
    await route(h, 'card', ['bank'])
    const [row] = await charges(h, main, made.transactionReference)
    expect((await h.sql(CELL, 'select name from connectors where id = $1', [row.connector]))[0].name).toBe('second')
    expect(await second.charge(row.reference)).not.toBeNull()
  })
})

describe('a question about a person', () => {
  const ask = (h: Harness) => lookUpPerson(h.gateway.ctx, CELL, { bvn: BVN })
  test('goes to the register of the route; to the next while that one does not answer', async () => {
    const h = harness()
    await second.stop()
    await ask(h) // by the first
    await route(h, 'identity', ['second'])
    expect(await refusal(ask(h))).toBe('UNAVAILABLE')
    await advance(h, 61)
    await route(h, 'identity', ['second', 'bank'])
    await until('it is found to be away', () =>
      ask(h).then(
        () => true,
        () => false,
      ),
    )
    await second.start()
    await route(h, 'identity', ['second'])
    await until('it is back', () =>
      ask(h).then(
        () => true,
        () => false,
      ),
    )
  })
})
