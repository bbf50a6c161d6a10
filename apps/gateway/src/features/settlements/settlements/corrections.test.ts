// What a settlement must not pay: money that a bank reversed, and money that came after the cutoff.
import { expect, test } from 'vitest'
import { notice, outcomeOf, reverseCredit, tell, waiting } from '#test/bank/notices.ts'
import { account, newMerchant } from '#test/features/payouts/disbursements.ts'
import { noon } from '#test/features/settlements/reconciliation.ts'
import { advanceTo, correct, run, setRule, settlements } from '#test/features/settlements/settlements.ts'
import { advance, type Harness, paid, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { gatherAll } from './lines/lines.ts'
import { createSettlements } from './settlements.ts'

const harness = useHarness({ settles: true })
const weekday = (h: Harness): number => new Date(h.gateway.ctx.clock.now().getTime() + 3_600_000).getUTCDay()

/** To the early afternoon of a Monday, a working day with a working day after it. */
async function toMonday(h: Harness): Promise<void> {
  await noon(h)
  while (weekday(h) !== 1) await noon(h)
}
const amounts = async (h: Harness, seller: TestMerchant): Promise<string[]> =>
  (await settlements(h, seller)).map((one) => one.amount)

test('T_PLUS_1 does not pay what a bank reversed today, and deducts it from what is due', async () => {
  const h = harness()
  const seller = await newMerchant(h, { naira: 0 })
  await setRule(h, seller, { destination: 'BANK', schedule: 'T_PLUS_1', bankCode: '058', accountNumber: account() })
  await toMonday(h)
  const gone = await waiting(h, seller, { amount: 1000 })
  const credit = notice(gone.accountNumber, '1000.00')
  expect(outcomeOf(await tell(h, credit))).toBe('COUNTED')
  await noon(h)
  expect(outcomeOf(await reverseCredit(h, credit))).toBe('REVERSED')
  await advanceTo(h, '22:00:01')
  expect(await amounts(h, seller)).toEqual([])
  await paid(h, seller, { amount: 3000 })
  await noon(h)
  await advanceTo(h, '22:00:01')
  await advance(h, 60)
  expect((await settlements(h, seller)).map((one) => [one.amount, one.status])).toEqual([['2955.00', 'COMPLETED']])
})

test('a correction of today is deducted from the money of yesterday, whatever the schedule', async () => {
  const h = harness()
  for (const schedule of ['T_PLUS_1', 'SAME_DAY', 'INSTANT']) {
    const seller = await newMerchant(h, { naira: 0 })
    await toMonday(h)
    await setRule(h, seller, { destination: 'WALLET', schedule: 'T_PLUS_1' })
    await paid(h, seller, { amount: 1000 })
    await noon(h)
    await setRule(h, seller, { destination: 'WALLET', schedule })
    await correct(h, seller, -500n)
    expect((await run(h, seller)).map((one) => one.amount)).toEqual(['980.00'])
  }
})

test('T_PLUS_1: a payment at exactly midnight belongs to the new day, one a millisecond earlier to the day before', async () => {
  const h = harness()
  const seller = await newMerchant(h, { naira: 0 })
  await setRule(h, seller, { destination: 'WALLET', schedule: 'T_PLUS_1' })
  await toMonday(h)
  const midnight = new Date(`${h.gateway.ctx.clock.now().toISOString().slice(0, 10)}T00:00:00+01:00`)
  for (const [naira, at] of [
    [2000, midnight],
    [1000, new Date(midnight.getTime() - 1)],
  ] as const) {
    const { transactionReference } = await paid(h, seller, { amount: naira })
    const moved = `update transfers f set at = $1 from transactions t
      where t.id = f.object_id and f.object = 'transaction' and t.reference = $2 returning f.id`
    expect(await h.sql('01', moved, [at, transactionReference])).toHaveLength(1)
  }
  await advanceTo(h, '22:00:01')
  expect(await amounts(h, seller)).toEqual(['985.00'])
  await advance(h, 86_400)
  expect(await amounts(h, seller)).toEqual(['985.00', '1970.00'])
})

test('a settlement never pays more than its account holds: one whose reversal is not a line yet waits', async () => {
  const h = harness()
  const seller = await newMerchant(h, { naira: 0 })
  const made = await waiting(h, seller, { amount: 1000 })
  const credit = notice(made.accountNumber, '1000.00')
  await tell(h, credit)
  const { ctx } = h.gateway
  await h.horizonPassed()
  await gatherAll(ctx, '01')
  expect(outcomeOf(await reverseCredit(h, credit))).toBe('REVERSED')
  // Nothing is gathered here, as when an open transaction is in the way.
  expect(await createSettlements(ctx).settle('01', [seller.id])).toEqual([])
  expect(await run(h, seller)).toEqual([])
  await paid(h, seller, { amount: 2000 })
  expect((await run(h, seller)).map((one) => one.amount)).toEqual(['1970.00'])
})
