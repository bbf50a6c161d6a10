// The adapter is killed in the middle of forwarding, again and again; the gateway goes on as gateways do.
// Then no order was taken twice, none that was taken is lost, and what the adapter says of each is true.
// `NIBSS_KILLS=100` is the full form.
import { expect, test } from 'vitest'
import type { Behaviour } from '../../packages/connector-kit/test/fake.ts'
import { sizeOf } from '../../trials/chaos/kit/sizes.ts'
import type { Call } from './fake/bank.ts'
import { caller, newOrder, useEasyPay } from './test/harness.ts'
import { startAdapter } from './test/processes.ts'

const { fake, env, query } = useEasyPay({ alone: true })

const KILLS = sizeOf('NIBSS_KILLS', 10)
const AT_ONCE = 6
/** Where the calls are when it is killed: at the name enquiry, before the transfer is taken, after, or
 *  anywhere. */
type Point = { readonly on: Call; readonly behaviour: Behaviour } | null
const POINTS: readonly Point[] = [
  { on: 'name', behaviour: 'deaf' },
  { on: 'order', behaviour: 'deaf' },
  { on: 'order', behaviour: 'mute' },
  { on: 'order', behaviour: 'half' },
  null,
]

test(
  `${KILLS} kills: no order twice, none lost, and the adapter tells the truth`,
  async () => {
    const ordered: string[] = []
    /** Of the first, which were killed while their names were asked for: nothing of them had been sent, and
     *  they say so. */
    let first: unknown[] = []
    for (let kill = 0; kill < KILLS; kill += 1) {
      const adapter = await startAdapter(env())
      const gateway = caller(() => adapter.url)
      const point = POINTS[kill % POINTS.length] ?? null
      const held = point?.on === 'name' ? AT_ONCE : 1 + (kill % AT_ONCE)
      if (point !== null) await fake().next(point.on, point.behaviour, { times: held })
      const before = await fake().counts()
      const orders = Array.from({ length: AT_ONCE }, () => newOrder())
      ordered.push(...orders.map(({ sessionId }) => sessionId))
      const answers = Promise.all(orders.map(gateway.pay))
      const reached = point?.on === 'name' ? 'names' : 'received'
      // The last kind is killed at whatever it does after so many transfers.
      await expect
        .poll(async () => (await fake().counts())[reached] ?? 0)
        .toBeGreaterThanOrEqual((before[reached] ?? 0) + held)
      await adapter.kill()
      await answers
      if (kill === 0) first = await query('select state from nibss_easypay.orders')
      await fake().reset()
    }

    expect(first).toEqual(Array(AT_ONCE).fill({ state: 'ACCEPTED' }))
    const last = await startAdapter(env())
    const gateway = caller(() => last.url)
    // What was accepted and not marked is forwarded by whoever comes after.
    await expect.poll(() => query(`select session_id from nibss_easypay.orders where state = 'ACCEPTED'`)).toEqual([])

    const ends: Record<string, number> = {}
    for (const sessionId of ordered) {
      const inquired = await gateway.inquire(sessionId)
      const status = inquired === 'UNKNOWN' ? await gateway.bar(sessionId) : inquired
      ends[status] = (ends[status] ?? 0) + 1
      // PENDING: marked, and killed before the transfer was taken. Nobody can know that, so nobody says
      // FAILED.
      expect([sessionId, status, await fake().times(sessionId)]).toEqual([
        sessionId,
        status,
        status === 'SUCCESS' ? 1 : 0,
      ])
    }
    const { orders } = await fake().books()
    expect(orders).toHaveLength(ends['SUCCESS'] ?? 0)
    expect(new Set(orders.map(({ reference }) => reference)).size).toBe(orders.length)
    // The fake refuses what it has taken, so it must not have been asked either.
    expect(await fake().counts()).toMatchObject({ repeated: 0 })
    expect(ends['PENDING']).toBeGreaterThanOrEqual(2)
    expect(await last.stop()).toBe(0)
  },
  KILLS * 20_000 + 60_000,
)
