// Account numbers of a bank that issues its own: in stock before they are needed, given to payers while
// another bank is away, and paid at that bank.

import { creditNoticeV2, reversalNoticeV2 } from '@cowrie/contract/bank/v2/notices'
import { numberNotice } from '@cowrie/contract/bank/v2/numbers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engineTx } from '#core/cells/cells.ts'
import { take } from '#core/routing/stock.sql.ts'
import { events, newSession, noticeV2, outcomeOf, send, suspense, waiting } from '#test/bank/notices.ts'
import { nightWith, SECOND_KEY, type SecondBank, secondBank } from '#test/features/bank/second-bank.ts'
import { after, CREATE, invoiceBody } from '#test/features/collections/invoices.ts'
import { breaks, brief } from '#test/features/settlements/reconciliation.ts'
import { type Harness, INIT_PAYMENT, initialise, status, unique, useHarness } from '#test/kit/harness.ts'
import { openSecondApi } from '#test/kit/second-api.ts'
import { refill } from './bank-numbers.ts'

const ISSUER = '101'
let second: SecondBank
const harness = useHarness({
  settings: async ({ apiUrl }) => {
    second = await secondBank(apiUrl, { issues: ISSUER })
    return { CONNECTORS: `second=${second.url}`, CONNECTOR_SECOND_KEY: SECOND_KEY, ACCOUNT_NAME: 'Kauri Payments' }
  },
})

/** A process of the gateway whose first bank is away. */
let without: Awaited<ReturnType<typeof openSecondApi>>
beforeAll(async () => {
  const h = harness()
  await h.gateway.ctx.connectors.all[1]?.ready()
  await refill(h.gateway.ctx, '01')
  without = await openSecondApi(h, { bankUrl: 'http://127.0.0.1:1' })
  await Promise.all(without.gateway.ctx.connectors.all.map((one) => one.ready()))
})
afterAll(async () => {
  await without.close()
  await second.end()
})

type Account = { accountNumber: string; bankCode: string; accountName: string; transactionReference: string }
/** Of a payment that asks for its account where the first bank is away. */
async function elsewhere(h: Harness, over: Record<string, unknown> = {}): Promise<Account> {
  const { main } = h.merchants
  const made = await initialise(h, main, over)
  const { transactionReference } = made
  const { status: code, json } = await without.post(main, INIT_PAYMENT, { transactionReference })
  expect(code, JSON.stringify(json)).toBe(200)
  return json.responseBody
}
const stock = async (h: Harness): Promise<number> =>
  (await h.sql('01', 'select count(*)::int as all from bank_numbers'))[0].all
const held = async (h: Harness, name: string): Promise<string> =>
  (
    await h.sql(
      '01',
      `select coalesce(-sum(e.kobo), 0)::text as kobo from entries e
       where e.account_id = (select case c.id when 1 then 0 else c.id * 16 end from connectors c where c.name = $1)`,
      [name],
    )
  )[0].kobo
const credit = (h: Harness, body: unknown, key = SECOND_KEY) => send(h, creditNoticeV2.path, body, { key })

describe('the stock', () => {
  test('is ordered before a payer needs one, and an order whose answer was lost costs no more numbers', async () => {
    const h = harness()
    expect(await stock(h)).toBe(500)
    await refill(h.gateway.ctx, '01')
    expect(await stock(h)).toBe(500)
    await h.sql('01', 'update number_orders set done_at = null')
    await h.sql('01', 'delete from bank_numbers where taken_at is null')
    await refill(h.gateway.ctx, '01')
    await refill(h.gateway.ctx, '01')
    expect(await stock(h)).toBe(500)
    expect(await h.sql('01', 'select count(*)::int as n from number_orders')).toEqual([{ n: 1 }])
  })
  test('is ordered once by two workers at once', async () => {
    const h = harness()
    await h.sql('01', 'update bank_numbers set taken_at = now() where taken_at is null')
    await Promise.all(Array.from({ length: 5 }, () => refill(h.gateway.ctx, '01')))
    await refill(h.gateway.ctx, '01')
    expect(await h.sql('01', 'select count(*)::int as n from number_orders where done_at is null')).toEqual([{ n: 0 }])
    expect(await stock(h)).toBe(1000)
  })
  test('gives no number to two payers, whichever process they ask', async () => {
    const h = harness()
    const third = await openSecondApi(h, { bankUrl: 'http://127.0.0.1:1' })
    await Promise.all(third.gateway.ctx.connectors.all.map((one) => one.ready()))
    const made = await Promise.all(Array.from({ length: 60 }, () => initialise(h, h.merchants.main)))
    const answers = await Promise.all(
      made.map(({ transactionReference }, at) =>
        (at % 2 ? third : without).post(h.merchants.main, INIT_PAYMENT, { transactionReference }),
      ),
    )
    const numbers = answers.map(({ json }) => json.responseBody)
    expect(new Set(numbers.map(({ bankCode }) => bankCode))).toEqual(new Set([ISSUER]))
    expect(new Set(numbers.map(({ accountNumber }) => accountNumber)).size).toBe(60)
    await third.close()
  })
})

describe('a number that its bank has withdrawn', () => {
  const withdraw = async (accountNumber: string): Promise<unknown> => {
    const body = JSON.stringify({ accountNumber })
    return (await fetch(`${second.url}/api/numbers/withdraw`, { method: 'POST', body })).json()
  }
  const logged = (accountNumber: string) =>
    harness().sql('01', 'select withdrawn_at from bank_numbers where account_number = $1', [accountNumber])

  test('is given to nobody: not by a process that took it before', async () => {
    const h = harness()
    // It takes twenty, and gives the first of them.
    await elsewhere(h)
    const taken = await h.sql<{ account_number: string }>(
      '01',
      `select account_number from bank_numbers n where taken_at is not null and not exists
         (select from virtual_accounts v where v.account_number = n.account_number and v.bank_code = n.bank_code)`,
    )
    const gone = taken.map((one) => one.account_number)
    expect(gone.length).toBeGreaterThan(5)
    const told = await Promise.all(gone.map(withdraw))
    expect(told).toEqual(gone.map((accountNumber) => ({ accountNumber, isTold: true })))
    const given = [await elsewhere(h), await elsewhere(h)].map(({ accountNumber }) => accountNumber)
    expect(given.filter((accountNumber) => gone.includes(accountNumber))).toEqual([])
  })

  test('is given to nobody: it is passed over where it is in stock', async () => {
    const h = harness()
    const [{ id }] = await h.sql('01', `select id from connectors where name = 'second'`)
    const [waits] = await h.sql<{ account_number: string }>(
      '01',
      'select account_number from bank_numbers where taken_at is null order by account_number limit 1',
    )
    const inStock = async (): Promise<boolean> => {
      let found = false
      const looked = engineTx(h.gateway.ctx, '01', async (t) => {
        const numbers = await take(t, id, { count: 100_000, validUntil: t.now, closedBefore: t.now })
        found = numbers.some((one) => one.account_number === waits?.account_number)
        throw new Error('only looked')
      })
      await expect(looked).rejects.toThrow('only looked')
      return found
    }
    expect(await inStock()).toBe(true)
    await withdraw(waits?.account_number ?? '')
    expect(await inStock()).toBe(false)
  })

  test('by the notice of its own bank only, once; what still arrives there is counted', async () => {
    const h = harness()
    const { accountNumber, bankCode, transactionReference } = await elsewhere(h, { amount: 750 })
    const body = { accountNumber, bankCode, state: 'UNKNOWN', at: new Date().toISOString() }
    const tell = (over: object = {}, more: object = { key: SECOND_KEY }) =>
      send(h, numberNotice.path, { ...body, ...over }, more)
    expect((await tell({}, {})).status).toBe(404) // signed by the first bank
    expect((await tell({ accountNumber: '9912345678' })).status).toBe(404)
    expect((await tell({ state: 'CLOSED' })).status).toBe(400)
    expect(await logged(accountNumber)).toEqual([{ withdrawn_at: null }])
    const told = await Promise.all(Array.from({ length: 10 }, () => tell()))
    expect(told.map(({ status }) => status)).toEqual(told.map(() => 200))
    const [first] = await logged(accountNumber)
    expect(first.withdrawn_at).toBeInstanceOf(Date)
    await tell()
    expect(await logged(accountNumber)).toEqual([first])
    await credit(h, noticeV2(accountNumber, '750.00', { bankCode }))
    expect((await status(h, h.merchants.main, transactionReference)).paymentStatus).toBe('PAID')
  })
})

test('the number of an invoice that is still open goes to nobody else, however long ago it was taken', async () => {
  const h = harness()
  const { main } = h.merchants
  const { json } = await without.post(main, CREATE, invoiceBody(h, main, { expiryDate: after(h, 60 * 86_400) }))
  const { accountNumber, bankCode } = json.responseBody
  expect(bankCode).toBe(ISSUER)
  const { accountNumber: passed } = await elsewhere(h)
  const [{ id }] = await h.sql('01', `select id from connectors where name = 'second'`)
  const inDays = (days: number) => new Date(h.gateway.ctx.clock.now().getTime() + days * 86_400_000)
  const given: string[] = []
  const looked = engineTx(h.gateway.ctx, '01', async (t) => {
    const numbers = await take(t, id, { count: 100_000, validUntil: inDays(0), closedBefore: inDays(30) })
    given.push(...numbers.map((one) => one.account_number))
    throw new Error('only looked')
  })
  await expect(looked).rejects.toThrow('only looked')
  expect([given.includes(passed), given.includes(accountNumber)]).toEqual([true, false])
})

describe('a payer', () => {
  test('gets a number of the first bank while it answers, and keeps the one that a payment has', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await waiting(h, main)
    const { json } = await without.post(main, INIT_PAYMENT, { transactionReference: made.transactionReference })
    expect(json.responseBody).toMatchObject({ accountNumber: made.accountNumber, bankCode: '50515' })
  })
  test('pays at another bank while the first is away: counted there, once, and shown by the reference of that bank', async () => {
    const h = harness()
    const { main } = h.merchants
    const before = [await held(h, 'bank'), await held(h, 'second')] as const
    const account = await elsewhere(h)
    expect(account).toMatchObject({ bankCode: ISSUER, accountName: 'Kauri Payments' })
    const sessionId = await second.pay(account, '1500.00')
    expect(await status(h, main, account.transactionReference)).toMatchObject({ paymentStatus: 'PAID' })
    expect(await held(h, 'bank')).toBe(before[0])
    expect(BigInt(await held(h, 'second')) - BigInt(before[1])).toBe(150_000n)
    const [event] = await events(h, main, account.transactionReference)
    expect(event.body.eventData).toMatchObject({
      destinationAccountInformation: { bankCode: ISSUER, accountNumber: account.accountNumber },
      paymentSourceInformation: [{ sessionId }],
    })
    const again = noticeV2(account.accountNumber, '1500.00', { bankCode: ISSUER, reference: sessionId })
    expect(outcomeOf(await credit(h, again))).toBe('REPEATED')
  })
})

describe('a bank', () => {
  test("has no say about another's numbers: what it reports for one is held as its own", async () => {
    const h = harness()
    const { main } = h.merchants
    const ofFirst = await waiting(h, main)
    const ofSecond = await elsewhere(h)
    const before = BigInt(await held(h, 'second'))
    expect(outcomeOf(await credit(h, noticeV2(ofFirst.accountNumber, '1500.00')))).toBe('SUSPENDED')
    expect(BigInt(await held(h, 'second')) - before).toBe(150_000n)
    const first = noticeV2(ofSecond.accountNumber, '1500.00', { bankCode: ISSUER })
    expect(outcomeOf(await credit(h, first, h.config.keys.bank[0].key))).toBe('SUSPENDED')
    for (const { transactionReference } of [ofFirst, ofSecond])
      expect(await status(h, main, transactionReference)).toMatchObject({ paymentStatus: 'PENDING' })
  })
  test('may use a reference that another bank has used', async () => {
    const h = harness()
    const { main } = h.merchants
    const [one, two] = [await waiting(h, main), await elsewhere(h)]
    const reference = unique('R').slice(0, 60)
    const first = noticeV2(one.accountNumber, '1500.00', { reference })
    expect(outcomeOf(await credit(h, first, h.config.keys.bank[0].key))).toBe('COUNTED')
    const other = noticeV2(two.accountNumber, '1500.00', { reference, bankCode: ISSUER })
    const answers = await Promise.all([credit(h, other), credit(h, other), credit(h, other)])
    expect(answers.map(outcomeOf).toSorted()).toEqual(['COUNTED', 'REPEATED', 'REPEATED'])
    for (const { transactionReference } of [one, two])
      expect(await status(h, main, transactionReference)).toMatchObject({ paymentStatus: 'PAID' })
  })
  test('returns what does not fit, and reverses what it credited, from its own account', async () => {
    const h = harness()
    const { main } = h.merchants
    const before = BigInt(await held(h, 'second'))
    const late = await elsewhere(h)
    await second.pay(late, '1500.00')
    const sessionId = await second.pay(late, '700.00')
    const [item] = await suspense(h, main, late.transactionReference)
    expect(item).toMatchObject({ kobo: '70000', status: 'RETURNING' })
    const worker = h.startWorker()
    await h.until('returned', async () => (await suspense(h, main, late.transactionReference))[0].status === 'RETURNED')
    await worker.stop()
    expect(BigInt(await held(h, 'second')) - before).toBe(150_000n)

    const account = await elsewhere(h)
    const reference = newSession()
    expect(
      outcomeOf(await credit(h, noticeV2(account.accountNumber, '1500.00', { reference, bankCode: ISSUER }))),
    ).toBe('COUNTED')
    const body = {
      ...{ reference, reversalReference: `R-${reference}`, bankCode: ISSUER, accountNumber: account.accountNumber },
      ...{ amount: '1500.00', reason: 'Sent by mistake', at: new Date().toISOString() },
    }
    const wrongBank = await send(h, reversalNoticeV2.path, body)
    expect(outcomeOf(wrongBank)).toBe('CREDIT_UNKNOWN')
    expect(outcomeOf(await send(h, reversalNoticeV2.path, body, { key: SECOND_KEY }))).toBe('REVERSED')
    expect(BigInt(await held(h, 'second')) - before).toBe(150_000n)
    const shown = await events(h, main, account.transactionReference)
    expect(shown.at(-1).body.eventData).toMatchObject({ sessionId: reference, reversalSessionId: `R-${reference}` })
    expect(sessionId).toHaveLength(30)
  })
})

test("the bank's statement is compared with what came by it; a notice that was lost follows from it", async () => {
  const h = harness()
  const { clock } = h.gateway.ctx
  await second.follow(clock.offsetMs())
  const account = await elsewhere(h)
  const lost = await elsewhere(h, { amount: 900 })
  const sessions = [await second.pay(account, '1500.00'), await second.pay(lost, '900.00', { scenario: 'lost' })]
  const day = await nightWith(h, second)
  const [row] = await h.sql(
    '01',
    `select d.own_lines, d.matched_at is not null as matched from statement_days d join connectors c on c.id = d.connector
     where c.name = 'second' and d.day = $1::date`,
    [day],
  )
  expect(row).toMatchObject({ matched: true })
  // Other tests made up credits that the second bank's statement does not have.
  const open = (await breaks(h)).filter((one) => one.status === 'OPEN' && sessions.includes(one.session_id))
  expect(brief(open)).toEqual([])
  expect(await status(h, h.merchants.main, lost.transactionReference)).toMatchObject({ paymentStatus: 'PAID' })
})
