// Attempts leave by the month, when their time is over; what became of the deliveries stays.
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { secondApi } from '#test/bank/notices.ts'
import { type Answer, advance, paid, useHarness } from '#test/kit/harness.ts'
import { emptyBodies, forgetAttempts, forgetBodies } from './retention.ts'

const harness = useHarness()
const CELL = '01'
const RESEND_FAILED = '/api/v1/transaction-notification/resend-failed-notifications'

test('attempts of a month that ended ninety days ago are deleted, once; younger ones, and the deliveries, stay', async () => {
  const h = harness()
  await h.as(h.merchants.main, 'PUT', '/sandbox/webhook-urls', { all: h.receiverUrl() })
  await paid(h, h.merchants.main)
  await advance(h, 1)
  const counts = async () =>
    (
      await h.sql(
        CELL,
        `select count(*)::int as attempts, (select count(*)::int from deliveries where state = 'DELIVERED') as delivered from delivery_attempts`,
      )
    )[0]
  const before = await counts()
  expect(before.attempts).toBeGreaterThan(0)
  const second = await secondApi(h)
  try {
    const { ctx, clock } = second.gateway
    const month = String(
      (await h.sql(CELL, 'select (max(event_id) / 1000000000000)::text as month from deliveries'))[0].month,
    )
    const ends = Date.UTC(Number(month.slice(0, 4)), Number(month.slice(4)), 1) - 3_600_000
    const moveTo = (days: number): void => clock?.setOffset(ends + days * 86_400_000 - Date.now())
    moveTo(89)
    await forgetAttempts(ctx, CELL)
    expect(await counts()).toEqual(before)
    moveTo(91)
    await forgetAttempts(ctx, CELL)
    expect(await counts()).toEqual({ attempts: 0, delivered: before.delivered })
    // Sent again by hand: what is made now is kept.
    const event = await h.sql(CELL, 'select event_id, endpoint_id, merchant_id from deliveries limit 1')
    await h.sql(
      CELL,
      `insert into delivery_attempts (event_id, endpoint_id, attempt, merchant_id, at, url, status, duration_ms) values ($1, $2, 9, $3, now(), '', 200, 1)`,
      [event[0].event_id, event[0].endpoint_id, event[0].merchant_id],
    )
    await forgetAttempts(ctx, CELL)
    expect((await counts()).attempts).toBe(1)
  } finally {
    await second.close()
  }
})

describe('bodies of events', () => {
  const bodies = async () =>
    (
      await harness().sql(
        CELL,
        `select count(*)::int as events, count(*) filter (where body <> '')::int as bodies, count(*) filter (where shape is not null)::int as shapes from events`,
      )
    )[0]
  const stateOf = async (month: number): Promise<string> =>
    (await harness().sql(CELL, 'select bodies from months where month = $1', [month]))[0].bodies
  /** A worker with so many months to keep bodies for, at the beginning of a month after that of the newest
   *  event. */
  async function workerAfter(months: number, keep = 1) {
    const h = harness()
    const second = await secondApi(h, { eventBodiesMonths: keep })
    const [{ month }] = await h.sql(CELL, 'select (max(id) / 1000000000000)::int as month from events')
    const at = Date.UTC(Math.floor(month / 100), (month % 100) - 1 + months, 2)
    second.gateway.clock?.setOffset(at - Date.now())
    return { ...second, month: Number(month), ctx: second.gateway.ctx }
  }

  test('are kept for ever by default, and for as many whole months as are set', async () => {
    await paid(harness(), harness().merchants.main)
    await advance(harness(), 1)
    const before = await bodies()
    expect(before.bodies).toBe(before.events)
    for (const [months, keep] of [
      [50, 0],
      [1, 1],
      [3, 3],
    ] as const) {
      const { ctx, close, month } = await workerAfter(months, keep)
      await forgetBodies(ctx, CELL)
      await forgetBodies(ctx, CELL)
      await close()
      expect([months, keep, await stateOf(month), await bodies()]).toEqual([months, keep, 'KEPT', before])
    }
  })

  test('leave when nothing of their month waits to be delivered; the events stay, and cannot be sent again', async () => {
    const h = harness()
    const { main } = h.merchants
    const { transactionReference } = await paid(h, main)
    await advance(h, 1)
    const feed = async () => (await h.as(main, 'GET', '/api/v1/events?limit=500')).json.responseBody.events as any[]
    const event = (await feed()).find(({ object }) => object === transactionReference)
    expect(event.body.eventData.transactionReference).toBe(transactionReference)
    const id = event.eventId.split('_').at(-1)
    const setState = (state: string) => h.sql(CELL, 'update deliveries set state = $2 where event_id = $1', [id, state])
    const { ctx, close, month } = await workerAfter(2)
    try {
      await setState('PENDING')
      await forgetBodies(ctx, CELL)
      expect(await stateOf(month)).toBe('KEPT')
      await setState('DELIVERED')
      // Somebody sends it again at this moment: their deliveries are waited for.
      const resending = new pg.Client({ connectionString: h.databases[CELL] })
      await resending.connect()
      await resending.query(`begin; select pg_advisory_xact_lock_shared(hashtext('cowrie.resending'))`)
      const looking = forgetBodies(ctx, CELL)
      const waits = `select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`
      await h.until('the look waits', async () => (await h.sql(CELL, waits)).length === 1)
      await resending.query(`update deliveries set state = 'PENDING' where event_id = ${id}`)
      await resending.query('commit')
      await resending.end()
      await looking
      expect(await stateOf(month)).toBe('KEPT')
      await setState('DELIVERED')
      const before = await bodies()
      // Whatever waits to be delivered keeps its body, also in a month that is marked.
      await h.sql(CELL, `update months set bodies = 'LEAVING' where month = $1`, [month])
      await setState('PENDING')
      await forgetBodies(ctx, CELL)
      expect([await stateOf(month), (await bodies()).bodies]).toEqual(['LEAVING', 1])
      await setState('DELIVERED')
      await forgetBodies(ctx, CELL)
      expect([await stateOf(month), await bodies()]).toEqual(['GONE', { events: before.events, bodies: 0, shapes: 0 }])
    } finally {
      await close()
    }
    expect((await feed()).find(({ eventId }) => eventId === event.eventId)).toEqual({ ...event, body: null })
    expect((await h.as(main, 'GET', `/api/v1/events/${event.eventId}`)).json.responseBody.body).toBeNull()
    expect((await h.as(main, 'GET', '/sandbox/events?after=0')).status).toBe(200)
    const gone = [410, 'EVENT_BODY_GONE']
    const refusal = ({ status, json }: Answer) => [status, json.problem.code]
    expect(refusal(await h.as(main, 'POST', `/api/v1/events/${event.eventId}/resend`, {}))).toEqual(gone)
    expect(refusal(await h.as(main, 'POST', '/api/v1/events/resend', { from: 1, to: event.number }))).toEqual(gone)
    await setState('GIVEN_UP')
    const failed = await h.as(main, 'POST', RESEND_FAILED, {
      startDate: '2020-01-01T00:00:00',
      endDate: '2099-01-01T00:00:00',
    })
    expect(failed.json.responseBody).toEqual({ recordsFound: 0 })
    await setState('DELIVERED')
    // What happens now has its body, as long as its month is not over: here it is the same month, and its
    // mark is taken away.
    await h.sql(CELL, `update months set bodies = 'KEPT' where month = $1`, [month])
    const young = await paid(h, main)
    await advance(h, 1)
    const newest = (await feed()).find(({ object }) => object === young.transactionReference)
    expect((await h.as(main, 'POST', `/api/v1/events/${newest.eventId}/resend`, {})).status).toBe(200)
    await advance(h, 1)
  })

  test('leave in steps, and a later step goes on where the one before ended', async () => {
    const h = harness()
    for (let n = 0; n < 3; n += 1) await paid(h, h.merchants.main)
    await advance(h, 1)
    const { ctx, close, month } = await workerAfter(2)
    try {
      await h.sql(CELL, `update months set bodies = 'LEAVING' where month = $1`, [month])
      const { bodies: first } = await bodies()
      expect(first).toBeGreaterThanOrEqual(3)
      const one = { steps: 1, size: 1 }
      let next = await emptyBodies(ctx, CELL, undefined, one)
      expect(await stateOf(month)).toBe('LEAVING')
      const left = [first, (await bodies()).bodies]
      while (next !== null) {
        next = await emptyBodies(ctx, CELL, next, one)
        left.push((await bodies()).bodies)
      }
      expect(left.at(-2)).toBe(0) // the last step finds that nothing is left
      expect(left.slice(1).every((count, at) => (left[at] ?? 0) - count <= 1)).toBe(true)
      expect([await stateOf(month), (await bodies()).bodies]).toEqual(['GONE', 0])
    } finally {
      await close()
    }
  })

  test('of a month that is kept are emptied by nobody', async () => {
    const h = harness()
    await h.sql(CELL, `update months set bodies = 'KEPT'`)
    await paid(h, h.merchants.main)
    const empty = h.sql(CELL, `update events set shape = null, body = '' where body <> ''`)
    await expect(empty).rejects.toMatchObject({ code: '23001' })
  })
})
