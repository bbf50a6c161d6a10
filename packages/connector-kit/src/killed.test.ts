// An adapter is killed in the middle of forwarding, thirty times and at every point; the gateway goes on as
// gateways do. Then no order was paid twice, and what the adapter says of each is true.
import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import { expect, test } from 'vitest'
import { sizeOf } from '../../../trials/chaos/kit/sizes.ts'
import type { AdapterConfig, Death } from '../test/adapter-process.ts'
import { call, KEY, useGateway } from '../test/gateway.ts'
import { type Adapter, startAdapter } from '../test/process.ts'
import { newOrder, newSession } from '../test/samples.ts'
import { useStore } from '../test/store.ts'
import { useUpstream } from '../test/upstream.ts'
import { createLog, createOutbox, systemClock } from './index.ts'

const { store, url, query } = useStore()
const bank = useUpstream()
const gateway = useGateway()

const KILLS = sizeOf('KIT_KILLS', 10)
const AT_ONCE = 6
/** By the process itself, right after its commit; or by the bank: before it takes an order, after, or with
 *  its answer under way. */
const POINTS = ['accepted', 'marked', 'received', 'taken', 'answered'] as const
const suicide = (point: (typeof POINTS)[number]): Death => (point === 'accepted' || point === 'marked' ? point : null)

const config = (more: Partial<AdapterConfig>): AdapterConfig => ({
  databaseUrl: url(),
  schema: store().schema,
  upstreamUrl: bank.url(),
  gatewayUrl: gateway.url(),
  keys: [KEY],
  aheadMs: 0,
  die: null,
  dieAfter: 1,
  ...more,
})

test(`${KILLS} kills: no order twice, none lost, and the adapter tells the truth`, async () => {
  const ordered: string[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const point = POINTS[kill % POINTS.length] ?? 'taken'
    const dieAfter = 1 + (kill % AT_ONCE)
    // Each is some seconds ahead of the one before, so that it takes over what that one left.
    const adapter = await startAdapter(config({ die: suicide(point), dieAfter, aheadMs: kill * 10_000 }))
    let seen = 0
    bank.onTransfer = (when) => {
      if (when === point) seen += 1
      if (when !== point || seen !== dieAfter) return false
      adapter.kill()
      return when === 'received'
    }
    const orders = Array.from({ length: AT_ONCE }, () => newOrder())
    ordered.push(...orders.map(({ sessionId }) => sessionId))
    await Promise.all(orders.map((order) => call(adapter.url, 'POST', BANK_PATHS.payouts, order)))
    expect(await adapter.ended, `${point} after ${dieAfter}`).toBeNull()
  }

  bank.onTransfer = () => false
  const last: Adapter = await startAdapter(config({ aheadMs: KILLS * 10_000 }))
  const { schema } = store()
  await expect.poll(() => query(`select session_id from ${schema}.orders where state = 'ACCEPTED'`)).toEqual([])

  const ends: Record<string, number> = {}
  for (const sessionId of ordered) {
    const ask = async (path: string) => (await call(last.url, 'POST', path, { sessionId }))?.json['status']
    const inquired = await ask(BANK_PATHS.payoutInquiries)
    const status = String(inquired === 'UNKNOWN' ? await ask(BANK_PATHS.payoutBars) : inquired)
    ends[status] = (ends[status] ?? 0) + 1
    // PENDING: it was marked, and killed before the bank had it. Nobody can know that, so nobody says FAILED.
    expect([sessionId, status, bank.times(sessionId)]).toEqual([sessionId, status, status === 'SUCCESS' ? 1 : 0])
    expect(await ask(BANK_PATHS.payoutBars)).toBe(status)
  }
  expect(ordered).toHaveLength(KILLS * AT_ONCE)
  expect(bank.transfers).toHaveLength(ends['SUCCESS'] ?? 0)
  expect(Object.keys(ends).sort()).toEqual(['FAILED', 'PENDING', 'SUCCESS'])
  expect(ends['PENDING']).toBeGreaterThanOrEqual(KILLS / POINTS.length)
  expect(await last.stop()).toBe(0)
})

test('SIGTERM: what is under way is answered and recorded, and the process ends with 0', async () => {
  bank.behaviour = 'hold'
  const adapter = await startAdapter(config({}))
  const order = newOrder()
  const reply = call(adapter.url, 'POST', BANK_PATHS.payouts, order)
  await expect.poll(() => bank.held.length).toBe(1)
  const code = adapter.stop()
  for (const letGo of bank.held) letGo()
  expect(await reply).toMatchObject({ status: 200, json: { status: 'SUCCESS' } })
  expect(await code).toBe(0)
  expect(await query(`select status from ${store().schema}.orders`)).toEqual([{ status: 'SUCCESS' }])
})

test('ten kills while notices are sent, before and after the gateway has accepted one: none is lost, all in their order', async () => {
  const log = createLog({ name: 'test', clock: systemClock, write: () => undefined })
  const outbox = createOutbox({ ...store(), gatewayUrl: gateway.url(), keys: () => [KEY], log })
  const account = { bankCode: '999', accountNumber: '0112345678', amount: '1000.50' }
  const sender = { senderName: 'Ada Obi', senderAccountNumber: '0123456789', senderBankCode: '058' }
  const sessions = Array.from({ length: 100 }, newSession)
  for (const sessionId of sessions) {
    await outbox.add({ kind: 'credit', notice: { sessionId, ...account, ...sender, paidAt: '2026-11-18T02:00:00Z' } })
    const reversal = { sessionId, reversalSessionId: newSession(), ...account, reason: 'x', at: '2026-11-18T03:00:00Z' }
    await outbox.add({ kind: 'reversal', notice: reversal })
  }
  const start = (round: number) => startAdapter(config({ aheadMs: round * 40_000 }))
  for (let kill = 0; kill < 10; kill += 1) {
    const adapter = start(kill)
    let seen = 0
    // Until the process is dead the gateway accepts what reaches it, or nothing.
    gateway.answer = () => {
      seen += 1
      if (seen > kill) void adapter.then((one) => one.kill())
      return seen > kill && kill % 2 === 0 ? null : 200
    }
    expect(await (await adapter).ended).toBeNull()
  }
  gateway.answer = () => 200
  const last = await start(11)
  await expect.poll(() => outbox.waiting()).toEqual({ count: 0, oldest: null })
  expect(await last.stop()).toBe(0)
  for (const sessionId of sessions) {
    const mine = gateway.received.filter(({ message, accepted }) => accepted && message['sessionId'] === sessionId)
    const kinds = mine.map(({ path }) => path.split('/').at(-1))
    expect(kinds).toContain('credits')
    expect(kinds).toContain('reversals')
    // Both may come again after a kill, and never the reversal first.
    expect(kinds.indexOf('credits')).toBeLessThan(kinds.indexOf('reversals'))
  }
})
