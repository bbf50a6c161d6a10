// The adapter is killed in the middle of forwarding, and in the middle of credits. Then no order was sent
// twice, none is lost, what the adapter says of each is true, and every credit that the bank booked has
// reached the gateway.
import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import { expect, test } from 'vitest'
import { call } from '../../packages/connector-kit/test/gateway.ts'
import { newOrder } from '../../packages/connector-kit/test/samples.ts'
import { sizeOf } from '../../trials/chaos/kit/sizes.ts'
import { referenceOf } from './src/mapping.ts'
import { useBank } from './test/harness.ts'

const bank = useBank()
const { gateway } = bank

/** At most 100: each is a process that starts. Both adapters are killed by `npm run trial -- rails` too. */
const KILLS = sizeOf('PROVIDUS_KILLS', 3)
const AT_ONCE = 6
/** The bank has paid and is about to answer, has not taken it, or has answered with half of it. */
const POINTS = ['slow', 'deaf', 'half'] as const

test(`${KILLS} kills while orders are forwarded: none twice, none lost, and the adapter tells the truth`, async () => {
  const ordered: string[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const adapter = await bank.adapter()
    await bank.fake.next('order', POINTS[kill % POINTS.length] ?? 'slow', { delayMs: 200, times: AT_ONCE })
    const before = (await bank.fake.received()).length
    const orders = Array.from({ length: AT_ONCE }, () => newOrder())
    ordered.push(...orders.map(({ sessionId }) => sessionId))
    const calls = orders.map((order) => call(adapter.url, 'POST', BANK_PATHS.payouts, order))
    // After one more of them has reached the bank than the time before.
    await expect.poll(async () => (await bank.fake.received()).length).toBeGreaterThan(before + (kill % AT_ONCE))
    await adapter.kill()
    await Promise.all(calls)
    await bank.fake.post('/exam/reset')
  }

  const last = await bank.adapter()
  // What was recorded and not marked is forwarded by the next process, some seconds later.
  const { schema } = bank.store()
  const left = () => bank.query(`select session_id from ${schema}.orders where state = 'ACCEPTED'`)
  await expect.poll(left, { timeout: 30_000 }).toEqual([])

  const ask = async (path: string, sessionId: string) =>
    (await call(last.url, 'POST', path, { sessionId }))?.json['status']
  const statusOf = async (sessionId: string): Promise<string> => {
    const inquired = await ask(BANK_PATHS.payoutInquiries, sessionId)
    return String(inquired === 'UNKNOWN' ? await ask(BANK_PATHS.payoutBars, sessionId) : inquired)
  }
  /** What the adapter says that the bank's books do not bear out. */
  const lies = async (): Promise<string[]> => {
    const said: [string, string][] = []
    for (const sessionId of ordered) said.push([sessionId, await statusOf(sessionId)])
    const received = await bank.fake.received()
    const paid = new Set((await bank.fake.orders()).map(({ reference }) => reference))
    return said.flatMap(([sessionId, status]) => {
      const reference = referenceOf(sessionId)
      // PENDING: it was marked, and may have been sent. FAILED: it was never recorded, and is barred now.
      const truths = paid.has(reference)
        ? ['SUCCESS']
        : received.includes(reference)
          ? ['PENDING']
          : ['PENDING', 'FAILED']
      return truths.includes(status) ? [] : [`${sessionId} ${status}`]
    })
  }
  // The last ones may still be on their way to the bank.
  await expect.poll(lies, { timeout: 30_000 }).toEqual([])
  const received = await bank.fake.received()
  expect(new Set(received).size).toBe(received.length)
  expect(ordered).toHaveLength(KILLS * AT_ONCE)
  expect(await last.stop()).toBe(0)
})

test(`${KILLS} kills while credits are received: none lost, none with another amount, each one notice`, async () => {
  const booked = new Map<string, string>()
  for (let kill = 0; kill < KILLS; kill += 1) {
    const adapter = await bank.adapter()
    let seen = 0
    // Until it is dead the gateway accepts what reaches it, or nothing.
    gateway.answer = () => {
      seen += 1
      if (seen > kill % 3) void adapter.kill()
      return seen > kill % 3 && kill % 2 === 0 ? null : 200
    }
    const references = await Promise.all(
      Array.from({ length: 4 }, (_, at) => bank.fake.credit({ kobo: String(10_000 + kill * 10 + at) })),
    )
    for (const [at, reference] of references.entries()) booked.set(reference, `100.${kill}${at}`)
    await Promise.all(references.map((reference) => bank.fake.deliver(reference)))
    await adapter.kill()
  }
  gateway.answer = () => 200
  const last = await bank.adapter()
  // Those that it was never alive for come from the settlement report.
  await bank.recover(...booked.keys())
  const counted = () => new Set(gateway.accepted().map((notice) => notice['reference']))
  // What a killed process was asking the bank about is asked again a minute later.
  await expect.poll(() => counted().size, { timeout: 180_000 }).toBe(booked.size)
  for (const notice of gateway.accepted()) expect(notice['amount']).toBe(booked.get(String(notice['reference'])))
  const rows = await bank.query(`select count(*)::int as count from ${bank.store().schema}.notices`)
  expect(rows).toEqual([{ count: booked.size }])
  expect(await last.stop()).toBe(0)
}, 300_000)
