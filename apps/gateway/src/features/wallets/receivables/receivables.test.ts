// What a merchant owes: when it becomes owed, what is refused meanwhile, and from what it is collected.
import { payoutFee } from '@cowrie/contract/payouts/disbursements'
import { describe, expect, test } from 'vitest'
import { readAll } from '#core/cells/cells.ts'
import { type AccountKind, accountId } from '#core/ledger/chart.ts'
import { balance } from '#core/ledger/ledger.ts'
import { type Notice, newSession, notice, outcomeOf, reverseCredit, tell, waiting } from '#test/bank/notices.ts'
import { account, newMerchant } from '#test/features/payouts/disbursements.ts'
import { mailsTo, run, setRule, settlements, statementOf } from '#test/features/settlements/settlements.ts'
import { notificationsOf, send, sendBatch, walletOf } from '#test/features/wallets/wallets.ts'
import { advance, type Harness, paid, subAccount, type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness({ settles: true })
const BALANCE = '/api/v2/disbursements/wallet-balance'

const kobo = (h: Harness, owner: bigint, kind: AccountKind): Promise<bigint> =>
  readAll(h.gateway.ctx, '01', (r) => balance(r, accountId(owner, kind)))
const receivable = async (h: Harness, merchant: TestMerchant): Promise<string> =>
  (await h.as(merchant, 'GET', `${BALANCE}?accountNumber=${merchant.walletNumber}`)).json.responseBody.receivable
const updates = async (h: Harness, merchant: TestMerchant): Promise<unknown[][]> =>
  (await notificationsOf(h, merchant, 'RECEIVABLE_UPDATE')).map(({ eventData: e }) => [
    e.change,
    e.account,
    e.amount,
    e.receivable,
  ])

/** A top-up that is paid out again but for some naira. */
async function toppedUpAndSpent(h: Harness, merchant: TestMerchant, naira: number, left: number): Promise<Notice> {
  const credit = notice(merchant.walletNumber, `${naira}.00`)
  expect(outcomeOf(await tell(h, credit))).toBe('COUNTED')
  const amount = (await walletOf(h, merchant)) - left
  const sent = await send(h, merchant, { amount: amount - Number(payoutFee(BigInt(amount) * 100n)) / 100 })
  expect(sent.status, sent.text).toBe(200)
  return credit
}
/** A payment that was counted, and its notice. */
async function collected(h: Harness, merchant: TestMerchant, naira: number, over: object = {}): Promise<Notice> {
  const made = await waiting(h, merchant, { amount: naira, ...over })
  const credit = notice(made.accountNumber, `${naira}.00`)
  expect(outcomeOf(await tell(h, credit))).toBe('COUNTED')
  return credit
}
const reversed = async (h: Harness, credit: Notice, reversalSessionId = newSession()): Promise<string> => {
  expect(outcomeOf(await reverseCredit(h, credit, { reversalSessionId }))).toBe('REVERSED')
  return reversalSessionId
}

describe('a top-up that the bank reverses', () => {
  test('is taken out of a wallet that holds exactly so much, and nothing is owed', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    const credit = notice(merchant.walletNumber, '5000.00')
    await tell(h, credit)
    await reversed(h, credit)
    expect(await walletOf(h, merchant)).toBe(0)
    expect(await receivable(h, merchant)).toBe('0.00')
    expect(await updates(h, merchant)).toEqual([])
  })

  test('after it was paid out: the rest is owed, notified and mailed; the next settlement and the next top-up pay it first', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    const credit = await toppedUpAndSpent(h, merchant, 5000, 75)
    const reversalSessionId = await reversed(h, credit)
    expect(outcomeOf(await reverseCredit(h, credit, { reversalSessionId }))).toBe('REPEATED')
    expect([await walletOf(h, merchant), await receivable(h, merchant)]).toEqual([0, '4925.00'])
    expect(await updates(h, merchant)).toEqual([['OWED', 'WALLET', 4925, 4925]])
    await advance(h, 1)
    const debts = async () =>
      (await mailsTo(h, merchant)).map(({ subject }) => subject).filter((subject) => /owe|debt/.test(subject))
    expect(await debts()).toEqual(['You owe ₦4,925.00'])
    await paid(h, merchant, { amount: 1000 })
    expect(await run(h, merchant)).toEqual([])
    expect([await walletOf(h, merchant), await receivable(h, merchant)]).toEqual([0, '3940.00'])
    await advance(h, 1)
    expect(await debts(), 'a part of it is no reason for a mail').toHaveLength(1)
    await tell(h, notice(merchant.walletNumber, '4000.00'))
    expect([await walletOf(h, merchant), await receivable(h, merchant)]).toEqual([60, '0.00'])
    expect(await updates(h, merchant)).toEqual([
      ['OWED', 'WALLET', 4925, 4925],
      ['COLLECTED', 'COLLECTIONS', 985, 3940],
      ['COLLECTED', 'WALLET', 3940, 0],
    ])
    expect((await notificationsOf(h, merchant, 'ACCOUNT_ACTIVITY')).at(-1).eventData).toMatchObject({
      amount: -3940,
      balanceBefore: 4000,
      balanceAfter: 60,
    })
    await paid(h, merchant, { amount: 1000 })
    expect((await run(h, merchant)).map((one) => one.amount)).toEqual(['985.00'])
    expect((await send(h, merchant, { amount: 100 })).status).toBe(200)
  })
})

describe('to the kobo: of 5,000.00 that a bank reverses', () => {
  /** A wallet that was topped up by 5,000.00 and by so much more, of which 100.00 left; and what follows. */
  async function afterReversal(h: Harness, more: string) {
    const merchant = await newMerchant(h, { naira: 0 })
    const credit = notice(merchant.walletNumber, '5000.00')
    await tell(h, credit)
    // 90.00 and the fee of 10.00 leave it.
    await tell(h, notice(merchant.walletNumber, more))
    const sent = await send(h, merchant, { amount: 90 })
    expect(sent.status, sent.text).toBe(200)
    const before = await walletOf(h, merchant)
    const reversalSessionId = await reversed(h, credit)
    await advance(h, 1)
    const debts = (await mailsTo(h, merchant))
      .map(({ subject }) => subject)
      .filter((subject) => /owe|debt/.test(subject))
    const { eventData: moved } = (await notificationsOf(h, merchant, 'ACCOUNT_ACTIVITY')).at(-1)
    return { merchant, before, reversalSessionId, debts, moved: [moved.balanceBefore, moved.balanceAfter] }
  }

  test('an empty wallet owes all of it, and no movement is told of, because there was none', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    const credit = await toppedUpAndSpent(h, merchant, 5000, 0)
    const told = async () => (await notificationsOf(h, merchant, 'ACCOUNT_ACTIVITY')).length
    const before = await told()
    await reversed(h, credit)
    expect([await walletOf(h, merchant), await receivable(h, merchant), await told()]).toEqual([0, '5000.00', before])
  })

  test('a wallet with one kobo more keeps it, and nothing is owed, told or mailed', async () => {
    const h = harness()
    const { merchant, before, debts, moved } = await afterReversal(h, '100.01')
    expect([before, await walletOf(h, merchant), await receivable(h, merchant)]).toEqual([5000.01, 0.01, '0.00'])
    expect([moved, debts, await updates(h, merchant)]).toEqual([[5000.01, 0.01], [], []])
    expect((await send(h, merchant, { amount: 100 })).json.responseCode, 'no debt, only too little').toBe('D04')
  })

  test('a wallet with one kobo less owes it: told and mailed, refused, and collected first from what comes', async () => {
    const h = harness()
    const { merchant, before, reversalSessionId, debts, moved } = await afterReversal(h, '99.99')
    expect([before, await walletOf(h, merchant), await receivable(h, merchant)]).toEqual([4999.99, 0, '0.01'])
    expect([moved, debts]).toEqual([[4999.99, 0], ['You owe ₦0.01']])
    expect((await send(h, merchant, { amount: 100 })).json.problem.code).toBe('RECEIVABLE_OPEN')
    await tell(h, notice(merchant.walletNumber, '7.00'))
    expect([await walletOf(h, merchant), await receivable(h, merchant)]).toEqual([6.99, '0.00'])
    expect(await updates(h, merchant)).toEqual([
      ['OWED', 'WALLET', 0.01, 0.01],
      ['COLLECTED', 'WALLET', 0.01, 0],
    ])
    const told = (await notificationsOf(h, merchant, 'RECEIVABLE_UPDATE')).map(({ eventData: e }) => e)
    expect(told.map((e) => [e.cause, e.reversalSessionId])).toEqual([
      ['REVERSAL', reversalSessionId],
      [null, null],
    ])
    await advance(h, 1)
    const mails = (await mailsTo(h, merchant)).map(({ subject }) => subject)
    expect(mails.filter((subject) => /owe|debt/.test(subject))).toEqual([
      'Your debt has been collected in full',
      'You owe ₦0.01',
    ])
  })
})

describe('while something is owed', () => {
  test('400 "D01" RECEIVABLE_OPEN: transfers, batches, refunds, and codes of what waits; what comes back is collected', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0, otp: true })
    const { transactionReference } = await paid(h, merchant, { amount: 2000 })
    await run(h, merchant)
    const waits = await send(h, merchant, { amount: 800 })
    expect(waits.json.responseBody.status).toBe('PENDING_AUTHORIZATION')
    const batch = await sendBatch(h, merchant, [100, 100])
    expect(batch.json.responseBody.batchStatus).toBe('PENDING_AUTHORIZATION')
    const credit = notice(merchant.walletNumber, '100.00')
    await tell(h, credit)
    const left = await walletOf(h, merchant)
    const spent = await send(h, merchant, { amount: left - Number(payoutFee(100_00n)) / 100 })
    expect(spent.status, spent.text).toBe(200)
    await reversed(h, credit)
    expect(await receivable(h, merchant)).toBe('100.00')

    const refund = { transactionReference, refundReference: newSession(), refundAmount: 100 }
    const words = { refundReason: 'Out of stock', customerNote: 'Refund' }
    const authorizationCode = '000000'
    const reference = waits.json.responseBody.reference
    const batchReference = batch.json.responseBody.batchReference
    for (const answer of [
      await send(h, merchant, { amount: 100 }),
      await sendBatch(h, merchant, [100]),
      await h.as(merchant, 'POST', '/api/v1/refunds/initiate-refund', { ...refund, ...words }),
      await h.as(merchant, 'POST', '/api/v2/disbursements/single/validate-otp', { reference, authorizationCode }),
      await h.as(merchant, 'POST', '/api/v2/disbursements/batch/validate-otp', {
        reference: batchReference,
        authorizationCode,
      }),
    ])
      expect([answer.status, answer.json.responseCode, answer.json.problem?.code], answer.text).toEqual([
        400,
        'D01',
        'RECEIVABLE_OPEN',
      ])
    // Nobody authorises them: their money comes back, and pays what is owed before anything else.
    await advance(h, 25 * 3600)
    expect(await receivable(h, merchant)).toBe('0.00')
    expect((await updates(h, merchant)).at(-1)).toEqual(['COLLECTED', 'WALLET', 100, 0])
  })
})

describe('a collection that the bank reverses after it was settled', () => {
  test.each(['WALLET', 'BANK'])(
    'to %s: the wallet pays as far as it goes, the rest is owed and deducted from the next settlement',
    async (to) => {
      const h = harness()
      const merchant = await newMerchant(h, { naira: 0 })
      const rule = to === 'BANK' ? { bankCode: '058', accountNumber: account() } : {}
      await setRule(h, merchant, { destination: to, schedule: 'INSTANT', ...rule })
      const credit = await collected(h, merchant, 1000)
      await run(h, merchant)
      await advance(h, 5)
      // What went to a bank is not in the wallet.
      const sent = await send(h, merchant, { amount: 900 })
      expect(sent.status, sent.text).toBe(to === 'WALLET' ? 200 : 400)
      await reversed(h, credit)
      const owed = to === 'WALLET' ? 910 : 985
      expect([await walletOf(h, merchant), await receivable(h, merchant)]).toEqual([0, `${owed}.00`])
      expect(await kobo(h, merchant.id, 'PENDING')).toBe(0n)
      await paid(h, merchant, { amount: 2000 })
      const [made] = await run(h, merchant)
      expect(made?.amount).toBe(`${1970 - owed}.00`)
      const statement = await statementOf(h, merchant, made?.settlementReference ?? '')
      expect(statement.lines.map((line: any) => [line.kind, line.net])).toEqual(
        expect.arrayContaining([
          ['COLLECTION_REVERSAL', '-985.00'],
          ['RECEIVABLE', '985.00'],
          ['COLLECTION', '1970.00'],
          ['RECEIVABLE_COLLECTION', `-${owed}.00`],
        ]),
      )
      expect(await receivable(h, merchant)).toBe('0.00')
      await advance(h, 60)
      expect((await settlements(h, merchant)).map((one) => one.status)).toEqual(['COMPLETED', 'COMPLETED'])
    },
  )

  test('T_PLUS_1: it is deducted once, not from the due money and as something owed besides', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    const credit = await collected(h, merchant, 1000)
    await run(h, merchant)
    await send(h, merchant, { amount: 975 })
    await setRule(h, merchant, { destination: 'WALLET', schedule: 'T_PLUS_1' })
    await paid(h, merchant, { amount: 3000 })
    await advance(h, 5 * 86_400)
    expect(await walletOf(h, merchant)).toBe(2955)
    await reversed(h, credit)
    expect([await walletOf(h, merchant), await receivable(h, merchant)]).toEqual([1970, '0.00'])
    await paid(h, merchant, { amount: 1000 })
    await advance(h, 5 * 86_400)
    expect(await walletOf(h, merchant)).toBe(2955)
    const mails = (await mailsTo(h, merchant)).map(({ subject }) => subject)
    expect(
      mails.filter((subject) => /owe|debt/.test(subject)),
      'what was covered at once is no debt',
    ).toEqual([])
  })

  test('a share that was settled: the merchant answers for it, and its sub account pays it back first', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    const sub = await subAccount(h, merchant)
    const incomeSplitConfig = [{ subAccountCode: sub.subAccountCode, splitPercentage: 90 }]
    const credit = await collected(h, merchant, 1000, { incomeSplitConfig })
    await run(h, merchant)
    await advance(h, 5)
    await reversed(h, credit)
    const [{ id }] = await h.sql('01', 'select id from sub_accounts where code = $1', [sub.subAccountCode])
    expect(await kobo(h, BigInt(id), 'SHARE')).toBe(0n)
    expect([await walletOf(h, merchant), await receivable(h, merchant)]).toEqual([0, '900.00'])
    // 1,000 more, of which the sub account gets 500: 500 of it are collected, then 400 of the merchant's.
    await collected(h, merchant, 1000, { incomeSplitConfig: [{ ...incomeSplitConfig[0], splitPercentage: 50 }] })
    const made = await run(h, merchant)
    expect(made.map((one) => one.amount)).toEqual(['85.00'])
    expect([await walletOf(h, merchant), await receivable(h, merchant)]).toEqual([85, '0.00'])
    expect((await updates(h, merchant)).slice(-2)).toEqual([
      ['COLLECTED', 'SUB_ACCOUNT', 500, 400],
      ['COLLECTED', 'COLLECTIONS', 400, 0],
    ])
    await collected(h, merchant, 1000, { incomeSplitConfig })
    expect((await run(h, merchant)).map((one) => one.amount)).toEqual(['85.00', '900.00'])
  })
})
