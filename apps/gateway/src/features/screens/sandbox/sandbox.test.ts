// The calls that drive the sandbox, and that live does not have.

import { HOUR_MS, MINUTE_MS } from '@cowrie/contract/kit/durations'
import { WEBHOOK_KINDS } from '@cowrie/contract/kit/spec'
import { listRoutes } from '@cowrie/contract/reference/openapi'
import { describe, expect, test } from 'vitest'
import { sharedOf } from '#test/features/access/acts.ts'
import { invoice } from '#test/features/collections/invoices.ts'
import { advanceTo } from '#test/features/settlements/settlements.ts'
import { type Answer, advance, type Harness, initialise, paid, status, useHarness } from '#test/kit/harness.ts'
import { freePort } from '../../../../../../tools/ports.ts'
import { createApi } from '../../../app.ts'
import { walkIn } from './sandbox.ts'

const harness = useHarness()
const ADVANCE = '/sandbox/clock/advance'
const URLS = '/sandbox/webhook-urls'

const code = (answer: Answer): string => answer.json?.problem?.code
const move = (h: Harness, body: Record<string, unknown>) => h.as(h.merchants.main, 'POST', ADVANCE, body)
/** Statements that the gateway has sent so far. */
const sentBy = (h: Harness): number =>
  [...h.gateway.ctx.cells.values()].reduce((sum, cell) => sum + cell.statements(), 0)
const nowOf = async (h: Harness): Promise<number> =>
  Date.parse((await h.as(h.merchants.main, 'GET', '/sandbox/clock')).json.responseBody.now)

describe('sandbox routes', () => {
  test('404 ROUTE_UNKNOWN for every one of them where the clock cannot be moved', async () => {
    const h = harness()
    const port = await freePort()
    const app = createApi({ ...h.gateway, clock: null }, { ...h.config, port })
    await app.listen({ host: '127.0.0.1', port })
    try {
      const live = new Set(listRoutes(false))
      const sandbox = listRoutes(true).filter((route) => !live.has(route))
      expect(sandbox.length).toBe(7)
      const headers = { authorization: `Bearer ${await h.token(h.merchants.main)}` }
      const before = h.gateway.ctx.clock.offsetMs()
      for (const { method, path } of sandbox) {
        const body = method === 'GET' ? {} : { body: '{"seconds":60,"all":null}' }
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...body })
        const said = (await answer.json()) as any
        expect([path, answer.status, said.problem.code]).toEqual([path, 404, 'ROUTE_UNKNOWN'])
      }
      expect(h.gateway.ctx.clock.offsetMs()).toBe(before)
    } finally {
      await app.close()
    }
  })
  test('401 TOKEN_MISSING for every one of them without a token', async () => {
    const h = harness()
    for (const { method, path } of listRoutes(true).filter((route) => route.sandbox))
      expect(code(await h.call(method, path, method === 'GET' ? {} : { body: {} })), path).toBe('TOKEN_MISSING')
  })
})

describe('sandbox.setWebhookUrls', () => {
  const all = (url: string | null) => Object.fromEntries(WEBHOOK_KINDS.map((kind) => [kind, url]))

  test('200 sets one kind, several, all; null takes one back; stray keys are ignored', async () => {
    const h = harness()
    const { other } = h.merchants
    const put = async (body: unknown) => {
      const answer = await h.as(other, 'PUT', URLS, body)
      expect(answer.status, answer.text).toBe(200)
      expect((await h.as(other, 'GET', URLS)).json).toEqual(answer.json)
      return answer.json.responseBody
    }
    expect(await put({})).toEqual(all(null))
    expect(await put({ settlement: 'http://a.example/s' })).toEqual({ ...all(null), settlement: 'http://a.example/s' })
    expect(await put({ all: 'https://b.example/', mandate: 'https://c.example/', stray: 'x' })).toEqual({
      ...all('https://b.example/'),
      mandate: 'https://c.example/',
    })
    expect(await put({ mandate: null })).toEqual({ ...all('https://b.example/'), mandate: null })
    expect(await put({ all: null, settlement: 'https://d.example/' })).toEqual({
      ...all(null),
      settlement: 'https://d.example/',
    })
    expect(await put({ all: null })).toEqual(all(null))
  })
  test.each([
    'ftp://a.example/',
    'a.example',
    'https://a b/',
    7,
    ['https://a.example/'],
    `https://a/${'x'.repeat(2_000)}`,
  ])('400 FIELD_INVALID for the address %j, and nothing is set', async (url) => {
    const h = harness()
    const answer = await h.as(h.merchants.second, 'PUT', URLS, { settlement: url, mandate: 'https://ok.example/' })
    expect([answer.status, code(answer)]).toEqual([400, 'FIELD_INVALID'])
    expect((await h.as(h.merchants.second, 'GET', URLS)).json.responseBody).toEqual(all(null))
  })
  test("200 leaves another merchant's addresses alone", async () => {
    const h = harness()
    const { main, other, second } = h.merchants
    await h.as(main, 'PUT', URLS, { all: 'https://main.example/' })
    for (const outsider of [other, second])
      expect((await h.as(outsider, 'GET', URLS)).text).not.toContain('main.example')
    await h.as(main, 'PUT', URLS, { all: null })
  })
})

describe('sandbox.advance', () => {
  test('200 moves by seconds and to a moment; the clock tells so', async () => {
    const h = harness()
    const start = await nowOf(h)
    const by = await move(h, { seconds: 90.5 })
    expect(Date.parse(by.json.responseBody.now) - start).toBeGreaterThanOrEqual(90_500)
    const to = new Date((await nowOf(h)) + 3_600_000)
    const there = await move(h, { to: to.toISOString() })
    expect(Date.parse(there.json.responseBody.now)).toBeGreaterThanOrEqual(to.getTime())
    expect(Date.parse(there.json.responseBody.now)).toBeLessThan(to.getTime() + 60_000)
    const asked = Date.now()
    const clock = (await h.as(h.merchants.second, 'GET', '/sandbox/clock')).json.responseBody
    expect(Date.parse(clock.now)).toBeGreaterThanOrEqual(to.getTime())
    const unmoved = Date.parse(clock.now) - clock.offsetSeconds * 1000
    expect(unmoved).toBeGreaterThan(asked - 1_000)
    expect(unmoved).toBeLessThan(Date.now() + 1_000)
  })
  test.each([
    ['CLOCK_BACKWARDS', { seconds: -1 }],
    ['CLOCK_BACKWARDS', { seconds: -0.001 }],
    ['CLOCK_BACKWARDS', { to: '2001-01-01T00:00:00Z' }],
    ['FIELD_INVALID', { to: 'tomorrow' }],
    ['FIELD_INVALID', { seconds: '60' }],
    ['FIELD_INVALID', { seconds: 400 * 86_400 + 1 }],
    ['FIELD_INVALID', { to: '9999-12-31T23:59:59Z' }],
    ['FIELD_MISSING', {}],
  ])('400 %s for %j, and the clock stays', async (expected, body) => {
    const h = harness()
    const offset = h.gateway.ctx.clock.offsetMs()
    const answer = await move(h, body)
    expect([answer.status, code(answer)]).toEqual([400, expected])
    expect(h.gateway.ctx.clock.offsetMs()).toBe(offset)
  })
  test('200 for two at once: one after the other, both in full', async () => {
    const h = harness()
    const { main } = h.merchants
    await advanceTo(h, '12:00:00') // whatever the hour, the timers of the night are not on the way
    const made = await initialise(h, main)
    const start = await nowOf(h)
    const answers = await Promise.all([move(h, { seconds: 1_300 }), move(h, { seconds: 1_300 })])
    expect(answers.map((answer) => answer.status)).toEqual([200, 200])
    expect((await nowOf(h)) - start).toBeGreaterThanOrEqual(2_600_000)
    expect((await nowOf(h)) - start).toBeLessThan(2_700_000)
    expect((await status(h, main, made.transactionReference)).paymentStatus).toBe('EXPIRED')
    expect(answers.map((answer) => answer.json.responseBody.ran).reduce((a, b) => a + b)).toBe(1)
  })
  test('a programme that walks in strides comes to its moment, past the same deadlines in fewer statements', async () => {
    const h = harness()
    const { main } = h.merchants
    const { ctx } = h.gateway
    const walked = async (strideMs: number): Promise<{ statements: number; ran: number }> => {
      await advanceTo(h, '12:00:00')
      const made = []
      for (let at = 0; at < 40; at += 1) made.push(await initialise(h, main))
      const walk = walkIn(sharedOf(h), strideMs)
      const [before, target] = [sentBy(h), ctx.clock.now().getTime() + 2 * HOUR_MS]
      const { now, ran } = await walk(() => new Date(target))
      expect(now.getTime() - target).toBeLessThan(MINUTE_MS)
      for (const { transactionReference } of made)
        expect((await status(h, main, transactionReference)).paymentStatus).toBe('EXPIRED')
      return { statements: sentBy(h) - before, ran }
    }
    const [each, together] = [await walked(0), await walked(30 * MINUTE_MS)]
    expect(together.ran).toBe(each.ran)
    expect(together.statements * 2).toBeLessThan(each.statements)
  })
  // In statements, because seconds depend on the neighbours: the same walk takes 2.6 s alone and 7 s on a
  // busy machine.
  test('200 for 31 days with 20 notifications to retry makes all 180 attempts, at less than 55 statements each, with 31 nights of reconciliation', async () => {
    const h = harness()
    const { main, second } = h.merchants
    h.answerWith(() => 500)
    for (const merchant of [main, second]) await h.as(merchant, 'PUT', URLS, { all: h.receiverUrl() })
    const before = h.received.length
    await Promise.all(Array.from({ length: 20 }, (_, i) => paid(h, i % 2 === 0 ? main : second)))
    await advance(h, 0)
    expect(h.received.length - before).toBe(20)
    const sent = sentBy(h)
    await advance(h, 31 * 86_400)
    expect(h.received.length - before).toBe(200)
    expect((sentBy(h) - sent) / 180).toBeLessThan(55)
    h.answerWith(() => 200)
  })
})

describe('sandbox.clock', () => {
  test('the moved time is kept in the database, from where other processes take it', async () => {
    const h = harness()
    await advance(h, 60)
    const [row] = await h.sql('01', 'select offset_ms::float8 as ms from sandbox_clock')
    expect(Math.abs(row.ms - h.gateway.ctx.clock.offsetMs())).toBeLessThan(2)
  })
})

describe('sandbox.mails', () => {
  test('200 shows a merchant the mails to its owner and its customers, and no other, with `to` and without', async () => {
    const h = harness()
    const { main, other } = h.merchants
    const shared = 'shared.customer@example.com'
    await invoice(h, main, { customerEmail: shared, description: 'Cloth of main' })
    await invoice(h, other, { customerEmail: shared, description: 'Books of other' })
    await invoice(h, other, { customerEmail: main.email, description: 'To the owner of main' })
    await advance(h, 5)
    const read = async (merchant: typeof main, to?: string): Promise<any[]> =>
      (await h.as(merchant, 'GET', `/sandbox/mails${to ? `?to=${encodeURIComponent(to)}` : ''}`)).json.responseBody
    const texts = async (merchant: typeof main, to?: string) =>
      (await read(merchant, to)).map(({ text }) => String(text)).join('\n')
    expect(await texts(main, shared)).toMatch(/^(?=[\s\S]*Cloth of main)(?![\s\S]*Books of other)/)
    expect(await texts(other, shared)).toMatch(/^(?=[\s\S]*Books of other)(?![\s\S]*Cloth of main)/)
    expect(await read(main, main.email)).toEqual([])
    expect(await texts(other, main.email)).toContain('To the owner of main')
    expect(await texts(main)).toMatch(/^(?=[\s\S]*Cloth of main)(?![\s\S]*(Books of other|To the owner of main))/)
    expect(await texts(other)).not.toContain('Cloth of main')
  })
})
