// The fee of a payment in parts: each part keeps the price of its moment, also when another part is reversed.
import { expect, test } from 'vitest'
import { events, type Notice, notice, outcomeOf, reverseCredit, secondApi, tell, waiting } from '#test/bank/notices.ts'
import { newMerchant } from '#test/features/payouts/disbursements.ts'
import { advance, type Harness, status, type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const STEP_SECONDS = 300

type Price = readonly [basisPoints: number, cap: number, flat?: number]
/** A merchant at 1.5 % whose price changes every five minutes, as the schedules say, in kobo. */
async function merchantWith(h: Harness, ...schedules: readonly Price[]): Promise<TestMerchant> {
  const merchant = await newMerchant(h)
  for (const [at, [basisPoints, cap, flat = 0]] of schedules.entries())
    await h.sql(
      '01',
      `insert into fee_schedules (id, merchant_id, basis_points, cap_kobo, flat_kobo, valid_from)
       select max(id) + 1, $1, $2, $3, $4, $5 from fee_schedules`,
      [
        merchant.id,
        basisPoints,
        cap,
        flat,
        new Date(h.gateway.ctx.clock.now().getTime() + (at + 1) * STEP_SECONDS * 1000),
      ],
    )
  const policy = { less: 'TOP_UP', more: 'COMPLETE', extra: 'RETURN', tolerance: 0, barredPayers: [] }
  expect((await h.as(merchant, 'PUT', '/api/v1/payment-policy', policy)).status).toBe(200)
  return merchant
}

/** Parts of 1,500 naira, one under each price: the first by another process, whose ids are higher. */
async function paidInParts(h: Harness, merchant: TestMerchant, ...amounts: readonly string[]) {
  const made = await waiting(h, merchant, { amount: 1500 })
  const credits = amounts.map((amount) => notice(made.accountNumber, amount))
  const second = await secondApi(h)
  expect(await second.tell(credits[0])).toBe('COUNTED')
  await second.close()
  for (const credit of credits.slice(1)) {
    await advance(h, STEP_SECONDS)
    expect(outcomeOf(await tell(h, credit))).toBe('COUNTED')
  }
  return { ...made, credits: credits as [Notice, Notice, ...Notice[]] }
}
/** The fee of each posting of a transaction, in the order they were made. */
const feesOf = async (h: Harness, reference: string): Promise<string[]> =>
  (
    await h.sql(
      '01',
      `select coalesce((select sum(e.kobo) from entries e where e.transfer_id = f.id and e.account_id = 2), 0)::text as fee from transfers f
       join transactions t on t.id = f.object_id and f.object = 'transaction' where t.reference = $1 order by f.xid`,
      [reference],
    )
  ).map((row) => row.fee)

test('a change of the fee schedule between two parts prices the second, and not the first again', async () => {
  const h = harness()
  const merchant = await merchantWith(h, [1000, 200_000])
  const { transactionReference } = await paidInParts(h, merchant, '400.00', '600.00')
  expect(await feesOf(h, transactionReference)).toEqual(['600', '6000'])
  expect((await status(h, merchant, transactionReference)).settlementAmount).toBe('934.00')
  await advance(h, 1)
  const notified = (await events(h, merchant, transactionReference)).map(
    (event) => event.body.eventData.settlementAmount,
  )
  expect(notified).toEqual(['394.00', '934.00'])
})

test('the first part is reversed: the second keeps the fee of its own schedule, whatever the ids of their postings', async () => {
  const h = harness()
  const merchant = await merchantWith(h, [1000, 200_000])
  const { transactionReference, credits } = await paidInParts(h, merchant, '400.00', '600.00')
  expect(outcomeOf(await reverseCredit(h, credits[0]))).toBe('REVERSED')
  expect(await feesOf(h, transactionReference)).toEqual(['600', '6000', '-600'])
  expect(outcomeOf(await reverseCredit(h, credits[1]))).toBe('REVERSED')
  expect((await feesOf(h, transactionReference)).reduce((sum, fee) => sum + BigInt(fee), 0n)).toBe(0n)
})

test('the last of three parts is reversed: the others keep their fees, in the order in which they came', async () => {
  const h = harness()
  // 400 at 1.5 %: 6.00. 600 at 10 %, at most 50.00 of the whole: 50.00 − 40.00. 500 at 10 %: 50.00.
  const merchant = await merchantWith(h, [1000, 5_000], [1000, 200_000])
  const { transactionReference, credits } = await paidInParts(h, merchant, '400.00', '600.00', '500.00')
  expect(await feesOf(h, transactionReference)).toEqual(['600', '1000', '5000'])
  expect(outcomeOf(await reverseCredit(h, credits[2] as Notice))).toBe('REVERSED')
  expect((await feesOf(h, transactionReference)).at(-1)).toBe('-5000')
})

test('a reversal never raises the fee: what is left bears no more than was taken', async () => {
  const h = harness()
  const merchant = await merchantWith(h, [1000, 5_000])
  const { transactionReference, credits } = await paidInParts(h, merchant, '400.00', '600.00')
  expect(await feesOf(h, transactionReference)).toEqual(['600', '1000'])
  // Alone, 600 at 10 % would have borne 50.00.
  expect(outcomeOf(await reverseCredit(h, credits[0]))).toBe('REVERSED')
  expect(await feesOf(h, transactionReference)).toEqual(['600', '1000', '0'])
})

test('a reversal never returns more of the fee than there was money, though the rest alone would round down', async () => {
  const h = harness()
  const merchant = await merchantWith(h, [0, 50_000, 50_000], [150, 200_000])
  await advance(h, STEP_SECONDS)
  // All of the first part is flat fee. 1.5 % of 1,000.54 less those of 400.27: 15.01 − 6.00; of 600.27: 9.00.
  const { transactionReference, credits } = await paidInParts(h, merchant, '400.27', '600.27')
  expect(await feesOf(h, transactionReference)).toEqual(['40027', '901'])
  expect(outcomeOf(await reverseCredit(h, credits[0]))).toBe('REVERSED')
  expect(await feesOf(h, transactionReference)).toEqual(['40027', '901', '-40027'])
})
