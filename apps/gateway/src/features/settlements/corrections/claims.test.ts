// What a merchant was credited with and should not have been: two people take it back, what its wallet cannot
// give is owed, and what comes next pays it.
import { nairaNumber } from '@cowrie/contract/kit/money'
import { beforeAll, describe, expect, test } from 'vitest'
import { readAll } from '#core/cells/cells.ts'
import { type AccountKind, accountId } from '#core/ledger/chart.ts'
import { balance } from '#core/ledger/ledger.ts'
import { notice, outcomeOf, reverseCredit, tell, waiting } from '#test/bank/notices.ts'
import { actorOf, approveAs, doAct, show } from '#test/features/access/acts.ts'
import {
  account,
  mailsTo,
  newMerchant,
  notify,
  ask as payOut,
  sent,
  sentTo,
} from '#test/features/payouts/disbursements.ts'
import { fault, night, noon } from '#test/features/settlements/reconciliation.ts'
import { run, setRule, settlements } from '#test/features/settlements/settlements.ts'
import { notificationsOf, walletOf } from '#test/features/wallets/wallets.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { advance, type Harness, paid, type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness({ settles: true })
const cell = '01'
const ada = actorOf('operator', 'finance', 'ada@cowrie.example')
const bola = actorOf('operator', 'finance', 'bola@cowrie.example')
beforeAll(() => noon(harness()))

const kobo = (h: Harness, owner: bigint, kind: AccountKind): Promise<bigint> =>
  readAll(h.gateway.ctx, cell, (r) => balance(r, accountId(owner, kind)))
/** In naira, as it is shown: above zero. */
const owed = async (h: Harness, merchant: TestMerchant): Promise<number> =>
  nairaNumber(-(await kobo(h, merchant.id, 'RECEIVABLE')))
const openBreak = async (h: Harness, sessionId: string): Promise<string> => {
  const rows = await h.sql(cell, `select id::text from recon_breaks where session_id = $1 and status = 'OPEN'`, [
    sessionId,
  ])
  expect(rows).toHaveLength(1)
  return rows[0].id
}
const resolve = async (h: Harness, id: string, correction: string, amount: string, more: object = {}) => {
  const input = { id, correction, amount }
  return (await doAct(h, ada, 'breaks.resolve', { cell, input, reason: 'letter of the bank', ...more })).reference
}
const corrected = async (h: Harness, id: string, correction: string, amount: string, more: object = {}) =>
  (await approveAs(h, bola, await resolve(h, id, correction, amount, more))).reply.reply
const allowed = async (h: Harness, id: string): Promise<string[]> =>
  (await show(h, ada, 'breaks.show', { cell, id })).corrections

/** A payout that failed, whose money left by another, and that the bank has made after all: its session. */
async function paidAfterAll(h: Harness, merchant: TestMerchant, amount: number): Promise<string> {
  const failed = await sentTo(h, merchant, '0001', { amount })
  const [row] = await h.sql(cell, 'select session_id from disbursements where reference = $1', [failed.reference])
  await fault(h, { fault: 'invented', sessionId: row.session_id, amount: `${amount}.00`, kind: 'PAYOUT' })
  return row.session_id
}

describe('a payout that the bank made after it had refused it', () => {
  test('is taken from what is left in the wallet, the rest is owed and told, and the next settlement pays it first', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 5_010 })
    const session = await paidAfterAll(h, merchant, 4_000)
    await sentTo(h, merchant, '7788', { amount: 4_900 })
    await noon(h)
    const id = await openBreak(h, session)
    expect(await allowed(h, id)).toEqual(['FROM_MERCHANT', 'WRITE_OFF'])
    expect(await corrected(h, id, 'FROM_MERCHANT', '4000.00')).toMatchObject({
      entries: [
        { account: 'bank', amount: '4000.00' },
        { account: 'wallet of the merchant', amount: '-4000.00' },
      ],
    })
    expect([await walletOf(h, merchant), await owed(h, merchant)]).toEqual([0, 3_900])
    const [told] = await notificationsOf(h, merchant, 'RECEIVABLE_UPDATE')
    expect(told.eventData).toMatchObject({
      ...{ change: 'OWED', account: 'WALLET', amount: 3_900, receivable: 3_900, cause: 'CORRECTION' },
      reversalSessionId: null,
    })
    await advance(h, 1)
    const [mail] = await mailsTo(h, merchant)
    expect(mail?.subject).toContain('You owe ₦3,900.00')
    expect(mail?.text).toContain(
      `A bank has paid ₦4,000.00 that it had said it would not pay (the bank's reference is ${session})`,
    )
    expect((await payOut(h, merchant, { amount: 10 })).json.problem.code).toBe('RECEIVABLE_OPEN')
    await paid(h, merchant, { amount: 10_000 })
    await run(h, merchant)
    expect([await walletOf(h, merchant), await owed(h, merchant)]).toEqual([5_950, 0])
    await noon(h)
    expect(await h.sql(cell, `select says from recon_breaks where status = 'OPEN'`)).toEqual([])
  })

  test('is taken whole from a wallet that holds it: nothing is owed, and the mail says why', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 5_000 })
    const session = await paidAfterAll(h, merchant, 1_200)
    await noon(h)
    await corrected(h, await openBreak(h, session), 'FROM_MERCHANT', '1200.00')
    expect([await walletOf(h, merchant), await owed(h, merchant)]).toEqual([3_800, 0])
    await advance(h, 1)
    const [mail] = await mailsTo(h, merchant)
    expect(mail?.subject).toContain('₦1,200.00 was taken out of your wallet')
    expect(mail?.text).toContain(session)
    expect(await notificationsOf(h, merchant, 'RECEIVABLE_UPDATE')).toEqual([])
  })

  test.each([
    ['exactly so much: it is empty, and nothing is owed', 1220, 1200, 0, '₦1,200.00 was taken out of your wallet'],
    ['one kobo less: that is owed, and mailed as such', 1220.01, 1199.99, 0.01, 'You owe ₦0.01'],
  ])('is taken from a wallet that holds %s', async (_, spent, before, debt, subject) => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 2_430 })
    const session = await paidAfterAll(h, merchant, 1_200)
    await sentTo(h, merchant, '7788', { amount: spent })
    expect(await walletOf(h, merchant)).toBe(before)
    await noon(h)
    const known = (await mailsTo(h, merchant)).length
    await corrected(h, await openBreak(h, session), 'FROM_MERCHANT', '1200.00')
    expect([await walletOf(h, merchant), await owed(h, merchant)]).toEqual([0, debt])
    await advance(h, 1)
    const mails = (await mailsTo(h, merchant)).map((mail) => mail.subject)
    expect(mails.slice(0, mails.length - known)).toEqual([subject])
    const { eventData } = (await notificationsOf(h, merchant, 'ACCOUNT_ACTIVITY')).at(-1)
    expect([eventData.balanceBefore, eventData.balanceAfter]).toEqual([before, 0])
  })

  test('beside payouts at the same moment: what went out is owed, to the kobo', async () => {
    const h = harness()
    const rounds = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(async () => {
        const merchant = await newMerchant(h, { naira: 1_000 })
        return { merchant, session: await paidAfterAll(h, merchant, 900) }
      }),
    )
    await noon(h)
    for (const { merchant, session } of rounds) {
      const asked = await resolve(h, await openBreak(h, session), 'FROM_MERCHANT', '900.00')
      const [, ...answers] = await Promise.all([
        approveAs(h, bola, asked),
        ...[1, 2, 3].map(() => payOut(h, merchant, { amount: 190 })),
      ])
      const out = answers.filter(({ status }) => status === 200).length * 200
      expect([await walletOf(h, merchant), await owed(h, merchant)]).toEqual(
        out > 100 ? [0, out - 100] : [100 - out, 0],
      )
    }
  })

  test('a process that dies anywhere in it leaves the break open and the wallet as it was', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 510 })
    const session = await paidAfterAll(h, merchant, 500)
    await sentTo(h, merchant, '7788', { amount: 400 })
    await noon(h)
    const asked = await resolve(h, await openBreak(h, session), 'FROM_MERCHANT', '500.00')
    for (const table of ['receivable_moves', 'outbox', 'mails', 'approved_postings']) {
      await dyingAt(h, table, () => expect(approveAs(h, bola, asked), table).rejects.toThrow('died here'))
      expect([await walletOf(h, merchant), await owed(h, merchant)], table).toEqual([100, 0])
    }
    await approveAs(h, bola, asked)
    expect([await walletOf(h, merchant), await owed(h, merchant)]).toEqual([0, 400])
  })
})

describe('a reversal that was none', () => {
  test('of a payout: what was credited for it is taken back', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 5_010 })
    const { reference } = await sentTo(h, merchant, '7788', { amount: 5_000 })
    const [row] = await h.sql(cell, 'select session_id from disbursements where reference = $1', [reference])
    expect((await notify(h, row.session_id, 'REVERSED')).status).toBe(200)
    await sentTo(h, merchant, '7799', { amount: 4_990 })
    for (let at = 0; at < 4; at += 1) await night(h)
    const id = await openBreak(h, row.session_id)
    expect(await allowed(h, id)).toEqual(['FROM_MERCHANT', 'WRITE_OFF'])
    await corrected(h, id, 'FROM_MERCHANT', '5000.00')
    expect([await walletOf(h, merchant), await owed(h, merchant)]).toEqual([0, 4_990])
  })

  test('of a settlement to a bank, which was paid again: the second is owed, and the next settlement pays it', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    await setRule(h, merchant, {
      ...{ destination: 'BANK', schedule: 'SAME_DAY', bankCode: '058', accountNumber: account('7788') },
    })
    await paid(h, merchant, { amount: 10_000 })
    expect((await run(h, merchant)).map((one) => one.amount)).toEqual(['9850.00'])
    await advance(h, 60)
    const [order] = await h.sql(cell, `select session_id from bank_orders where merchant_id = $1`, [merchant.id])
    expect((await notify(h, order.session_id, 'REVERSED')).status).toBe(200)
    expect((await run(h, merchant)).map((one) => one.amount)).toEqual(['9850.00'])
    await advance(h, 60)
    expect((await settlements(h, merchant)).map(({ status }) => status)).toEqual(['RETURNED', 'COMPLETED'])
    for (let at = 0; at < 4; at += 1) await night(h)
    await corrected(h, await openBreak(h, order.session_id), 'FROM_MERCHANT', '9850.00')
    expect(await owed(h, merchant)).toBe(9_850)
    await paid(h, merchant, { amount: 20_000 })
    expect((await run(h, merchant)).map((one) => one.amount)).toEqual(['9850.00'])
    expect(await owed(h, merchant)).toBe(0)
  })
})

describe('a notice that said more than the bank paid', () => {
  test('500,000 in place of 500: the difference is taken back with its part of the fee', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    const made = await waiting(h, merchant, { amount: 500_000 })
    const { sessionId } = (await h.pay(made.accountNumber, 500, { scenario: 'lost' })).json
    expect(outcomeOf(await tell(h, notice(made.accountNumber, '500000.00', { sessionId })))).toBe('COUNTED')
    await run(h, merchant)
    const settled = await walletOf(h, merchant)
    await sent(h, merchant, { amount: 490_000 })
    const left = await walletOf(h, merchant)
    await noon(h)
    const id = await openBreak(h, sessionId)
    expect(await allowed(h, id)).toEqual(['FROM_MERCHANT', 'WRITE_OFF'])
    const fee = 500_000 - settled
    const back = 499_500 - Math.floor((fee * 100 * 499_500) / 500_000) / 100
    const { entries } = await corrected(h, id, 'FROM_MERCHANT', '499500.00')
    expect(entries[2]).toEqual({ account: 'fee income', amount: (back - 499_500).toFixed(2) })
    expect([await walletOf(h, merchant), await owed(h, merchant)]).toEqual([0, back - left])
  })

  test('a credit that the bank never booked: all that was credited for it, and its whole fee', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    const one = await paid(h, merchant, { amount: 2_000 })
    await fault(h, { fault: 'missing', sessionId: one.sessionId })
    await run(h, merchant)
    const settled = await walletOf(h, merchant)
    await sent(h, merchant, { amount: settled - 10 })
    for (let at = 0; at < 4; at += 1) await night(h)
    await corrected(h, await openBreak(h, one.sessionId), 'FROM_MERCHANT', '2000.00')
    expect([await walletOf(h, merchant), await owed(h, merchant)]).toEqual([0, settled])
  })

  test('money in suspense was credited to nobody: it is written off only', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    const policy = { less: 'HOLD', more: 'COMPLETE', extra: 'RETURN', tolerance: 0, barredPayers: [] }
    await h.as(merchant, 'PUT', '/api/v1/payment-policy', policy)
    const made = await waiting(h, merchant, { amount: 1_000 })
    const { sessionId } = (await h.pay(made.accountNumber, 5, { scenario: 'lost' })).json
    expect(outcomeOf(await tell(h, notice(made.accountNumber, '600.00', { sessionId })))).toBe('SUSPENDED')
    await noon(h)
    expect(await allowed(h, await openBreak(h, sessionId))).toEqual(['WRITE_OFF'])
  })
})

test('what the bank holds more and two people give to a merchant pays first what it owes', async () => {
  const h = harness()
  const merchant = await newMerchant(h, { naira: 0 })
  const credit = notice(merchant.walletNumber, '500.00')
  await tell(h, credit)
  await sent(h, merchant, { amount: 490 })
  await reverseCredit(h, credit)
  expect(await owed(h, merchant)).toBe(500)
  const one = await paid(h, h.merchants.main, { amount: 800 })
  await fault(h, { fault: 'duplicate', sessionId: one.sessionId })
  await noon(h)
  await corrected(h, await openBreak(h, one.sessionId), 'TO_MERCHANT', '800.00', { merchant })
  expect([await walletOf(h, merchant), await owed(h, merchant)]).toEqual([300, 0])
})
