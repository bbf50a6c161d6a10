// A bank that contradicts itself: the money does not move, and the operator finds a break that names what it
// is about.
import { describe, expect, test } from 'vitest'
import { notice, outcomeOf, tell, waiting } from '#test/bank/notices.ts'
import {
  accepted,
  active,
  sessionOf as debitSession,
  debitStatus,
  tellDebit,
} from '#test/features/collections/direct-debit.ts'
import { account, money, newMerchant, notify, sentTo, statusOf } from '#test/features/payouts/disbursements.ts'
import { orderOf, refundedTo, statusOf as refundStatus } from '#test/features/payouts/refunds.ts'
import { noon } from '#test/features/settlements/reconciliation.ts'
import { run, setRule } from '#test/features/settlements/settlements.ts'
import { advance, type Harness, paid, type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness({ settles: true })

const breaksOf = (h: Harness, merchant: TestMerchant) =>
  h.sql(
    merchant.cell,
    `select class, kind, session_id, bank_kobo::text as there, our_kobo::text as here, says from recon_breaks
     where merchant_id = $1 and status = 'OPEN' order by id`,
    [merchant.id],
  )

describe('a bank that pays what it had refused', () => {
  test('a transfer: a MISSING_HERE break with its reference and session, once', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    const { reference, sessionId } = await sentTo(h, payer, '0001')
    const before = await money(h, payer)
    expect((await notify(h, sessionId, 'FAILED')).status).toBe(200)
    expect(await breaksOf(h, payer)).toEqual([])
    for (const word of ['SUCCESS', 'SUCCESS', 'REVERSED'] as const)
      expect((await notify(h, sessionId, word)).status).toBe(200)
    const says = `The bank says SUCCESS about transfer ${reference}, which is FAILED with us.`
    expect(await breaksOf(h, payer)).toEqual([
      { class: 'MISSING_HERE', kind: 'PAYOUT', session_id: sessionId, there: '25000', here: null, says },
    ])
    expect([await statusOf(h, payer, reference), await money(h, payer)]).toEqual(['FAILED', before])
  })

  test('the order of a refund: likewise', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { refundReference } = await refundedTo(h, merchant, '0001')
    await advance(h, 1)
    const { session_id, subject } = await orderOf(h, merchant, refundReference)
    await notify(h, session_id, 'SUCCESS')
    const says = `The bank says SUCCESS about refund ${subject}, which is FAILED with us.`
    expect(await breaksOf(h, merchant)).toEqual([
      { class: 'MISSING_HERE', kind: 'PAYOUT', session_id, there: '100000', here: null, says },
    ])
    expect(await refundStatus(h, merchant, refundReference)).toBe('FAILED')
  })

  test('a debit of a mandate: likewise', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const made = await active(h, merchant, { customerAccountNumber: '1000090001' })
    const { paymentReference } = await accepted(h, made)
    await advance(h, 20)
    expect((await debitStatus(h, made, paymentReference)).transactionStatus).toBe('FAILED')
    const session = await debitSession(h, made, paymentReference)
    expect((await tellDebit(h, session, 'SUCCESS')).status).toBe(200)
    expect(await breaksOf(h, merchant)).toMatchObject([
      { class: 'MISSING_HERE', kind: 'DEBIT', session_id: session, says: expect.stringContaining(paymentReference) },
    ])
  })
})

describe('a bank that refuses what it had paid', () => {
  test('a transfer and the order of a refund: MISSING_THERE breaks, and both stay paid', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { reference, sessionId } = await sentTo(h, merchant, '7788')
    const { refundReference } = await refundedTo(h, merchant, '7788')
    await advance(h, 1)
    const { session_id } = await orderOf(h, merchant, refundReference)
    for (const session of [sessionId, session_id]) {
      await notify(h, session, 'SUCCESS')
      await notify(h, session, 'FAILED')
    }
    expect(await breaksOf(h, merchant)).toMatchObject([
      { class: 'MISSING_THERE', kind: 'PAYOUT', session_id: sessionId, there: null, here: '25000' },
      { class: 'MISSING_THERE', kind: 'PAYOUT', session_id, there: null, here: '100000' },
    ])
    expect([await statusOf(h, merchant, reference), await refundStatus(h, merchant, refundReference)]).toEqual([
      ...['SUCCESS', 'COMPLETED'],
    ])
  })
})

describe('a bank that paid what it had reversed', () => {
  const sessionOf = async (h: Harness, merchant: TestMerchant, purpose: string): Promise<string> => {
    const about = 'select session_id from bank_orders where merchant_id = $1 and purpose = $2'
    const [row] = await h.sql(merchant.cell, about, [merchant.id, purpose])
    return row.session_id
  }
  /** Said once and repeated: one break, at once, which names its merchant. */
  const contradicting = async (h: Harness, merchant: TestMerchant, session: string, kobo: string, about: string) => {
    for (const word of ['REVERSED', 'SUCCESS', 'SUCCESS'] as const)
      expect((await notify(h, session, word)).status).toBe(200)
    const says = `The bank says SUCCESS about ${about}, which is REVERSED with us.`
    expect(await breaksOf(h, merchant)).toEqual([
      { class: 'MISSING_THERE', kind: 'PAYOUT_REVERSAL', session_id: session, there: null, here: kobo, says },
    ])
  }

  test('a transfer, and the order of a refund: a MISSING_THERE break at once, and the money stays where it is', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    const { reference, sessionId } = await sentTo(h, payer, '7788')
    await contradicting(h, payer, sessionId, '25000', `transfer ${reference}`)
    expect(await statusOf(h, payer, reference)).toBe('REVERSED')
    const merchant = await newMerchant(h)
    const { refundReference } = await refundedTo(h, merchant, '7788')
    await advance(h, 1)
    const { session_id, subject } = await orderOf(h, merchant, refundReference)
    await contradicting(h, merchant, session_id, '100000', `refund ${subject}`)
  })

  test('a settlement: likewise, and it is not paid again while nobody has decided', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    const to = { bankCode: '058', accountNumber: account('7788') }
    await setRule(h, merchant, { destination: 'BANK', schedule: 'SAME_DAY', ...to })
    await paid(h, merchant, { amount: 10_000 })
    const [made] = await run(h, merchant)
    await advance(h, 60)
    const [{ id }] = await h.sql('01', 'select id::text from settlements where reference = $1', [
      made?.settlementReference,
    ])
    const session = await sessionOf(h, merchant, 'SETTLEMENT')
    await contradicting(h, merchant, session, '985000', `settlement ${id}`)
    expect(await run(h, merchant)).toEqual([])
  })

  test('a late word about what it did reverse: its statement ends the break', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    const { sessionId } = await sentTo(h, payer, '0003')
    await advance(h, 2 * 86_400 + 60)
    expect((await notify(h, sessionId, 'SUCCESS')).status).toBe(200)
    expect(await breaksOf(h, payer)).toHaveLength(1)
    await noon(h)
    expect(await breaksOf(h, payer)).toEqual([])
  })
})

describe('a bank that repeats a credit', () => {
  test('with another amount: REPEATED, nothing moves, and an AMOUNT break once; with the same amount: none', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { accountNumber } = await waiting(h, merchant, { amount: 1000 })
    const first = notice(accountNumber, '1000.00')
    expect(outcomeOf(await tell(h, first))).toBe('COUNTED')
    expect(outcomeOf(await tell(h, first))).toBe('REPEATED')
    expect(await breaksOf(h, merchant)).toEqual([])
    for (let again = 0; again < 2; again += 1)
      expect(outcomeOf(await tell(h, { ...first, amount: '1500.00' }))).toBe('REPEATED')
    expect(await breaksOf(h, merchant)).toMatchObject([
      { class: 'AMOUNT', kind: 'CREDIT', session_id: first.sessionId, there: '150000', here: '100000' },
    ])
  })
})
