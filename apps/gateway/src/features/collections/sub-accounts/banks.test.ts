// Which account money belongs to, and what a change of it does to settlements.
import { describe, expect, test } from 'vitest'
import { readAll } from '#core/cells/cells.ts'
import { accountId } from '#core/ledger/chart.ts'
import { groupPeriods, shareNow, sharesBehind } from '#features/settlements/settlements/destinations.ts'
import { notice, outcomeOf, reverseCredit } from '#test/bank/notices.ts'
import { bodyOf, reserve, SPLIT } from '#test/features/collections/reserved-accounts.ts'
import { account, newMerchant } from '#test/features/payouts/disbursements.ts'
import { detailOf, mailsTo, RUN, run, settlements } from '#test/features/settlements/settlements.ts'
import { walletOf } from '#test/features/wallets/wallets.ts'
import { dyingAt } from '#test/kit/dying.ts'
import {
  advance,
  type Harness,
  paid,
  SUB_ACCOUNTS,
  status,
  subAccount,
  subAccountBody,
  type TestMerchant,
  useHarness,
} from '#test/kit/harness.ts'
import { type BankRow, bankAt, toPeriods } from './banks.ts'

const harness = useHarness({ settles: true })
const [HOUR, DAY] = [3_600, 86_400]

type Sub = { subAccountCode: string; accountNumber: string }
const change = async (h: Harness, merchant: TestMerchant, sub: Sub, over: Record<string, unknown>): Promise<any> =>
  bodyOf(await h.as(merchant, 'PUT', SUB_ACCOUNTS, subAccountBody({ subAccountCode: sub.subAccountCode, ...over })))
const earn = (h: Harness, merchant: TestMerchant, { subAccountCode }: Sub, naira = 1000) =>
  paid(h, merchant, { amount: naira, incomeSplitConfig: [{ subAccountCode, splitPercentage: 50 }] })
/** The account that the share of a payment was settled to. */
const paidTo = async (h: Harness, merchant: TestMerchant, sub: Sub, made: { transactionReference: string }) => {
  const { beneficiaries } = bodyOf(await detailOf(h, merchant, made.transactionReference))
  const mine = beneficiaries.find((one: any) => one.beneficiaryCode === sub.subAccountCode)
  return mine?.settlementInformation?.destinationAccountNumber
}
/** What was settled to a sub account: where, and how much. */
const settled = async (h: Harness, merchant: TestMerchant, sub: Sub): Promise<[string, string][]> =>
  (await settlements(h, merchant))
    .filter((one) => one.beneficiaryCode === sub.subAccountCode)
    .map((one) => [one.destination.accountNumber, one.amount])

describe('another bank account of a sub account', () => {
  test('is shown at once with effectiveOn 24 hours ahead; money earned before goes to the old one, whenever it is settled', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    const sub: Sub = await subAccount(h, seller)
    const earlier = await earn(h, seller, sub)
    const next = account()
    const asked = h.gateway.ctx.clock.now().getTime()
    const shown = await change(h, seller, sub, { accountNumber: next })
    expect(shown.accountNumber).toBe(next)
    expect(Date.parse(shown.effectiveOn) - asked - DAY * 1000).toBeLessThan(60_000)
    expect(Date.parse(shown.effectiveOn) - asked).toBeGreaterThanOrEqual(DAY * 1000)
    const [listed] = bodyOf(await h.as(seller, 'GET', SUB_ACCOUNTS))
    expect(listed).toEqual(shown)
    await run(h, seller)
    expect(await paidTo(h, seller, sub, earlier)).toBe(sub.accountNumber)
    await advance(h, DAY - 600)
    const last = await earn(h, seller, sub)
    await advance(h, 1200)
    const later = await earn(h, seller, sub)
    await run(h, seller)
    expect(await paidTo(h, seller, sub, last)).toBe(sub.accountNumber)
    expect(await paidTo(h, seller, sub, later)).toBe(next)
    expect(bodyOf(await h.as(seller, 'GET', SUB_ACCOUNTS))[0]).not.toHaveProperty('effectiveOn')
  })

  test('a change that keeps bank and account number has no waiting time, and does not shorten one', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    const sub: Sub = await subAccount(h, seller)
    const same = { accountNumber: sub.accountNumber, defaultSplitPercentage: 33 }
    expect(await change(h, seller, sub, same)).not.toHaveProperty('effectiveOn')
    const next = account()
    const first = await change(h, seller, sub, { accountNumber: next })
    await advance(h, HOUR)
    const again = await change(h, seller, sub, { accountNumber: next, defaultSplitPercentage: 5 })
    expect(again.effectiveOn).toBe(first.effectiveOn)
  })

  test('several changes within 24 hours: the last word counts, and one that was replaced never takes effect', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    const sub: Sub = await subAccount(h, seller)
    const [replaced, last] = [account(), account()]
    await change(h, seller, sub, { accountNumber: replaced })
    await advance(h, 20 * HOUR)
    await change(h, seller, sub, { accountNumber: last })
    await advance(h, 10 * HOUR) // the first would be in force, the second is not yet
    const between = await earn(h, seller, sub)
    await advance(h, 20 * HOUR)
    const after = await earn(h, seller, sub)
    await run(h, seller)
    expect([await paidTo(h, seller, sub, between), await paidTo(h, seller, sub, after)]).toEqual([
      sub.accountNumber,
      last,
    ])
  })

  test('setting the old account again cancels the change at once', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    const sub: Sub = await subAccount(h, seller)
    await change(h, seller, sub, { accountNumber: account() })
    await advance(h, HOUR)
    expect(await change(h, seller, sub, { accountNumber: sub.accountNumber })).not.toHaveProperty('effectiveOn')
    await advance(h, 2 * DAY)
    const made = await earn(h, seller, sub)
    await run(h, seller)
    expect(await paidTo(h, seller, sub, made)).toBe(sub.accountNumber)
  })

  test('three accounts in turn: each gets what was earned in its time, in one run', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    const sub: Sub = await subAccount(h, seller)
    const [second, third] = [account(), account()]
    await earn(h, seller, sub, 1000)
    await change(h, seller, sub, { accountNumber: second })
    await h.sql('01', 'insert into settlement_holds (merchant_id, reason, since) values ($1, $2, $3)', [
      ...[seller.id, 'test', h.gateway.ctx.clock.now()],
    ])
    await advance(h, DAY + 60)
    await earn(h, seller, sub, 2000)
    await change(h, seller, sub, { accountNumber: third })
    await advance(h, DAY + 60)
    await earn(h, seller, sub, 3000)
    await h.sql('01', 'delete from settlement_holds where merchant_id = $1', [seller.id])
    await run(h, seller)
    expect(await settled(h, seller, sub)).toEqual([
      [sub.accountNumber, '500.00'],
      [second, '1000.00'],
      [third, '1500.00'],
    ])
  })

  test('a reversal of what has not been settled is deducted from the oldest of its money, not from the newest', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    const sub: Sub = await subAccount(h, seller)
    const next = account()
    await h.sql('01', 'insert into settlement_holds (merchant_id, reason, since) values ($1, $2, $3)', [
      ...[seller.id, 'test', h.gateway.ctx.clock.now()],
    ])
    await earn(h, seller, sub, 1000)
    const { accountNumber, sessionId } = await earn(h, seller, sub, 400)
    await change(h, seller, sub, { accountNumber: next })
    await advance(h, DAY + 60)
    await earn(h, seller, sub, 2000)
    expect(outcomeOf(await reverseCredit(h, { ...notice(accountNumber, '400.00'), sessionId }))).toBe('REVERSED')
    await h.sql('01', 'delete from settlement_holds where merchant_id = $1', [seller.id])
    await run(h, seller)
    expect(await settled(h, seller, sub)).toEqual([
      [sub.accountNumber, '500.00'],
      [next, '1000.00'],
    ])
  })

  test('a settlement that the old bank sent back goes to the account that is in force when it is settled again', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    const failing = account('0001')
    const sub: Sub = await subAccount(h, seller, { accountNumber: failing })
    const made = await earn(h, seller, sub)
    await run(h, seller)
    await advance(h, 60)
    const next = account()
    await change(h, seller, sub, { accountNumber: next })
    await run(h, seller)
    await advance(h, 60)
    expect((await settled(h, seller, sub)).every(([to]) => to === failing)).toBe(true)
    await advance(h, DAY)
    await run(h, seller)
    expect(await paidTo(h, seller, sub, made)).toBe(next)
  })

  test('a run that reads a sub account while it gets another account pays the old one', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    const sub: Sub = await subAccount(h, seller)
    const [row] = await h.sql('01', 'select id from sub_accounts where code = $1', [sub.subAccountCode])
    const share = accountId(BigInt(row?.['id'] as string), 'SHARE')
    const { ctx } = h.gateway
    const shares = await readAll(ctx, '01', (read) => {
      let statements = 0
      const between = async () => {
        statements += 1
        if (statements === 1) await change(h, seller, sub, { accountNumber: account() })
      }
      const query: typeof read.query = async (statement, values) => {
        const rows = await read.query(statement, values)
        await between()
        return rows as never
      }
      return sharesBehind({ ...read, query }, [share])
    })
    expect(shareNow(shares, share, ctx.clock.now())?.bank.account_number).toBe(sub.accountNumber)
  })

  test('changes against running settlements: every share is paid once, to the account of its time', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    const sub: Sub = await subAccount(h, seller)
    const made = await Promise.all(Array.from({ length: 8 }, () => earn(h, seller, sub)))
    const others = Array.from({ length: 6 }, () => account())
    await Promise.all([
      ...others.map((accountNumber) => change(h, seller, sub, { accountNumber })),
      ...Array.from({ length: 6 }, () => run(h, seller)),
    ])
    await run(h, seller)
    const all = await settled(h, seller, sub)
    expect(all.every(([to]) => to === sub.accountNumber)).toBe(true)
    expect(all.reduce((sum, [, amount]) => sum + Number(amount), 0)).toBe(8 * 500)
    for (const one of made) expect(await status(h, seller, one.transactionReference)).toBeTruthy()
  })
})

describe('a run that dies, just after a change of account, has paid nothing', () => {
  /** What the seller's money did: settlements, orders to banks, lines that were claimed, and what is in its
   *  wallet. */
  const left = async (h: Harness, seller: TestMerchant) => {
    const [row] = await h.sql(
      '01',
      `select (select count(*) from settlements where merchant_id = $1)::int as settlements,
         (select count(*) from bank_orders where merchant_id = $1)::int as orders,
         (select count(*) from settlement_lines where merchant_id = $1 and settlement_id is not null)::int as claimed`,
      [seller.id],
    )
    return { ...row, wallet: await walletOf(h, seller) }
  }
  const NOTHING = { settlements: 0, orders: 0, claimed: 0, wallet: 0 }
  const hold = (h: Harness, { id }: TestMerchant) =>
    h.sql('01', `insert into settlement_holds values ($1, 'test', $2)`, [id, h.gateway.ctx.clock.now()])
  const release = (h: Harness, { id }: TestMerchant) =>
    h.sql('01', 'delete from settlement_holds where merchant_id = $1', [id])
  const dies = async (h: Harness, seller: TestMerchant, table: string) => {
    await h.horizonPassed()
    await dyingAt(h, table, async () => {
      expect((await h.as(seller, 'POST', RUN, {})).status).toBe(500)
    })
  }

  test.each(['settlements', 'bank_orders'])(
    '(%s) and the next run pays the old account, also when the new one is in force by then',
    async (table) => {
      const h = harness()
      const seller = await newMerchant(h, { naira: 0 })
      const sub: Sub = await subAccount(h, seller)
      const earlier = await earn(h, seller, sub)
      await change(h, seller, sub, { accountNumber: account() })
      await dies(h, seller, table)
      expect(await left(h, seller)).toEqual(NOTHING)
      await hold(h, seller)
      await advance(h, DAY + 60)
      await release(h, seller)
      expect((await run(h, seller)).map(({ amount }) => amount)).toEqual(['485.00', '500.00'])
      expect(await paidTo(h, seller, sub, earlier)).toBe(sub.accountNumber)
      expect(await left(h, seller)).toEqual({ settlements: 2, orders: 1, claimed: 2, wallet: 485 })
    },
  )

  test.each(['settlements', 'bank_orders'])(
    '(%s) and the next run pays old and new account what was earned in its time, once',
    async (table) => {
      const h = harness()
      const seller = await newMerchant(h, { naira: 0 })
      const sub: Sub = await subAccount(h, seller)
      const next = account()
      await hold(h, seller)
      await earn(h, seller, sub, 1000)
      await change(h, seller, sub, { accountNumber: next })
      await advance(h, DAY + 60)
      await earn(h, seller, sub, 2000)
      await release(h, seller)
      await dies(h, seller, table)
      expect(await left(h, seller)).toEqual(NOTHING)
      await run(h, seller)
      await run(h, seller)
      expect(await settled(h, seller, sub)).toEqual([
        [sub.accountNumber, '500.00'],
        [next, '1000.00'],
      ])
    },
  )
})

describe('the owner is mailed, with the last four digits only', () => {
  test('when sub accounts are made and when one gets another account, not when it keeps it', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    const sub: Sub = await subAccount(h, seller)
    const next = account('4321')
    await change(h, seller, sub, { accountNumber: next })
    await change(h, seller, sub, { accountNumber: next, defaultSplitPercentage: 1 })
    await advance(h, 1)
    const mails = (await mailsTo(h, seller)).map(({ subject, text }) => `${subject}\n${text}`)
    expect(mails).toHaveLength(2)
    const all = mails.join('\n')
    for (const number of [sub.accountNumber, next]) {
      expect(all).toContain(number.slice(-4))
      expect(all).not.toContain(number)
    }
  })

  test("at each change of a reserved account's split", async () => {
    const h = harness()
    const seller = await newMerchant(h)
    const sub: Sub = await subAccount(h, seller)
    const { accountReference } = await reserve(h, seller)
    const set = (config: unknown) => h.as(seller, 'PUT', SPLIT(accountReference), config)
    expect((await set([{ subAccountCode: sub.subAccountCode, splitPercentage: 100 }])).status).toBe(200)
    expect((await set([])).status).toBe(200)
    await advance(h, 1)
    const mailed = (await mailsTo(h, seller)).filter(({ subject }) => subject.includes(accountReference))
    expect(mailed).toHaveLength(2)
    expect(mailed.map(({ text }) => text).join('\n')).toContain(`${sub.subAccountCode}: 100 %`)
  })
})

test('what a new sub account earned is settled to it not before the waiting time is over; the merchant is paid meanwhile', async () => {
  const h = harness()
  const seller = await newMerchant(h)
  await h.sql('01', 'update merchants set new_sub_account_wait_hours = 24 where id = $1', [seller.id])
  const sub: Sub = await subAccount(h, seller)
  await earn(h, seller, sub)
  expect((await run(h, seller)).map(({ amount }) => amount)).toEqual(['485.00'])
  await advance(h, DAY - 120)
  await run(h, seller)
  expect(await settled(h, seller, sub)).toEqual([])
  await advance(h, 240)
  await run(h, seller)
  expect(await settled(h, seller, sub)).toEqual([[sub.accountNumber, '500.00']])
})

describe('periods', () => {
  const at = (hours: number) => new Date(Date.UTC(2026, 0, 1) + hours * 3_600_000)
  const bank = (account_number: string, created: number, effective = created + 24): BankRow => ({
    ...{ bank_code: '058', account_number, account_name: 'X' },
    ...{ created_at: at(created), effective_at: at(effective) },
  })
  const places = (rows: BankRow[]) =>
    [0, 23, 24, 30, 50, 80].map((hours) => bankAt(rows, at(hours))?.account_number).join('')

  test('follow the last word', () => {
    expect(toPeriods([])).toEqual([])
    expect(places([bank('A', -99, -99), bank('B', 0)])).toBe('AABBBB')
    expect(places([bank('A', -99, -99), bank('B', 0), bank('C', 10)])).toBe('AAAACC')
    expect(places([bank('A', -99, -99), bank('B', 0), bank('C', 25)])).toBe('AABBCC')
    expect(places([bank('A', -99, -99), bank('B', 0), bank('A', 10, 10)])).toBe('AAAAAA')
    expect(toPeriods([bank('A', -99, -99), bank('B', 0), bank('A', 10, 10)])).toHaveLength(1)
  })

  test('what is below zero is deducted from the oldest money first', () => {
    const two = toPeriods([bank('A', -99, -99), bank('B', 0)])
    const shape = (sums: bigint[], below: bigint) =>
      groupPeriods(two, sums, below).map((group) => `${group.bank.account_number}${group.kobo}`)
    expect(shape([100n, 50n], 0n)).toEqual(['A100', 'B50'])
    expect(shape([100n, 50n], -30n)).toEqual(['A70', 'B50'])
    expect(shape([20n, 50n], -30n)).toEqual(['B40'])
    expect(shape([20n, 5n], -30n)).toEqual([])
    expect(shape([0n, 5n], 0n)).toEqual(['B5'])
  })
})
