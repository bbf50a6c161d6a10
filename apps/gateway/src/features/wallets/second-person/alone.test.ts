// Small payouts as the way around the amount for a second person: what leaves in a day, and to a new account,
// is counted by every way there is; above the merchant's amounts it waits, or is refused where it cannot.
import { beforeEach, expect, test } from 'vitest'
import { secondApi } from '#test/bank/notices.ts'
import { actorOf, approveAs, doAct, rejectAs, show } from '#test/features/access/acts.ts'
import { fundedWallet } from '#test/features/collections/customer-wallets.ts'
import { BATCH, batchBody, rowTo, taken } from '#test/features/payouts/batches.ts'
import {
  account,
  ask,
  money,
  newMerchant,
  order,
  SINGLE,
  sent,
  statusOf,
} from '#test/features/payouts/disbursements.ts'
import { ask as askPaycode } from '#test/features/payouts/paycodes.ts'
import { refundBody } from '#test/features/payouts/refunds.ts'
import { advance, type Harness, paid, type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const SETTINGS = '/api/v1/disbursement-settings'
const finance = () => actorOf('merchant', 'finance')
const owner = () => actorOf('merchant', 'owner')
const WAITS = 'PENDING_AUTHORIZATION'

const put = (h: Harness, one: TestMerchant, amounts: object) =>
  h.as(one, 'PUT', SETTINGS, { lowBalanceThreshold: null, ...amounts })
async function careful(h: Harness, amounts: object): Promise<TestMerchant> {
  const one = await newMerchant(h)
  expect((await put(h, one, amounts)).status).toBe(200)
  return one
}
const queued = async (h: Harness, one: TestMerchant): Promise<any[]> =>
  (await show(h, owner(), 'approvals.list', { merchant: one.apiKey, state: 'WAITING' })).content
const statusOfNew = async (h: Harness, one: TestMerchant, over: Record<string, unknown> = {}): Promise<string> =>
  (await sent(h, one, over)).status
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? 'no code',
  )
/** Noon in Lagos: nothing here crosses midnight. */
const toNoon = (h: Harness) => {
  const hours = (h.gateway.ctx.clock.now().getTime() / 3_600_000 + 1) % 24
  return advance(h, Math.ceil(((36 - hours) % 24) * 3600))
}
beforeEach(() => toNoon(harness()))

test('without such an amount nothing is counted and nothing waits', async () => {
  const h = harness()
  const one = await newMerchant(h)
  expect((await h.as(one, 'GET', SETTINGS)).json.responseBody).toMatchObject({
    ...{ approvalAbove: null, approvalAboveDay: null, approvalAboveNewAccount: null },
  })
  expect(await statusOfNew(h, one, { amount: 5000 })).toBe('SUCCESS')
  const rows = 'select alone_kobo::text as kobo from disbursement_days where merchant_id = $1'
  expect(await h.sql('01', rows, [one.id])).toEqual([{ kobo: '0' }])
  expect(await h.sql('01', 'select from payees where merchant_id = $1', [one.id])).toEqual([])
})

test('of a day: exactly the amount goes, a kobo more waits and is let go by a person; tomorrow is another day', async () => {
  const h = harness()
  const one = await careful(h, { approvalAboveDay: 1000 })
  for (const amount of [600, 400]) expect(await statusOfNew(h, one, { amount })).toBe('SUCCESS')
  const made = await sent(h, one, { amount: '0.01' })
  expect(made.status).toBe(WAITS)
  const [{ reference }] = (await queued(h, one)) as [any]
  await approveAs(h, finance(), reference, { merchant: one })
  await advance(h, 5)
  expect(await statusOf(h, one, made.reference)).toBe('SUCCESS')
  // What a person let go does not use up what goes without one.
  await advance(h, 86_400)
  expect(await statusOfNew(h, one, { amount: 1000 })).toBe('SUCCESS')
})

test('by every way: batch, refund, paycode and transfer count for one day, and each waits or is refused above it', async () => {
  const h = harness()
  const one = await careful(h, { approvalAboveDay: 1000 })
  const { transactionReference } = await paid(h, one, { amount: 1000 })
  await advance(h, 5)
  const batch = await taken(h, one, [rowTo('7777', { amount: 150 }), rowTo('7777', { amount: 150 })])
  expect(batch.batchStatus).not.toBe(WAITS)
  expect((await askPaycode(h, one, { amount: 200 })).status).toBe(200)
  const refund = (refundAmount: number) =>
    h.as(one, 'POST', '/api/v1/refunds/initiate-refund', refundBody(transactionReference, { refundAmount }))
  expect((await refund(200)).json.responseBody.authorization ?? null).toBeNull()
  expect(await statusOfNew(h, one, { amount: 300 })).toBe('SUCCESS')
  // 1,000 are gone.
  expect(await statusOfNew(h, one, { amount: 1 })).toBe(WAITS)
  const more = await h.as(one, 'POST', BATCH, batchBody(one, [rowTo('7777', { amount: 1 })]))
  expect(more.json.responseBody.batchStatus).toBe(WAITS)
  expect((await refund(100)).json.responseBody).toMatchObject({ authorization: 'APPROVAL' })
  expect((await askPaycode(h, one, { amount: 100 })).json.problem.code).toBe('SECOND_PERSON_NEEDED')
  expect(await queued(h, one)).toHaveLength(3)
})

test('from a customer’s wallet it counts for the merchant’s day', async () => {
  const h = harness()
  const one = await careful(h, { approvalAboveDay: 100 })
  const wallet = await fundedWallet(h, one, 500)
  const from = { sourceAccountNumber: wallet.accountNumber }
  expect(await statusOfNew(h, one, { ...from, amount: 100 })).toBe('SUCCESS')
  expect(await statusOfNew(h, one, { ...from, amount: 1 })).toBe(WAITS)
})

test('20 at once in two processes, of which ten fit: exactly ten leave, the others wait', async () => {
  const h = harness()
  const one = await careful(h, { approvalAboveDay: 1000 })
  const second = await secondApi(h)
  try {
    const token = await h.token(one)
    const all = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const answer = await fetch((at % 2 ? h.apiUrl : second.url) + SINGLE, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify(order(one, { amount: 100, async: true })),
        })
        return ((await answer.json()) as any).responseBody?.status ?? answer.status
      }),
    )
    expect(all.filter((status) => status === WAITS)).toHaveLength(10)
    expect(all.filter((status) => status === 'AWAITING_PROCESSING')).toHaveLength(10)
  } finally {
    await second.close()
  }
})

test('to a new account: small ones add up, its number at another bank is another; after three days, or once approved, it is known', async () => {
  const h = harness()
  const one = await careful(h, { approvalAboveNewAccount: 500 })
  const [mine, yours] = [account(), account()]
  const to = (destinationAccountNumber: string, amount: number) => ({ destinationAccountNumber, amount })
  expect(await statusOfNew(h, one, to(mine, 300))).toBe('SUCCESS')
  expect(await statusOfNew(h, one, to(mine, 201))).toBe(WAITS)
  expect(await statusOfNew(h, one, to(mine, 200))).toBe('SUCCESS')
  expect(await statusOfNew(h, one, to(yours, 501))).toBe(WAITS)
  const [second, first] = (await queued(h, one)) as [any, any]
  await rejectAs(h, finance(), first.reference, { merchant: one })
  expect(await statusOfNew(h, one, to(mine, 1))).toBe(WAITS)
  await approveAs(h, finance(), second.reference, { merchant: one })
  expect(await statusOfNew(h, one, to(yours, 5000))).toBe('SUCCESS')
  const rows = [rowTo('7777', { amount: 300 }), rowTo('7777', { amount: 501 })]
  expect((await taken(h, one, rows)).batchStatus).toBe(WAITS)
  const [batch] = (await queued(h, one)) as [any]
  await approveAs(h, finance(), batch.reference, { merchant: one })
  const again = rows.map((row) => ({
    ...rowTo('7777', { amount: 900 }),
    destinationAccountNumber: row.destinationAccountNumber,
  }))
  expect((await taken(h, one, again)).batchStatus).not.toBe(WAITS)
  expect((await askPaycode(h, one, { amount: 501 })).json.problem.code).toBe('SECOND_PERSON_NEEDED')
  await advance(h, 72 * 3600 + 60)
  expect(await statusOfNew(h, one, to(mine, 5000))).toBe('SUCCESS')
})

test('back to whoever paid is no new account; elsewhere it is', async () => {
  const h = harness()
  const one = await careful(h, { approvalAboveNewAccount: 500 })
  const { transactionReference } = await paid(h, one, { amount: 2000 })
  await advance(h, 5)
  const refund = async (over: object) =>
    (await h.as(one, 'POST', '/api/v1/refunds/initiate-refund', refundBody(transactionReference, { ...over }))).json
      .responseBody.authorization ?? null
  expect(await refund({ refundAmount: 900 })).toBeNull()
  const elsewhere = { destinationAccountNumber: account(), destinationAccountBankCode: '058' }
  expect(await refund({ refundAmount: 501, ...elsewhere })).toBe('APPROVAL')
})

test('a refusal of the wallet counts nothing', async () => {
  const h = harness()
  const one = await careful(h, { approvalAboveDay: 2_000_000, approvalAboveNewAccount: 2_000_000 })
  const to = account()
  const refused = await ask(h, one, { amount: 1_500_000, destinationAccountNumber: to })
  expect(refused.json.problem.code).toBe('INSUFFICIENT_FUNDS')
  expect(await h.sql('01', 'select from disbursement_days where merchant_id = $1', [one.id])).toEqual([])
  expect(await h.sql('01', 'select from payees where merchant_id = $1', [one.id])).toEqual([])
  expect(await money(h, one)).toMatchObject({ hold: 0n })
})

test('by a token the amounts can be set and lowered; raising one, or doing without, needs two people', async () => {
  const h = harness()
  const one = await careful(h, { approvalAboveDay: 1000, approvalAboveNewAccount: 500 })
  for (const over of [{ approvalAboveDay: 1001 }, { approvalAboveNewAccount: null }]) {
    const refused = await put(h, one, over)
    expect([refused.status, refused.json.problem.code]).toEqual([400, 'APPROVAL_ABOVE_RAISED'])
  }
  expect((await put(h, one, { approvalAboveDay: 900 })).json.responseBody).toMatchObject({
    ...{ approvalAboveDay: 900, approvalAboveNewAccount: 500 },
  })
  const author = owner()
  const input = { approvalAbove: null, approvalAboveDay: '5000' }
  const asked = await doAct(h, author, 'payouts.approvalAbove', { merchant: one, input })
  expect(asked.outcome).toBe('WAITING')
  expect(await codeOf(approveAs(h, author, asked.reference, { merchant: one }))).toBe('APPROVAL_OWN')
  const { reply } = await approveAs(h, owner(), asked.reference, { merchant: one })
  expect(reply.reply).toEqual({
    ...{ approvalAbove: null, approvalAboveDay: '5000.00', approvalAboveNewAccount: '500.00' },
  })
})
