// Many at once: paycodes out of one wallet, redemptions of one code, and a redemption beside a cancellation
// or the expiry. Exactly one end, and never more than there is.
import { expect, test } from 'vitest'
import { newSession } from '#test/bank/notices.ts'
import { newMerchant, ask as transfer } from '#test/features/payouts/disbursements.ts'
import {
  ask,
  cancel,
  eventsOf,
  HELD,
  issued,
  money,
  newAgent,
  PAID,
  PAYCODES,
  paycodeBody,
  RETURNED,
  redeem,
  statusOf,
} from '#test/features/payouts/paycodes.ts'
import { advance, useHarness } from '#test/kit/harness.ts'
import { openSecondApi } from '#test/kit/second-api.ts'
import { expirePaycodes } from './outcome.ts'

const harness = useHarness()
const ROUNDS = 12

test('100 of 500 naira, of which nineteen fit: nineteen are accepted, in two processes', async () => {
  const h = harness()
  const merchant = await newMerchant(h, { naira: 10_000 })
  const second = await openSecondApi(h)
  try {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        at % 2 ? second.post(merchant, PAYCODES, paycodeBody(merchant)) : ask(h, merchant),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19)
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ json }) => json.problem.code))).toEqual(
      new Set(['INSUFFICIENT_FUNDS']),
    )
  } finally {
    await second.close()
  }
  expect(await money(h, merchant)).toEqual({ wallet: 31_000n, hold: 969_000n, agents: 0n, fees: 0n })
})

test('one reference 50 times: one paycode', async () => {
  const h = harness()
  const merchant = await newMerchant(h, { naira: 10_000 })
  const body = paycodeBody(merchant)
  const answers = await Promise.all(Array.from({ length: 50 }, () => h.as(merchant, 'POST', PAYCODES, body)))
  expect(answers.map(({ status }) => status).toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
    200,
    ...Array(49).fill(422),
  ])
  expect(await money(h, merchant)).toEqual(HELD)
})

test('paycodes and transfers of one day, and one limit: together no more than it allows', async () => {
  const h = harness()
  const merchant = await newMerchant(h, { naira: 100_000 })
  await h.sql('01', `update disbursement_settings set per_day_kobo = 200000 where merchant_id = ${merchant.id}`)
  h.gateway.merchants.forget('01')
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, at) => (at % 2 ? transfer(h, merchant, { amount: 500 }) : ask(h, merchant))),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
})

test('one code 50 times by as many agents: one is paid', async () => {
  const h = harness()
  const merchant = await newMerchant(h, { naira: 10_000 })
  const { code, reference } = await issued(h, merchant)
  const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(h, code)))
  expect(answers.map(({ status }) => status).toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
    200,
    ...Array(49).fill(422),
  ])
  expect(await money(h, merchant)).toEqual(PAID)
  await advance(h, 1)
  const types = (await eventsOf(h, merchant, reference)).map(({ eventType }) => eventType)
  expect(types.filter((type) => type === 'SUCCESSFUL_TRANSACTION')).toHaveLength(1)
})

test('one session 50 times: every response is the same, and one is paid', async () => {
  const h = harness()
  const merchant = await newMerchant(h, { naira: 10_000 })
  const { code } = await issued(h, merchant)
  const over = { sessionId: newSession(), agentId: newAgent() }
  const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(h, code, over)))
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(200)
  expect(await money(h, merchant)).toEqual(PAID)
})

test('redeemed and cancelled at once: exactly one of them, whichever comes first', async () => {
  const h = harness()
  for (let round = 0; round < ROUNDS; round += 1) {
    const merchant = await newMerchant(h, { naira: 10_000 })
    const { code, reference } = await issued(h, merchant)
    const both = [() => cancel(h, merchant, reference), () => redeem(h, code)] as const
    const [first, last] = round % 2 ? both : both.toReversed()
    const started = [first?.(), last?.()]
    const statuses = (await Promise.all(started)).map((answer) => answer?.status)
    expect(statuses.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([200, 422])
    const redeemed = (await statusOf(h, merchant, reference)) === 'COMPLETED'
    expect(await money(h, merchant)).toEqual(redeemed ? PAID : RETURNED)
  }
})

test('redeemed and expired at once: exactly one of them', async () => {
  const h = harness()
  const { ctx, merchants } = h.gateway
  const ends = new Set<string>()
  for (let round = 0; round < ROUNDS; round += 1) {
    const merchant = await newMerchant(h, { naira: 10_000 })
    const { code, reference } = await issued(h, merchant)
    const [row] = await h.sql('01', 'select id from paycodes where paycode_reference = $1', [reference])
    // It ends while both are on their way: within the next milliseconds of the clock.
    const end = new Date(ctx.clock.now().getTime() + (round % 4) * 8)
    await h.sql('01', 'update paycodes set expires_at = $2 where paycode_reference = $1', [reference, end])
    const expire = async (): Promise<void> => {
      for (let tried = 0; tried < 8; tried += 1) await expirePaycodes(ctx, merchants, '01', [BigInt(row.id)])
    }
    const [answer] = await Promise.all([redeem(h, code), expire()])
    await h.until('it has ended', async () => {
      await expirePaycodes(ctx, merchants, '01', [BigInt(row.id)])
      return (await statusOf(h, merchant, reference)) !== 'PENDING'
    })
    const status = await statusOf(h, merchant, reference)
    ends.add(status)
    expect(status).toBe(answer.status === 200 ? 'COMPLETED' : 'EXPIRED')
    expect(await money(h, merchant)).toEqual(answer.status === 200 ? PAID : RETURNED)
  }
  expect(ends.size).toBeGreaterThan(0)
})
