// Refunds above what the merchant chose wait for one of its people: nobody alone sends them, no code releases
// them, and they are sent once.
import { describe, expect, test } from 'vitest'
import { actorOf, approveAs, doAct, rejectAs, show } from '#test/features/access/acts.ts'
import { chargeWith } from '#test/features/collections/cards.ts'
import { approver, gate, mailsTo, newMerchant, paidTo, yes } from '#test/features/payouts/disbursements.ts'
import {
  authorise,
  money,
  orderOf,
  payment,
  refunded,
  refundedTo,
  resendCode,
  shown,
  statusOf,
} from '#test/features/payouts/refunds.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { advance, type Harness, type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const owner = actorOf('merchant', 'owner')
const finance = actorOf('merchant', 'finance')
const developer = actorOf('merchant', 'developer')
const HELD = { wallet: 899_000n, clearing: 101_000n, paid: 0n, fees: 0n }
const UNTOUCHED = { wallet: 1_000_000n, clearing: 0n, paid: 0n, fees: 0n }
const PAID = { wallet: 899_000n, clearing: 0n, paid: 100_000n, fees: 1_000n }

/** A merchant with 10,000 in its wallet that wants a second person above 900. */
async function careful(h: Harness, otp = false): Promise<TestMerchant> {
  const merchant = await newMerchant(h, { otp, naira: 10_000 })
  const settings = { lowBalanceThreshold: null, approvalAbove: 900 }
  expect((await h.as(merchant, 'PUT', '/api/v1/disbursement-settings', settings)).status).toBe(200)
  return merchant
}
const queueOf = async (h: Harness, merchant: TestMerchant): Promise<any[]> =>
  (await show(h, owner, 'approvals.list', { merchant: merchant.apiKey, state: 'WAITING' })).content
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  )
const eventsOf = async (h: Harness, reference: string): Promise<string[]> =>
  (await h.sql('01', `select type from events where object = $1 and type like '%REFUND'`, [reference])).map(
    ({ type }) => type,
  )

describe('a refund above approvalAbove', () => {
  test('PENDING with authorization APPROVAL, held, not ordered, mailed to the owner; a person approves, and it is paid once', async () => {
    const h = harness()
    const merchant = await careful(h, true)
    const made = await refundedTo(h, merchant, '7788')
    expect(made).toMatchObject({ refundStatus: 'PENDING', authorization: 'APPROVAL' })
    await advance(h, 5)
    expect(await shown(h, merchant, made.refundReference)).toMatchObject({ authorization: 'APPROVAL' })
    expect([await money(h, merchant), await orderOf(h, merchant, made.refundReference)]).toEqual([HELD, undefined])
    const [waiting] = await queueOf(h, merchant)
    expect(waiting).toMatchObject({ act: 'refunds.release', requestedBy: { kind: 'key', name: merchant.apiKey } })
    expect(waiting.input).toMatchObject({ kind: 'REFUND', reference: made.refundReference, amount: '1000.00' })
    expect(waiting.input.to).not.toContain(made.destinationAccountName)
    const [mail] = await mailsTo(h, merchant)
    expect(mail).toMatchObject({ subject: `A refund waits for approval: ${made.refundReference}` })
    expect(mail?.text).not.toMatch(/code: \d/)
    expect(await refusal(approveAs(h, developer, waiting.reference, { merchant }))).toBe('PERMISSION_DENIED')
    await approveAs(h, finance, waiting.reference, { merchant })
    expect(await shown(h, merchant, made.refundReference)).not.toHaveProperty('authorization')
    await advance(h, 5)
    expect(await statusOf(h, merchant, made.refundReference)).toBe('COMPLETED')
    expect([await money(h, merchant), (await paidTo(h, made.destinationAccountNumber)).length]).toEqual([PAID, 1])
  })

  test('back to the account or the card that paid it waits too; at the amount itself nobody is asked', async () => {
    const h = harness()
    const merchant = await careful(h)
    const byTransfer = await refunded(h, merchant, (await payment(h, merchant)).transactionReference)
    const paid = await chargeWith(h, merchant, 'plain', { amount: 1_000 })
    const byCard = await refunded(h, merchant, paid.transactionReference)
    const small = await refunded(h, merchant, (await payment(h, merchant)).transactionReference, { refundAmount: 900 })
    expect(small).not.toHaveProperty('authorization')
    const queue = await queueOf(h, merchant)
    expect(queue.map(({ input }) => input.to)).toEqual([
      expect.stringMatching(/^the card that paid, \d{6}\*{6}\d{4}$/),
      expect.stringMatching(/^the account that paid, ending in \d{4}$/),
    ])
    for (const { reference } of queue) await approveAs(h, finance, reference, { merchant })
    await advance(h, 5)
    for (const { refundReference } of [byTransfer, byCard, small])
      expect(await statusOf(h, merchant, refundReference)).toBe('COMPLETED')
  })

  test('no code releases it, none can be asked for, and the act cannot be called: 400 APPROVAL_WAITING, ACT_UNKNOWN', async () => {
    const h = harness()
    const merchant = await careful(h, true)
    const { refundReference } = await refundedTo(h, merchant, '7788')
    const answers = [
      await authorise(h, merchant, refundReference, '123456'),
      await resendCode(h, merchant, refundReference),
    ]
    for (const answer of answers) expect([answer.status, answer.json.problem.code]).toEqual([400, 'APPROVAL_WAITING'])
    const [{ input }] = (await queueOf(h, merchant)) as [any]
    expect(await refusal(doAct(h, owner, 'refunds.release', { merchant, input }))).toBe('ACT_UNKNOWN')
    expect(await money(h, merchant)).toEqual(HELD)
  })

  test('rejected, or left for a day: FAILED, the money is back, FAILED_REFUND once, and approving it is refused', async () => {
    const h = harness()
    const merchant = await careful(h)
    const [first, second] = [await refundedTo(h, merchant, '7788'), await refundedTo(h, merchant, '7788')]
    const [later, earlier] = await queueOf(h, merchant)
    await rejectAs(h, finance, earlier.reference, { merchant })
    expect(await shown(h, merchant, first.refundReference)).toMatchObject({
      ...{ refundStatus: 'FAILED', comment: 'Not approved by the merchant' },
    })
    await advance(h, 24 * 3600 - 60)
    expect(await statusOf(h, merchant, second.refundReference)).toBe('PENDING')
    await advance(h, 120)
    expect(await shown(h, merchant, second.refundReference)).toMatchObject({
      ...{ refundStatus: 'FAILED', comment: 'The refund was not approved in time.' },
    })
    expect(await money(h, merchant)).toEqual(UNTOUCHED)
    for (const { refundReference } of [first, second])
      expect(await eventsOf(h, refundReference)).toEqual(['FAILED_REFUND'])
    for (const { reference } of [earlier, later])
      expect(await refusal(approveAs(h, finance, reference, { merchant }))).toBe('APPROVAL_OVER')
  })

  test('fifty approvals and ten rejections at once: one decides, and at most one order reaches the bank', async () => {
    const h = harness()
    const merchant = await careful(h)
    const made = await refundedTo(h, merchant, '7788')
    const [waiting] = await queueOf(h, merchant)
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        refusal(
          (at % 6 === 5 ? rejectAs : approveAs)(h, actorOf('merchant', 'finance'), waiting.reference, { merchant }),
        ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
    expect(new Set(outcomes)).toEqual(new Set(['done', 'APPROVAL_OVER']))
    await advance(h, 5)
    const paid = await paidTo(h, made.destinationAccountNumber)
    const status = await statusOf(h, merchant, made.refundReference)
    expect([status, paid.length]).toEqual(status === 'COMPLETED' ? ['COMPLETED', 1] : ['FAILED', 0])
  })

  test('a process that dies while it is approved or rejected leaves it waiting; the next approval sends it once', async () => {
    const h = harness()
    const merchant = await careful(h)
    const made = await refundedTo(h, merchant, '7788')
    const [waiting] = await queueOf(h, merchant)
    await dyingAt(h, 'trail', async () => {
      for (const decide of [approveAs, rejectAs])
        await expect(decide(h, finance, waiting.reference, { merchant })).rejects.toThrow('died here')
    })
    expect(await shown(h, merchant, made.refundReference)).toMatchObject({ authorization: 'APPROVAL' })
    expect([await money(h, merchant), await orderOf(h, merchant, made.refundReference)]).toEqual([HELD, undefined])
    await approveAs(h, finance, waiting.reference, { merchant })
    await advance(h, 5)
    expect([await money(h, merchant), (await paidTo(h, made.destinationAccountNumber)).length]).toEqual([PAID, 1])
  })

  test('approved the day after: it counts for that day, and waits on while the limit of the day is spent', async () => {
    const h = harness()
    const merchant = await careful(h)
    await refundedTo(h, merchant, '7788')
    const [waiting] = await queueOf(h, merchant)
    const sinceMidnight = (h.gateway.ctx.clock.now().getTime() / 1000 + 3600) % 86_400 // in Lagos
    await advance(h, Math.ceil(86_400 - sinceMidnight))
    const limit = async (kobo: bigint) => {
      await h.sql('01', `update disbursement_settings set per_day_kobo = ${kobo} where merchant_id = ${merchant.id}`)
      h.gateway.merchants.forget('01')
    }
    await limit(99_999n)
    expect(await refusal(approveAs(h, finance, waiting.reference, { merchant }))).toBe('DAILY_LIMIT')
    await limit(100_000n)
    await approveAs(h, finance, waiting.reference, { merchant })
    const settings = (await h.as(merchant, 'GET', '/api/v1/disbursement-settings')).json.responseBody
    expect(settings.spentToday).toBe(1_000)
    await advance(h, 5)
    expect(await money(h, merchant)).toEqual(PAID)
  })

  test('with an approval address the server is asked after the person, and not before', async () => {
    const h = harness()
    const server = await approver(yes)
    try {
      const merchant = await careful(h)
      await gate(h, merchant, server.url)
      const { refundReference } = await refundedTo(h, merchant, '7788')
      await advance(h, 60)
      expect(server.asked).toEqual([])
      const [waiting] = await queueOf(h, merchant)
      await approveAs(h, finance, waiting.reference, { merchant })
      await advance(h, 1)
      expect([server.asked.length, await statusOf(h, merchant, refundReference)]).toEqual([1, 'COMPLETED'])
    } finally {
      await server.close()
    }
  })
})
