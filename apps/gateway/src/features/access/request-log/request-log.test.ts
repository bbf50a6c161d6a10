// The request log over HTTP: what it holds, what never reaches it, who sees it, how long, and that nobody
// waits for it.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import { cellById } from '#core/cells/cells.ts'
import type { HttpRequest } from '#kit/http/answers.ts'
import { actorOf, show } from '#test/features/access/acts.ts'
import { type Harness, initBody, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { rest } from '#test/kit/waiting.ts'
import { createRecorder, idAt, maskParameter, UNKNOWN_MAX, WAITING_MAX } from './recorder.ts'
import type { Row } from './request-log.sql.ts'
import { forgetOld } from './request-log.ts'

const harness = useHarness({ settings: async () => ({ REQUEST_LOG_DAYS: '7' }) })
const INIT = '/api/v1/merchant/transactions/init-transaction'
const CARD = '4111111111111111'
const OTP = '739164'

const idOf = (answer: { headers: Headers }): string => answer.headers.get('x-request-id') ?? ''
const line = (h: Harness, requestId: string, cell: '01' | '02' = '01'): Promise<Row> =>
  h.until(`the line of request ${requestId}`, async () => {
    const rows = await h.sql<Row>(cell, 'select * from request_log where request_id = $1', [requestId])
    expect(rows.length).toBeLessThan(2)
    return rows[0]
  })
const listed = async (h: Harness, merchant: TestMerchant, query = ''): Promise<any[]> => {
  const answer = await h.as(merchant, 'GET', `/api/v1/requests${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody.content
}

test('each request leaves one line with its figures, served directly or by the framework', async () => {
  const h = harness()
  const { main } = h.merchants
  const expected: { id: string; like: Partial<Record<keyof Row, unknown>>; tookMs: number }[] = []
  for (const way of ['', '?']) {
    const send = async (like: Partial<Record<keyof Row, unknown>>, call: () => ReturnType<Harness['call']>) => {
      const began = performance.now()
      const answer = await call()
      const code = answer.json.problem?.code ?? null
      expected.push({
        id: idOf(answer),
        like: { status: answer.status, code, ...like },
        tookMs: performance.now() - began,
      })
    }
    const ours = {
      merchant_id: String(main.id),
      key: main.apiKey,
      method: 'POST',
      path: INIT,
      route: 'transactions.init',
    }
    await send({ ...ours, status: 200, caller: '127.0.0.1' }, () => h.as(main, 'POST', `${INIT}${way}`, initBody(main)))
    await send({ ...ours, code: 'FIELD_MISSING' }, () =>
      h.as(main, 'POST', `${INIT}${way}`, initBody(main, { amount: undefined })),
    )
    // The code of a refusal that an Idempotency-Key replays is there too.
    const key = randomUUID()
    const body = initBody(main, { contractCode: '000', paymentReference: key })
    for (let n = 0; n < 2; n += 1)
      await send(ours, () => h.as(main, 'POST', `${INIT}${way}`, body, { 'idempotency-key': key }))
    const nobody = { merchant_id: '0', key: null, status: 401, code: 'TOKEN_INVALID' }
    await send(nobody, () => h.call('POST', `${INIT}${way}`, { body: {}, token: 'nobody' }))
  }
  for (const { id, like, tookMs } of expected) {
    const found = await line(h, id)
    expect(found).toMatchObject(like)
    expect(found.ms).toBeGreaterThanOrEqual(0)
    expect(found.ms).toBeLessThanOrEqual(Math.ceil(tookMs))
  }
  expect(expected.filter(({ like }) => like.code === null)).toHaveLength(2)
})

test('a path keeps references; log-ins have a line, in the cell of their merchant; who hangs up has 499', async () => {
  const h = harness()
  const { main, second } = h.merchants
  const reference = 'CWRY|01|20260502141500|000812'
  const unknown = await h.as(main, 'GET', `/api/v2/transactions/${encodeURIComponent(reference)}`)
  expect(await line(h, idOf(unknown))).toMatchObject({ status: 404, path: `/api/v2/transactions/${reference}` })
  const basic = `Basic ${Buffer.from(`${second.apiKey}:${second.secretKey}`).toString('base64')}`
  const login = await h.call('POST', '/api/v1/auth/login', { headers: { authorization: basic } })
  expect(await line(h, idOf(login), '02')).toMatchObject({ merchant_id: String(second.id), key: second.apiKey })
  const gone = new AbortController()
  const waiting = fetch(`${h.apiUrl}/api/v1/events?after=999999&wait=30`, {
    headers: { authorization: `Bearer ${await h.token(main)}` },
    signal: gone.signal,
  }).catch(() => null)
  await rest('the call waits', () => cellById(h.gateway.ctx, '01').statements(), 100)
  gone.abort()
  await waiting
  const [hungUp] = await h.until('a line of the call that was given up', async () => {
    const rows = await h.sql<Row>('01', `select * from request_log where status = 499`)
    return rows.length > 0 && rows
  })
  expect(hungUp).toMatchObject({ route: 'events.list', key: main.apiKey })
})

test('no card number, secret, code or address of body, query, path or header reaches the table', async () => {
  const h = harness()
  const { main } = h.merchants
  const canaries = [CARD, '4111 1111 1111 1111', OTP, main.secretKey, 'ada@example.com', 'Kanari']
  const ids: string[] = []
  for (const canary of canaries) {
    const text = encodeURIComponent(canary)
    const body = { ...initBody(main), customerName: canary, otp: canary, metaData: { note: canary } }
    const calls = [
      h.as(main, 'POST', INIT, body, { 'x-note': canary }),
      h.as(main, 'POST', `${INIT}?otp=${text}`, body),
      h.as(main, 'GET', `/api/v1/transactions/search?customerName=${text}&page=0`),
      ...(canary === 'Kanari' ? [] : [h.as(main, 'GET', `/api/v2/transactions/${text}`)]),
      h.call('POST', INIT, { body, token: canary.replaceAll(' ', '') }),
    ]
    for (const answer of await Promise.all(calls)) ids.push(idOf(answer))
  }
  for (const id of ids.filter(Boolean)) await line(h, id)
  const kept = await h.sql('01', 'select request_log::text as text from request_log')
  expect(kept.length).toBeGreaterThan(20)
  for (const { text } of kept)
    for (const canary of canaries) expect(text.replace(/[0-9a-f-]{36}/, '')).not.toContain(canary)
})

test('a path parameter is shown when it is a reference, and not when it could be a secret', () => {
  for (const kept of [
    'CWRY|01|20260502141500|000812',
    'order-17',
    'evt_01_202611000000010007',
    'CWDS0120260502140731000042QW7RTY',
    randomUUID(),
  ])
    expect(maskParameter(kept)).toBe(kept)
  for (const hidden of [
    CARD,
    '4111-1111-1111-1111',
    OTP,
    '22212345678',
    'ada@example.com',
    '',
    'a/b',
    '\u0000',
    'x'.repeat(121),
  ])
    expect(maskParameter(hidden)).toBe('…')
  expect(maskParameter('Q7W8E9R1T2Y3U4I5O6P7A8S9D1F2G3H4')).toBe('…G3H4')
})

test('a merchant sees its own lines only: by listing, by request id, by its people; an operator sees those of whom it names', async () => {
  const h = harness()
  const { main, other } = h.merchants
  const [ours, theirs] = [await h.as(main, 'GET', '/api/v1/banks'), await h.as(other, 'GET', '/api/v1/banks')].map(idOf)
  for (const id of [ours, theirs]) await line(h, id as string)
  const seen = await listed(h, other, '?size=1000')
  expect(seen.map(({ key }) => key).every((key) => key === other.apiKey)).toBe(true)
  expect(await listed(h, other, `?requestId=${theirs}`)).toHaveLength(1)
  expect(await listed(h, other, `?requestId=${ours}`)).toEqual([])
  expect(await listed(h, other, `?key=${main.apiKey}`)).toEqual([])
  const support = actorOf('merchant', 'support')
  const own = await show(h, support, 'requests.list', { merchant: other.apiKey, requestId: ours })
  expect(own.content).toEqual([])
  const operator = actorOf('operator', 'support')
  const named = await show(h, operator, 'requests.list', { merchant: main.apiKey, requestId: ours })
  expect(named.content).toHaveLength(1)
  await expect(show(h, operator, 'requests.list', {})).rejects.toMatchObject({ code: 'FIELD_MISSING' })
  await expect(show(h, actorOf('operator', 'nobody'), 'requests.others', { cell: '01' })).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
  })
  const others = await show(h, operator, 'requests.others', { cell: '01', size: '1000' })
  expect(others.content.length).toBeGreaterThan(0)
  expect(others.content.every(({ key }: { key: string | null }) => key === null)).toBe(true)
})

test('lines are paged by keyset, filtered, and followed from the last one seen; what reads the log is not in it', async () => {
  const h = harness()
  const { second } = h.merchants
  await line(h, idOf(await h.as(second, 'GET', '/api/v1/banks')), '02') // whatever came before is there
  const began = new Date(h.gateway.ctx.clock.now().getTime()).toISOString()
  const ids: string[] = []
  for (let n = 0; n < 5; n += 1) ids.push(idOf(await h.as(second, 'GET', '/api/v1/banks')))
  ids.push(idOf(await h.as(second, 'GET', '/api/v2/transactions/order-17')))
  for (const id of ids) await line(h, id, '02')
  const since = `since=${encodeURIComponent(began)}`
  const walked: string[] = []
  let before = ''
  for (;;) {
    const { responseBody } = (await h.as(second, 'GET', `/api/v1/requests?size=2&${since}${before}`)).json
    walked.push(...responseBody.content.map(({ requestId }: { requestId: string }) => requestId))
    if (responseBody.next === null) break
    before = `&before=${responseBody.next}`
  }
  expect(walked).toEqual(ids.toReversed())
  const statuses = async (query: string) => (await listed(h, second, `?${since}&${query}`)).map(({ status }) => status)
  expect(await statuses('status=4xx')).toEqual([404])
  expect(await statuses('status=200&size=3')).toEqual([200, 200, 200])
  expect(await statuses('path=/api/v2/')).toEqual([404])
  expect(await statuses(`until=${encodeURIComponent(began)}`)).toEqual([])
  expect((await h.as(second, 'GET', '/api/v1/requests?status=9xx')).json.problem.code).toBe('FIELD_INVALID')
  expect((await h.as(second, 'GET', '/api/v1/requests?since=yesterday')).json.problem.code).toBe('FIELD_INVALID')
  // Following: oldest first, and only once every process has written.
  const [, first] = (await listed(h, second, `?${since}&size=1000`)).toReversed()
  const followed = await h.until('they have settled', async () => {
    const { responseBody } = (await h.as(second, 'GET', `/api/v1/requests?after=${first.id}&size=100`)).json
    return responseBody.content.length === 4 && responseBody
  })
  expect(followed.content.map(({ requestId }: { requestId: string }) => requestId)).toEqual(ids.slice(2))
  expect(BigInt(followed.next)).toBeGreaterThanOrEqual(BigInt(followed.content[3].id))
  const after = (await h.as(second, 'GET', `/api/v1/requests?after=${followed.next}`)).json.responseBody
  expect(after.content).toEqual([])
  expect(BigInt(after.next)).toBeGreaterThanOrEqual(BigInt(followed.next))
})

test('while the table is locked requests are answered as ever; the lines come when it is free', async () => {
  const h = harness()
  const { main } = h.merchants
  const holder = new pg.Client({ connectionString: h.databases['01'] })
  await holder.connect()
  const ids: string[] = []
  try {
    await holder.query('begin; lock table request_log in access exclusive mode')
    const began = performance.now()
    for (let n = 0; n < 30; n += 1) ids.push(idOf(await h.as(main, 'POST', INIT, initBody(main))))
    await h.until('a write waits for the table', async () => {
      const found = await h.sql('01', `select 1 from pg_locks where relation = 'request_log'::regclass and not granted`)
      return found.length > 0
    })
    for (let n = 0; n < 30; n += 1) ids.push(idOf(await h.as(main, 'POST', INIT, initBody(main))))
    expect(performance.now() - began).toBeLessThan(12_000)
  } finally {
    await holder.query('rollback')
    await holder.end()
  }
  for (const id of ids) await line(h, id)
})

const request = (n: number, by: HttpRequest['by']): HttpRequest =>
  ({ id: randomUUID(), method: 'GET', params: {}, by, errorCode: null, url: `/${n}` }) as unknown as HttpRequest
const ROUTE = { id: 'x.y', path: '/api/v1/x' }

test('a flood keeps memory bounded and costs microseconds; what is not written is counted; unauthenticated callers cannot fill the log', async () => {
  const { ctx } = harness().gateway
  const by = { cell: '01', merchantId: 7n, name: 'MK_TEST_01AAAAAAAA', agent: null }
  let release = () => {}
  const stuck = new Promise<void>((done) => {
    release = done
  })
  const written: Row[] = []
  const recorder = createRecorder(ctx, async (_, rows) => {
    await stuck
    written.push(...rows)
  })
  const take = recorder.listener(() => '127.0.0.1')
  const began = process.cpuUsage()
  for (let n = 0; n < 100_000; n += 1) take(ROUTE, request(n, by), 200, 1)
  const { user, system } = process.cpuUsage(began)
  expect((user + system) / 100_000).toBeLessThan(50) // microseconds of processor; the making of the request included
  release()
  await recorder.close()
  await harness().until('all that waited was written', async () => {
    await recorder.flush()
    return written.length === WAITING_MAX || written.length === WAITING_MAX + 500
  })
  expect(recorder.dropped()).toBe(100_000 - written.length)
  expect(new Set(written.map(({ id }) => id)).size).toBe(written.length)

  const failing = createRecorder(ctx, async () => {
    throw new Error('no database')
  })
  const takeAgain = failing.listener(() => '127.0.0.1')
  for (let n = 0; n < 200; n += 1) takeAgain(ROUTE, request(n, null), 401, 1)
  expect(failing.dropped()).toBe(200 - UNKNOWN_MAX)
  await failing.flush()
  expect(failing.dropped()).toBe(200)
  await failing.close()
})

test('a line is kept for a week by the clock, and then deleted', async () => {
  const h = harness()
  const { main } = h.merchants
  const { ctx } = h.gateway
  const old = idOf(await h.as(main, 'GET', '/api/v1/banks'))
  await line(h, old)
  h.gateway.clock?.setOffset(h.gateway.clock.offsetMs() + 7 * 86_400_000 - 60_000)
  await forgetOld(ctx, '01')
  expect(await listed(h, main, `?requestId=${old}`)).toHaveLength(1)
  h.gateway.clock?.setOffset(h.gateway.clock.offsetMs() + 120_000)
  expect(await listed(h, main, `?requestId=${old}`)).toEqual([])
  const fresh = idOf(await h.as(main, 'GET', '/api/v1/banks'))
  await line(h, fresh)
  await forgetOld(ctx, '01')
  expect(await h.sql('01', 'select 1 from request_log where request_id = $1', [old])).toEqual([])
  expect(await listed(h, main, `?requestId=${fresh}`)).toHaveLength(1)
  const [oldest] = await h.sql('01', 'select min(id) as id from request_log')
  expect(BigInt(oldest.id)).toBeGreaterThan(idAt(ctx.clock.now().getTime() - 7 * 86_400_000))
})
