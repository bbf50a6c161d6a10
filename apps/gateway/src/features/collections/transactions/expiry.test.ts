// The timer transactions.expire: forty minutes, by the movable clock, each transaction at its own instant.
import { describe, expect, test } from 'vitest'
import { engineTx } from '#core/cells/cells.ts'
import type { Ctx } from '#kit/ctx.ts'
import {
  advance,
  type Harness,
  INIT_PAYMENT,
  type Initialised,
  initialise,
  issueAccount,
  paid,
  status,
  useHarness,
} from '#test/kit/harness.ts'
import { expire } from './transactions.ts'

const harness = useHarness()

const stateOf = async (h: Harness, made: Initialised): Promise<string> =>
  (await status(h, h.merchants.main, made.transactionReference)).paymentStatus
const row = async (h: Harness, made: Initialised): Promise<any> =>
  (await h.sql('01', 'select * from transactions where reference = $1', [made.transactionReference]))[0]
const changes = (h: Harness, made: Initialised) =>
  h.sql(
    '01',
    `select s.action, s.from_state, s.to_state, s.version, s.at from state_changes s join transactions t on t.id = s.object_id
     where t.reference = $1 order by s.version`,
    [made.transactionReference],
  )
/** Gives transactions other expiries than forty minutes, as if they had been made at other times. */
const expireAt = (h: Harness, made: readonly Initialised[], at: readonly Date[]) =>
  h.sql(
    '01',
    `with x as (select * from unnest($1::text[], $2::timestamptz[]) as x(reference, at)),
       t as (update transactions t set expires_at = x.at from x where t.reference = x.reference returning t.id, x.at)
     update agenda a set due_at = t.at from t where a.subject = t.id and a.kind = 'transactions.expire'`,
    [made.map((one) => one.transactionReference), at],
  )
const to = async (h: Harness, at: Date) => {
  const answer = await h.as(h.merchants.main, 'POST', '/sandbox/clock/advance', { to: at.toISOString() })
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody as { now: string; ran: number }
}

describe('transactions.expire', () => {
  test('two workers that close one part payment at once write one close into its history', async () => {
    const h = harness()
    const { ctx } = h.gateway
    const wanted = { less: 'TOP_UP', more: 'COMPLETE', extra: 'RETURN', tolerance: 0, barredPayers: [] }
    expect((await h.as(h.merchants.main, 'PUT', '/api/v1/payment-policy', wanted)).status).toBe(200)
    const made = await initialise(h, h.merchants.main)
    await h.pay(await issueAccount(h, h.merchants.main, made.transactionReference), 400)
    const { id, expires_at, status: state } = await row(h, made)
    expect(state).toBe('PARTIALLY_PAID')
    const due: Ctx = { ...ctx, clock: { now: () => expires_at, offsetMs: () => 0 } }
    const [closed, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = engineTx(due, '01', async (t) => {
      await expire(t, [BigInt(id)])
      closed.resolve()
      await gate.promise
    })
    await closed.promise
    const second = engineTx(due, '01', (t) => expire(t, [BigInt(id)]))
    await h.until(
      'the second waits for the row',
      async () =>
        (
          await h.sql(
            '01',
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).length > 0,
    )
    gate.resolve()
    await Promise.all([first, second])
    expect((await changes(h, made)).map(({ action }) => action).filter((action) => action === 'close')).toEqual([
      'close',
    ])
    await to(h, expires_at)
    expect(
      (await h.as(h.merchants.main, 'PUT', '/api/v1/payment-policy', { ...wanted, less: 'COMPLETE' })).status,
    ).toBe(200)
  })

  test('PENDING at 39:59, EXPIRED at 40:00', async () => {
    const h = harness()
    const made = await initialise(h, h.merchants.main)
    const { created_at, expires_at } = await row(h, made)
    expect(expires_at.getTime() - created_at.getTime()).toBe(2_400_000)
    await to(h, new Date(created_at.getTime() + 2_399_000))
    expect(await stateOf(h, made)).toBe('PENDING')
    await to(h, expires_at)
    expect(await stateOf(h, made)).toBe('EXPIRED')
  })

  test('one long advance meets every deadline in order, at its own instant', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await Promise.all(Array.from({ length: 6 }, () => initialise(h, main)))
    const base = h.gateway.ctx.clock.now().getTime()
    // In no order, and one pair at the same instant.
    const due = [50, 12, 40, 40, 3_000, 20].map((minutes) => new Date(base + minutes * 60_000))
    await expireAt(h, made, due)
    const delayed = await initialise(h, main)
    await h.pay(await issueAccount(h, main, delayed.transactionReference), 1500, { scenario: 'delayed' })
    const paidBy = h.gateway.ctx.clock.now().getTime() + 600_000
    const { ran } = await advance(h, 3_100 * 60)
    expect(ran).toBeGreaterThanOrEqual(7)
    const times: { due: number; at: number }[] = []
    for (const [i, one] of made.entries()) {
      const [change, ...more] = await changes(h, one)
      expect(more).toEqual([])
      expect(change).toMatchObject({ action: 'expire', from_state: 'PENDING', to_state: 'EXPIRED', version: 2 })
      expect((await row(h, one)).closed_at).toEqual(change.at)
      times.push({ due: due[i]!.getTime(), at: change.at.getTime() })
    }
    const [counted] = await changes(h, delayed)
    expect(counted).toMatchObject({ action: 'pay', to_state: 'PAID' })
    times.push({ due: paidBy, at: counted.at.getTime() })
    // The clock runs on while the work is done: a moment later, never earlier, never another deadline's
    // instant.
    for (const { due: deadline, at } of times) {
      expect(at).toBeGreaterThanOrEqual(deadline - 1_000 * Number(deadline === paidBy))
      expect(at - deadline).toBeLessThan(5_000)
    }
    const byDue = [...times].sort((a, b) => a.due - b.due).map(({ at }) => at)
    expect(byDue).toEqual([...byDue].sort((a, b) => a - b))
    const { json } = await h.as(main, 'GET', '/sandbox/events')
    const event = json.responseBody.find((one: any) => one.object === delayed.transactionReference)
    expect(Date.parse(event.createdAt)).toBe(counted.at.getTime())
  })

  test("a notice of the bank that falls due while other deadlines are met is not left for the next one's instant", async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await Promise.all(Array.from({ length: 12 }, () => initialise(h, main)))
    const delayed = await initialise(h, main)
    const accountNumber = await issueAccount(h, main, delayed.transactionReference)
    const sent = h.gateway.ctx.clock.now().getTime()
    await h.pay(accountNumber, 1500, { scenario: 'delayed' })
    // Eleven just before and around the ten minutes of the notice, and one much later.
    const due = made.map((_, i) => new Date(sent + 600_000 + (i === 11 ? 900_000 : i * 8 - 40)))
    await expireAt(h, made, due)
    await advance(h, 1_800)
    const [counted] = await changes(h, delayed)
    expect(counted).toMatchObject({ action: 'pay', to_state: 'PAID' })
    expect(counted.at.getTime() - (sent + 600_000)).toBeLessThan(60_000)
  })

  test('a worker expires what is due without anybody moving the clock, and nothing else', async () => {
    const h = harness()
    const { main } = h.merchants
    const [soon, later] = [await initialise(h, main), await initialise(h, main)]
    const due = new Date(h.gateway.ctx.clock.now().getTime() + 700)
    await expireAt(h, [soon], [due])
    const worker = h.startWorker()
    await h.until('it expires', async () => (await stateOf(h, soon)) === 'EXPIRED')
    const [change] = await changes(h, soon)
    expect(change.at.getTime()).toBeGreaterThanOrEqual(due.getTime())
    expect(await stateOf(h, later)).toBe('PENDING')
    await worker.stop()
  })

  test('an expired record keeps what was asked, shows no money, tells no event and leaves no timer', async () => {
    const h = harness()
    const { main } = h.merchants
    const issued = await initialise(h, main, { amount: 2500.75, metaData: { order: 7 } })
    await issueAccount(h, main, issued.transactionReference)
    const bare = await initialise(h, main)
    await advance(h, 2_400)
    expect(await status(h, main, issued.transactionReference)).toEqual({
      collectionChannel: 'API_NOTIFICATION',
      transactionReference: issued.transactionReference,
      paymentReference: issued.paymentReference,
      amountPaid: '0.00',
      totalPayable: '2500.75',
      settlementAmount: '0.00',
      paidOn: null,
      paymentStatus: 'EXPIRED',
      paymentDescription: 'Two yards of adire',
      currency: 'NGN',
      paymentMethod: 'ACCOUNT_TRANSFER',
      product: { type: 'WEB_SDK', reference: issued.paymentReference },
      cardDetails: null,
      accountDetails: null,
      accountPayments: [],
      customer: { email: 'ngozi@example.com', name: 'Ngozi Bello' },
      metaData: { order: 7 },
    })
    expect((await status(h, main, bare.transactionReference)).paymentMethod).toBeNull()
    const { id } = await row(h, issued)
    expect(await h.sql('01', 'select from events where object_id = $1', [id])).toEqual([])
    expect(await h.sql('01', 'select from agenda where subject = $1', [id])).toEqual([])
    const closed = await h.as(main, 'POST', INIT_PAYMENT, { transactionReference: issued.transactionReference })
    expect(closed.json.problem.code).toBe('TRANSACTION_CLOSED')
  })

  test('a paid transaction does not expire', async () => {
    const h = harness()
    const done = await paid(h, h.merchants.main)
    await advance(h, 5_000)
    expect(await stateOf(h, done)).toBe('PAID')
    expect((await changes(h, done)).length).toBe(1)
  })

  test('a timer that runs again, after a worker died with it, changes nothing', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await initialise(h, main)
    await advance(h, 2_400)
    const { id, merchant_id } = await row(h, made)
    await h.sql(
      '01',
      `insert into agenda (kind, merchant_id, subject, due_at) values ('transactions.expire', $1, $2, $3)`,
      [merchant_id, id, new Date(0)],
    )
    await advance(h, 0)
    expect((await changes(h, made)).length).toBe(1)
    expect(await h.sql('01', 'select from agenda where subject = $1', [id])).toEqual([])
  })
})
