// Settlements: what is paid, to whom, when, how often, and what can be looked at afterwards.
import { describe, expect, test } from 'vitest'
import { engineTx } from '#core/cells/cells.ts'
import { grant } from '#features/access/merchants/access.ts'
import { account, newMerchant } from '#test/features/payouts/disbursements.ts'
import {
  advanceTo,
  correct,
  detailOf,
  FIND,
  run,
  setRule,
  settlements,
  statementOf,
} from '#test/features/settlements/settlements.ts'
import { notificationsOf, walletOf } from '#test/features/wallets/wallets.ts'
import { type Answer, advance, paid, status, subAccount, useHarness } from '#test/kit/harness.ts'
import { createSettlements } from './settlements.ts'

const harness = useHarness({ settles: true })
const code = (answer: Answer): string => answer.json?.problem?.code

describe('a run', () => {
  test('pays what was collected less the fee into the wallet, tells both, and a second run pays nothing', async () => {
    const h = harness()
    const seller = await newMerchant(h, { naira: 10 })
    const made = await paid(h, seller, { amount: 5000 })
    expect(await run(h, seller)).toEqual([
      { settlementReference: expect.stringMatching(/^01[A-Z0-9]{18}$/), amount: '4925.00', transactionsCount: 1 },
    ])
    expect(await run(h, seller)).toEqual([])
    expect(await walletOf(h, seller)).toBe(4935)
    const [event, ...more] = await notificationsOf(h, seller, 'SETTLEMENT')
    expect(more).toEqual([])
    expect(event.eventData).toMatchObject({
      amount: '4925.00',
      destinationAccountNumber: seller.walletNumber,
      destinationAccountName: seller.name,
      transactionsCount: 1,
      transactions: [
        {
          transactionReference: made.transactionReference,
          amountPaid: '5000.00',
          paymentStatus: 'PAID',
          cardDetails: {},
        },
      ],
    })
    const [activity] = await notificationsOf(h, seller, 'ACCOUNT_ACTIVITY')
    expect(activity.eventData).toMatchObject({ amount: 4925, balanceBefore: 10, balanceAfter: 4935 })
  })

  test('of everybody comes to its end in one turn, or says how far it came when its time is over', async () => {
    const h = harness()
    const { ctx } = h.gateway
    const [one, two] = [await newMerchant(h), await newMerchant(h)]
    const turn = async (forMs?: number) => {
      for (const seller of [one, two]) await paid(h, seller)
      await h.horizonPassed()
      const ran = await createSettlements(ctx).run('01', one.id - 1n, forMs)
      expect([ran.behind, ran.failed]).toEqual([false, []])
      return [ran.last, (await settlements(h, one)).length, (await settlements(h, two)).length]
    }
    expect(await turn()).toEqual([null, 1, 1])
    expect(await turn(-1)).toEqual([two.id, 2, 2])
  })

  test('of another merchant pays nothing of ours', async () => {
    const h = harness()
    const [seller, outsider] = [await newMerchant(h), await newMerchant(h)]
    await paid(h, seller)
    expect(await run(h, outsider)).toEqual([])
    expect(await run(h, seller)).toHaveLength(1)
  })

  test('pays shares to the bank accounts of sub accounts, and the detail adds up to the kobo', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    const [a, b] = [await subAccount(h, seller), await subAccount(h, seller)]
    const made = await paid(h, seller, {
      amount: 3333.33,
      incomeSplitConfig: [
        { subAccountCode: a.subAccountCode, splitPercentage: 20, feeBearer: true, feePercentage: 40 },
        { subAccountCode: b.subAccountCode, splitPercentage: 33.33 },
      ],
    })
    const amounts = (await run(h, seller)).map((one) => one.amount)
    await advance(h, 1)
    const { beneficiaries, ...detail } = (await detailOf(h, seller, made.transactionReference)).json.responseBody
    expect(detail.settlementAmount).toBe('3283.33')
    expect(detail.transaction).toEqual(await status(h, seller, made.transactionReference))
    expect(beneficiaries.map((one: any) => [one.beneficiaryIncome, one.incurredFee, one.settlementStatus])).toEqual([
      ['1555.67', '30.00', 'COMPLETED'],
      ['666.66', '20.00', 'COMPLETED'],
      ['1111.00', '0.00', 'COMPLETED'],
    ])
    expect(beneficiaries.map((one: any) => one.settlementInformation.settlementAmount)).toEqual(amounts)
    expect(beneficiaries[1].settlementInformation.destinationAccountNumber).toBe(a.accountNumber)
    const bank = (await (await fetch(`${h.simulatorUrl}/api/payouts/statement`)).json()) as { payouts: any[] }
    const got = bank.payouts.filter((payout) =>
      [a.accountNumber, b.accountNumber].includes(payout.destinationAccountNumber),
    )
    expect(got.map((payout) => Number(payout.amount)).toSorted((x, y) => x - y)).toEqual([646.66, 1111])
  })

  test('leaves a net of zero, with its lines, for the next one; what is below zero by a kobo is owed, and collected then', async () => {
    const h = harness()
    const seller = await newMerchant(h, { naira: 0 })
    await paid(h, seller, { amount: 1000 })
    await correct(h, seller, -98_500n)
    expect(await run(h, seller)).toEqual([])
    await correct(h, seller, -1n)
    expect(await run(h, seller)).toEqual([])
    await paid(h, seller, { amount: 2000 })
    const [made] = await run(h, seller)
    expect(made).toMatchObject({ amount: '1969.99', transactionsCount: 2 })
    const statement = await statementOf(h, seller, made?.settlementReference ?? '')
    expect(statement.lines.map((line: any) => [line.kind, line.net])).toEqual([
      ['COLLECTION', '985.00'],
      ['ADJUSTMENT', '-985.00'],
      ['ADJUSTMENT', '-0.01'],
      ['RECEIVABLE', '0.01'],
      ['COLLECTION', '1970.00'],
      ['RECEIVABLE_COLLECTION', '-0.01'],
    ])
  })

  test('pays a net of one kobo', async () => {
    const h = harness()
    const seller = await newMerchant(h, { naira: 0 })
    await paid(h, seller, { amount: 1000 })
    await correct(h, seller, -98_499n)
    expect((await run(h, seller)).map((one) => one.amount)).toEqual(['0.01'])
    expect(await walletOf(h, seller)).toBe(0.01)
  })

  test('pays nobody who is held by the operator, until released', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    await paid(h, seller)
    await h.sql('01', `insert into settlement_holds values ($1, 'under review', now())`, [seller.id])
    expect(await run(h, seller)).toEqual([])
    await advance(h, 25 * 3600)
    expect(await settlements(h, seller)).toEqual([])
    await h.sql('01', 'delete from settlement_holds where merchant_id = $1', [seller.id])
    await advanceTo(h, '22:00:01')
    expect(await settlements(h, seller)).toHaveLength(1)
  })

  test('two at once, and the timer beside them, pay each merchant once', async () => {
    const h = harness()
    const sellers = await Promise.all(Array.from({ length: 6 }, () => newMerchant(h)))
    const workers = [h.startWorker(), h.startWorker()]
    // The second time they have a chain already, whose end is all that keeps the runs apart.
    for (let round = 0; round < 2; round += 1) {
      await Promise.all(sellers.flatMap((seller) => [paid(h, seller), paid(h, seller), paid(h, seller)]))
      await Promise.all([...sellers, ...sellers, ...sellers].map((seller) => run(h, seller)))
    }
    await advanceTo(h, '22:00:01')
    for (const seller of sellers) {
      expect((await settlements(h, seller)).reduce((sum, one) => sum + Number(one.amount), 0)).toBe(6 * 1477.5)
      expect(await walletOf(h, seller)).toBe(1_000_000 + 6 * 1477.5)
    }
    for (const worker of workers) await worker.stop()
  })
})

describe('by the clock', () => {
  test('SAME_DAY is paid at 22:00 West Africa Time, on a Saturday too', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    await advanceTo(h, nextWeekday(h.gateway.ctx.clock.now(), 6, '12:00:00'))
    await paid(h, seller)
    await advanceTo(h, '21:59:50')
    expect(await settlements(h, seller)).toEqual([])
    await advanceTo(h, '22:00:01')
    const [made] = await settlements(h, seller)
    expect(made.createdOn).toMatch(/T21:00:0/)
  })

  test('T_PLUS_1 is paid on the next working day: Friday and Saturday on Monday, not before; a holiday moves it on', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    await setRule(h, seller, { destination: 'WALLET', schedule: 'T_PLUS_1' })
    const friday = nextWeekday(h.gateway.ctx.clock.now(), 5, '12:00:00')
    const day = (after: number): string => new Date(friday.getTime() + after * 86_400_000).toISOString().slice(0, 10)
    await h.sql('01', `insert into holidays values ($1, 'a test') on conflict do nothing`, [day(4)])
    await advanceTo(h, friday)
    await paid(h, seller, { amount: 1000 })
    await advance(h, 86_400)
    await paid(h, seller, { amount: 2000 })
    await advance(h, 86_400 * 1.45) // Sunday, 22:48
    expect(await settlements(h, seller)).toEqual([])
    await advance(h, 86_400 * 0.5)
    await paid(h, seller, { amount: 4000 }) // Monday: for Tuesday, which is a holiday
    await advanceTo(h, '22:00:01')
    expect((await settlements(h, seller)).map((one) => one.amount)).toEqual(['2955.00'])
    await advance(h, 86_400) // Tuesday
    expect(await settlements(h, seller)).toHaveLength(1)
    await advance(h, 86_400) // Wednesday
    expect((await settlements(h, seller)).map((one) => one.amount)).toEqual(['2955.00', '3940.00'])
  })

  test('INSTANT is paid at its instant when the clock is moved on, not at the end of the way', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    await setRule(h, seller, { destination: 'WALLET', schedule: 'INSTANT' })
    await paid(h, seller)
    const paidAt = h.gateway.ctx.clock.now().getTime()
    await advance(h, 3 * 86_400)
    const [made] = await settlements(h, seller)
    expect(Date.parse(made.createdOn) - paidAt).toBeLessThan(30_000)
  })

  test('INSTANT is paid by a worker within seconds', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    await setRule(h, seller, { destination: 'WALLET', schedule: 'INSTANT' })
    const worker = h.startWorker()
    await paid(h, seller)
    await h.until('it is settled', async () => (await settlements(h, seller)).length === 1)
    await worker.stop()
    expect(await walletOf(h, seller)).toBe(1_001_477.5)
  })

  test('INSTANT whose grant was withdrawn waits for the daily run', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    await setRule(h, seller, { destination: 'WALLET', schedule: 'INSTANT' })
    const withdrawal = { feature: 'INSTANT_SETTLEMENT', granted: false, by: 'test', why: 'a test' } as const
    await engineTx(h.gateway.ctx, '01', (t) => grant(t, seller.id, withdrawal))
    await advanceTo(h, '12:00:00')
    await paid(h, seller)
    await advance(h, 3_600)
    expect(await settlements(h, seller)).toEqual([])
    await advanceTo(h, '22:01:00')
    expect(await settlements(h, seller)).toHaveLength(1)
  })
})

/** Noon-ish moments of a weekday to come, in West Africa. */
function nextWeekday(now: Date, weekday: number, time: string): Date {
  for (let at = now.getTime(); ; at += 86_400_000) {
    const date = new Date(`${new Date(at + 3_600_000).toISOString().slice(0, 10)}T${time}+01:00`)
    if (date.getUTCDay() === weekday && date > now) return date
  }
}

describe('to a bank', () => {
  test('is PAYING until the bank has said yes, and notified only then', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    const accountNumber = account('0002')
    const rule = await setRule(h, seller, { destination: 'BANK', schedule: 'SAME_DAY', bankCode: '058', accountNumber })
    expect(rule).toMatchObject({ accountNumber, accountName: expect.stringMatching(/\w/) })
    const made = await paid(h, seller)
    await run(h, seller)
    await advance(h, 60)
    expect((await settlements(h, seller)).map((one) => one.status)).toEqual(['PAYING'])
    expect(await notificationsOf(h, seller, 'SETTLEMENT')).toEqual([])
    const before = (await detailOf(h, seller, made.transactionReference)).json.responseBody
    expect(before.beneficiaries[0].settlementStatus).toBe('PAYING')
    await advance(h, 3 * 3600)
    expect((await settlements(h, seller)).map((one) => one.status)).toEqual(['COMPLETED'])
    const [event] = await notificationsOf(h, seller, 'SETTLEMENT')
    expect(event.eventData).toMatchObject({ amount: '1477.50', destinationAccountNumber: accountNumber })
  })

  test.each([
    ['refused', '0001', 60],
    ['reversed', '0003', 49 * 3600],
  ])('%s: comes back, is mailed, and is paid with the next one; the detail follows', async (_, ending, seconds) => {
    const h = harness()
    const seller = await newMerchant(h, { naira: 0 })
    const accountNumber = account(ending)
    await setRule(h, seller, { destination: 'BANK', schedule: 'SAME_DAY', bankCode: '058', accountNumber })
    const made = await paid(h, seller)
    const [first] = await run(h, seller)
    // Held from here on: the daily runs on the way would send it to the same account again.
    await h.sql('01', `insert into settlement_holds values ($1, 'a test', now())`, [seller.id])
    await advance(h, seconds)
    expect((await settlements(h, seller)).map((one) => one.status)).toEqual(['RETURNED'])
    const [mail] = await h.sql('01', `select * from mails where merchant_id = $1 and subject like 'Settlement%'`, [
      seller.id,
    ])
    expect(mail.subject).toBe(`Settlement ${first?.settlementReference} was not paid`)
    expect((await detailOf(h, seller, made.transactionReference)).status).toBe(404)

    await h.sql('01', 'delete from settlement_holds where merchant_id = $1', [seller.id])
    await setRule(h, seller, { destination: 'WALLET', schedule: 'SAME_DAY' })
    const [second] = await run(h, seller)
    expect(second).toMatchObject({ amount: '1477.50', transactionsCount: 1 })
    expect(await walletOf(h, seller)).toBe(1477.5)
    const detail = (await detailOf(h, seller, made.transactionReference)).json.responseBody
    expect(detail.settlementReference).toBe(second?.settlementReference)
    const returned = await statementOf(h, seller, first?.settlementReference ?? '')
    expect(returned.lines.map((line: any) => line.transactionReference)).toEqual([made.transactionReference])
  })
})

describe('settlements.list', () => {
  test('200 by amount and by day: limits are inclusive, every filter counts, pages are of what fits; not those of others', async () => {
    const h = harness()
    const [seller, outsider] = [await newMerchant(h), await newMerchant(h)]
    for (const amount of [1_000, 2_000, 3_000]) {
      for (const merchant of [seller, outsider]) {
        await paid(h, merchant, { amount })
        await run(h, merchant)
      }
      await advance(h, 86_400)
    }
    const [first, second] = await settlements(h, seller)
    const listed = async (query: Record<string, string>) => {
      const answer = await h.as(seller, 'GET', `/api/v1/settlements?${new URLSearchParams(query).toString()}`)
      expect(answer.status, answer.text).toBe(200)
      const { content, totalElements } = answer.json.responseBody
      return [totalElements, ...content.map(({ amount }: { amount: string }) => amount)]
    }
    expect(await listed({ fromAmount: '985', toAmount: '1970.00' })).toEqual([2, '1970.00', '985.00'])
    expect(await listed({ fromAmount: '985.01' })).toEqual([2, '2955.00', '1970.00'])
    expect(await listed({ toAmount: '984.99' })).toEqual([0])
    expect(await listed({ from: second.createdOn, to: second.createdOn })).toEqual([1, '1970.00'])
    expect(await listed({ to: second.createdOn, fromAmount: '1000' })).toEqual([1, '1970.00'])
    expect(await listed({ from: first.createdOn, size: '2', page: '1' })).toEqual([3, '985.00'])
    expect(await listed({ fromAmount: '2000', toAmount: '1000' })).toEqual([0])
  })

  test.each([
    ['AMOUNT_INVALID', 'fromAmount=1.005'],
    ['AMOUNT_INVALID', 'toAmount=much'],
    ['FIELD_INVALID', 'from=yesterday'],
  ])('%s for %s', async (refusal, query) => {
    const h = harness()
    const answer = await h.as(await newMerchant(h), 'GET', `/api/v1/settlements?${query}`)
    expect([answer.status, code(answer)]).toEqual([400, refusal])
  })
})

describe('settlements.transactions and settlements.detail', () => {
  test('200: the page of status records; 404 for unknown references and those of others', async () => {
    const h = harness()
    const [seller, outsider] = [await newMerchant(h), await newMerchant(h)]
    const references: string[] = []
    for (let i = 0; i < 3; i += 1) references.push((await paid(h, seller)).transactionReference)
    expect((await detailOf(h, seller, references[0] ?? '')).status).toBe(404)
    const [made] = await run(h, seller)
    const page = (await h.as(seller, 'GET', `${FIND}?reference=${made?.settlementReference}&page=1&size=2`)).json
      .responseBody
    expect([page.totalElements, page.last, page.content.map((one: any) => one.transactionReference)]).toEqual([
      3,
      true,
      references.slice(2),
    ])
    const foreign = await h.as(outsider, 'GET', `${FIND}?reference=${made?.settlementReference}`)
    expect([foreign.status, code(foreign)]).toEqual([404, 'SETTLEMENT_NOT_FOUND'])
    const unknown = await detailOf(h, outsider, references[0] ?? '')
    expect([unknown.status, code(unknown)]).toEqual([404, 'TRANSACTION_NOT_FOUND'])
  })
})
