// Sending again: exactly the deliveries that were asked for become due, and nothing else changes, whoever it
// belongs to.

import { EVENTS } from '@cowrie/contract/events/endpoints'
import { RESEND_MAX } from '@cowrie/contract/events/feed'
import fc from 'fast-check'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { sequence } from '#core/events.ts'
import { addEndpoint, ENDPOINTS, numberOf, tell } from '#test/features/events/events.ts'
import { type Answer, type Harness, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'
import { scatter } from '#test/kit/waiting.ts'

const harness = useHarness()
const CELL = '01'
const RANGE = '/api/v1/events/resend'
const FAILED = '/api/v1/transaction-notification/resend-failed-notifications'
const KINDS = ['SUCCESSFUL_TRANSACTION', 'REJECTED_PAYMENT', 'SETTLEMENT'] as const

const found = (answer: Answer): number => {
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody.recordsFound
}
const problem = (answer: Answer) => [answer.status, answer.json.problem.code, answer.json.problem.field]

type Place = { id: string; url: string; kinds: readonly string[]; removed: boolean }
/** The address of an activity; one that chose a kind; one of every kind; one that is disabled;
 *  one of a kind that nothing has; one that was removed. */
let places: Place[]
beforeAll(async () => {
  const h = harness()
  const { main } = h.merchants
  const [shared, disabled, removed] = [
    'https://shared.example/',
    'https://disabled.example/',
    'https://removed.example/',
  ]
  await h.as(main, 'PUT', '/api/v1/webhook-urls', { transactionCompletion: shared })
  const [activity] = (await h.as(main, 'GET', ENDPOINTS)).json.responseBody
  const made = async (url: string, kinds: string[]): Promise<Place> => ({
    id: await addEndpoint(h, main, url, kinds),
    url,
    kinds: kinds.includes('*') ? KINDS : kinds,
    removed: false,
  })
  places = [
    { id: activity.endpointId, url: shared, kinds: ['SUCCESSFUL_TRANSACTION'], removed: false },
    await made('https://chosen.example/', ['REJECTED_PAYMENT']),
    await made('https://every.example/', ['*']),
    await made(disabled, ['*']),
    await made('https://idle.example/', ['MANDATE_UPDATE']),
    { ...(await made(removed, ['*'])), removed: true },
  ]
  await h.as(main, 'POST', `${ENDPOINTS}/${places[3]?.id}/disable`)
  await h.as(main, 'DELETE', `${ENDPOINTS}/${places[5]?.id}`)
  await addEndpoint(h, h.merchants.other, shared)
})

type Delivery = {
  event_id: string
  endpoint_id: string
  merchant_id: string
  state: string
  attempts: number
  tries: number
  round: number
  due_at: Date
  number: string
  object_id: string
}
const keyOf = (one: { event_id: string; endpoint_id: string }): string => `${one.event_id} ${one.endpoint_id}`
const deliveries = async (h: Harness): Promise<Map<string, Delivery>> =>
  new Map((await h.sql<Delivery>(CELL, 'select * from deliveries')).map((row) => [keyOf(row), row]))

/** What a delivery can be, and none. */
const SHAPES = {
  none: null,
  fresh: { state: 'PENDING', attempts: 0, tries: 0 },
  retried: { state: 'PENDING', attempts: 2, tries: 2 },
  taken: { state: 'DELIVERED', attempts: 1, tries: 1 },
  givenUp: { state: 'GIVEN_UP', attempts: 12, tries: 10 },
  neverTried: { state: 'GIVEN_UP', attempts: 0, tries: 0 },
} as const
type Shape = keyof typeof SHAPES
const LONG_AGO = new Date('2026-01-01T00:00:00Z')

async function plant(h: Harness, merchant: TestMerchant, event: bigint, endpoint: string, shape: Shape): Promise<void> {
  await h.sql(CELL, 'delete from deliveries where event_id = $1 and endpoint_id = $2', [event, numberOf(endpoint)])
  const row = SHAPES[shape]
  if (!row) return
  await h.sql(
    CELL,
    `insert into deliveries (event_id, endpoint_id, merchant_id, number, object_id, state, attempts, tries, due_at)
      select e.id, $2, e.merchant_id, n.number, e.object_id, $3, $4, $5, $6 from events e join event_numbers n on n.event_id = e.id where e.id = $1`,
    [event, numberOf(endpoint), row.state, row.attempts, row.tries, LONG_AGO],
  )
  if (shape === 'taken')
    await h.sql(
      CELL,
      `insert into delivery_attempts (event_id, endpoint_id, attempt, merchant_id, at, url, status, duration_ms)
        values ($1, $2, 1, $3, $4, 'https://x.example/', 200, 1) on conflict do nothing`,
      [event, numberOf(endpoint), merchant.id, LONG_AGO],
    )
}

type Planted = { id: bigint; number: number; kind: string; at: Date; shapes: Shape[] }
const DAY = Date.parse('2026-03-01T00:00:00Z')
/** Events with deliveries in every condition, each happened on a minute of its own or shared. */
async function plantEvents(
  h: Harness,
  planned: { kind: string; minute: number; shapes: Shape[] }[],
): Promise<Planted[]> {
  const { main } = h.merchants
  const planted: Planted[] = []
  for (const { kind, minute, shapes } of planned) {
    const id = await tell(h, main, kind)
    await sequence(h.gateway.ctx, CELL)
    const at = new Date(DAY + minute * 60_000)
    await h.sql(CELL, 'update events set at = $2 where id = $1', [id, at])
    const [{ number }] = await h.sql(CELL, 'select number::int from event_numbers where event_id = $1', [id])
    for (const [n, place] of places.entries()) {
      const shape = shapes[n] ?? 'none'
      // What waits for an endpoint that was removed is given up.
      await plant(h, main, id, place.id, place.removed && /fresh|retried/.test(shape) ? 'givenUp' : shape)
    }
    planted.push({ id, number, kind, at, shapes })
  }
  return planted
}

/** Asks, and answers with the deliveries of the cell that changed by it; each is due now, anew, and nothing
 *  else of it is different. */
async function sentAgain(h: Harness, ask: () => Promise<Answer>): Promise<string[]> {
  const before = await deliveries(h)
  const from = h.gateway.ctx.clock.now()
  const count = found(await ask())
  const to = h.gateway.ctx.clock.now()
  const after = await deliveries(h)
  const changed = [...after.values()].filter((row) => JSON.stringify(row) !== JSON.stringify(before.get(keyOf(row))))
  for (const row of changed) {
    const old = before.get(keyOf(row))
    expect(row).toEqual({
      ...(old ?? { ...row, attempts: 0, merchant_id: String(h.merchants.main.id) }),
      state: 'PENDING',
      tries: 0,
      round: old ? old.round + 1 : 0,
      due_at: row.due_at,
    })
    expect(row.due_at >= from && row.due_at <= to, 'due now').toBe(true)
  }
  expect([...before.keys()].filter((key) => !after.has(key))).toEqual([])
  expect(count).toBe(new Set(changed.map((row) => row.event_id)).size)
  return changed.map(keyOf).toSorted()
}

/** Where an event goes again: to where it went and where it would go now. */
const goesTo = (rows: Map<string, Delivery>, event: Planted, named?: Place): string[] =>
  places
    .filter((place) => !place.removed)
    .map((place) => ({ place, key: keyOf({ event_id: String(event.id), endpoint_id: numberOf(place.id) }) }))
    .filter(({ place, key }) => (named ? place === named : rows.has(key) || place.kinds.includes(event.kind)))
    .map(({ key }) => key)
const failedOf = (rows: Map<string, Delivery>, event: Planted, named?: Place): string[] =>
  places
    .filter((place) => !place.removed && (!named || place === named))
    .map((place) => rows.get(keyOf({ event_id: String(event.id), endpoint_id: numberOf(place.id) })))
    .filter((row) => row !== undefined && row.attempts > 0 && row.state !== 'DELIVERED')
    .map((row) => keyOf(row as Delivery))

/** Never tried, as far as anybody knows, and due. */
const overdueOf = (rows: Map<string, Delivery>, event: Planted): string[] =>
  [...rows.values()]
    .filter((row) => row.event_id === String(event.id) && row.state === 'PENDING' && row.attempts === 0)
    .map(keyOf)

const shape = fc.constantFrom(...(Object.keys(SHAPES) as Shape[]))
const plans = fc.array(
  fc.record({
    kind: fc.constantFrom(...KINDS),
    minute: fc.integer({ min: 0, max: 6 }),
    shapes: fc.array(shape, { minLength: 6, maxLength: 6 }),
  }),
  { minLength: 1, maxLength: 5 },
)
const named = fc.option(fc.constantFrom(0, 1, 2, 3, 4), { nil: undefined, freq: 1 })

describe('exactly what was asked for becomes due', () => {
  test('events.resend: one event, to everywhere or to a named endpoint', async () => {
    const h = harness()
    await fc.assert(
      fc.asyncProperty(plans, named, async (planned, at) => {
        const events = await plantEvents(h, planned)
        const [event, place] = [events[0] as Planted, at === undefined ? undefined : places[at]]
        const expected = goesTo(await deliveries(h), event, place)
        const body = place ? { endpointId: place.id } : {}
        expect(
          await sentAgain(h, () => h.as(h.merchants.main, 'POST', `/api/v1/events/evt_01_${event.id}/resend`, body)),
        ).toEqual(expected.toSorted())
      }),
      { numRuns: 25 },
    )
  })

  test('events.resendRange: numbers, kinds, a named endpoint, only what failed', async () => {
    const h = harness()
    const choice = fc.record({
      skip: fc.integer({ min: 0, max: 3 }),
      take: fc.integer({ min: 1, max: 5 }),
      eventTypes: fc.option(fc.uniqueArray(fc.constantFrom(...KINDS)), { nil: undefined, freq: 1 }),
      onlyFailed: fc.option(fc.boolean(), { nil: undefined, freq: 1 }),
    })
    await fc.assert(
      fc.asyncProperty(plans, named, choice, async (planned, at, { skip, take, eventTypes, onlyFailed }) => {
        const events = await plantEvents(h, planned)
        const place = at === undefined ? undefined : places[at]
        const from = (events[0] as Planted).number + skip
        const to = from + take - 1
        const rows = await deliveries(h)
        const inRange = events.filter(
          ({ number, kind }) => number >= from && number <= to && (!eventTypes || eventTypes.includes(kind as never)),
        )
        const expected = inRange.flatMap((event) =>
          onlyFailed ? failedOf(rows, event, place) : goesTo(rows, event, place),
        )
        const body = { from, to, eventTypes, onlyFailed, endpointId: place?.id }
        expect(await sentAgain(h, () => h.as(h.merchants.main, 'POST', RANGE, body))).toEqual(expected.toSorted())
      }),
      { numRuns: 40 },
    )
  })

  test('notifications.resendFailed: what was due and not taken of what happened in the span, its ends included', async () => {
    const h = harness()
    await fc.assert(
      fc.asyncProperty(plans, fc.integer({ min: 0, max: 6 }), fc.nat({ max: 6 }), async (planned, start, more) => {
        await h.sql(CELL, 'update events set at = $1 where merchant_id = $2', [LONG_AGO, h.merchants.main.id])
        const events = await plantEvents(h, planned)
        const [startAt, endAt] = [DAY + start * 60_000, DAY + (start + more) * 60_000]
        const rows = await deliveries(h)
        const expected = events
          .filter(({ at }) => at.getTime() >= startAt && at.getTime() <= endAt)
          .flatMap((event) => [...failedOf(rows, event), ...overdueOf(rows, event)])
        // As West Africa Time without an offset, or in milliseconds.
        const startDate = new Date(startAt + 3_600_000).toISOString().slice(0, 23)
        const ask = { startDate, endDate: String(endAt) }
        expect(await sentAgain(h, () => h.as(h.merchants.main, 'POST', FAILED, ask))).toEqual(expected.toSorted())
      }),
      { numRuns: 25 },
    )
  })

  test('another merchant with the same numbers and address sends again its own only', async () => {
    const h = harness()
    const { main, other } = h.merchants
    await tell(h, other)
    await sequence(h.gateway.ctx, CELL)
    const mine = async (merchant: TestMerchant) =>
      JSON.stringify(
        await h.sql(CELL, 'select * from deliveries where merchant_id = $1 order by event_id, endpoint_id', [
          merchant.id,
        ]),
      )
    const before = [await mine(main), await mine(other)]
    expect(found(await h.as(other, 'POST', RANGE, { from: 1, to: 10_000 }))).toBe(1)
    expect(await mine(main)).toBe(before[0])
    expect(await mine(other)).not.toBe(before[1])
  })

  test(`at most ${RESEND_MAX} events that failed, the oldest`, async () => {
    const h = harness()
    const { second } = h.merchants
    const endpoint = numberOf(await addEndpoint(h, second, 'https://many.example/'))
    const happened = new Date('2025-06-01T00:00:00Z')
    const extra = 5
    await h.sql(
      '02',
      `with e as (insert into events (id, merchant_id, type, object, object_id, object_version, body, at)
          select nextval('ids'), $1, 'SETTLEMENT', '', n, 1, '{}', $2 from generate_series(1, $3::int) n returning id),
        n as (insert into event_numbers select $1, row_number() over (order by id), id from e returning number, event_id),
        c as (insert into event_counters values ($1, $3))
        insert into deliveries (event_id, endpoint_id, merchant_id, number, object_id, state, attempts, tries, due_at)
        select event_id, $4, $1, number, 1, case when number % 2 = 0 then 'GIVEN_UP' else 'PENDING' end, 1, 1, $2 from n`,
      [second.id, happened, RESEND_MAX + extra, endpoint],
    )
    const span = { startDate: '2025-06-01', endDate: '2025-06-02' }
    expect(found(await h.as(second, 'POST', FAILED, span))).toBe(RESEND_MAX)
    const left = await h.sql(
      '02',
      'select number::int from deliveries where tries = 1 and merchant_id = $1 order by number',
      [second.id],
    )
    expect(left.map(({ number }) => number)).toEqual(Array.from({ length: extra }, (_, n) => RESEND_MAX + n + 1))
    expect(found(await h.as(second, 'POST', RANGE, { from: 1, to: RESEND_MAX }))).toBe(RESEND_MAX)
  })
})

describe('around it', () => {
  test('the workers are notified after the commit; once for a key that is used twice', async () => {
    const h = harness()
    const { main } = h.merchants
    const id = await tell(h, main)
    await sequence(h.gateway.ctx, CELL)
    const words: string[] = []
    const listener = new pg.Client({ connectionString: h.databases[CELL] })
    await listener.connect()
    listener.on('notification', ({ payload = '' }) => words.push(payload))
    await listener.query('listen cowrie_due')
    h.gateway.ctx.wake(CELL) // joined with whatever is still on its way from before
    await h.until('it listens', async () => words.length > 0)
    words.length = 0
    const key = { 'idempotency-key': unique('key') }
    const ask = () => h.as(main, 'POST', `/api/v1/events/evt_01_${id}/resend`, {}, key)
    const first = await ask()
    await h.until('a word', async () => words.length > 0)
    await h.sql(CELL, `update deliveries set state = 'GIVEN_UP' where event_id = $1`, [id])
    const again = await ask()
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
    // A word of ours behind it: they arrive in their order. (A word waits for others, 20 ms on a timer of
    // this process.)
    await scatter(60)
    await h.sql(CELL, `notify cowrie_due, 'ours'`)
    await h.until('our own word', async () => words.includes('ours'))
    expect(words).toEqual(['', 'ours'])
    expect(await h.sql(CELL, `select from deliveries where event_id = $1 and state = 'PENDING'`, [id])).toEqual([])
    await h.as(main, 'POST', `/api/v1/events/evt_01_${id}/resend`, {})
    await h.until('a word without a key', async () => words.length === 3)
    await listener.end()
  })

  test('an endpoint that is removed while events are sent again keeps nothing that waits', async () => {
    const h = harness()
    const { main } = h.merchants
    const events = await plantEvents(
      h,
      Array.from({ length: 20 }, () => ({ kind: 'SETTLEMENT', minute: 0, shapes: [] })),
    )
    const [from, to] = [events[0]?.number, events.at(-1)?.number]
    for (let round = 0; round < 8; round += 1) {
      const endpoint = await addEndpoint(h, main, `https://round-${round}.example/`)
      const [sent] = await Promise.all([
        h.as(main, 'POST', RANGE, { from, to, endpointId: endpoint }),
        h.as(main, 'DELETE', `${ENDPOINTS}/${endpoint}`),
        h.as(main, 'POST', RANGE, { from, to }),
        h.as(main, 'POST', RANGE, { from, to }),
      ])
      expect([200, 404]).toContain(sent.status)
      const rows = await h.sql(CELL, `select state from deliveries where endpoint_id = $1 and state = 'PENDING'`, [
        numberOf(endpoint),
      ])
      expect(rows).toEqual([])
    }
  })

  test('nothing is found without endpoints', async () => {
    const h = harness()
    const { second } = h.merchants
    for (const { endpointId } of (await h.as(second, 'GET', ENDPOINTS)).json.responseBody)
      await h.as(second, 'DELETE', `${ENDPOINTS}/${endpointId}`)
    expect(found(await h.as(second, 'POST', RANGE, { from: 1, to: 10 }))).toBe(0)
    expect(found(await h.as(second, 'POST', FAILED, { startDate: '2025-01-01', endDate: '2027-01-01' }))).toBe(0)
  })
})

describe('refusals', () => {
  test("404 ENDPOINT_NOT_FOUND for one that was removed, another merchant's, another cell's and nonsense", async () => {
    const h = harness()
    const { main, other } = h.merchants
    const id = await tell(h, main)
    await sequence(h.gateway.ctx, CELL)
    const [foreign] = (await h.as(other, 'GET', ENDPOINTS)).json.responseBody
    const bodies = new Set<string>()
    const own = places[1]?.id ?? ''
    for (const endpointId of [places[5]?.id, foreign.endpointId, own.replace('_01_', '_02_'), 'ep_01_1', 'x'])
      for (const [path, body] of [
        [`/api/v1/events/evt_01_${id}/resend`, { endpointId }],
        [RANGE, { from: 1, to: 2, endpointId }],
      ] as const) {
        const answer = await h.as(main, 'POST', path, body)
        expect([endpointId, ...problem(answer)]).toEqual([endpointId, 404, 'ENDPOINT_NOT_FOUND', undefined])
        bodies.add(answer.text.replace(/"requestId":"[^"]*"/, ''))
      }
    expect(bodies.size).toBe(1)
  })

  test.each([
    [{ from: 2, to: 1 }, 'RANGE_INVALID', 'to'],
    [{ from: 1, to: RESEND_MAX + 1 }, 'RANGE_INVALID', 'to'],
    [{ from: 1e300, to: 1e300 }, 'MALFORMED_BODY', undefined],
    [{ from: 1, to: 9e15 }, 'RANGE_INVALID', 'to'],
    [{ from: 0, to: 1 }, 'FIELD_INVALID', 'from'],
    [{ from: 1.5, to: 2 }, 'FIELD_INVALID', 'from'],
    [{ from: 1, to: '2' }, 'FIELD_INVALID', 'to'],
    [{ from: 1, to: 2, eventTypes: ['NO_SUCH'] }, 'FIELD_INVALID', 'eventTypes.0'],
    [{ from: 1, to: 2, onlyFailed: 'yes' }, 'FIELD_INVALID', 'onlyFailed'],
    [{ to: 2 }, 'FIELD_MISSING', 'from'],
    [{ from: 1 }, 'FIELD_MISSING', 'to'],
  ])('400 for the range %j: %s of %s', async (body, code, field) => {
    const h = harness()
    expect(problem(await h.as(h.merchants.main, 'POST', RANGE, body))).toEqual([400, code, field])
  })

  test.each([
    [{ startDate: 'yesterday', endDate: '2026-05-02' }, 'RANGE_INVALID', 'startDate'],
    [{ startDate: '2026-05-01', endDate: '2026-13-02' }, 'RANGE_INVALID', 'endDate'],
    [{ startDate: '2026-05-02T00:00:00.001', endDate: '2026-05-02T00:00:00.000' }, 'RANGE_INVALID', 'endDate'],
    [{ endDate: '2026-05-02' }, 'FIELD_MISSING', 'startDate'],
    [{ startDate: '2026-05-02' }, 'FIELD_MISSING', 'endDate'],
    [{ startDate: 1, endDate: '2026-05-02' }, 'FIELD_INVALID', 'startDate'],
  ])('400 for the span %j: %s of %s', async (body, code, field) => {
    const h = harness()
    expect(problem(await h.as(h.merchants.main, 'POST', FAILED, body))).toEqual([400, code, field])
  })

  test('the widest range and spans are taken', async () => {
    const h = harness()
    const { main } = h.merchants
    for (const [path, body] of [
      [RANGE, { from: 9e15 - RESEND_MAX + 1, to: 9e15 }],
      [RANGE, { from: 9e15, to: 9e15, eventTypes: EVENTS.map(({ type }) => type) }],
      [FAILED, { startDate: '0000-01-01', endDate: '0000-01-02' }],
      [FAILED, { startDate: '8639999999999999', endDate: '8640000000000000' }],
    ] as const)
      expect(found(await h.as(main, 'POST', path, body))).toBe(0)
  })
})
