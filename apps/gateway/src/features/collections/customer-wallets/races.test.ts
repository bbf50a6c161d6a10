// Many at once on one customer's wallet, in two processes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { notice, outcomeOf, reverseCredit, secondApi, tell } from '#test/bank/notices.ts'
import {
  availableIn,
  balanceIn,
  fundedWallet,
  movementsIn,
  newWallet,
} from '#test/features/collections/customer-wallets.ts'
import { money, newMerchant, order, SINGLE } from '#test/features/payouts/disbursements.ts'
import { walletOf } from '#test/features/wallets/wallets.ts'
import { type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
let second: Awaited<ReturnType<typeof secondApi>>
beforeAll(async () => {
  second = await secondApi(harness())
})
afterAll(() => second.close())

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

/** How often each answer came; half of them at the other process. 503 says that nothing was done. */
async function together(merchant: TestMerchant, bodies: readonly object[]): Promise<Record<string, number>> {
  const h = harness()
  await h.token(merchant)
  const send = async (body: object, at: number, turn = 1): Promise<{ status: number; json: any }> => {
    const answer = await (at % 2 ? second.post(merchant, SINGLE, body) : h.as(merchant, 'POST', SINGLE, body))
    return answer.status === 503 && turn < 5 ? send(body, at, turn + 1) : answer
  }
  const counts: Record<string, number> = {}
  for (const { status, json } of await Promise.all(bodies.map((body, at) => send(body, at)))) {
    const word = status === 200 ? json.responseBody.status : json.responseCode
    counts[word] = (counts[word] ?? 0) + 1
  }
  return counts
}

describe('at once, in two processes', () => {
  test('100 transfers on a wallet that can pay 40, beside 40 on the own wallet: 40 and 40 are paid, 60 are D04', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 40 * 260 })
    const { accountNumber: sourceAccountNumber } = await fundedWallet(h, merchant, 40 * 260)
    const counts = await together(merchant, [
      ...times(100, () => order(merchant, { sourceAccountNumber })),
      ...times(40, () => order(merchant)),
    ])
    expect(counts).toEqual({ SUCCESS: 80, D04: 60 })
    expect(await balanceIn(h, merchant, sourceAccountNumber)).toEqual({
      availableBalance: '0.00',
      ledgerBalance: '0.00',
    })
    expect(await walletOf(h, merchant)).toBe(0)
    expect(await money(h, merchant)).toMatchObject({ paid: 2_000_000n, fees: 80_000n })
    const lines = await movementsIn(h, merchant, sourceAccountNumber, { pageSize: 1000 })
    expect(lines.totalElements).toBe(41)
    // Each begins where the one before ended; the newest is the first.
    for (const [at, line] of lines.content.slice(0, -1).entries())
      expect(line.availableBalanceBefore).toBe(lines.content[at + 1].availableBalanceAfter)
    expect(lines.content[0].availableBalanceAfter).toBe(0)
  })

  test('fees of one merchant for two wallets: never more than it holds', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 100 })
    const bearing = { feeBearer: 'CUSTOM', feeSourceAccountNumber: merchant.walletNumber }
    const wallets = [await fundedWallet(h, merchant, 5_000, bearing), await fundedWallet(h, merchant, 5_000, bearing)]
    const counts = await together(
      merchant,
      times(24, (at) => order(merchant, { sourceAccountNumber: wallets[(at >> 1) % 2].accountNumber })),
    )
    expect(counts).toEqual({ SUCCESS: 10, D04: 14 })
    expect(await walletOf(h, merchant)).toBe(0)
  })

  test('a notice of a top-up that comes ten times at once counts once', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { accountNumber, topUpAccountDetails } = await newWallet(h, merchant)
    for (let round = 0; round < 5; round += 1) {
      const credit = notice(topUpAccountDetails.accountNumber, '70.00')
      const outcomes = await Promise.all(
        times(10, async (at) => (at % 2 ? second.tell(credit) : outcomeOf(await tell(h, credit)))),
      )
      expect(outcomes.toSorted()).toEqual(['COUNTED', ...times(9, () => 'REPEATED')])
    }
    expect(await availableIn(h, merchant, accountNumber)).toBe(350)
    expect((await movementsIn(h, merchant, accountNumber)).totalElements).toBe(5)
  })

  test('transfers and the reversal of the top-up they are paid from: what went out is owed, to the kobo', async () => {
    const h = harness()
    for (let round = 0; round < 4; round += 1) {
      const merchant = await newMerchant(h, { naira: 0 })
      const { accountNumber: sourceAccountNumber, topUpAccountDetails } = await newWallet(h, merchant)
      const credit = notice(topUpAccountDetails.accountNumber, '1000.00')
      expect(outcomeOf(await tell(h, credit))).toBe('COUNTED')
      const [counts, reversal] = await Promise.all([
        together(
          merchant,
          times(4, () => order(merchant, { sourceAccountNumber })),
        ),
        reverseCredit(h, credit),
      ])
      expect(outcomeOf(reversal)).toBe('REVERSED')
      const path = `/api/v2/disbursements/wallet-balance?accountNumber=${sourceAccountNumber}`
      const { availableBalance, receivable } = (await h.as(merchant, 'GET', path)).json.responseBody
      expect(Number(receivable) - Number(availableBalance)).toBe(
        ((counts['SUCCESS'] ?? 0) + (counts['PENDING'] ?? 0)) * 260,
      )
    }
  })
})
