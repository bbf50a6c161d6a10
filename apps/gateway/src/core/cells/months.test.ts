// The month of an id is the partition of its row: made ahead, once, and without anybody waiting or being
// refused.
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { realClock } from '#kit/clock.ts'
import { firstIdInMonth, monthAfter, monthAt, monthOfId } from '#kit/ids.ts'
import { secondApi } from '#test/bank/notices.ts'
import {
  advance,
  type Harness,
  INIT,
  initBody,
  initialise,
  issueAccount,
  paid,
  status,
  unique,
  useHarness,
} from '#test/kit/harness.ts'
import { cellById, readAll } from './cells.ts'
import { createMonthKeeper, missingMonth } from './month-keeper.ts'
import { createMonths } from './months.ts'

const harness = useHarness()
const CELL = '01'
const now = (h: Harness): Date => h.gateway.ctx.clock.now()
const partitions = async (h: Harness, table: string): Promise<string[]> =>
  (
    await h.sql(
      CELL,
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1`,
      [table],
    )
  ).map(({ name }) => name)
/** In which partition each table has the rows of a transaction. */
const places = async (h: Harness, reference: string): Promise<Record<string, string>> =>
  (
    await h.sql(
      CELL,
      `with t as (select * from transactions where reference = $1)
       select (select tableoid::regclass::text from transactions where id = t.id) as transaction,
         (select tableoid::regclass::text from transfers where object_id = t.id) as transfer,
         (select tableoid::regclass::text from inbound_credits where transaction_id = t.id) as credit,
         (select max(tableoid::regclass::text) from state_changes where object_id = t.id) as history,
         (select tableoid::regclass::text from events where object_id = t.id) as event from t`,
      [reference],
    )
  )[0]
/** The clock goes to the first hour of the next month. */
async function toNextMonth(h: Harness): Promise<bigint> {
  const month = monthAfter(monthAt(now(h)))
  const text = String(month)
  const begins = Date.parse(`${text.slice(0, 4)}-${text.slice(4)}-01T00:00:00+01:00`)
  await advance(h, Math.ceil((begins - now(h).getTime()) / 1000) + 600)
  expect(monthAt(now(h))).toBe(month)
  return month
}

describe('a month', () => {
  test('whose first id is needed gets its partitions, once, however many need it at once', async () => {
    const h = harness()
    const wanted = '209901'
    const clients = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const client = new pg.Client({ connectionString: h.databases[CELL] })
        await client.connect()
        return client
      }),
    )
    try {
      await Promise.all(clients.map((client) => client.query('select open_month($1)', [wanted])))
    } finally {
      await Promise.all(clients.map((client) => client.end()))
    }
    const [{ tables, made }] = await h.sql(
      CELL,
      `select (select count(*)::int from month_tables) as tables, (select count(*)::int from pg_inherits i join month_tables t
         on i.inhparent = t.name::regclass where i.inhrelid = (t.name || '_' || $1)::regclass) as made`,
      [wanted],
    )
    expect(tables).toBeGreaterThanOrEqual(10)
    expect(made).toBe(tables)
  })

  test('is made while a payment has rows of the same tables in hand: neither waits for the other', async () => {
    const h = harness()
    const [one, other] = [0, 0].map(() => new pg.Client({ connectionString: h.databases[CELL] })) as [
      pg.Client,
      pg.Client,
    ]
    await Promise.all([one.connect(), other.connect()])
    try {
      await one.query('begin')
      for (const table of await h.sql(CELL, 'select name from month_tables'))
        await one.query(`lock table ${table.name} in row exclusive mode`) // what an insert, an update and a delete take
      await other.query(`set lock_timeout = '2s'`)
      await other.query('select open_month(209902)')
      // And the other way round: what has just been made, and not committed yet, holds up no payment.
      await other.query('begin')
      await other.query('select open_month(209903)')
      expect((await h.as(h.merchants.main, 'POST', INIT, initBody(h.merchants.main))).status).toBe(200)
    } finally {
      await Promise.all([one.query('rollback'), other.query('rollback')])
      await Promise.all([one.end(), other.end()])
    }
  })

  test.each([209_900, 209_913, 1, 0])('%i is none, and nothing is made of it', async (month) => {
    const h = harness()
    const before = await partitions(h, 'transactions')
    await expect(h.sql(CELL, 'select open_month($1)', [month])).rejects.toMatchObject({ code: '23514' })
    expect(await partitions(h, 'transactions')).toEqual(before)
  })

  test('after December comes January: the ranges meet and do not overlap', async () => {
    const h = harness()
    for (const month of [209_712, 209_801]) await h.sql(CELL, 'select open_month($1)', [month])
    const [row] = await h.sql(
      CELL,
      `select pg_get_expr(relpartbound, oid) as bounds from pg_class where relname = 'transactions_209712'`,
    )
    expect(row.bounds).toBe(`FOR VALUES FROM ('209712000000000000') TO ('209801000000000000')`)
  })
})

describe('a payment across the end of a month', () => {
  test('is one payment: asked for in the old month, paid in the new, found by every name, and no name is free again', async () => {
    const h = harness()
    const { main } = h.merchants
    const old = monthAt(now(h))
    const before = await paid(h, main)
    expect(new Set(Object.values(await places(h, before.transactionReference))).size).toBe(5)
    const invoice = {
      ...{ amount: 1500, invoiceReference: unique('invoice'), description: 'Rent', currencyCode: 'NGN' },
      ...{ contractCode: main.contractCode, customerEmail: 'ngozi@example.com', customerName: 'Ngozi Bello' },
      expiryDate: new Date(now(h).getTime() + 60 * 86_400_000).toISOString().slice(0, 19).replace('T', ' '),
    }
    const made = await h.as(main, 'POST', '/api/v1/invoice/create', invoice)
    expect(made.status, made.text).toBe(200)
    const { accountNumber, transactionReference } = made.json.responseBody
    const month = await toNextMonth(h)
    expect((await h.pay(accountNumber, 1500)).json.status).toBe('ACCEPTED')
    await h.until('it is paid', async () => (await status(h, main, transactionReference)).paymentStatus === 'PAID')
    expect(await places(h, transactionReference)).toEqual({
      transaction: `transactions_${old}`,
      history: `state_changes_${old}`,
      transfer: `transfers_${month}`,
      credit: `inbound_credits_${month}`,
      event: `events_${month}`,
    })
    const again = await h.as(main, 'POST', INIT, initBody(main, { paymentReference: before.paymentReference }))
    expect(again).toMatchObject({ status: 422 })
    const repeated = await h.pay(before.accountNumber, 1500, { sessionId: before.sessionId })
    expect(repeated.status).not.toBe(500)
    const [{ credits }] = await h.sql(
      CELL,
      'select count(*)::int as credits from inbound_credits where bank_reference = $1',
      [before.sessionId],
    )
    expect(credits).toBe(1)
    expect((await status(h, main, before.transactionReference)).paymentStatus).toBe('PAID')
    const young = await initialise(h, main)
    expect(await issueAccount(h, main, young.transactionReference)).toMatch(/^01/)
    const [row] = await h.sql(CELL, 'select id::text from transactions where reference = $1', [
      young.transactionReference,
    ])
    expect(monthOfId(BigInt(row.id))).toBe(month)
  })
})

describe('partitions that cannot be made', () => {
  test('refuse nobody: ids begin with the newest month that has them, and with the new one as soon as it has', async () => {
    const h = harness()
    const month = monthAfter(monthAt(realClock.now()))
    const asked: string[] = []
    let broken = true
    let late = 0
    let at = new Date(realClock.now().getTime())
    const clock = { ...realClock, now: () => at }
    const months = createMonths(
      clock,
      async <Row>(statement: { name: string }): Promise<Row[]> => {
        asked.push(statement.name)
        if (statement.name === 'months_open' && broken) throw new Error('no')
        return [{ month: Number(monthAt(realClock.now())) } as Row]
      },
      () => {
        late += 1
      },
    )
    const text = String(month)
    at = new Date(Date.parse(`${text.slice(0, 4)}-${text.slice(4)}-02T00:00:00Z`))
    expect(await Promise.all([months(), months(), months()])).toEqual(Array(3).fill(monthAt(realClock.now())))
    expect(asked).toEqual(['months_open', 'months_newest'])
    expect(late).toBe(1)
    broken = false
    at = new Date(at.getTime() + 40 * 86_400_000)
    expect(await months()).toBe(monthAt(at))
    expect(firstIdInMonth(await months())).toBe(monthAt(at) * 1_000_000_000_000n)
    expect(h.merchants.main.cell).toBe(CELL)
  })
})

describe('the worker', () => {
  test('makes the next month in the last week of this one, and not before; the books say when it is missing', async () => {
    const second = await secondApi(harness())
    try {
      const { ctx, clock } = second.gateway
      const keep = createMonthKeeper(ctx)
      const moveTo = (moment: string): void => clock?.setOffset(Date.parse(moment) - Date.now())
      const missing = () => readAll(ctx, CELL, (r) => missingMonth(r))
      moveTo('2088-05-01T12:00:00+01:00')
      await cellById(ctx, CELL).takeIds(1)
      moveTo('2088-05-24T12:00:00+01:00')
      await keep(CELL)
      expect(await partitions(harness(), 'transfers')).not.toContain('transfers_208806')
      expect(await missing()).toBeNull() // there is time
      moveTo('2088-05-30T12:00:00+01:00')
      expect(await missing()).toBe(208_806n)
      await keep(CELL)
      expect(await missing()).toBeNull()
      expect(await partitions(harness(), 'transfers')).toContain('transfers_208806')
    } finally {
      await second.close()
    }
  })
})
