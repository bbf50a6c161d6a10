// The log of events: complete and without gaps however it is read, one's own only, and what is known of each
// event.
import { describe, expect, test } from 'vitest'
import { sequence } from '#core/events.ts'
import { Failure } from '#kit/fail.ts'
import { eventText } from '#kit/ids.ts'
import { addEndpoint, ENDPOINTS, numberOf, tell } from '#test/features/events/events.ts'
import { type Harness, paid, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'
import { scatter } from '#test/kit/waiting.ts'
import { eventId } from './events.ts'

const harness = useHarness()
const EVENTS = '/api/v1/events'

type FeedEvent = { eventId: string; number: number; eventType: string; object: string; createdAt: string; body: any }
type Listed = { events: FeedEvent[]; lastNumber: number }
const list = async (h: Harness, merchant: TestMerchant, query = ''): Promise<Listed> => {
  const answer = await h.as(merchant, 'GET', `${EVENTS}${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}
const problem = (answer: { status: number; json: any }) => [
  answer.status,
  answer.json.problem.code,
  answer.json.problem.field,
]

describe('events.list', () => {
  test('readers that follow while 200 events of 3 merchants are emitted at once see each once, in order, without gaps', async () => {
    const h = harness()
    const { main, other, second } = h.merchants
    const shares = [
      { merchant: main, count: 100 },
      { merchant: other, count: 60 },
      { merchant: second, count: 40 },
    ]
    const announced = new Map<TestMerchant, bigint[]>(shares.map(({ merchant }) => [merchant, []]))
    const telling = Promise.all(
      shares.flatMap(({ merchant, count }) =>
        Array.from({ length: count }, async (_, n) => {
          await scatter((n * 37) % 400)
          announced.get(merchant)?.push(await tell(h, merchant))
        }),
      ),
    )
    const follow = async (merchant: TestMerchant, count: number, limit: number): Promise<FeedEvent[]> => {
      const seen: FeedEvent[] = []
      let after = 0
      for (let calls = 0; seen.length < count && calls < 2_000; calls += 1) {
        const page = await list(h, merchant, `?after=${after}&limit=${limit}${calls % 5 === 4 ? '&wait=1' : ''}`)
        expect(page.events.length).toBeLessThanOrEqual(limit)
        seen.push(...page.events)
        after = page.events.at(-1)?.number ?? after
        expect(page.lastNumber).toBeGreaterThanOrEqual(after)
      }
      return seen
    }
    const readers = await Promise.all(
      shares.flatMap(({ merchant, count }) => [follow(merchant, count, 7), follow(merchant, count, 500)]),
    )
    await telling
    for (const [at, { merchant, count }] of shares.entries()) {
      for (const seen of [readers[at * 2], readers[at * 2 + 1]]) {
        expect(seen?.map(({ number }) => number)).toEqual(Array.from({ length: count }, (_, n) => n + 1))
        const ids = (announced.get(merchant) ?? []).map((id) => eventText(merchant.cell, id))
        expect(seen?.map((one) => one.eventId).toSorted()).toEqual(ids.toSorted())
      }
    }
  })

  test('what has just been committed is in it; its body has the bytes that are signed', async () => {
    const h = harness()
    const { main } = h.merchants
    const before = (await list(h, main)).lastNumber
    const { transactionReference } = await paid(h, main, { metaData: { '10': 'ten', '2': 'two', b: 1.5 } })
    const { events, lastNumber } = await list(h, main, `?after=${before}`)
    const [row] = await h.sql('01', 'select id, event_body(shape, body) as body, at from events where object = $1', [
      transactionReference,
    ])
    expect(lastNumber).toBe(before + 1)
    expect(events).toEqual([
      {
        eventId: `evt_01_${row.id}`,
        number: before + 1,
        eventType: 'SUCCESSFUL_TRANSACTION',
        object: transactionReference,
        objectVersion: 2,
        createdAt: row.at.toISOString(),
        body: JSON.parse(row.body),
      },
    ])
    expect(JSON.stringify(events[0]?.body)).toBe(row.body)
  })

  test('a hundred without a limit, 500 at most, the oldest first; the end is an empty list', async () => {
    const h = harness()
    const { other } = h.merchants
    const before = (await list(h, other)).lastNumber
    for (let n = 0; n < 110; n += 10) await Promise.all(Array.from({ length: 10 }, () => tell(h, other)))
    const numbers = async (query: string) => (await list(h, other, query)).events.map(({ number }) => number)
    expect(await numbers(`?after=${before}`)).toEqual(Array.from({ length: 100 }, (_, n) => before + n + 1))
    expect((await numbers(`?after=${before}&limit=500`)).length).toBe(110)
    expect(await numbers(`?after=${before + 108}&limit=1`)).toEqual([before + 109])
    expect(await list(h, other, `?after=${before + 110}`)).toEqual({ events: [], lastNumber: before + 110 })
    expect(await list(h, other, '?after=999999999999999')).toEqual({ events: [], lastNumber: before + 110 })
  })

  test.each([
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=ten', 'limit'],
    ['wait=31', 'wait'],
    ['wait=1.5', 'wait'],
    ['after=-1', 'after'],
    ['after=1e3', 'after'],
    ['after=9999999999999999', 'after'],
  ])('400 FIELD_INVALID for %s', async (query, field) => {
    const h = harness()
    expect(problem(await h.as(h.merchants.main, 'GET', `${EVENTS}?${query}`))).toEqual([400, 'FIELD_INVALID', field])
  })

  test('401 without a token', async () => {
    expect((await harness().call('GET', EVENTS)).json.problem.code).toBe('TOKEN_MISSING')
  })
})

describe('events.get', () => {
  test('deliveries with the address as it is now, the next attempt while one waits, and every attempt', async () => {
    const h = harness()
    const { main } = h.merchants
    const [taken, waiting] = [
      await addEndpoint(h, main, 'https://a.example/'),
      await addEndpoint(h, main, 'https://b.example/'),
    ]
    const id = await tell(h, main)
    await sequence(h.gateway.ctx, '01')
    const [at, later] = [new Date('2026-05-01T10:00:00.123Z'), new Date('2026-05-01T11:00:00.456Z')]
    await h.sql(
      '01',
      `insert into delivery_attempts (event_id, endpoint_id, attempt, merchant_id, at, url, status, duration_ms, error, answer)
        values ($1, $2, 1, $4, $5, 'https://old.example/', 200, 12, null, 'ok'),
          ($1, $3, 2, $4, $6, 'https://b.example/', 503, 7, null, ''), ($1, $3, 1, $4, $5, 'https://b.example/', null, 10000, 'timeout', null)`,
      [id, numberOf(taken), numberOf(waiting), main.id, at, later],
    )
    await h.sql(
      '01',
      `update deliveries set state = 'DELIVERED', attempts = 1, tries = 1 where event_id = $1 and endpoint_id = $2`,
      [id, numberOf(taken)],
    )
    await h.sql(
      '01',
      'update deliveries set attempts = 2, tries = 2, due_at = $3 where event_id = $1 and endpoint_id = $2',
      [id, numberOf(waiting), later],
    )
    const answer = await h.as(main, 'GET', `${EVENTS}/${eventText('01', id)}`)
    const [listed] = (await list(h, main, `?after=${answer.json.responseBody.number - 1}&limit=1`)).events
    expect(answer.json.responseBody).toEqual({
      ...listed,
      deliveries: [
        {
          endpointId: taken,
          url: 'https://a.example/',
          state: 'DELIVERED',
          nextAttemptAt: null,
          attempts: [{ at: at.toISOString(), url: 'https://old.example/', status: 200, durationMs: 12, answer: 'ok' }],
        },
        {
          endpointId: waiting,
          url: 'https://b.example/',
          state: 'PENDING',
          nextAttemptAt: later.toISOString(),
          attempts: [
            {
              at: at.toISOString(),
              url: 'https://b.example/',
              status: null,
              durationMs: 10_000,
              error: 'timeout',
              answer: null,
            },
            { at: later.toISOString(), url: 'https://b.example/', status: 503, durationMs: 7, answer: '' },
          ],
        },
      ],
    })
    for (const endpoint of [taken, waiting]) await h.as(main, 'DELETE', `${ENDPOINTS}/${endpoint}`)
    const { deliveries } = (await h.as(main, 'GET', `${EVENTS}/${eventText('01', id)}`)).json.responseBody
    expect(deliveries.map((one: any) => [one.state, one.nextAttemptAt])).toEqual([
      ['DELIVERED', null],
      ['GIVEN_UP', null],
    ])
  })

  test("404 EVENT_NOT_FOUND, with the same bytes, for another merchant's, another cell's, none, one without a number and nonsense", async () => {
    const h = harness()
    const { main, other, second } = h.merchants
    const [own, foreign, far] = [await tell(h, main), await tell(h, other), await tell(h, second)]
    for (const cell of ['01', '02']) await sequence(h.gateway.ctx, cell)
    const early = await tell(h, main)
    const texts = [
      `evt_01_${foreign}`,
      `evt_02_${far}`,
      `evt_02_${own}`,
      `evt_01_${early}`,
      'evt_01_999999999999999999',
      'evt_01_9999999999999999999',
      `evt_01_0${own}`,
      `evt_1_${own}`,
      String(own),
      `evt_01_${own}%20`,
      `evt_01_${own}%00`,
      'evt_01_',
      '%27%3B--',
      '..%2F..',
    ]
    const bare = (text: string) => text.replace(/"requestId":"[^"]*"/, '')
    const bodies = new Set<string>()
    for (const text of texts) {
      for (const [method, path] of [
        ['GET', `${EVENTS}/${text}`],
        ['POST', `${EVENTS}/${text}/resend`],
      ] as const) {
        const answer = await h.as(main, method, path, method === 'POST' ? {} : undefined)
        expect([text, answer.status]).toEqual([text, 404])
        bodies.add(bare(answer.text))
      }
    }
    expect(bodies.size).toBe(1)
    expect([...bodies][0]).toContain('EVENT_NOT_FOUND')
    expect((await h.as(main, 'GET', `${EVENTS}/evt_01_${own}`)).status).toBe(200)
    expect((await h.as(other, 'GET', `${EVENTS}/evt_01_${foreign}`)).status).toBe(200)
  })

  test('the list holds no other merchant’s event', async () => {
    const h = harness()
    const { main, other } = h.merchants
    const mark = unique('foreign')
    const [id] = await h.sql('01', 'select max(id) as id from events where merchant_id = $1', [other.id])
    await h.sql('01', 'update events set object = $2 where id = $1', [id.id, mark])
    const all: string[] = []
    for (let after = 0; ; ) {
      const { events } = await list(h, main, `?after=${after}&limit=500`)
      if (events.length === 0) break
      all.push(...events.map(({ object }) => object))
      after = events.at(-1)?.number ?? after
    }
    expect(all.length).toBeGreaterThan(0)
    expect(all).not.toContain(mark)
  })
})

test('the text of an event names its cell and id, and is read back; no other text is', () => {
  expect(eventText('07', 42n)).toBe('evt_07_42')
  expect(eventId('07', 'evt_07_42')).toBe(42n)
  for (const text of ['evt_08_42', 'evt_07_042', 'evt_07_', 'evt_07_4x', 'EVT_07_42', ' evt_07_42', 'evt_07_42\n'])
    expect(() => eventId('07', text), text).toThrow(Failure)
})
