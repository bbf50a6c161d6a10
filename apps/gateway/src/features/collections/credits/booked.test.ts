// Money that only a statement shows: judged, priced and dated as of when it was paid, to the day where the
// bank says no more.
import { DAY_MS, HOUR_MS } from '@cowrie/contract/kit/durations'
import { beforeAll, describe, expect, test } from 'vitest'
import { localDay, slashedText, spacedText } from '#kit/times.ts'
import { events, suspense, waiting } from '#test/bank/notices.ts'
import { actorOf, approveAs, doAct, show } from '#test/features/access/acts.ts'
import { reserve } from '#test/features/collections/reserved-accounts.ts'
import { newMerchant } from '#test/features/payouts/disbursements.ts'
import { breaks, brief, fault, night, noon } from '#test/features/settlements/reconciliation.ts'
import { walletOf } from '#test/features/wallets/wallets.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { advance, type Harness, paid, status, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { paidWhen } from './booked.ts'

const harness = useHarness()
beforeAll(() => noon(harness()))

const now = (h: Harness): Date => h.gateway.ctx.clock.now()
/** Paid to a new number of 40 minutes; no notice comes, and the statement says the day, or the moment. */
async function paidUnsaid(h: Harness, merchant: TestMerchant, dayOnly: boolean, after = 60) {
  const made = await waiting(h, merchant, { amount: 10_000 })
  await advance(h, after)
  const { sessionId } = (await h.pay(made.accountNumber, 10_000, { scenario: 'lost' })).json
  if (dayOnly) await fault(h, { fault: 'dayOnly', sessionId })
  return { ...made, sessionId, paidAt: now(h) }
}
const bookedAt = async (h: Harness, sessionId: string): Promise<Date> =>
  (await h.sql('01', 'select booked_at from statement_lines where session_id = $1', [sessionId]))[0].booked_at
async function newFee(h: Harness, merchant: TestMerchant): Promise<void> {
  const validFrom = localDay(new Date(now(h).getTime() + DAY_MS))
  const input = { method: 'ACCOUNT_TRANSFER', basisPoints: 1000, cap: '100000', validFrom }
  const { reference } = await doAct(h, actorOf('operator', 'finance'), 'fees.set', { merchant, input })
  await approveAs(h, actorOf('operator', 'finance'), reference)
}

describe('of a day without a time', () => {
  const at = (hour: number, day = 0): Date =>
    new Date(Date.parse('2026-05-04T23:00:00Z') + hour * HOUR_MS + day * DAY_MS)
  const when = (opened: Date, expires: Date, asked = at(1, 1)): Date | undefined =>
    paidWhen({ opened_at: opened, expires_at: expires }, { bookedAt: at(12), dayOnly: true }, asked)

  test('the moment is one of that day at which the number took money, and else the one that was given', () => {
    expect(when(at(11), at(13))).toEqual(at(12))
    expect(when(at(8), at(9))).toEqual(new Date(at(9).getTime() - 1))
    expect(when(at(20), at(21))).toEqual(at(20))
    expect(when(at(23, -1), at(1))).toEqual(new Date(at(1).getTime() - 1))
    expect(when(at(23.5), at(1, 1))).toEqual(at(23.5))
    expect(when(at(8, -1), at(0))).toEqual(at(12)) // closed as the day began: late
    expect(when(at(0, 1), at(9, 1))).toEqual(at(12)) // opened as the day ended: somebody else's
    expect(when(at(0), at(23), at(2))).toEqual(at(2)) // and never later than now
    for (let opened = -20; opened < 40; opened += 1) {
      for (let lasts = 1; lasts < 40; lasts += 3) {
        const [from, until] = [at(opened), at(opened + lasts)]
        const moment = when(from, until) as Date
        const overlaps = from < at(0, 1) && until > at(0)
        expect(moment >= from && moment < until, `${opened} for ${lasts}`).toBe(overlaps)
        expect(moment >= at(0) && moment < at(0, 1)).toBe(true)
      }
    }
  })

  test('who paid in the morning, or in the evening, has paid in time', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    await night(h)
    await advance(h, 8 * 3600)
    const morning = await paidUnsaid(h, merchant, true)
    await advance(h, 12 * 3600)
    const evening = await paidUnsaid(h, merchant, true)
    await night(h)
    for (const { transactionReference, sessionId } of [morning, evening]) {
      expect(await suspense(h, merchant, transactionReference)).toEqual([])
      expect(brief(await breaks(h, sessionId))).toEqual(['MISSING_HERE CREDIT RESOLVED'])
      const record = await status(h, merchant, transactionReference)
      expect(record).toMatchObject({ paymentStatus: 'PAID', amountPaid: '10000.00' })
      expect(record.paidOn.slice(0, 10)).toBe(slashedText(morning.paidAt).slice(0, 10))
    }
    await noon(h)
  })

  test('money of the day after the number had expired is late', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    const late = await paidUnsaid(h, merchant, true, 24 * 3600)
    await night(h)
    expect((await status(h, merchant, late.transactionReference)).paymentStatus).toBe('EXPIRED')
    expect(await suspense(h, merchant, late.transactionReference)).toMatchObject([{ reason: 'TRANSACTION_EXPIRED' }])
    await noon(h)
  })
})

describe('priced and dated as of when it was paid', () => {
  test('a payment of before a change of fees costs what it cost then, and says when it was paid', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    await newFee(h, merchant)
    const [exact, day] = [await paidUnsaid(h, merchant, false), await paidUnsaid(h, merchant, true)]
    await night(h)
    const after = await waiting(h, merchant, { amount: 10_000 })
    await h.pay(after.accountNumber, 10_000)
    const [first, second, third] = [
      await status(h, merchant, exact.transactionReference),
      await status(h, merchant, day.transactionReference),
      await status(h, merchant, after.transactionReference),
    ]
    expect([first.settlementAmount, second.settlementAmount, third.settlementAmount]).toEqual([
      '9850.00',
      '9850.00',
      '9000.00',
    ])
    expect(first.paidOn).toBe(slashedText(await bookedAt(h, exact.sessionId)))
    expect(third.paidOn.slice(0, 10)).toBe(slashedText(now(h)).slice(0, 10))
    const [told] = await events(h, merchant, exact.transactionReference)
    const paidAt = await bookedAt(h, exact.sessionId)
    expect(told.body.eventData).toMatchObject({ settlementAmount: '9850.00', paidOn: spacedText(paidAt) })
    await noon(h)
  })

  test('so does what came to a reserved account', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    await newFee(h, merchant)
    const { accounts } = await reserve(h, merchant)
    const { sessionId } = (await h.pay(accounts[0].accountNumber, 10_000, { scenario: 'lost' })).json
    await night(h)
    expect(brief(await breaks(h, sessionId))).toEqual(['MISSING_HERE CREDIT RESOLVED'])
    const [row] = await h.sql(
      '01',
      `select t.fee_kobo::text as fee, t.closed_at from transactions t join inbound_credits c on c.transaction_id = t.id where c.bank_reference = $1`,
      [sessionId],
    )
    expect([row.fee, row.closed_at.getTime()]).toEqual(['15000', (await bookedAt(h, sessionId)).getTime()])
    await noon(h)
  })

  test('so does what was held, when its merchant accepts it: once, though a process dies over it and eight accept it', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    const policy = { less: 'COMPLETE', more: 'COMPLETE', extra: 'HOLD', tolerance: 0, barredPayers: [] }
    expect((await h.as(merchant, 'PUT', '/api/v1/payment-policy', policy)).status).toBe(200)
    await newFee(h, merchant)
    const { accountNumber } = await paid(h, merchant)
    const { sessionId } = (await h.pay(accountNumber, 10_000, { scenario: 'lost' })).json
    await night(h)
    expect(brief(await breaks(h, sessionId))).toEqual(['MISSING_HERE CREDIT RESOLVED'])
    const owner = actorOf('merchant', 'owner')
    const [item] = (await show(h, owner, 'suspense.list', { merchant: merchant.apiKey })).content
    expect(item).toMatchObject({ sessionId, amount: '10000.00', fee: '150.00', state: 'HELD' })
    const accept = () => doAct(h, owner, 'suspense.accept', { merchant, input: { id: item.id, amount: 10_000 } })
    const before = await walletOf(h, merchant)
    await dyingAt(h, 'transfers', () => expect(accept()).rejects.toThrow('died here'))
    expect(await walletOf(h, merchant)).toBe(before)
    const ends = await Promise.allSettled(Array.from({ length: 8 }, accept))
    expect(ends.filter(({ status: end }) => end === 'fulfilled').length).toBe(1)
    expect(await walletOf(h, merchant)).toBe(before + 9_850)
    await noon(h)
  })
})
