// Two schemes: a mandate is registered with the one that two people have set, and whatever is debited under
// it goes through that one.
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { byTwo } from '#test/features/access/merchants.ts'
import { nightWith, SECOND_KEY, type SecondBank, secondBank } from '#test/features/bank/second-bank.ts'
import {
  accepted,
  atBank,
  cancel,
  debitStatus,
  decide,
  type Mandate,
  mandate,
  STARTS_IN,
  sessionOf,
  stateOf,
  tellDebit,
  tellMandate,
} from '#test/features/collections/direct-debit.ts'
import { breaks, brief } from '#test/features/settlements/reconciliation.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { advance, type Harness, useHarness } from '#test/kit/harness.ts'
import { until } from '#test/kit/waiting.ts'

const CELL = '01'
let second: SecondBank
const harness = useHarness({
  settings: async ({ apiUrl }) => {
    second = await secondBank(apiUrl)
    return { CONNECTORS: `second=${second.url}`, CONNECTOR_SECOND_KEY: SECOND_KEY }
  },
})
afterAll(() => second.end())
beforeEach(async () => {
  await second.start()
  const h = harness()
  await Promise.all(h.gateway.ctx.connectors.all.map((one) => one.learn()))
  // At midnight a debit would be of one day here and of the next at the bank.
  await nightWith(h, second)
  await moveOn(h, 12 * 3600)
  await route(h, [])
})

/** Each at a later instant: two routes of one instant are refused. */
async function route(h: Harness, connectors: readonly string[]): Promise<void> {
  await moveOn(h, 1)
  const input = { capability: 'mandate', connectors }
  await byTwo(h, 'routes.set', { cell: CELL, input, reason: 'a test wants it' })
}
/** The second scheme's clock goes along. */
async function moveOn(h: Harness, seconds: number): Promise<void> {
  await advance(h, seconds)
  await second.follow(h.gateway.ctx.clock.offsetMs())
}
const schemeOf = async (h: Harness, { mandateCode }: Mandate): Promise<string> => {
  const text = 'select c.name from mandates m join connectors c on c.id = m.connector where m.code = $1'
  return (await h.sql(CELL, text, [mandateCode]))[0].name
}
const atSecond = async (h: Harness, ending?: string, over: Record<string, unknown> = {}): Promise<Mandate> => {
  const made = await mandate(h, h.merchants.main, over, ending)
  expect(await schemeOf(h, made)).toBe('second')
  expect(await decide(h, made, 'authorize', second.url)).toBe(200)
  await moveOn(h, STARTS_IN + 1)
  return made
}
const state = async (h: Harness, made: Mandate, { paymentReference }: { paymentReference: string }): Promise<string> =>
  (await debitStatus(h, made, paymentReference)).transactionStatus
/** What is booked for a transaction at the account of each connector's bank. */
const booked = (h: Harness, transactionReference: string) =>
  h.sql(
    CELL,
    `select f.kind, c.name, sum(e.kobo)::int as kobo from transfers f join transactions t on t.id = f.object_id join entries e on e.transfer_id = f.id
     join connectors c on e.account_id = case c.id when 1 then 0 else c.id * 16 end where t.reference = $1 group by 1, 2 order by 1`,
    [transactionReference],
  )

describe('a mandate', () => {
  test('is registered with the scheme of the route, and with the next while that one does not answer; it stays there', async () => {
    const h = harness()
    const { main } = h.merchants
    const first = await mandate(h, main)
    expect(await schemeOf(h, first)).toBe('bank')
    await route(h, ['second', 'bank'])
    const made = await mandate(h, main)
    expect(await schemeOf(h, made)).toBe('second')
    expect(await decide(h, made, 'authorize')).toBe(404) // the first does not know it
    expect(await decide(h, made, 'authorize', second.url)).toBe(200)
    expect(await stateOf(h, made)).toBe('ACTIVE')
    await second.stop()
    await advance(h, 61) // until it is asked again what it can do
    await until('it is found to be away', async () => (await schemeOf(h, await mandate(h, main))) === 'bank')
    expect(await schemeOf(h, made)).toBe('second')
  })

  test('that its scheme never received, because it was away, is registered there later, and nowhere else', async () => {
    const h = harness()
    await route(h, ['second'])
    await second.stop()
    const made = await mandate(h, h.merchants.main)
    expect(await schemeOf(h, made)).toBe('second')
    await advance(h, 20)
    expect(await decide(h, made, 'authorize')).toBe(404)
    await second.start()
    await moveOn(h, 40)
    expect(await decide(h, made, 'authorize', second.url)).toBe(200)
    expect(await stateOf(h, made)).toBe('ACTIVE')
  })

  test('is decided and ended by its own scheme only: another’s key has no say', async () => {
    const h = harness()
    await route(h, ['second'])
    const made = await mandate(h, h.merchants.main)
    expect((await tellMandate(h, made.mandateCode, 'ACTIVE')).json.problem.code).toBe('MANDATE_UNKNOWN')
    expect(await stateOf(h, made)).toBe('INITIATED')
    expect((await tellMandate(h, made.mandateCode, 'ACTIVE', { key: SECOND_KEY })).status).toBe(200)
    expect(await stateOf(h, made)).toBe('ACTIVE')
    await cancel(h, made)
    await advance(h, 1)
    expect(await stateOf(h, made)).toBe('CANCELLED')
    expect(await decide(h, made, 'decline', second.url)).toBe(409) // ended there too
  })
})

describe('a debit', () => {
  test('goes through the scheme of its mandate, also after the route was changed, and is booked at its bank', async () => {
    const h = harness()
    await route(h, ['second'])
    const made = await atSecond(h)
    await route(h, ['bank'])
    const one = await accepted(h, made)
    await advance(h, 1)
    expect(await state(h, made, one)).toBe('PAID')
    expect(await atBank(h, made, second.url)).toMatchObject([{ status: 'SUCCESS', asked: 1, taken: '1200.00' }])
    expect(await atBank(h, made)).toEqual([])
    expect(await booked(h, one.transactionReference)).toEqual([{ kind: 'COLLECTION', name: 'second', kobo: -120_000 }])
  })

  test('is reported by its own bank only', async () => {
    const h = harness()
    await route(h, ['second'])
    const made = await atSecond(h, '0002')
    const one = await accepted(h, made)
    const session = await sessionOf(h, made, one.paymentReference)
    await advance(h, 1)
    expect((await tellDebit(h, session, 'SUCCESS')).json.problem.code).toBe('DEBIT_UNKNOWN')
    expect(await state(h, made, one)).toBe('PENDING')
    expect((await tellDebit(h, session, 'SUCCESS', { key: SECOND_KEY })).status).toBe(200)
    expect(await state(h, made, one)).toBe('PAID')
  })

  test('waits for its bank while that is away, and is never sent to another', async () => {
    const h = harness()
    await route(h, ['second', 'bank'])
    const made = await atSecond(h)
    await second.stop()
    const one = await accepted(h, made)
    await advance(h, 120)
    expect(await state(h, made, one)).toBe('PENDING')
    expect(await atBank(h, made)).toEqual([])
    await second.start()
    await moveOn(h, 120)
    // It never arrived there: barred, so that it cannot be paid later.
    expect(await state(h, made, one)).toBe('FAILED')
    const session = await sessionOf(h, made, one.paymentReference)
    expect(await (await fetch(`${second.url}/api/debits?sessionId=${session}`)).json()).toMatchObject([
      { status: 'FAILED', asked: 0, taken: '0.00' },
    ])
  })

  test('whose outcome could not be written, because the process died, is asked about at its own bank and booked once', async () => {
    const h = harness()
    await route(h, ['second'])
    const made = await atSecond(h)
    const one = await accepted(h, made)
    await dyingAt(h, 'transfers', async () => void (await advance(h, 1).catch(() => undefined)), 'killed')
    expect(await state(h, made, one)).toBe('PENDING')
    await advance(h, 60)
    expect(await state(h, made, one)).toBe('PAID')
    expect(await atBank(h, made, second.url)).toMatchObject([{ asked: 1, taken: '1200.00' }])
    expect(await booked(h, one.transactionReference)).toEqual([{ kind: 'COLLECTION', name: 'second', kobo: -120_000 }])
  })

  test('forty at once while routes change: each is taken once, by the scheme of its mandate', async () => {
    const h = harness()
    await route(h, ['second'])
    const made = await atSecond(h, undefined, { mandateAmount: 1000 })
    const routes = (async () => {
      for (const names of [['bank'], ['second', 'bank'], ['bank']]) await route(h, names)
    })()
    const debits = Array.from({ length: 40 }, () => accepted(h, made, { debitAmount: '20' }))
    const all = await Promise.all(debits)
    await routes
    await moveOn(h, 60)
    const taken = await atBank(h, made, second.url)
    expect(taken.map(({ asked, taken: naira }) => `${asked} ${naira}`)).toEqual(Array(40).fill('1 20.00'))
    expect(await atBank(h, made)).toEqual([])
    for (const one of all) expect(await state(h, made, one)).toBe('PAID')
  })

  test('and its reversal are in the statement of its own bank: both nights are compared, and no break is left', async () => {
    const h = harness()
    await route(h, ['second'])
    const made = await atSecond(h, '0003')
    const one = await accepted(h, made)
    await moveOn(h, 1)
    for (let nights = 0; nights < 4; nights += 1) await nightWith(h, second)
    const lines = await h.sql(
      CELL,
      `select l.kind, l.direction, l.kobo::int as kobo from statement_lines l join connectors c on c.id = l.connector where c.name = 'second'
       and l.session_id = $1 order by 1`,
      [await sessionOf(h, made, one.paymentReference)],
    )
    expect(lines).toEqual([
      { kind: 'DEBIT', direction: 'IN', kobo: 120_000 },
      { kind: 'REVERSAL', direction: 'OUT', kobo: 120_000 },
    ])
    expect(await booked(h, one.transactionReference)).toEqual([
      { kind: 'COLLECTION', name: 'second', kobo: -120_000 },
      { kind: 'COLLECTION_REVERSAL', name: 'second', kobo: 120_000 },
    ])
    expect(brief(await breaks(h))).toEqual([])
  })
})
