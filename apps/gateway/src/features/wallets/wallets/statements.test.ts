// Statements: every movement of a wallet with the balance before and after it, page by page and by time.
import { describe, expect, test } from 'vitest'
import {
  askMovements,
  askStatement,
  fundedWallet,
  movementsIn,
  newWallet,
  statementOf,
} from '#test/features/collections/customer-wallets.ts'
import { account, newMerchant, notify, sent } from '#test/features/payouts/disbursements.ts'
import { sendBatch } from '#test/features/wallets/wallets.ts'
import { advance, type Harness, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const now = (h: Harness): number => h.gateway.ctx.clock.now().getTime()
const amounts = (page: any): number[] =>
  page.content.map((line: any) => (line.transactionType === 'DEBIT' ? -line.amount : line.amount))

describe('wallets.transactions', () => {
  test("200 the merchant's own wallet: funding, top-up, transfer, transfer that failed, reversal, batch; newest first", async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 10_000 })
    await h.pay(merchant.walletNumber, 500)
    const paid = await sent(h, merchant, { amount: 1_000 })
    await sent(h, merchant, { amount: 300, destinationAccountNumber: account('0001') })
    expect((await notify(h, paid.sessionId, 'REVERSED')).status).toBe(200)
    expect((await sendBatch(h, merchant, [100, 200])).status).toBe(200)
    const page = await movementsIn(h, merchant, merchant.walletNumber)
    expect(amounts(page)).toEqual([-320, 1_010, 310, -310, -1_010, 500, 10_000])
    expect(page).toMatchObject({ totalElements: 7, last: true })
    expect(page.content.map((line: any) => line.message)).toEqual([
      'Transfer',
      'Transfer reversed by the bank',
      'Transfer not paid, money returned',
      'Transfer',
      'Transfer',
      'Top-up',
      'Opening balance',
    ])
    expect(page.content[4]).toEqual({
      walletTransactionReference: expect.stringMatching(/^CWWT01\d{18}$/),
      monnifyTransactionReference: `${paid.transactionReference}_DEBIT_0`,
      availableBalanceBefore: 10_500,
      availableBalanceAfter: 9_490,
      amount: 1_010,
      transactionDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      transactionType: 'DEBIT',
      message: 'Transfer',
      narration: 'Cloth for May',
      status: 'COMPLETED',
    })
    expect(page.content[0].monnifyTransactionReference).toMatch(/^CWDB01.*_DEBIT_0$/)
    expect(page.content[5].monnifyTransactionReference).toMatch(/^\d{30}_CREDIT_0$/)
    const balances = page.content.map((line: any) => [line.availableBalanceBefore, line.availableBalanceAfter])
    for (const [at, [before]] of balances.slice(0, -1).entries()) expect(before).toBe(balances[at + 1][1])
  })

  test('pages have no overlap and no gap, and the last says so', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { accountNumber, topUpAccountDetails } = await newWallet(h, merchant)
    for (let naira = 1; naira <= 7; naira += 1) await h.pay(topUpAccountDetails.accountNumber, naira)
    const pages = [0, 1, 2].map((pageNo) => movementsIn(h, merchant, accountNumber, { pageNo, pageSize: 3 }))
    expect((await Promise.all(pages)).map((page) => [amounts(page), page.last, page.totalElements])).toEqual([
      [[7, 6, 5], false, 7],
      [[4, 3, 2], false, 7],
      [[1], true, 7],
    ])
    expect(await movementsIn(h, merchant, accountNumber, { pageNo: 3, pageSize: 3 })).toMatchObject({
      ...{ content: [], totalElements: 7, last: true },
    })
  })

  test("400 WALLET_NOT_YOURS for another merchant's and for none: the same answer", async () => {
    const h = harness()
    const { main, other } = h.merchants
    const { accountNumber } = await newWallet(h, main)
    for (const number of [accountNumber, main.walletNumber, '0199999990'])
      for (const answer of [await askMovements(h, other, number), await askStatement(h, other, number)])
        expect([answer.status, answer.json.problem.code]).toEqual([400, 'WALLET_NOT_YOURS'])
    expect((await h.as(main, 'GET', '/api/v1/disbursements/wallet/transactions')).json.problem.code).toBe(
      'FIELD_MISSING',
    )
  })
})

describe('wallets.statement', () => {
  test('by moments with enableTimeFilter, both ends with it; by whole days without', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { accountNumber, topUpAccountDetails } = await fundedWallet(h, merchant, 100)
    await advance(h, 86_400)
    const from = now(h)
    await h.pay(topUpAccountDetails.accountNumber, 200)
    await advance(h, 10)
    await h.pay(topUpAccountDetails.accountNumber, 300)
    await advance(h, 86_400)
    await h.pay(topUpAccountDetails.accountNumber, 400)
    const [newest, third, second] = (await statementOf(h, merchant, accountNumber)).content
    const asked = async (query: object) => amounts(await statementOf(h, merchant, accountNumber, query))
    const at = (line: any) => Date.parse(line.transactionDate)
    expect(await asked({})).toEqual([400, 300, 200, 100])
    expect(await asked({ startDate: from, enableTimeFilter: true })).toEqual([400, 300, 200])
    expect(await asked({ startDate: at(second), endDate: at(third), enableTimeFilter: true })).toEqual([300, 200])
    expect(await asked({ startDate: at(second) + 1, endDate: at(third) - 1, enableTimeFilter: true })).toEqual([])
    expect(await asked({ endDate: at(second) - 1, enableTimeFilter: true })).toEqual([100])
    const day = (line: any) => new Date(at(line) + 3_600_000).toISOString().slice(0, 10)
    expect(await asked({ startDate: day(newest), enableTimeFilter: false })).toEqual([400])
    expect((await asked({ startDate: day(second), endDate: day(third) })).length).toBeGreaterThanOrEqual(2)
    const wrong = await askStatement(h, merchant, accountNumber, { startDate: 'yesterday' })
    expect([wrong.status, wrong.json.problem.code]).toEqual([400, 'FIELD_INVALID'])
    const page = await statementOf(h, merchant, accountNumber, { startDate: from, enableTimeFilter: true, pageSize: 2 })
    expect([amounts(page), page.totalElements, page.last]).toEqual([[400, 300], 3, false])
  })

  test('times do not go back, whatever the clock of a process says', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { accountNumber, topUpAccountDetails } = await fundedWallet(h, merchant, 100)
    await h.sql(
      '01',
      `update accounts set moved_at = moved_at + interval '1 hour' where merchant_id = $1 and movements > 0`,
      [merchant.id],
    )
    await h.sql('01', `update wallet_movements set at = at + interval '1 hour' where merchant_id = $1`, [merchant.id])
    await h.pay(topUpAccountDetails.accountNumber, 50)
    const [later, earlier] = (await statementOf(h, merchant, accountNumber)).content
    expect(later.transactionDate).toBe(earlier.transactionDate)
    expect([later.amount, earlier.amount]).toEqual([50, 100])
  })

  test('a page of a wallet with many movements reads the page and little more', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { accountNumber } = await newWallet(h, merchant)
    const [{ id }] = await h.sql('01', 'select id from customer_wallets where account_number = $1', [accountNumber])
    const filled = BigInt(id) * 16n + 9n
    const [{ line_id: lineId }] = await h.sql('01', 'select max(line_id)::text as line_id from wallet_movements')
    await h.sql(
      '01',
      `insert into wallet_movements select $1::bigint, n, $2::bigint, $3::bigint, $2::bigint, 1, n, '2026-01-01'::timestamptz + n * interval '1 second'
       from generate_series(1, 50000) as n`,
      [filled, lineId, merchant.id],
    )
    try {
      const plan = await h.sql(
        '01',
        `explain (analyze, buffers, format json) select number from wallet_movements
         where merchant_id = ${merchant.id} and account_id = ${filled} and number between 20001 and 20010 order by number desc`,
      )
      const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = plan[0]['QUERY PLAN'][0].Plan
      expect(hit + read).toBeLessThan(60)
      const page = await movementsIn(h, merchant, accountNumber, { pageNo: 3_000, pageSize: 10 })
      expect(page.totalElements).toBe(50_000)
      expect(page.content[0].availableBalanceAfter).toBe(200)
    } finally {
      await h.sql('01', 'delete from wallet_movements where account_id = $1', [filled])
    }
  })
})
