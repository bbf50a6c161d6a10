// Payouts above what the merchant chose wait for one of its people: nobody alone sends them, no code releases
// them, and they are sent once.
import { describe, expect, test } from 'vitest'
import { notice, outcomeOf, reverseCredit, tell } from '#test/bank/notices.ts'
import { actorOf, approveAs, doAct, rejectAs, show } from '#test/features/access/acts.ts'
import { summary as batchSummary, rowsOf, rowTo, taken } from '#test/features/payouts/batches.ts'
import {
  mailsTo,
  money,
  newMerchant,
  paidTo,
  sent,
  statusOf,
  summary,
  validate,
} from '#test/features/payouts/disbursements.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { advance, type Harness, type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const SETTINGS = '/api/v1/disbursement-settings'
const owner = actorOf('merchant', 'owner')
const finance = actorOf('merchant', 'finance')
const developer = actorOf('merchant', 'developer')
const HELD = { wallet: 99_974_000n, hold: 26_000n, paid: 0n }
const PAID = { wallet: 99_974_000n, hold: 0n, paid: 25_000n }
const UNTOUCHED = { wallet: 100_000_000n, hold: 0n, paid: 0n }

async function careful(h: Harness, otp = false): Promise<TestMerchant> {
  const merchant = await newMerchant(h, { otp })
  const answer = await h.as(merchant, 'PUT', SETTINGS, { lowBalanceThreshold: null, approvalAbove: 200 })
  expect(answer.json.responseBody).toMatchObject({ approvalAbove: 200 })
  return merchant
}
const queueOf = async (h: Harness, merchant: TestMerchant): Promise<any[]> =>
  (await show(h, owner, 'approvals.list', { merchant: merchant.apiKey, state: 'WAITING' })).content
const codeOfRefusal = (error: unknown) => (error as { code?: string }).code
const refusal = (work: Promise<unknown>) => work.then(() => 'done', codeOfRefusal)

describe('a transfer above approvalAbove', () => {
  test('PENDING_AUTHORIZATION, in the queue, mailed to the owner; a person approves, and it is paid', async () => {
    const h = harness()
    const merchant = await careful(h, true)
    const made = await sent(h, merchant, { amount: 250 })
    expect(made.status).toBe('PENDING_AUTHORIZATION')
    expect(await money(h, merchant)).toMatchObject(HELD)
    await advance(h, 5)
    const [waiting] = await queueOf(h, merchant)
    expect(waiting).toMatchObject({ act: 'payouts.release', requestedBy: { kind: 'key', name: merchant.apiKey } })
    expect(waiting.input).toMatchObject({ kind: 'TRANSFER', reference: made.reference, amount: '250.00' })
    expect(waiting.input.to).toContain(made.destinationAccountNumber)
    // Whoever may neither approve it nor see personal data learns how much it is, and not to whom.
    const seen = await show(h, developer, 'approvals.show', { merchant: merchant.apiKey, reference: waiting.reference })
    expect(seen.input).toEqual({ ...waiting.input, to: '(hidden)' })
    const [mail] = await mailsTo(h, merchant)
    expect(mail).toMatchObject({ subject: `A transfer waits for approval: ${made.reference}` })
    expect(mail?.text).not.toMatch(/code: \d/)
    expect(await refusal(approveAs(h, developer, waiting.reference, { merchant }))).toBe('PERMISSION_DENIED')
    await approveAs(h, finance, waiting.reference, { merchant })
    await advance(h, 5)
    expect(await summary(h, merchant, made.reference)).toMatchObject({ status: 'SUCCESS' })
    expect(await money(h, merchant)).toMatchObject(PAID)
    const trail = await show(h, owner, 'trail.list', { merchant: merchant.apiKey })
    expect(trail.content.map((line: any) => line.what)).toEqual(
      expect.arrayContaining(['approvals.ask', 'payouts.release']),
    )
  })

  test('RECEIVABLE_OPEN: nobody releases a payout or a batch while the merchant owes; it waits, and reaches no bank', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    await h.as(merchant, 'PUT', SETTINGS, { lowBalanceThreshold: null, approvalAbove: 200 })
    const credit = notice(merchant.walletNumber, '1000.00')
    expect(outcomeOf(await tell(h, credit))).toBe('COUNTED')
    const made = await sent(h, merchant, { amount: 250 })
    const batch = await taken(h, merchant, [rowTo('7777', { amount: 201 })])
    expect((await sent(h, merchant, { amount: 200 })).status).toBe('SUCCESS')
    expect(outcomeOf(await reverseCredit(h, credit))).toBe('REVERSED')
    const queue = await queueOf(h, merchant)
    expect(queue).toHaveLength(2)
    for (const { reference } of queue)
      expect(await refusal(approveAs(h, finance, reference, { merchant }))).toBe('RECEIVABLE_OPEN')
    await advance(h, 60)
    expect(await statusOf(h, merchant, made.reference)).toBe('PENDING_AUTHORIZATION')
    expect(await paidTo(h, made.destinationAccountNumber)).toEqual([])
    expect((await batchSummary(h, merchant, batch.batchReference)).pendingCount).toBe(1)
  })

  test('at the amount itself nobody is asked', async () => {
    const h = harness()
    const merchant = await careful(h)
    expect((await sent(h, merchant, { amount: 200 })).status).toBe('SUCCESS')
    expect(await queueOf(h, merchant)).toEqual([])
  })

  test('no code releases it, and none can be asked for: 400 APPROVAL_WAITING', async () => {
    const h = harness()
    const merchant = await careful(h, true)
    const { reference } = await sent(h, merchant, { amount: 250 })
    const answers = [
      await validate(h, merchant, reference, '123456'),
      await h.as(merchant, 'POST', '/api/v2/disbursements/single/resend-otp', { reference }),
    ]
    for (const answer of answers)
      expect([answer.status, answer.json.responseCode, answer.json.problem.code]).toEqual([
        400,
        'D01',
        'APPROVAL_WAITING',
      ])
    expect(await refusal(doAct(h, owner, 'payouts.release', { merchant, input: await inputOf(h, merchant) }))).toBe(
      'ACT_UNKNOWN',
    )
    expect(await statusOf(h, merchant, reference)).toBe('PENDING_AUTHORIZATION')
  })
  const inputOf = async (h: Harness, merchant: TestMerchant) => (await queueOf(h, merchant))[0].input

  test('rejected, or left for a day: EXPIRED, the money is back, and approving it is refused', async () => {
    const h = harness()
    const merchant = await careful(h)
    const [first, second] = [await sent(h, merchant, { amount: 250 }), await sent(h, merchant, { amount: 251 })]
    const [later, earlier] = await queueOf(h, merchant)
    await rejectAs(h, finance, earlier.reference, { merchant })
    expect(await statusOf(h, merchant, first.reference)).toBe('EXPIRED')
    await advance(h, 25 * 3600)
    expect(await statusOf(h, merchant, second.reference)).toBe('EXPIRED')
    expect(await money(h, merchant)).toMatchObject(UNTOUCHED)
    for (const { reference } of [earlier, later])
      expect(await refusal(approveAs(h, finance, reference, { merchant }))).toBe('APPROVAL_OVER')
  })

  test('fifty approvals and ten rejections at once: one decides, and at most one payout reaches the bank', async () => {
    const h = harness()
    const merchant = await careful(h)
    const made = await sent(h, merchant, { amount: 250 })
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
    const status = await statusOf(h, merchant, made.reference)
    expect([status, paid.length]).toEqual(status === 'SUCCESS' ? ['SUCCESS', 1] : ['EXPIRED', 0])
  })

  test('approved after midnight it counts for the day it leaves on as well', async () => {
    const h = harness()
    const merchant = await careful(h)
    await sent(h, merchant, { amount: 250 })
    await taken(h, merchant, [rowTo('7777', { amount: 150 }), rowTo('7777', { amount: 150 })])
    const sinceMidnight = (h.gateway.ctx.clock.now().getTime() / 1000 + 3600) % 86_400 // in Lagos
    await advance(h, Math.ceil(86_400 - sinceMidnight))
    for (const { reference } of await queueOf(h, merchant)) await approveAs(h, finance, reference, { merchant })
    expect((await h.as(merchant, 'GET', SETTINGS)).json.responseBody.spentToday).toBe(550)
  })

  test('a process that dies while it is approved leaves it waiting; the next approval sends it once', async () => {
    const h = harness()
    const merchant = await careful(h)
    const made = await sent(h, merchant, { amount: 250 })
    const [waiting] = await queueOf(h, merchant)
    await dyingAt(h, 'trail', async () => {
      await expect(approveAs(h, finance, waiting.reference, { merchant })).rejects.toThrow('died here')
    })
    expect(await statusOf(h, merchant, made.reference)).toBe('PENDING_AUTHORIZATION')
    await approveAs(h, finance, waiting.reference, { merchant })
    await advance(h, 5)
    expect(await paidTo(h, made.destinationAccountNumber)).toHaveLength(1)
    expect(await money(h, merchant)).toMatchObject(PAID)
  })
})

test('a batch whose rows are above it together waits as a whole; approved, each row is paid', async () => {
  const h = harness()
  const merchant = await careful(h, true)
  const { batchReference, batchStatus } = await taken(h, merchant, [
    rowTo('7777', { amount: 150 }),
    rowTo('7777', { amount: 150 }),
  ])
  expect(batchStatus).toBe('PENDING_AUTHORIZATION')
  const answer = await h.as(merchant, 'POST', '/api/v2/disbursements/batch/validate-otp', {
    reference: batchReference,
    authorizationCode: '123456',
  })
  expect(answer.json.problem.code).toBe('APPROVAL_WAITING')
  const [waiting] = await queueOf(h, merchant)
  expect(waiting.input).toMatchObject({ kind: 'BATCH', reference: batchReference, amount: '300.00', to: '2 rows' })
  await approveAs(h, finance, waiting.reference, { merchant })
  await advance(h, 5)
  expect(await batchSummary(h, merchant, batchReference)).toMatchObject({ batchStatus: 'COMPLETED' })
  expect((await rowsOf(h, merchant, batchReference)).map((row: any) => row.status)).toEqual(['SUCCESS', 'SUCCESS'])
  const other = await taken(h, merchant, [rowTo('7777', { amount: 201 })])
  const [second] = await queueOf(h, merchant)
  await rejectAs(h, owner, second.reference, { merchant })
  expect(await batchSummary(h, merchant, other.batchReference)).toMatchObject({ batchStatus: 'EXPIRED' })
})

describe('the amount', () => {
  test('by a token it can be lowered, not raised, removed or set above the limit of a transfer', async () => {
    const h = harness()
    const merchant = await careful(h)
    const put = async (approvalAbove: number | null) =>
      (await h.as(merchant, 'PUT', SETTINGS, { lowBalanceThreshold: null, approvalAbove })).json
    expect((await put(100)).responseBody.approvalAbove).toBe(100)
    expect((await put(101)).problem.code).toBe('APPROVAL_ABOVE_RAISED')
    expect((await put(null)).problem.code).toBe('APPROVAL_ABOVE_RAISED')
    expect((await put(99_999_999)).problem.code).toBe('TRANSFER_LIMIT')
    expect((await h.as(merchant, 'GET', SETTINGS)).json.responseBody.approvalAbove).toBe(100)
  })

  test('two of the people raise it; one alone lowers it', async () => {
    const h = harness()
    const merchant = await careful(h)
    const set = (approvalAbove: string | null) =>
      doAct(h, owner, 'payouts.approvalAbove', { merchant, input: { approvalAbove } })
    expect((await set('150.00')).outcome).toBe('DONE')
    const raised = await set('500.00')
    expect(raised.outcome).toBe('WAITING')
    expect(await refusal(approveAs(h, owner, raised.reference, { merchant }))).toBe('APPROVAL_OWN')
    await approveAs(h, actorOf('merchant', 'owner'), raised.reference, { merchant })
    expect((await h.as(merchant, 'GET', SETTINGS)).json.responseBody.approvalAbove).toBe(500)
  })
})
