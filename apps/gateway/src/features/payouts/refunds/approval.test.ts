// With an approval address, the merchant's server is asked about a refund to an account that did not pay, as
// about a transfer.
import { describe, expect, test } from 'vitest'
import { chargeWith } from '#test/features/collections/cards.ts'
import { approver, codeOf, gate, mailsTo, newMerchant, no, paidTo, yes } from '#test/features/payouts/disbursements.ts'
import { authorise, money, payment, refunded, refundedTo, shown, statusOf } from '#test/features/payouts/refunds.ts'
import { advance, type Harness, type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()

async function gated(
  respond: Parameters<typeof approver>[0],
  work: (h: Harness, merchant: TestMerchant, server: Awaited<ReturnType<typeof approver>>) => Promise<void>,
  options: { otp?: boolean } = {},
): Promise<void> {
  const h = harness()
  const server = await approver(respond)
  try {
    const merchant = await newMerchant(h, { naira: 10_000, ...options })
    await gate(h, merchant, server.url)
    await work(h, merchant, server)
  } finally {
    await server.close()
  }
}

describe('to an account that did not pay', () => {
  test('approved: held while it is asked about, then ordered once and COMPLETED; the owner is mailed', () =>
    gated(yes, async (h, merchant, server) => {
      const made = await refundedTo(h, merchant, '7788')
      expect(made).toMatchObject({ refundStatus: 'PENDING' })
      expect(await money(h, merchant)).toMatchObject({ wallet: 899_000n, clearing: 101_000n })
      await advance(h, 1)
      expect(await statusOf(h, merchant, made.refundReference)).toBe('COMPLETED')
      expect(server.asked.map(({ body }) => body)).toEqual([
        {
          ...{ reference: made.refundReference, amount: 1_000, narration: 'Sorry' },
          ...{ destinationAccountNumber: made.destinationAccountNumber, destinationBankCode: '058' },
        },
      ])
      expect(await paidTo(h, made.destinationAccountNumber)).toHaveLength(1)
      const mails = (await mailsTo(h, merchant)).filter(({ text }) => text.includes(made.refundReference))
      expect(mails).toHaveLength(1)
    }))

  test('refused: FAILED, Not approved by the merchant, amount and fee are back, and the bank sees nothing', () =>
    gated(no, async (h, merchant) => {
      const made = await refundedTo(h, merchant, '7788')
      await advance(h, 1)
      expect(await shown(h, merchant, made.refundReference)).toMatchObject({
        ...{ refundStatus: 'FAILED', comment: 'Not approved by the merchant' },
      })
      expect(await money(h, merchant)).toEqual({ wallet: 1_000_000n, clearing: 0n, paid: 0n, fees: 0n })
      expect(await paidTo(h, made.destinationAccountNumber)).toEqual([])
    }))

  test('with a code: asked after the code was right', () =>
    gated(
      yes,
      async (h, merchant, server) => {
        const { refundReference } = await refundedTo(h, merchant, '7788')
        await advance(h, 60)
        expect(server.asked).toEqual([])
        const right = await codeOf(h, merchant, refundReference)
        expect((await authorise(h, merchant, refundReference, right)).status).toBe(200)
        await advance(h, 1)
        expect(server.asked).toHaveLength(1)
        expect(await statusOf(h, merchant, refundReference)).toBe('COMPLETED')
      },
      { otp: true },
    ))

  test('a crash between the answer and its record asks again; ordered once, by three workers', () =>
    gated(yes, async (h, merchant, server) => {
      const made = await refundedTo(h, merchant, '7788')
      await h.sql(
        '01',
        `create function planted() returns trigger language plpgsql as $$ begin raise exception 'planted'; end $$;
        create trigger planted before update on refunds for each row execute function planted()`,
      )
      try {
        await advance(h, 1)
        expect(await statusOf(h, merchant, made.refundReference)).toBe('PENDING')
      } finally {
        await h.sql('01', 'drop function planted() cascade')
      }
      await h.sql(
        '01',
        `insert into agenda (kind, merchant_id, subject, due_at) select 'refunds.approve', merchant_id, id, created_at
          from refunds cross join generate_series(1, 5) where refund_reference = $1`,
        [made.refundReference],
      )
      const workers = [h.startWorker(), h.startWorker(), h.startWorker()]
      try {
        await h.until('it is paid', async () => (await statusOf(h, merchant, made.refundReference)) === 'COMPLETED')
      } finally {
        for (const worker of workers) await worker.stop()
      }
      expect(server.asked.length).toBeGreaterThan(1)
      expect((await paidTo(h, made.destinationAccountNumber)).map(({ asked }) => asked)).toEqual([1])
    }))
})

test('back to the account or the card that paid: nobody is asked', () =>
  gated(no, async (h, merchant, server) => {
    const byTransfer = await refunded(h, merchant, (await payment(h, merchant)).transactionReference)
    const paid = await chargeWith(h, merchant, 'plain', { amount: 1_000 })
    const byCard = await refunded(h, merchant, paid.transactionReference)
    await advance(h, 1)
    for (const { refundReference } of [byTransfer, byCard])
      expect(await statusOf(h, merchant, refundReference)).toBe('COMPLETED')
    expect(server.asked).toEqual([])
  }))
