// Accepting under contention: two processes of the same gateway, one wallet.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  account,
  codeOf,
  money,
  newMerchant,
  order,
  paidTo,
  SINGLE,
  sent,
  statusOf,
  VALIDATE,
} from '#test/features/payouts/disbursements.ts'
import { advance, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'
import { openSecondApi } from '#test/kit/second-api.ts'

const harness = useHarness()
let second: Awaited<ReturnType<typeof openSecondApi>>
beforeAll(async () => {
  second = await openSecondApi(harness())
})
afterAll(() => second.close())

/** 503 says that nothing was done, so it is asked again; if it had been done after all, the next answer would
 *  be D05. */
async function insisting<T extends { status: number }>(send: () => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn += 1) {
    const answer = await send()
    if (answer.status !== 503 || turn === 5) return answer
  }
}

/** All at once, half of them at the other process; how often each answer came. */
/** On a busy machine the bank may answer later than the caller is kept waiting. */
async function ended(path: string, payer: TestMerchant, { status, reference }: { status: string; reference: string }) {
  if (path !== SINGLE || status !== 'PENDING') return status
  await advance(harness(), 60)
  return statusOf(harness(), payer, reference)
}

async function together(
  payer: TestMerchant,
  bodies: readonly object[],
  path = SINGLE,
): Promise<Record<string, number>> {
  const h = harness()
  await h.token(payer)
  const answers = await Promise.all(
    bodies.map((body, at) =>
      insisting(() => (at % 2 === 0 ? h.as(payer, 'POST', path, body) : second.post(payer, path, body))),
    ),
  )
  const counts: Record<string, number> = {}
  for (const { status, json } of answers) {
    const refused = json.responseCode === '99' ? json.problem.code : json.responseCode
    const word = status === 200 ? await ended(path, payer, json.responseBody) : refused
    counts[word] = (counts[word] ?? 0) + 1
  }
  return counts
}
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

describe('two processes and one wallet', () => {
  test('200 transfers on a wallet that can pay 100: 100 are paid, 100 are D04', async () => {
    const h = harness()
    const payer = await newMerchant(h, { naira: 100 * 260 })
    const counts = await together(
      payer,
      times(200, () => order(payer)),
    )
    expect(counts).toEqual({ SUCCESS: 100, D04: 100 })
    expect(await money(h, payer)).toMatchObject({ wallet: 0n, hold: 0n, paid: 2_500_000n, fees: 100_000n })
  })

  test('the same reference 100 times: one is taken, 99 are D05', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    const reference = unique('same')
    const counts = await together(
      payer,
      times(100, () => order(payer, { reference })),
    )
    expect(counts).toEqual({ SUCCESS: 1, D05: 99 })
    expect((await money(h, payer)).paid).toBe(25_000n)
  })

  test('the same account and amount 50 times under different references: one is taken, 49 are D07', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    const destinationAccountNumber = account()
    const counts = await together(
      payer,
      times(50, () => order(payer, { destinationAccountNumber })),
    )
    expect(counts).toEqual({ SUCCESS: 1, D07: 49 })
    expect(await paidTo(h, destinationAccountNumber)).toMatchObject([{ asked: 1, paid: '250.00' }])
  })

  test('the limit of a day holds to the kobo: 40 of 100 fit', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    await h.sql('01', 'update disbursement_settings set per_day_kobo = 1000000 where merchant_id = $1', [payer.id])
    const counts = await together(
      payer,
      times(100, () => order(payer)),
    )
    expect(counts).toEqual({ SUCCESS: 40, D01: 60 })
  })

  test('what comes back can be spent again: paid, failed and notified twice at the same time, and not a kobo is lost', async () => {
    const h = harness()
    const payer = await newMerchant(h, { naira: 120 * 260 })
    const endings = ['7788', '0001', '0006', '0002']
    const counts = await together(
      payer,
      times(120, (at) => order(payer, { destinationAccountNumber: account(endings[at % 4]) })),
    )
    expect(counts).toEqual({ SUCCESS: 60, FAILED: 30, PENDING: 30 })
    expect(await money(h, payer)).toMatchObject({ wallet: 780_000n, hold: 780_000n, paid: 1_500_000n, fees: 60_000n })
    await advance(h, 7_300)
    expect(await money(h, payer)).toMatchObject({ wallet: 780_000n, hold: 0n, paid: 2_250_000n, fees: 90_000n })
  })

  test('50 right codes at two processes: one payment', async () => {
    const h = harness()
    const payer = await newMerchant(h, { otp: true })
    const { reference, destinationAccountNumber } = await sent(h, payer)
    const authorizationCode = await codeOf(h, payer, reference)
    const counts = await together(
      payer,
      times(50, () => ({ reference, authorizationCode })),
      VALIDATE,
    )
    expect(counts).toEqual({ SUCCESS: 1, D01: 49 })
    expect(await paidTo(h, destinationAccountNumber)).toMatchObject([{ asked: 1 }])
  })
})
