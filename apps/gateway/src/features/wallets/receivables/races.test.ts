// A reversal beside payouts, settlements and top-ups of the same merchant, in two processes; and what is left
// when one of its steps fails.
import { nairaNumber } from '@cowrie/contract/kit/money'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gatherAll } from '#features/settlements/settlements/lines/lines.ts'
import { createSettlements } from '#features/settlements/settlements/settlements.ts'
import { newSession, notice, outcomeOf, reverseCredit, secondApi, tell, waiting } from '#test/bank/notices.ts'
import { account, newMerchant } from '#test/features/payouts/disbursements.ts'
import { run, setRule } from '#test/features/settlements/settlements.ts'
import { SINGLE, send, transferBody, walletOf } from '#test/features/wallets/wallets.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { type Harness, paid, type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness({ settles: true })
let second: Awaited<ReturnType<typeof secondApi>>
beforeAll(async () => {
  second = await secondApi(harness())
})
afterAll(() => second.close())

/** What is owed is shown as a number above zero. */
const balances = async (h: Harness, merchant: TestMerchant): Promise<Record<string, number>> => {
  const rows = await h.sql(
    '01',
    `select a.kind, coalesce(sum(e.kobo), 0)::bigint::text as kobo from accounts a left join entries e on e.account_id = a.id
     where a.merchant_id = $1 group by a.kind`,
    [merchant.id],
  )
  return Object.fromEntries(
    rows.map((row) => [row.kind, nairaNumber(row.kind === 'RECEIVABLE' ? -BigInt(row.kobo) : BigInt(row.kobo))]),
  )
}
const viaSecond = async (h: Harness, merchant: TestMerchant, body: object): Promise<number> => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${await h.token(merchant)}` }
  return (await fetch(second.url + SINGLE, { method: 'POST', headers, body: JSON.stringify(body) })).status
}

describe('at once, in two processes', () => {
  test('payouts and the reversal of the top-up they are paid from: what went out is owed, to the kobo', async () => {
    const h = harness()
    const seen = new Set<number>()
    for (let round = 0; round < 6; round += 1) {
      const merchant = await newMerchant(h, { naira: 0 })
      const credit = notice(merchant.walletNumber, '1000.00')
      await tell(h, credit)
      const bodies = await Promise.all([1, 2, 3, 4].map(() => transferBody(h, merchant, { amount: 200 })))
      const [reversal, ...sent] = await Promise.all([
        reverseCredit(h, credit),
        ...bodies.map((body, at) =>
          at % 2 ? viaSecond(h, merchant, body) : h.as(merchant, 'POST', SINGLE, body).then((answer) => answer.status),
        ),
      ])
      expect(outcomeOf(reversal as never)).toBe('REVERSED')
      const out = sent.filter((status) => status === 200).length * 210
      seen.add(out)
      expect(await balances(h, merchant)).toMatchObject({ WALLET: 0, RECEIVABLE: out })
      const next = (await send(h, merchant, { amount: 10 })).json.problem.code
      expect(next).toBe(out > 0 ? 'RECEIVABLE_OPEN' : 'INSUFFICIENT_FUNDS')
    }
    expect(seen.size).toBeGreaterThan(0)
  })

  test('a settlement and the reversal of what it pays: paid and owed, or not paid', async () => {
    const h = harness()
    for (let round = 0; round < 8; round += 1) {
      const merchant = await newMerchant(h, { naira: 0 })
      if (round % 2)
        await setRule(h, merchant, {
          destination: 'BANK',
          schedule: 'SAME_DAY',
          bankCode: '058',
          accountNumber: account(),
        })
      const made = await waiting(h, merchant, { amount: 1000 })
      const credit = notice(made.accountNumber, '1000.00')
      await tell(h, credit)
      await h.horizonPassed()
      await gatherAll(h.gateway.ctx, '01')
      const [settled, reversal] = await Promise.all([
        createSettlements(second.gateway.ctx).settle('01', [merchant.id]),
        reverseCredit(h, credit),
      ])
      expect(outcomeOf(reversal)).toBe('REVERSED')
      const owed = round % 2 && settled.length > 0 ? 985 : 0
      expect(await balances(h, merchant)).toMatchObject({ PENDING: 0, WALLET: 0, RECEIVABLE: owed })
    }
  })

  test('top-ups, settlements and reversals of one that owes: nothing is collected twice', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    const first = notice(merchant.walletNumber, '5000.00')
    await tell(h, first)
    await send(h, merchant, { amount: 4_990 })
    await reverseCredit(h, first)
    expect(await balances(h, merchant)).toMatchObject({ WALLET: 0, RECEIVABLE: 5_000 })
    const credits = []
    for (let i = 0; i < 4; i += 1) credits.push(notice((await waiting(h, merchant)).accountNumber, '1500.00'))
    for (const credit of credits) await tell(h, credit)
    await h.horizonPassed()
    await gatherAll(h.gateway.ctx, '01')
    await Promise.all([
      ...[1, 2, 3].map(() => second.tell(notice(merchant.walletNumber, '300.00'))),
      ...credits.slice(0, 2).map((credit) => reverseCredit(h, credit)),
      createSettlements(second.gateway.ctx).settle('01', [merchant.id]),
      createSettlements(h.gateway.ctx).settle('01', [merchant.id]),
      tell(h, notice(merchant.walletNumber, '300.00')),
    ])
    await run(h, merchant)
    // 5,000 and 2 × 1,477.50 were reversed; 4 × 300 and 4 × 1,477.50 came.
    expect(await balances(h, merchant)).toMatchObject({ PENDING: 0, WALLET: 0, RECEIVABLE: 5_000 - 1_200 - 2 * 1477.5 })
  })
})

describe('when a step fails', () => {
  test.each(['receivable_moves', 'credit_reversals', 'outbox'])(
    'of a reversal (%s): nothing is posted, and the bank’s next notice does all of it',
    async (table) => {
      const h = harness()
      const merchant = await newMerchant(h, { naira: 0 })
      const credit = notice(merchant.walletNumber, '500.00')
      await tell(h, credit)
      await send(h, merchant, { amount: 400 })
      const reversalSessionId = newSession()
      await dyingAt(h, table, async () => {
        expect((await reverseCredit(h, credit, { reversalSessionId })).status).toBe(500)
      })
      expect(await balances(h, merchant)).toMatchObject({ WALLET: 90, RECEIVABLE: 0 })
      expect(outcomeOf(await reverseCredit(h, credit, { reversalSessionId }))).toBe('REVERSED')
      expect(await balances(h, merchant)).toMatchObject({ WALLET: 0, RECEIVABLE: 410 })
    },
  )

  test('of a settlement that collects: nothing is collected, and the next run does all of it', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    const credit = notice(merchant.walletNumber, '500.00')
    await tell(h, credit)
    await send(h, merchant, { amount: 490 })
    await reverseCredit(h, credit)
    await paid(h, merchant, { amount: 1000 })
    await h.horizonPassed()
    await dyingAt(h, 'settlements', async () => {
      expect((await h.as(merchant, 'POST', '/sandbox/settlements/run', {})).status).toBe(500)
    })
    expect(await balances(h, merchant)).toMatchObject({ PENDING: 985, RECEIVABLE: 500 })
    expect((await run(h, merchant)).map((one) => one.amount)).toEqual(['485.00'])
    expect(await walletOf(h, merchant)).toBe(485)
  })
})
