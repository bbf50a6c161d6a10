// The bank's statement against our books, by the clock: each class of break is planted and found, and a clean
// day has none.
import { beforeAll, describe, expect, test } from 'vitest'
import { events, newSession, notice, outcomeOf, reverseCredit, suspense, waiting } from '#test/bank/notices.ts'
import { newMerchant, sentTo } from '#test/features/payouts/disbursements.ts'
import { breaks, brief, fault, night, noon } from '#test/features/settlements/reconciliation.ts'
import { advance, initialise, issueAccount, paid, status, subAccount, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
beforeAll(() => noon(harness()))

const sent = async (ending = '7788') => {
  const h = harness()
  return sentTo(h, await newMerchant(h), ending)
}

describe('a day without breaks', () => {
  test('credits counted, returned and reversed, top-ups, payouts of every ending: none, over several days', async () => {
    const h = harness()
    const { main, second } = h.merchants
    const { subAccountCode } = await subAccount(h, main)
    await paid(h, main, { incomeSplitConfig: [{ subAccountCode }] })
    await paid(h, second)
    const twice = await paid(h, main)
    await h.pay(twice.accountNumber, 70) // goes back
    const account = await issueAccount(h, main, (await initialise(h, main)).transactionReference)
    await h.pay(account, 1500, { scenario: 'reversed' })
    await h.pay(main.walletNumber, 900)
    for (const ending of ['7788', '0001', '0002', '0003', '0006']) await sent(ending)
    const day = await night(h)
    await night(h)
    await night(h)
    expect(await breaks(h)).toEqual([])
    expect(await breaks(h, null, '02')).toEqual([])
    const [lines] = await h.sql(
      '01',
      `select count(*)::int as n, array_agg(distinct kind order by kind) as kinds from statement_lines where day >= $1`,
      [day],
    )
    expect(lines.kinds).toEqual(['CREDIT', 'PAYOUT', 'PAYOUT_REVERSAL', 'RETURN', 'REVERSAL'])
    expect((await h.sql('02', 'select 1 from statement_lines')).length).toBe(1)
    const days = await h.sql('01', 'select matched_at is null as open from statement_days order by day')
    expect(days.map(({ open }) => open)).toEqual([...days.slice(1).map(() => false), true])
    await advance(h, 12 * 3600)
  })
})

describe('each class is found', () => {
  test('MISSING_HERE: a lost notice is credited as if it had come, once, and its break is resolved with that', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await waiting(h, main)
    const { sessionId } = (await h.pay(made.accountNumber, 1500, { scenario: 'lost' })).json
    await advance(h, 3600)
    expect((await status(h, main, made.transactionReference)).paymentStatus).toBe('EXPIRED')
    const day = await night(h)
    expect(await breaks(h, sessionId)).toMatchObject([
      {
        class: 'MISSING_HERE',
        kind: 'CREDIT',
        status: 'RESOLVED',
        bank_kobo: '150000',
        our_kobo: null,
        day,
        done: 'Credited from the statement: COUNTED.',
      },
    ])
    expect(await status(h, main, made.transactionReference)).toMatchObject({
      paymentStatus: 'PAID',
      amountPaid: '1500.00',
      settlementAmount: '1477.50',
    })
    expect((await events(h, main, made.transactionReference)).map((event) => event.eventType)).toEqual([
      'SUCCESSFUL_TRANSACTION',
    ])
    await noon(h)
  })

  test('MISSING_HERE: a lost notice of money that came too late goes by the policy for late money', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await waiting(h, main)
    await advance(h, 3600)
    await h.pay(made.accountNumber, 1500, { scenario: 'lost' })
    await night(h)
    expect((await status(h, main, made.transactionReference)).paymentStatus).toBe('EXPIRED')
    expect(await suspense(h, main, made.transactionReference)).toMatchObject([
      { status: 'RETURNED', reason: 'TRANSACTION_EXPIRED' },
    ])
    await noon(h)
  })

  test('MISSING_HERE: a payout that nobody ordered, and one that we hold FAILED: for a person, books untouched', async () => {
    const h = harness()
    const failed = await sent('0001')
    const session = newSession()
    await fault(h, { fault: 'invented', sessionId: session, amount: '90.00' })
    await fault(h, { fault: 'invented', sessionId: failed.sessionId, amount: '100.00' })
    const posted = async () => (await h.sql('01', 'select count(*)::int as n from transfers'))[0].n
    const before = await posted()
    await night(h)
    expect(brief(await breaks(h, session))).toEqual(['MISSING_HERE PAYOUT OPEN'])
    expect(await breaks(h, failed.sessionId)).toMatchObject([
      { class: 'MISSING_HERE', status: 'OPEN', bank_kobo: '10000' },
    ])
    const said = (of: string) => h.sql('01', 'select says from recon_breaks where session_id = $1', [of])
    expect(await said(session)).toEqual([{ says: 'The bank has booked it; our books do not have it.' }])
    expect(await said(failed.sessionId)).toEqual([{ says: 'The bank has booked it; with us it is FAILED.' }])
    expect(await posted()).toBe(before)
    await noon(h)
  })

  test('MISSING_THERE: what the bank has on no statement of two days is missing there, whatever else comes late that night', async () => {
    const h = harness()
    const [credit, payout] = [await paid(h, h.merchants.main), await sent()]
    for (const { sessionId } of [credit, payout]) await fault(h, { fault: 'missing', sessionId })
    await night(h)
    expect(brief(await breaks(h, credit.sessionId))).toEqual(['TIMING CREDIT OPEN'])
    expect(brief(await breaks(h, payout.sessionId))).toEqual(['TIMING PAYOUT OPEN'])
    const late = [await paid(h, h.merchants.main), await paid(h, h.merchants.main)]
    for (const { sessionId } of late) await fault(h, { fault: 'late', sessionId })
    await night(h)
    expect(brief(await breaks(h, credit.sessionId)), 'a day later it is awaited still').toEqual(['TIMING CREDIT OPEN'])
    await night(h)
    for (const { sessionId } of late) expect(brief(await breaks(h, sessionId))).toEqual(['TIMING CREDIT RESOLVED'])
    expect(brief(await breaks(h, credit.sessionId))).toEqual(['TIMING CREDIT RESOLVED', 'MISSING_THERE CREDIT OPEN'])
    expect(brief(await breaks(h, payout.sessionId))).toEqual(['TIMING PAYOUT RESOLVED', 'MISSING_THERE PAYOUT OPEN'])
    await noon(h)
  })

  test('AMOUNT: both amounts are shown', async () => {
    const h = harness()
    const { sessionId } = await paid(h, h.merchants.main)
    await fault(h, { fault: 'amount', sessionId })
    await night(h)
    expect(await breaks(h, sessionId)).toMatchObject([
      { class: 'AMOUNT', kind: 'CREDIT', status: 'OPEN', bank_kobo: '150001', our_kobo: '150000' },
    ])
    await noon(h)
  })

  test('AMOUNT: a line that comes late with another amount is no longer late, and another amount', async () => {
    const h = harness()
    const { sessionId } = await paid(h, h.merchants.main)
    await fault(h, { fault: 'late', sessionId })
    await night(h)
    expect(brief(await breaks(h, sessionId))).toEqual(['TIMING CREDIT OPEN'])
    await fault(h, { fault: 'amount', sessionId })
    const balances = async () => brief((await breaks(h)).filter((one) => one.class === 'BALANCE'))
    const before = await balances()
    const day = await night(h)
    const said = `On the statement of ${day}, with another amount: see the break of the class AMOUNT.`
    for (let nights = 0; nights < 2; nights += 1) {
      expect(await breaks(h, sessionId)).toMatchObject([
        { class: 'TIMING', status: 'RESOLVED', done: said },
        { class: 'AMOUNT', status: 'OPEN', bank_kobo: '150001', our_kobo: '150000' },
      ])
      expect(await balances()).toEqual(before)
      await night(h)
    }
    await noon(h)
  })

  test('AMOUNT: a payout that the bank books with another amount while it is under way, and confirms later', async () => {
    const h = harness()
    await night(h)
    await advance(h, 22 * 3600 + 2700) // half past eleven in the evening; it succeeds after two hours
    const { sessionId } = await sent('0002')
    for (const which of ['missing', 'invented']) await fault(h, { fault: which, sessionId, amount: '100.01' })
    await night(h)
    expect(await breaks(h, sessionId)).toMatchObject([{ class: 'MISSING_HERE', status: 'OPEN', bank_kobo: '10001' }])
    await noon(h)
    expect(await breaks(h, sessionId)).toMatchObject([
      { class: 'MISSING_HERE', status: 'RESOLVED' },
      { class: 'AMOUNT', status: 'OPEN', bank_kobo: '10001', our_kobo: '25000' },
    ])
  })

  test('DUPLICATE: a line that is there twice', async () => {
    const h = harness()
    const { sessionId } = await paid(h, h.merchants.main)
    await fault(h, { fault: 'duplicate', sessionId })
    await night(h)
    expect(brief(await breaks(h, sessionId))).toEqual(['DUPLICATE CREDIT OPEN'])
    await noon(h)
  })

  test('TIMING: on the statement of the next day, and closed by it', async () => {
    const h = harness()
    const { sessionId } = await paid(h, h.merchants.main)
    await fault(h, { fault: 'late', sessionId })
    await night(h)
    expect(brief(await breaks(h, sessionId))).toEqual(['TIMING CREDIT OPEN'])
    const day = await night(h)
    expect(await breaks(h, sessionId)).toMatchObject([{ status: 'RESOLVED', done: `On the statement of ${day}.` }])
    await noon(h)
  })

  test('REVERSAL: of a credit and of a payout, without a notice: applied by the paths of their notices', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await waiting(h, main)
    const { sessionId } = (await h.pay(made.accountNumber, 1500, { scenario: 'reversed' })).json
    const payout = await sent('0003')
    for (const session of [sessionId, payout.sessionId]) await fault(h, { fault: 'mute', sessionId: session })
    await night(h, 3)
    const [row] = await h.sql('01', 'select reversal_reference from credit_reversals where bank_reference = $1', [
      sessionId,
    ])
    expect(await breaks(h, row.reversal_reference)).toMatchObject([
      { class: 'REVERSAL', kind: 'REVERSAL', status: 'RESOLVED', done: 'Reversed, as the bank statement says.' },
    ])
    expect(await breaks(h, payout.sessionId)).toMatchObject([
      { class: 'REVERSAL', kind: 'PAYOUT_REVERSAL', status: 'RESOLVED', done: 'Reported by the statement: REVERSED.' },
    ])
    expect(
      (await h.sql('01', 'select status from disbursements where session_id = $1', [payout.sessionId]))[0].status,
    ).toBe('REVERSED')
    await noon(h)
  })

  test('REVERSAL: of another amount than the credit, by a notice, the statement or both, is one break with one correction', async () => {
    const h = harness()
    for (const [by, cls] of [
      ['both', 'AMOUNT'],
      ['the statement', 'REVERSAL'],
    ]) {
      const { accountNumber, sessionId } = await paid(h, h.merchants.main)
      const back = newSession()
      const undone = { reversalSessionId: back, amount: '100.00' }
      const told =
        by === 'both' ? await reverseCredit(h, { ...notice(accountNumber, '1500.00'), sessionId }, undone) : null
      expect(told && outcomeOf(told), by).toBe(by === 'both' ? 'NOTED' : null)
      await fault(h, { fault: 'invented', sessionId: back, kind: 'REVERSAL', amount: '100.00', accountNumber })
      await night(h)
      await night(h)
      expect(brief(await breaks(h, back)), by).toEqual([`${cls} REVERSAL OPEN`])
    }
    await noon(h)
  })

  test('UNKNOWN_OWNER: money for a number that was never given out', async () => {
    const h = harness()
    const [ours, nobodys] = [newSession(), newSession()]
    await fault(h, { fault: 'stranger', sessionId: ours, amount: '70.00', accountNumber: '0199999990' })
    await fault(h, { fault: 'stranger', sessionId: nobodys, amount: '70.00', accountNumber: '9999999990' })
    await night(h)
    for (const session of [ours, nobodys])
      expect(await breaks(h, session)).toMatchObject([
        { class: 'UNKNOWN_OWNER', kind: 'CREDIT', status: 'OPEN', merchant_id: '0', bank_kobo: '7000' },
      ])
    expect(await breaks(h, nobodys, '02')).toEqual([]) // what names no cell is the first one's
    await noon(h)
  })
})
