// What the bank says of an order, does not say, says twice or in the wrong order. A refund is the owner here:
// it goes one way with its order, its money too, and what nobody knows stays held until somebody does.
import { HOUR_SECONDS } from '@cowrie/contract/kit/durations'
import { describe, expect, test } from 'vitest'
import { events } from '#test/bank/notices.ts'
import { atBank, newMerchant, notify, paidTo, payoutFaults } from '#test/features/payouts/disbursements.ts'
import { money, orderOf, refunded, refundedTo, shown, statusOf } from '#test/features/payouts/refunds.ts'
import { advance, type Harness, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { freePort } from '../../../../../../tools/ports.ts'
import { startWorker } from '../../../app.ts'
import { openGateway } from '../../../gateway.ts'

const harness = useHarness()

const [UNTOUCHED, HELD, PAID] = [
  { wallet: 1_000_000n, clearing: 0n, paid: 0n, fees: 0n },
  { wallet: 899_000n, clearing: 101_000n, paid: 0n, fees: 0n },
  { wallet: 899_000n, clearing: 0n, paid: 100_000n, fees: 1_000n },
]
const refunder = (h: Harness) => newMerchant(h, { naira: 10_000 })
const eventTypesOf = async (h: Harness, merchant: TestMerchant, reference: string): Promise<string[]> =>
  (await events(h, merchant, reference)).map(({ eventType }) => eventType)
const sessionOf = async (h: Harness, merchant: TestMerchant, reference: string): Promise<string> =>
  (await orderOf(h, merchant, reference)).session_id

describe('by the ending of the account', () => {
  test('paid at once: COMPLETED, with the fee of ten', async () => {
    const h = harness()
    const merchant = await refunder(h)
    const { refundReference, refundStatus } = await refundedTo(h, merchant, '7788')
    expect(refundStatus).toBe('PENDING')
    expect(await money(h, merchant)).toEqual(HELD)
    await advance(h, 1)
    expect(await shown(h, merchant, refundReference)).toMatchObject({
      refundStatus: 'COMPLETED',
      comment: 'Transaction refund completed successfully.',
    })
    expect(await money(h, merchant)).toEqual(PAID)
    expect(await eventTypesOf(h, merchant, refundReference)).toEqual(['ACCOUNT_ACTIVITY', 'SUCCESSFUL_REFUND'])
  })

  test('0001: FAILED with the words of the bank; amount and fee are back, and the merchant is notified', async () => {
    const h = harness()
    const merchant = await refunder(h)
    const { refundReference } = await refundedTo(h, merchant, '0001')
    await advance(h, 1)
    expect(await shown(h, merchant, refundReference)).toMatchObject({
      refundStatus: 'FAILED',
      comment: 'Dormant beneficiary account',
    })
    expect(await money(h, merchant)).toEqual(UNTOUCHED)
    const notified = await events(h, merchant, refundReference)
    expect(notified.map(({ eventType }) => eventType)).toEqual([
      'ACCOUNT_ACTIVITY',
      'FAILED_REFUND',
      'ACCOUNT_ACTIVITY',
    ])
    expect(notified[0].body.eventData).toMatchObject({ amount: -1_010, balanceBefore: 10_000, balanceAfter: 8_990 })
    expect(notified[2].body.eventData).toMatchObject({ amount: 1_010, balanceBefore: 8_990, balanceAfter: 10_000 })
  })

  test('0002: PENDING for two hours of questions, then COMPLETED; sent once', async () => {
    const h = harness()
    const merchant = await refunder(h)
    const { refundReference } = await refundedTo(h, merchant, '0002')
    await advance(h, 2 * HOUR_SECONDS - 60)
    const during = await orderOf(h, merchant, refundReference)
    expect(during).toMatchObject({ status: 'SENT' })
    expect(during.questions).toBeGreaterThan(3)
    expect(await money(h, merchant)).toEqual(HELD)
    await advance(h, 120)
    expect(await statusOf(h, merchant, refundReference)).toBe('COMPLETED')
    expect(await money(h, merchant)).toEqual(PAID)
    expect(await atBank(h, during.session_id)).toMatchObject({ asked: 1, paid: '1000.00' })
  })

  test('0003: COMPLETED, and two days later FAILED: amount and fee are back, notified once, and it can be refunded again', async () => {
    const h = harness()
    const merchant = await refunder(h)
    const { refundReference, transactionReference } = await refundedTo(h, merchant, '0003')
    await advance(h, 48 * HOUR_SECONDS - 600)
    expect(await money(h, merchant)).toEqual(PAID)
    await advance(h, 601)
    expect(await shown(h, merchant, refundReference)).toMatchObject({ refundStatus: 'FAILED', transactionReference })
    expect(await money(h, merchant)).toEqual(UNTOUCHED)
    expect(await eventTypesOf(h, merchant, refundReference)).toEqual([
      ...['ACCOUNT_ACTIVITY', 'SUCCESSFUL_REFUND', 'FAILED_REFUND', 'ACCOUNT_ACTIVITY'],
    ])
    await refunded(h, merchant, transactionReference)
    expect(await money(h, merchant)).toEqual(HELD)
  })

  test.each([
    ['0004', 'COMPLETED', PAID],
    ['0005', 'FAILED', UNTOUCHED],
  ])('%s: no answer leaves it PENDING; the question under the same session finds %s', async (ending, end, after) => {
    const h = harness()
    const merchant = await refunder(h)
    const { refundReference } = await refundedTo(h, merchant, ending)
    await advance(h, 5)
    expect(await statusOf(h, merchant, refundReference)).toBe('PENDING')
    expect(await money(h, merchant)).toEqual(HELD)
    const session = await sessionOf(h, merchant, refundReference)
    await advance(h, 11)
    expect(await statusOf(h, merchant, refundReference)).toBe(end)
    expect(await money(h, merchant)).toEqual(after)
    expect(await sessionOf(h, merchant, refundReference)).toBe(session)
    expect(await atBank(h, session)).toMatchObject({ asked: 1 })
  })

  test('0006: notified twice at the same moment, beside the answer; paid once, reported once', async () => {
    const h = harness()
    const merchant = await refunder(h)
    const { refundReference } = await refundedTo(h, merchant, '0006')
    await advance(h, 1)
    expect(await money(h, merchant)).toEqual(PAID)
    expect(await atBank(h, await sessionOf(h, merchant, refundReference))).toMatchObject({ asked: 1, paid: '1000.00' })
    expect(await eventTypesOf(h, merchant, refundReference)).toEqual(['ACCOUNT_ACTIVITY', 'SUCCESSFUL_REFUND'])
  })
})

describe('bank.payout', () => {
  test('REVERSED before SUCCESS: both happened, in this order, and the late SUCCESS changes nothing', async () => {
    const h = harness()
    const merchant = await refunder(h)
    const { refundReference } = await refundedTo(h, merchant, '0002')
    await advance(h, 1)
    const session = await sessionOf(h, merchant, refundReference)
    expect((await notify(h, session, 'REVERSED')).status).toBe(200)
    expect((await orderOf(h, merchant, refundReference)).status).toBe('REVERSED')
    expect(await money(h, merchant)).toEqual(UNTOUCHED)
    expect((await notify(h, session, 'SUCCESS')).status).toBe(200)
    expect((await notify(h, session, 'FAILED')).status).toBe(200)
    expect(await statusOf(h, merchant, refundReference)).toBe('FAILED')
    await advance(h, 1)
    expect(await eventTypesOf(h, merchant, refundReference)).toEqual([
      ...['ACCOUNT_ACTIVITY', 'SUCCESSFUL_REFUND', 'FAILED_REFUND', 'ACCOUNT_ACTIVITY'],
    ])
  })

  test('every word of the bank at once, 20 times each: one end, and the money follows it', async () => {
    const h = harness()
    const merchant = await refunder(h)
    const { refundReference } = await refundedTo(h, merchant, '0002')
    await advance(h, 1)
    const session = await sessionOf(h, merchant, refundReference)
    const words = (['SUCCESS', 'FAILED', 'REVERSED'] as const).flatMap((word) => Array.from({ length: 20 }, () => word))
    const answers = await Promise.all(words.map((word) => notify(h, session, word)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await statusOf(h, merchant, refundReference)).toBe('FAILED')
    expect(await money(h, merchant)).toEqual(UNTOUCHED)
  })

  test('404 PAYOUT_UNKNOWN for a session that is neither a transfer nor an order', async () => {
    const h = harness()
    const answer = await notify(h, '000013260502140731010000000001', 'SUCCESS')
    expect([answer.status, answer.json.problem.code]).toEqual([404, 'PAYOUT_UNKNOWN'])
  })
})

describe('a bank that does not answer, or does not know the payment', () => {
  test('lost orders: half were paid, half never arrived; each ends as the bank has it, and none is sent twice', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 100_000 })
    const made: any[] = []
    for (let at = 0; at < 16; at += 1) made.push(await refundedTo(h, merchant, '7788'))
    await payoutFaults(h, { seed: 'lost refunds', lost: 1 })
    try {
      await advance(h, 1)
    } finally {
      await payoutFaults(h, {})
    }
    expect((await money(h, merchant)).clearing).toBe(16n * 101_000n)
    await advance(h, 16)
    const ends = { COMPLETED: 0, FAILED: 0 }
    for (const { refundReference } of made) {
      const status = await statusOf(h, merchant, refundReference)
      ends[status as keyof typeof ends] += 1
      const booked = await atBank(h, await sessionOf(h, merchant, refundReference))
      expect(booked.paid).toBe(status === 'COMPLETED' ? '1000.00' : '0.00')
      expect(booked.asked).toBe(status === 'COMPLETED' ? 1 : 0)
    }
    expect(ends.COMPLETED + ends.FAILED).toBe(16)
    expect(Math.min(ends.COMPLETED, ends.FAILED)).toBeGreaterThan(0)
    expect(await money(h, merchant)).toMatchObject({ clearing: 0n, paid: BigInt(ends.COMPLETED) * 100_000n })
  })

  test('a worker that dies between commit and order: FAILED by the timer, money back, and barred at the bank', async () => {
    const h = harness()
    const merchant = await refunder(h)
    const { refundReference } = await refundedTo(h, merchant, '7788')
    // It committed the intent to send, could not reach the bank, and then died.
    const config = { ...h.config, bankUrl: `http://127.0.0.1:${await freePort()}` }
    const gateway = await openGateway(config, 'test')
    const worker = startWorker(gateway, config)
    try {
      await h.until('it is sent', async () => (await orderOf(h, merchant, refundReference)).status === 'SENT')
    } finally {
      await worker.stop()
      await gateway.close()
    }
    const { session_id, account_number } = await orderOf(h, merchant, refundReference)
    expect(await atBank(h, session_id)).toBeNull()
    expect(await money(h, merchant)).toEqual(HELD)
    await advance(h, 60)
    expect(await statusOf(h, merchant, refundReference)).toBe('FAILED')
    expect(await money(h, merchant)).toEqual(UNTOUCHED)
    expect(await paidTo(h, account_number)).toEqual([])
    expect(await atBank(h, session_id)).toMatchObject({ status: 'FAILED', paid: '0.00' })
  })

  test('an outcome that cannot be written leaves order and refund PENDING, and the inquiry finds it', async () => {
    const h = harness()
    const merchant = await refunder(h)
    const { refundReference } = await refundedTo(h, merchant, '7788')
    await h.sql(
      '01',
      `create function planted() returns trigger language plpgsql as $$ begin raise exception 'planted'; end $$;
      create trigger planted before update on refunds for each row execute function planted()`,
    )
    try {
      await advance(h, 1)
      expect((await orderOf(h, merchant, refundReference)).status).toBe('SENT')
    } finally {
      await h.sql('01', 'drop function planted() cascade')
    }
    expect(await money(h, merchant)).toEqual(HELD)
    await advance(h, 20)
    expect(await statusOf(h, merchant, refundReference)).toBe('COMPLETED')
    expect(await money(h, merchant)).toEqual(PAID)
    expect(await atBank(h, await sessionOf(h, merchant, refundReference))).toMatchObject({ asked: 1 })
  })

  test('a timer that comes again, to several workers at once, sends nothing again', async () => {
    const h = harness()
    const merchant = await refunder(h)
    const { refundReference } = await refundedTo(h, merchant, '0002')
    const again = () =>
      h.sql(
        '01',
        `insert into agenda (kind, merchant_id, subject, due_at) select 'orders.send', o.merchant_id, o.id, o.created_at
          from bank_orders o join refunds r on r.id = o.subject cross join generate_series(1, 5) where r.refund_reference = $1`,
        [refundReference],
      )
    await again()
    const workers = [h.startWorker(), h.startWorker(), h.startWorker()]
    try {
      await h.until('it is sent', async () => (await orderOf(h, merchant, refundReference)).status === 'SENT')
    } finally {
      for (const worker of workers) await worker.stop()
    }
    await again()
    await advance(h, 1)
    const { id, session_id, account_number } = await orderOf(h, merchant, refundReference)
    expect((await paidTo(h, account_number)).map(({ sessionId, asked }) => ({ sessionId, asked }))).toEqual([
      { sessionId: session_id, asked: 1 },
    ])
    expect(await h.sql('01', `select 1 from agenda where kind = 'orders.look' and subject = $1`, [id])).toHaveLength(1)
  })

  test('questions that overlap keep one chain of timers', async () => {
    const h = harness()
    const merchant = await refunder(h)
    const { refundReference } = await refundedTo(h, merchant, '0002')
    await advance(h, 1)
    const { id } = await orderOf(h, merchant, refundReference)
    const timers = () => h.sql('01', `select due_at from agenda where kind = 'orders.look' and subject = $1`, [id])
    // A worker that asked and died before it put its timer away leaves it to the next.
    await h.sql(
      '01',
      `insert into agenda (kind, merchant_id, subject, due_at) select kind, merchant_id, subject, due_at + interval '1 second'
        from agenda where kind = 'orders.look' and subject = $1`,
      [id],
    )
    expect(await timers()).toHaveLength(2)
    await advance(h, 20)
    expect(await timers()).toHaveLength(1)
    expect((await orderOf(h, merchant, refundReference)).questions).toBe(1)
  })
})
