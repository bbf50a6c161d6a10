// Calls that wait: how soon they are answered, what they cost, when they end, and how many there may be.
import { once } from 'node:events'
import { Agent, type ClientRequest, get, IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { cellById } from '#core/cells/cells.ts'
import { sequence } from '#core/events.ts'
import { tell } from '#test/features/events/events.ts'
import { type Harness, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { rest } from '#test/kit/waiting.ts'
import { freePort } from '../../../../../../tools/ports.ts'
import { createApi } from '../../../app.ts'
import { openGateway } from '../../../gateway.ts'
import { createWatch } from './watch.ts'

const harness = useHarness()
const statements = (h: Harness) => cellById(h.gateway.ctx, '01').statements()
/** A call that was just made has looked in vain, and waits. */
const waits = (h: Harness) => rest('the call waits', () => statements(h), 100)

const lastOf = async (h: Harness, merchant: TestMerchant): Promise<number> =>
  (await h.as(merchant, 'GET', '/api/v1/events?after=999999999')).json.responseBody.lastNumber

type Waited = { numbers: number[]; lastNumber: number; tookMs: number }
/** A call that waits from the newest event on. */
async function wait(h: Harness, merchant: TestMerchant, seconds: number, after?: number): Promise<Waited> {
  const from = after ?? (await lastOf(h, merchant))
  const began = performance.now()
  const answer = await h.as(merchant, 'GET', `/api/v1/events?after=${from}&wait=${seconds}`)
  expect(answer.status, answer.text).toBe(200)
  const { events, lastNumber } = answer.json.responseBody
  return { numbers: events.map((one: any) => one.number), lastNumber, tookMs: performance.now() - began }
}

test('a call that waits is answered at once when another process numbers an event, before the next look', async () => {
  const h = harness()
  const { main } = h.merchants
  const worker = await openGateway(h.config, 'worker')
  try {
    const took: number[] = []
    for (let n = 0; n < 5; n += 1) {
      const last = await lastOf(h, main)
      const waiting = wait(h, main, 10, last)
      await waits(h)
      await tell(h, main)
      const announcedAt = performance.now()
      await sequence(worker.ctx, '01')
      expect((await waiting).numbers).toEqual([last + 1])
      took.push(performance.now() - announcedAt)
    }
    // Without its word every one of the five would be answered at the next look, 900 ms later.
    expect(Math.min(...took)).toBeLessThan(500)
  } finally {
    await worker.close()
  }
})

test('without a notification it finds the event at the next look', async () => {
  const h = harness()
  const { main } = h.merchants
  const silent = { ...h.gateway.ctx, tellNumbered: () => undefined }
  const last = await lastOf(h, main)
  const waiting = wait(h, main, 10, last)
  await waits(h)
  await tell(h, main)
  const announcedAt = performance.now()
  await sequence(silent, '01')
  expect(await waiting).toMatchObject({ numbers: [last + 1], lastNumber: last + 1 })
  expect(performance.now() - announcedAt).toBeLessThan(6_000) // and not at the end of its ten seconds
})

test('it ends with an empty list after its seconds; what is there already is not waited for', async () => {
  const h = harness()
  const { main } = h.merchants
  const last = await lastOf(h, main)
  const empty = await wait(h, main, 2, last)
  expect(empty).toMatchObject({ numbers: [], lastNumber: last })
  expect(empty.tookMs).toBeGreaterThanOrEqual(1_990)
  expect(empty.tookMs).toBeLessThan(15_000) // the most that can be asked for is thirty
  await tell(h, main)
  expect((await wait(h, main, 30, last)).tookMs).toBeLessThan(15_000)
  expect((await wait(h, main, 0)).tookMs).toBeLessThan(15_000)
})

test('its time is that of the world: a clock that is moved ends no wait', async () => {
  const h = harness()
  const { main } = h.merchants
  const waiting = wait(h, main, 2)
  await waits(h)
  h.gateway.clock?.setOffset(h.gateway.clock.offsetMs() + 60_000)
  expect((await waiting).tookMs).toBeGreaterThanOrEqual(1_990)
})

test("another merchant's event, of the same cell or another, wakes nobody", async () => {
  const h = harness()
  const { main, other, second } = h.merchants
  const waiting = wait(h, other, 2)
  await waits(h)
  for (const merchant of [main, second]) {
    await tell(h, merchant)
    await sequence(h.gateway.ctx, merchant.cell)
  }
  expect(await waiting).toMatchObject({ numbers: [] })
})

test('of 25 calls of one merchant 20 wait and 5 are answered at once; all 20 get the event, at one statement a look', async () => {
  const h = harness()
  const { main, other } = h.merchants
  const last = await lastOf(h, main)
  await lastOf(h, other)
  let answered = 0
  const calls = Array.from({ length: 25 }, async () => {
    const answers = await wait(h, main, 20, last)
    answered += 1
    return answers
  })
  await h.until('five answers', async () => answered === 5)
  expect((await wait(h, other, 1)).tookMs, 'another merchant has room').toBeGreaterThanOrEqual(990)
  expect(answered).toBe(5)
  const [before, began] = [statements(h), performance.now()]
  await h.until('three looks', async () => statements(h) >= before + 3)
  // Between three are two seconds; if each call asked for itself they would come at once.
  expect(performance.now() - began).toBeGreaterThan(1_900)
  await tell(h, main)
  await sequence(h.gateway.ctx, '01')
  const answers = await Promise.all(calls)
  expect(answers.filter(({ numbers }) => numbers.length === 0).length).toBe(5)
  expect(answers.filter(({ numbers }) => numbers[0] === last + 1).length).toBe(20)
  await rest('nobody waits, nobody looks', () => statements(h), 2_500)
})

/** A call over a connection that is kept, which can be cut. */
async function cuttable(
  url: string,
  token: string,
  agent: Agent | false,
): Promise<{
  asked: ClientRequest
  answer: Promise<{ status: number; connection: string | undefined; text: string }>
}> {
  const asked = get(url, { agent, headers: { authorization: `Bearer ${token}` } })
  const answer = once(asked, 'response').then(async ([response]: IncomingMessage[]) => {
    const text = (await response?.toArray())?.join('') ?? ''
    return { status: response?.statusCode ?? 0, connection: response?.headers.connection, text }
  })
  answer.catch(() => undefined)
  await once(asked, 'finish')
  return { asked, answer }
}

test('a caller that goes away leaves its place to another', async () => {
  const h = harness()
  const { second } = h.merchants
  const token = await h.token(second)
  const url = `${h.apiUrl}/api/v1/events?after=999999999&wait=30`
  const calls = await Promise.all(Array.from({ length: 21 }, () => cuttable(url, token, false)))
  const answered = new Set<ClientRequest>()
  for (const { asked, answer } of calls) void answer.then(() => answered.add(asked)).catch(() => undefined)
  await h.until('a full house', async () => answered.size === 1)
  expect((await wait(h, second, 30, 999_999_999)).tookMs, 'no room, no wait').toBeLessThan(15_000)
  calls.find(({ asked }) => !answered.has(asked))?.asked.destroy()
  await h.until('room again', async () => (await wait(h, second, 1, 999_999_999)).tookMs >= 990)
  for (const { asked } of calls) asked.destroy()
})

test('the api ends at once while calls wait on connections that are kept, and answers them', async () => {
  const h = harness()
  const { main } = h.merchants
  const token = await h.token(main)
  const port = await freePort()
  const app = createApi(h.gateway, { ...h.config, port })
  await app.listen({ host: '127.0.0.1', port })
  const agent = new Agent({ keepAlive: true })
  const ears = async (): Promise<number> =>
    (
      await h.sql(
        '01',
        `select from pg_stat_activity where datname = current_database() and query = 'listen cowrie_numbered'`,
      )
    ).length
  const before = await ears()
  const url = `http://127.0.0.1:${port}/api/v1/events?after=999999999&wait=30`
  const calls = await Promise.all(Array.from({ length: 8 }, () => cuttable(url, token, agent)))
  await h.until('an ear', async () => (await ears()) === before + 1)
  await waits(h)
  const began = performance.now()
  await app.close()
  expect(performance.now() - began).toBeLessThan(15_000) // the calls would wait for thirty
  for (const { answer } of calls) {
    const { status, connection, text } = await answer
    expect([status, connection, JSON.parse(text).responseBody.events]).toEqual([200, 'close', []])
  }
  agent.destroy()
  await h.until('its ear is closed', async () => (await ears()) === before)
})

test('2,000 calls wait in one process, and none beyond them', async () => {
  const h = harness()
  const watch = createWatch(h.gateway.ctx, () => ({ close: async () => undefined }))
  const line = () => new ServerResponse(new IncomingMessage(new Socket()))
  const calls = Array.from({ length: 2_000 }, (_, n) =>
    watch.until(n % 2 === 0 ? '01' : '02', BigInt(-1 - (n % 200)), 0n, 30_000, line()),
  )
  expect(watch.waiting()).toBe(2_000)
  expect(await watch.until('01', -999n, 0n, 30_000, line())).toBe(false)
  await watch.close()
  expect(new Set(await Promise.all(calls))).toEqual(new Set([false]))
  expect(watch.waiting()).toBe(0)
  expect(await watch.until('01', -1n, 0n, 30_000, line()), 'after the end').toBe(false)
})
