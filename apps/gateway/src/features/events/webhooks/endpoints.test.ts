// Endpoints as a merchant sees them: addresses of activities, endpoints that chose their kinds, and what
// becomes of events that are on their way when an address changes.

import { ENDPOINTS_MAX } from '@cowrie/contract/events/endpoints'
import { WEBHOOK_KINDS } from '@cowrie/contract/kit/spec'
import { describe, expect, test } from 'vitest'
import { at, deliveries, ownPath, referenceOf, setUrls, tell } from '#test/features/events/webhooks.ts'
import { type Answer, advance, type Harness, paid, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { freePort } from '../../../../../../tools/ports.ts'
import { createApi } from '../../../app.ts'

const harness = useHarness()
const URLS = '/api/v1/webhook-urls'
const ENDPOINTS = '/api/v1/webhook-endpoints'
const code = (answer: Answer): string => answer.json?.problem?.code
const every = (url: string | null) => Object.fromEntries(WEBHOOK_KINDS.map((kind) => [kind, url]))

const list = async (h: Harness, merchant: TestMerchant): Promise<any[]> =>
  (await h.as(merchant, 'GET', ENDPOINTS)).json.responseBody
const put = async (h: Harness, merchant: TestMerchant, body: Record<string, unknown>) => {
  const answer = await h.as(merchant, 'PUT', URLS, body)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}
const create = async (h: Harness, merchant: TestMerchant, body: Record<string, unknown>) => {
  const answer = await h.as(merchant, 'POST', ENDPOINTS, body)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}
const nothing = async (h: Harness, merchant: TestMerchant) => {
  await put(h, merchant, { all: null })
  for (const { endpointId } of await list(h, merchant)) await h.as(merchant, 'DELETE', `${ENDPOINTS}/${endpointId}`)
}

describe('addresses of activities', () => {
  test('one address for all of them is one endpoint; one that differs is another; null takes one away', async () => {
    const h = harness()
    const { other } = h.merchants
    await nothing(h, other)
    expect(await put(h, other, { all: 'https://a.example/x' })).toEqual(every('https://a.example/x'))
    expect(await list(h, other)).toMatchObject([{ url: 'https://a.example/x', eventTypes: [], status: 'ENABLED' }])
    expect((await list(h, other))[0].activities.toSorted()).toEqual([...WEBHOOK_KINDS].toSorted())
    const changed = await put(h, other, { settlement: 'https://b.example/', mandate: null })
    expect(changed).toEqual({ ...every('https://a.example/x'), settlement: 'https://b.example/', mandate: null })
    expect((await list(h, other)).map(({ url }) => url)).toEqual(['https://a.example/x', 'https://b.example/'])
    expect((await h.as(other, 'GET', '/sandbox/webhook-urls')).json.responseBody).toEqual(changed)
    await put(h, other, { all: null })
    expect(await list(h, other)).toEqual([])
  })

  test('what waits goes along to a new address, and the endpoint stays the same one', async () => {
    const h = harness()
    const { main } = h.merchants
    const [wrong, right] = [`http://127.0.0.1:${await freePort()}/typo`, ownPath()]
    await setUrls(h, main, { all: wrong })
    const announced = await tell(h, main, 3)
    await advance(h, 0)
    const [before] = await list(h, main)
    await put(h, main, { all: h.receiverUrl(right) })
    const [after, ...more] = await list(h, main)
    expect([after.endpointId, more]).toEqual([before.endpointId, []])
    await advance(h, 0)
    expect(at(h, right).map(referenceOf).sort()).toEqual(announced.sort())
  })

  test('when one activity of several moves, what waits of its kinds moves and the rest stays', async () => {
    const h = harness()
    const { main } = h.merchants
    const [dead, path] = [`http://127.0.0.1:${await freePort()}/dead`, ownPath()]
    await setUrls(h, main, { all: dead })
    const done = await paid(h, main)
    await h.pay(done.accountNumber, 50) // twice: REJECTED_PAYMENT
    await advance(h, 0)
    await put(h, main, { rejectedPayment: h.receiverUrl(path) })
    await advance(h, 0)
    expect(at(h, path).map(({ body }) => body.eventType)).toEqual(['REJECTED_PAYMENT'])
    const [collection, rejection] = await deliveries(h, main, dead)
    expect([collection.state, rejection.state]).toEqual(['PENDING', 'GIVEN_UP'])
    await put(h, main, { all: null })
    expect((await deliveries(h, main, dead)).map(({ state }) => state)).toEqual(['GIVEN_UP', 'GIVEN_UP'])
  })

  test('twenty different requests at once leave one address for each activity', async () => {
    const h = harness()
    const { second } = h.merchants
    await nothing(h, second)
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        put(h, second, { all: `https://n${i}.example/`, mandate: `https://m${i}.example/` }),
      ),
    )
    const endpoints = await list(h, second)
    const held: string[] = endpoints.flatMap(({ activities }) => activities)
    expect(held.toSorted()).toEqual([...WEBHOOK_KINDS].toSorted())
    expect(endpoints.length).toBe(2)
    await nothing(h, second)
  })
})

describe('endpoints that chose their kinds', () => {
  test('receive those and nothing else; `*` receives everything; one address receives an event once', async () => {
    const h = harness()
    const { main } = h.merchants
    await nothing(h, main)
    const [all, rejected, both] = [ownPath(), ownPath(), ownPath()]
    await create(h, main, { url: h.receiverUrl(all), eventTypes: ['*'] })
    await create(h, main, { url: h.receiverUrl(rejected), eventTypes: ['REJECTED_PAYMENT'], description: 'treasury' })
    await put(h, main, { transactionCompletion: h.receiverUrl(both) })
    const merged = await create(h, main, {
      url: h.receiverUrl(both),
      eventTypes: ['SUCCESSFUL_TRANSACTION', 'SETTLEMENT'],
    })
    expect(merged).toMatchObject({
      activities: ['transactionCompletion'],
      eventTypes: ['SUCCESSFUL_TRANSACTION', 'SETTLEMENT'],
    })
    const done = await paid(h, main)
    await h.pay(done.accountNumber, 50)
    await advance(h, 0)
    const kinds = (path: string) => at(h, path).map(({ body }) => body.eventType)
    expect(kinds(all)).toEqual(['SUCCESSFUL_TRANSACTION', 'REJECTED_PAYMENT'])
    expect(kinds(rejected)).toEqual(['REJECTED_PAYMENT'])
    expect(kinds(both)).toEqual(['SUCCESSFUL_TRANSACTION'])
    await nothing(h, main)
  })

  test('can be changed, paused, enabled and removed', async () => {
    const h = harness()
    const { main } = h.merchants
    await nothing(h, main)
    const [first, next] = [ownPath(), ownPath()]
    const { endpointId } = await create(h, main, { url: h.receiverUrl(first), eventTypes: ['*'] })
    const path = `${ENDPOINTS}/${endpointId}`
    const paused = await h.as(main, 'POST', `${path}/disable`)
    expect(paused.json.responseBody).toMatchObject({ status: 'DISABLED', disabledReason: 'BY_MERCHANT' })
    const announced = await tell(h, main, 2)
    await advance(h, 3600)
    expect(at(h, first)).toEqual([])
    expect((await list(h, main))[0].waiting).toBe(2)
    expect((await h.as(main, 'POST', `${path}/disable`)).status).toBe(200) // twice is once
    const renamed = await h.as(main, 'PUT', path, { url: h.receiverUrl(next), description: 'new' })
    expect(renamed.json.responseBody).toMatchObject({ status: 'ENABLED', description: 'new', eventTypes: ['*'] })
    await advance(h, 0)
    expect(at(h, next).map(referenceOf)).toEqual(announced)
    await h.as(main, 'PUT', path, { eventTypes: ['SETTLEMENT'] })
    await tell(h, main, 1)
    await advance(h, 0)
    expect(at(h, next).length).toBe(2)
    expect((await h.as(main, 'DELETE', path)).json.responseBody).toBeUndefined()
    for (const [method, where] of [
      ['PUT', path],
      ['DELETE', path],
      ['POST', `${path}/enable`],
      ['POST', `${path}/disable`],
    ] as const)
      expect(code(await h.as(main, method, where, method === 'DELETE' ? undefined : {})), where).toBe(
        'ENDPOINT_NOT_FOUND',
      )
  })

  test("another merchant's, another cell's, an unknown one and nonsense are all not found", async () => {
    const h = harness()
    const { main, other } = h.merchants
    const { endpointId } = await create(h, other, { url: 'https://theirs.example/', eventTypes: ['*'] })
    for (const id of [endpointId, endpointId.replace('ep_01', 'ep_02'), 'ep_01_1', 'ep_01_99999999999999999999', 'x'])
      for (const [method, tail] of [
        ['PUT', ''],
        ['DELETE', ''],
        ['POST', '/enable'],
        ['POST', '/disable'],
      ] as const) {
        const answer = await h.as(main, method, `${ENDPOINTS}/${id}${tail}`, method === 'DELETE' ? undefined : {})
        expect([id, answer.status, code(answer)]).toEqual([id, 404, 'ENDPOINT_NOT_FOUND'])
      }
    expect((await list(h, other)).some((one) => one.endpointId === endpointId)).toBe(true)
    await nothing(h, other)
  })

  test('twenty at most; none takes the address of another; kinds that do not exist are refused', async () => {
    const h = harness()
    const { second } = h.merchants
    await nothing(h, second)
    const made = []
    for (let i = 0; i < ENDPOINTS_MAX; i += 1)
      made.push(await create(h, second, { url: `https://n${i}.example/`, eventTypes: ['*'] }))
    const more = await h.as(second, 'POST', ENDPOINTS, { url: 'https://more.example/', eventTypes: ['*'] })
    expect(code(more)).toBe('ENDPOINTS_TOO_MANY')
    const taken = await h.as(second, 'PUT', `${ENDPOINTS}/${made[0].endpointId}`, { url: 'https://n1.example/' })
    expect(code(taken)).toBe('ENDPOINT_EXISTS')
    for (const eventTypes of [['NO_SUCH_KIND'], 'SETTLEMENT', undefined])
      expect(code(await h.as(second, 'POST', ENDPOINTS, { url: 'https://x.example/', eventTypes }))).toMatch(/^FIELD_/)
    for (const url of ['ftp://x.example/', 'x', `https://x.example/${'a'.repeat(2000)}`, 'https://x .example/'])
      expect(code(await h.as(second, 'POST', ENDPOINTS, { url, eventTypes: ['*'] }))).toBe('FIELD_INVALID')
    await nothing(h, second)
  })

  test('in live an address must be public and encrypted', async () => {
    const h = harness()
    const { main } = h.merchants
    const port = await freePort()
    const { ctx } = h.gateway
    const live = { ...h.gateway, clock: null, ctx: { ...ctx, environment: 'live' as const } }
    const app = createApi(live, { ...h.config, port })
    await app.listen({ host: '127.0.0.1', port })
    try {
      const call = async (method: string, path: string, authorization: string, body?: unknown) =>
        (await fetch(`http://127.0.0.1:${port}${path}`, {
          method,
          headers: { authorization },
          ...(body ? { body: JSON.stringify(body) } : {}),
        }).then((answer) => answer.json())) as any
      const basic = Buffer.from(`${main.apiKey}:${main.secretKey}`).toString('base64')
      const token = `Bearer ${(await call('POST', '/api/v1/auth/login', `Basic ${basic}`)).responseBody.accessToken}`
      for (const url of [
        'http://shop.example/',
        'https://127.0.0.1/',
        'https://localhost/',
        'https://[::1]/',
        'https://10.0.0.8/',
      ])
        for (const [method, path, body, field] of [
          ['PUT', URLS, { settlement: url }, 'settlement'],
          ['PUT', URLS, { all: url }, 'all'],
          ['POST', ENDPOINTS, { url, eventTypes: ['*'] }, 'url'],
        ] as const)
          expect((await call(method, path, token, body)).problem, url).toMatchObject({
            code: 'ADDRESS_NOT_PUBLIC',
            field,
          })
      expect((await call('PUT', URLS, token, { settlement: 'https://shop.example/hook' })).requestSuccessful).toBe(true)
    } finally {
      await app.close()
      await nothing(h, main)
    }
  })
})
