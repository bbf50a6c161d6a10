// Many refunds at once: of one transaction, under one reference, out of one wallet, in two processes. Never
// more than was paid, never more than there is.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Failure } from '#kit/fail.ts'
import { behindHeldBank } from '#test/bank/held-bank.ts'
import { account, BANK_CODE, newMerchant, sent } from '#test/features/payouts/disbursements.ts'
import { INITIATE, money, payment, refundBody, refunded } from '#test/features/payouts/refunds.ts'
import { type Answer, advance, unique, useHarness } from '#test/kit/harness.ts'
import { openSecondApi } from '#test/kit/second-api.ts'
import type { Refundable } from './refunds.sql.ts'
import { judge } from './refunds.ts'

const harness = useHarness()

const tally = (answers: readonly Pick<Answer, 'status' | 'json'>[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status, json }) => (status === 200 ? 'accepted' : json.responseCode))].map(
      ([outcome, those]) => [outcome, those.length],
    ),
  )

describe('many at once', () => {
  test('100 parts of one transaction, of which seven fit: seven are accepted, in two processes', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { transactionReference } = await payment(h, merchant)
    const second = await openSecondApi(h)
    try {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, at) => {
          const body = refundBody(transactionReference, { refundAmount: 130 })
          return at % 2 ? second.post(merchant, INITIATE, body) : h.as(merchant, 'POST', INITIATE, body)
        }),
      )
      expect(tally(answers)).toEqual({ accepted: 7, R3: 93 })
    } finally {
      await second.close()
    }
    expect((await money(h, merchant)).clearing).toBe(7n * 14_000n)
    await advance(h, 1)
    expect(await money(h, merchant)).toMatchObject({ clearing: 0n, paid: 91_000n, fees: 7_000n })
  })

  test('one reference 100 times: one refund, and R9 for the others', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { transactionReference } = await payment(h, merchant, 50_000)
    const body = refundBody(transactionReference, { refundAmount: 150 })
    const answers = await Promise.all(Array.from({ length: 100 }, () => h.as(merchant, 'POST', INITIATE, body)))
    expect(tally(answers)).toEqual({ accepted: 1, R9: 99 })
    await advance(h, 1)
    expect((await money(h, merchant)).paid).toBe(15_000n)
  })

  test('a first try under a key that wakes after the second answers with its refund, and so do all after it', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { transactionReference } = await payment(h, merchant)
    const slow = await behindHeldBank(h)
    try {
      const [body, key] = [refundBody(transactionReference), { 'idempotency-key': unique('key') }]
      slow.hold()
      const first = slow.post(merchant, INITIATE, body, key)
      await slow.held(1)
      await advance(h, 61)
      const second = await h.as(merchant, 'POST', INITIATE, body, key)
      expect([second.status, second.json.responseBody.refundStatus]).toEqual([200, 'PENDING'])
      slow.release()
      expect(await first).toEqual({ status: 200, json: second.json })
      const third = await h.as(merchant, 'POST', INITIATE, body, key)
      expect([third.text, third.headers.get('idempotent-replayed')]).toEqual([second.text, 'true'])
    } finally {
      await slow.close()
    }
    expect((await money(h, merchant)).clearing).toBe(101_000n)
  })

  test('refunds and transfers out of one wallet: together no more than it holds', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 2_600 })
    const payments = await Promise.all(Array.from({ length: 20 }, () => payment(h, merchant, 250)))
    const answers = await Promise.all([
      ...payments.map(({ transactionReference }) =>
        h.as(merchant, 'POST', INITIATE, refundBody(transactionReference, { refundAmount: 250 })),
      ),
      ...Array.from({ length: 20 }, () =>
        sent(h, merchant).then(
          () => 'sent',
          () => 'refused',
        ),
      ),
    ])
    const refunds = tally(answers.filter((answer) => typeof answer === 'object'))
    const transfers = answers.filter((answer) => answer === 'sent').length
    expect((refunds['accepted'] ?? 0) + transfers).toBe(10)
    expect((refunds['accepted'] ?? 0) + (refunds['R5'] ?? 0)).toBe(20)
    await advance(h, 1)
    expect(await money(h, merchant)).toMatchObject({ wallet: 0n, clearing: 0n })
  })

  test('ends of 60 refunds while 60 more are accepted, paid and failing ones mixed: every kobo goes one way', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { transactionReference } = await payment(h, merchant, 100_000)
    const one = (at: number) => {
      const destinationAccountNumber = account(at % 3 === 0 ? '0001' : '7788')
      return { destinationAccountNumber, destinationBankCode: BANK_CODE, refundAmount: 100 }
    }
    const some = (count: number) =>
      Promise.all(Array.from({ length: count }, (_, at) => refunded(h, merchant, transactionReference, one(at))))
    await some(60)
    const worker = h.startWorker()
    try {
      await some(60)
      await h.until('all have ended', async () => (await money(h, merchant)).clearing === 0n)
    } finally {
      await worker.stop()
    }
    expect(await money(h, merchant)).toEqual({
      wallet: 100_000_000n - 80n * 11_000n,
      clearing: 0n,
      paid: 80n * 10_000n,
      fees: 80n * 1_000n,
    })
  })
})

const verdict = (known: Refundable, kobo: bigint): string => {
  try {
    judge(known, kobo)
    return 'accepted'
  } catch (error) {
    return error instanceof Failure ? error.code : 'fault'
  }
}

describe('judge', () => {
  const PAID: Refundable = {
    ...{ id: 1n, status: 'PAID', payment_method: 'ACCOUNT_TRANSFER', product_type: null },
    ...{ paid_kobo: 100_000n, closed_at: new Date(0), reversed_kobo: 0n, refunded_kobo: 0n },
  }
  test.each<[string, Partial<Refundable>, string]>([
    ['an invoice', { product_type: 'INVOICE' }, 'accepted'],
    ['a reserved account', { product_type: 'RESERVED_ACCOUNT' }, 'accepted'],
    ['a direct debit', { product_type: 'DIRECT_DEBIT' }, 'REFUND_NOT_PERMITTED'],
    ['a card', { payment_method: 'CARD' }, 'accepted'],
    ['less than was asked, closed', { status: 'PARTIALLY_PAID' }, 'accepted'],
    ['less than was asked, open', { status: 'PARTIALLY_PAID', closed_at: null }, 'REFUND_NOT_PERMITTED'],
    ['money that a bank reversed', { reversed_kobo: 100_000n }, 'REFUND_NOT_PERMITTED'],
    ['nothing', { status: 'EXPIRED', paid_kobo: 0n }, 'REFUND_NOT_PERMITTED'],
  ])('paid by %s: %o is %s', (_, over, expected) => {
    expect(verdict({ ...PAID, ...over }, 10_000n)).toBe(expected)
  })

  const step = fc.oneof(
    fc.record({ ask: fc.bigInt({ min: 10_000n, max: 300_000n }) }),
    fc.record({ fail: fc.nat(20) }),
    fc.constant({ rest: true as const }),
  )

  test('whatever is asked and whatever fails, refunds that hold are never above what was paid, and the rest always fits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 10_000n, max: 1_000_000n }), fc.array(step, { maxLength: 40 }), (paid, steps) => {
        const standing: bigint[] = []
        const sum = () => standing.reduce((total, kobo) => total + kobo, 0n)
        const asks = (kobo: bigint): string => {
          const said = verdict({ ...PAID, paid_kobo: paid, refunded_kobo: sum() }, kobo)
          if (said === 'accepted') standing.push(kobo)
          return said
        }
        const expected = (kobo: bigint, left: bigint): string =>
          left === 0n ? 'REFUND_ALL_DONE' : kobo > left ? 'REFUND_TOO_LARGE' : 'accepted'
        for (const now of steps) {
          if ('fail' in now) {
            standing.splice(now.fail, 1)
            continue
          }
          const left = paid - sum()
          const kobo = 'ask' in now ? now.ask : left
          expect(asks(kobo)).toBe(expected(kobo, left))
          expect(sum()).toBeLessThanOrEqual(paid)
        }
      }),
      { numRuns: 500 },
    )
  })
})
