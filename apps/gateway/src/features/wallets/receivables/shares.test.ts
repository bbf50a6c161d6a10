// What a merchant owes, and the shares of its sub accounts: those of payments that were split while it owed
// are collected whole, older ones only as far as the merchant had to carry for them.
import { nairaNumber } from '@cowrie/contract/kit/money'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readAll } from '#core/cells/cells.ts'
import { accountId } from '#core/ledger/chart.ts'
import { balance } from '#core/ledger/ledger.ts'
import { gatherAll } from '#features/settlements/settlements/lines/lines.ts'
import { createSettlements } from '#features/settlements/settlements/settlements.ts'
import { notice, outcomeOf, reverseCredit, secondApi, tell, waiting } from '#test/bank/notices.ts'
import { newMerchant, sent } from '#test/features/payouts/disbursements.ts'
import { run, statementOf } from '#test/features/settlements/settlements.ts'
import { notificationsOf, walletOf } from '#test/features/wallets/wallets.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { advance, type Harness, subAccount, type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness({ settles: true })
let second: Awaited<ReturnType<typeof secondApi>>
beforeAll(async () => {
  second = await secondApi(harness())
})
afterAll(() => second.close())

const owed = async (h: Harness, { id }: TestMerchant): Promise<number> =>
  nairaNumber(0n - (await readAll(h.gateway.ctx, '01', (r) => balance(r, accountId(id, 'RECEIVABLE')))))
/** What was paid to the sub accounts of a merchant. */
const paidOut = async (h: Harness, { id }: TestMerchant): Promise<number> => {
  const [row] = await h.sql(
    '01',
    'select coalesce(sum(kobo), 0)::text as kobo from settlements where merchant_id = $1 and sub_account_id is not null',
    [id],
  )
  return nairaNumber(BigInt(row.kobo))
}

/** A merchant with a sub account that gets all that it takes but the fee. */
async function leading(h: Harness) {
  const merchant = await newMerchant(h, { naira: 0 })
  const { subAccountCode } = await subAccount(h, merchant)
  const split = { incomeSplitConfig: [{ subAccountCode, splitPercentage: 100 }] }
  const collect = async (naira: number) => {
    const credit = notice((await waiting(h, merchant, { amount: naira, ...split })).accountNumber, `${naira}.00`)
    expect(outcomeOf(await tell(h, credit))).toBe('COUNTED')
    return credit
  }
  return { merchant, collect }
}
/** A top-up that was paid out and is recalled. */
async function becomesOwing(h: Harness, merchant: TestMerchant, naira: number): Promise<void> {
  const credit = notice(merchant.walletNumber, `${naira}.00`)
  await tell(h, credit)
  await sent(h, merchant, { amount: naira - 10 })
  expect(outcomeOf(await reverseCredit(h, credit))).toBe('REVERSED')
  const left = await walletOf(h, merchant)
  expect(left).toBe(0)
}

describe('shares, while their merchant owes', () => {
  test('of payments that were split since are collected whole, first, and the statement says so; the rest is paid', async () => {
    const h = harness()
    const { merchant, collect } = await leading(h)
    await becomesOwing(h, merchant, 5_000)
    const debt = await owed(h, merchant)
    for (let i = 0; i < 3; i += 1) await collect(20_000)
    const [made] = await run(h, merchant)
    expect([await owed(h, merchant), await paidOut(h, merchant)]).toEqual([0, 3 * 19_700 - debt])
    const { lines } = await statementOf(h, merchant, made?.settlementReference ?? '')
    expect(lines.map((line: any) => [line.kind, line.net])).toContainEqual(['RECEIVABLE_COLLECTION', `-${debt}.00`])
    const update = (await notificationsOf(h, merchant, 'RECEIVABLE_UPDATE')).at(-1).eventData
    expect(update).toMatchObject({ change: 'COLLECTED', account: 'SUB_ACCOUNT', amount: debt, receivable: 0 })
  })

  test('that do not suffice are not paid at all, run after run', async () => {
    const h = harness()
    const { merchant, collect } = await leading(h)
    await becomesOwing(h, merchant, 5_000)
    const debt = await owed(h, merchant)
    const warn = vi.spyOn(h.gateway.ctx.log, 'warn')
    for (const collected of [985, 2 * 985]) {
      await collect(1_000)
      await run(h, merchant)
      expect([await owed(h, merchant), await paidOut(h, merchant)]).toEqual([debt - collected, 0])
    }
    expect(warn.mock.calls.filter(([message]) => message.startsWith('settlement postponed'))).toEqual([])
    warn.mockRestore()
    await collect(10_000)
    await run(h, merchant)
    expect([await owed(h, merchant), await paidOut(h, merchant)]).toEqual([0, 2 * 985 + 9_850 - debt])
  })

  test('of payments that were split before are paid: their merchant had to carry nothing for them', async () => {
    const h = harness()
    const { merchant, collect } = await leading(h)
    await collect(2_000)
    await becomesOwing(h, merchant, 5_000)
    const debt = await owed(h, merchant)
    await run(h, merchant)
    expect([await owed(h, merchant), await paidOut(h, merchant)]).toEqual([debt, 1_970])
  })

  test('of both, in one run: the later ones are collected, the older ones paid', async () => {
    const h = harness()
    const { merchant, collect } = await leading(h)
    await collect(2_000)
    await becomesOwing(h, merchant, 5_000)
    const debt = await owed(h, merchant)
    await collect(1_000)
    await run(h, merchant)
    expect([await owed(h, merchant), await paidOut(h, merchant)]).toEqual([debt - 985, 1_970])
    await collect(1_000)
    await run(h, merchant)
    expect([await owed(h, merchant), await paidOut(h, merchant)]).toEqual([debt - 2 * 985, 1_970])
  })

  test('of an earlier debt count as older: what was collected once does not lessen what is collected later', async () => {
    const h = harness()
    const { merchant, collect } = await leading(h)
    for (const times of [1, 2]) {
      await becomesOwing(h, merchant, 5_000)
      const debt = await owed(h, merchant)
      await collect(4_000)
      await run(h, merchant)
      expect(await owed(h, merchant)).toBe(debt - 3_940)
      await collect(4_000)
      await run(h, merchant)
      expect([await owed(h, merchant), await paidOut(h, merchant)]).toEqual([0, times * (2 * 3_940 - debt)])
    }
  })

  test('in two processes, beside the reversal of one of them and a further payment: to the kobo', async () => {
    const h = harness()
    for (let round = 0; round < 5; round += 1) {
      const { merchant, collect } = await leading(h)
      await becomesOwing(h, merchant, 5_000)
      const debt = await owed(h, merchant)
      const credits = [await collect(3_000), await collect(3_000), await collect(3_000)]
      await h.horizonPassed()
      await gatherAll(h.gateway.ctx, '01')
      const [, , reversal] = await Promise.all([
        createSettlements(second.gateway.ctx).settle('01', [merchant.id]),
        createSettlements(h.gateway.ctx).settle('01', [merchant.id]),
        reverseCredit(h, credits[round % 3] as never),
        collect(3_000),
      ])
      expect(outcomeOf(reversal as never)).toBe('REVERSED')
      await run(h, merchant)
      await advance(h, 60)
      // What was paid of a share that was reversed afterwards is owed instead.
      expect((await paidOut(h, merchant)) - (await owed(h, merchant))).toBe(3 * 2_955 - debt)
    }
  })

  test('when the process dies in the middle: nothing is collected, and the next run does all of it', async () => {
    const h = harness()
    const { merchant, collect } = await leading(h)
    await becomesOwing(h, merchant, 5_000)
    const debt = await owed(h, merchant)
    await collect(10_000)
    await h.horizonPassed()
    for (const table of ['receivable_moves', 'settlements'])
      await dyingAt(h, table, async () => {
        expect((await h.as(merchant, 'POST', '/sandbox/settlements/run', {})).status).toBe(500)
      })
    expect([await owed(h, merchant), await paidOut(h, merchant)]).toEqual([debt, 0])
    await run(h, merchant)
    expect([await owed(h, merchant), await paidOut(h, merchant)]).toEqual([0, 9_850 - debt])
  })
})
