// A merchant's people decide about money that its policy holds: one of them below what needs two, two above
// it, and each item once.
import { describe, expect, test } from 'vitest'
import { notice, outcomeOf, reverseCredit, tell } from '#test/bank/notices.ts'
import { actorOf, approveAs, doAct, rejectAs, show } from '#test/features/access/acts.ts'
import { money, newMerchant } from '#test/features/payouts/disbursements.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { advance, type Harness, INIT, initBody, paid, type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const owner = actorOf('merchant', 'owner')
const finance = actorOf('merchant', 'finance')
const support = actorOf('merchant', 'support')

/** What is accepted of 700, in kobo: less the fee of a payment. */
const NET = 68_950n

/** A merchant that holds what comes twice, and wants a second person above so much. */
async function holding(h: Harness, approvalAbove: number | null = null): Promise<TestMerchant> {
  const merchant = await newMerchant(h)
  const policy = { less: 'COMPLETE', more: 'COMPLETE', extra: 'HOLD', tolerance: 0, barredPayers: [] }
  await h.as(merchant, 'PUT', '/api/v1/payment-policy', policy)
  const settings = { lowBalanceThreshold: null, approvalAbove }
  expect((await h.as(merchant, 'PUT', '/api/v1/disbursement-settings', settings)).status).toBe(200)
  return merchant
}
const listOf = async (h: Harness, merchant: TestMerchant): Promise<any[]> =>
  (await show(h, owner, 'suspense.list', { merchant: merchant.apiKey })).content
/** 700 that came for a payment that was complete. */
async function surplus(h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}) {
  const { accountNumber } = await paid(h, merchant)
  const { sessionId } = (await h.pay(accountNumber, 700, over)).json
  const item = (await listOf(h, merchant)).find((one) => one.sessionId === sessionId)
  const input = { id: item.id as string, amount: 700 }
  return { item, input, before: await money(h, merchant), sessionId: sessionId as string }
}
const statusOf = async (h: Harness, id: string): Promise<string> =>
  (await h.sql('01', 'select status from suspense_items where id = $1', [id]))[0].status
const returned = async (h: Harness, sessionId: string): Promise<boolean> =>
  ((await (await fetch(`${h.simulatorUrl}/api/transfers/${sessionId}`)).json()) as { returned: boolean }).returned
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  )
const gained = async (h: Harness, merchant: TestMerchant, before: { wallet: bigint }): Promise<bigint> =>
  (await money(h, merchant)).wallet - before.wallet

describe('held money', () => {
  test('is listed, accepted by one person into the wallet, and is gone; nobody else can', async () => {
    const h = harness()
    const merchant = await holding(h)
    const { item, input, before } = await surplus(h, merchant)
    expect(item).toMatchObject({
      amount: '700.00',
      fee: '10.50',
      state: 'HELD',
      reason: 'TRANSACTION_COMPLETED',
      mayDecide: true,
    })
    const accept = (more: object = {}, by = finance) => doAct(h, by, 'suspense.accept', { merchant, input, ...more })
    expect(await refusal(accept({}, support))).toBe('PERMISSION_DENIED')
    expect(await refusal(accept({ provedAt: null }))).toBe('STEP_UP_REQUIRED')
    expect(await refusal(accept({ merchant: h.merchants.main }))).toBe('SUSPENSE_NOT_FOUND')
    expect(await refusal(accept({ input: { ...input, amount: 701 } }))).toBe('HELD_AMOUNT_DIFFERS')
    expect(await gained(h, merchant, before)).toBe(0n)
    expect(await accept()).toMatchObject({ outcome: 'DONE', reply: { id: item.id, state: 'REASSIGNED', fee: '10.50' } })
    expect([await gained(h, merchant, before), await listOf(h, merchant)]).toEqual([NET, []])
    expect(await refusal(accept())).toBe('WRONG_STATE')
    const [line] = (await show(h, owner, 'trail.list', { merchant: merchant.apiKey })).content
    expect(line).toMatchObject({ what: 'suspense.accept', by: { name: finance.name }, approval: null })
  })

  test('is returned by one person: the bank has it at once, not after a week', async () => {
    const h = harness()
    const merchant = await holding(h)
    const { input, before, sessionId } = await surplus(h, merchant)
    expect((await doAct(h, finance, 'suspense.return', { merchant, input })).reply.state).toBe('RETURNING')
    await advance(h, 5)
    expect([await statusOf(h, input.id), await returned(h, sessionId)]).toEqual(['RETURNED', true])
    expect(await gained(h, merchant, before)).toBe(0n)
  })

  test('that the bank refused to return is for the operator: WRONG_STATE', async () => {
    const h = harness()
    const merchant = await holding(h)
    const { input } = await surplus(h, merchant, { senderAccountNumber: '0123450009' }) // an account that takes nothing back
    await doAct(h, finance, 'suspense.return', { merchant, input })
    await advance(h, 5)
    expect(await listOf(h, merchant)).toMatchObject([{ id: input.id, state: 'HELD', mayDecide: false }])
    for (const act of ['suspense.accept', 'suspense.return'])
      expect(await refusal(doAct(h, owner, act, { merchant, input }))).toBe('WRONG_STATE')
  })

  test('thirty decisions of one person at the same moment: one happens', async () => {
    const h = harness()
    const merchant = await holding(h)
    const { input, before } = await surplus(h, merchant)
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        refusal(doAct(h, finance, at % 2 ? 'suspense.accept' : 'suspense.return', { merchant, input })),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
    expect(new Set(outcomes)).toEqual(new Set(['done', 'WRONG_STATE']))
    const accepted = (await statusOf(h, input.id)) === 'REASSIGNED'
    expect(await gained(h, merchant, before)).toBe(accepted ? NET : 0n)
  })
})

describe('above approvalAbove', () => {
  test('one alone moves nothing; another approves, and the posting names the approval; at the amount itself one is enough', async () => {
    const h = harness()
    const merchant = await holding(h, 699)
    const { input, before } = await surplus(h, merchant)
    const asked = await doAct(h, finance, 'suspense.accept', { merchant, input })
    expect([asked.outcome, await gained(h, merchant, before)]).toEqual(['WAITING', 0n])
    expect(await refusal(approveAs(h, finance, asked.reference, { merchant }))).toBe('APPROVAL_OWN')
    const approved = await approveAs(h, owner, asked.reference, { merchant })
    expect(approved.reply.reply).toMatchObject({ state: 'REASSIGNED', amount: '700.00' })
    expect(await gained(h, merchant, before)).toBe(NET)
    const named = await h.sql(
      '01',
      `select from approved_postings p join transfers f on f.id = p.transfer_id where f.object_id = $1 and f.kind = 'SUSPENSE_REASSIGN'`,
      [input.id],
    )
    expect(named).toHaveLength(1)
    const settled = await holding(h, 700)
    const small = await surplus(h, settled)
    expect((await doAct(h, finance, 'suspense.accept', { merchant: settled, input: small.input })).outcome).toBe('DONE')
  })

  test('accepting and returning approved 25 times each at once, those who asked among them: one happens', async () => {
    const h = harness()
    const merchant = await holding(h, 100)
    const { input, before } = await surplus(h, merchant)
    const ask = async (act: string) => (await doAct(h, finance, act, { merchant, input })).reference
    const both = [await ask('suspense.accept'), await ask('suspense.return')]
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        refusal(approveAs(h, at % 5 ? actorOf('merchant', 'finance') : finance, both[at % 2] ?? '', { merchant })),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'APPROVAL_OWN')).toHaveLength(10)
    const accepted = (await statusOf(h, input.id)) === 'REASSIGNED'
    expect(await gained(h, merchant, before)).toBe(accepted ? NET : 0n)
  })

  test('a process that dies while it is approved leaves it held and waiting; the next approval gives it once', async () => {
    const h = harness()
    const merchant = await holding(h, 100)
    const { input, before } = await surplus(h, merchant)
    const { reference } = await doAct(h, finance, 'suspense.accept', { merchant, input })
    await dyingAt(h, 'trail', async () => {
      await expect(approveAs(h, owner, reference, { merchant })).rejects.toThrow('died here')
    })
    expect([await statusOf(h, input.id), await gained(h, merchant, before)]).toEqual(['HELD', 0n])
    await approveAs(h, owner, reference, { merchant })
    expect(await gained(h, merchant, before)).toBe(NET)
  })

  test('rejected, it stays held; what nobody approves ends with the day of the money, which is returned', async () => {
    const h = harness()
    const merchant = await holding(h, 100)
    const { input, sessionId } = await surplus(h, merchant)
    const rejected = await doAct(h, finance, 'suspense.accept', { merchant, input })
    await rejectAs(h, owner, rejected.reference, { merchant })
    expect(await statusOf(h, input.id)).toBe('HELD')
    const day = new Date(h.gateway.ctx.clock.now().getTime() + 3_600_000)
    await h.sql('01', 'update suspense_items set decide_by = $2 where id = $1', [input.id, day])
    await h.sql('01', `update agenda set due_at = $2 where kind = 'suspense.overdue' and subject = $1`, [input.id, day])
    const { reference } = await doAct(h, finance, 'suspense.accept', { merchant, input })
    const waiting = await show(h, owner, 'approvals.show', { merchant: merchant.apiKey, reference })
    expect(waiting.expiresAt).toBe(day.toISOString())
    await advance(h, 3_700)
    expect(await refusal(approveAs(h, owner, reference, { merchant }))).toBe('APPROVAL_OVER')
    expect([await returned(h, sessionId), await statusOf(h, input.id)]).toEqual([true, 'RETURNED'])
  })
})

describe('accepted money is paid money', () => {
  test('it costs what a transfer cost when it came, and the fee goes back with it when the bank recalls it', async () => {
    const h = harness()
    const merchant = await holding(h)
    const { input, before, sessionId } = await surplus(h, merchant)
    const finances = [actorOf('operator', 'finance'), actorOf('operator', 'finance')] as const
    const fee = { method: 'ACCOUNT_TRANSFER', basisPoints: 1000, cap: '5000' }
    const { reference } = await doAct(h, finances[0], 'fees.set', { merchant, input: fee })
    await approveAs(h, finances[1], reference)
    const later = await surplus(h, merchant)
    for (const item of [input, later.input]) await doAct(h, finance, 'suspense.accept', { merchant, input: item })
    const fees = await h.sql<{ fee: string }>(
      '01',
      `select e.kobo::text as fee from transfers f join entries e on e.transfer_id = f.id and e.account_id = 2
       where f.kind = 'SUSPENSE_REASSIGN' and f.merchant_id = $1 order by f.id`,
      [merchant.id],
    )
    expect([fees.map((row) => row.fee), await gained(h, merchant, before)]).toEqual([
      ['1050', '7000'],
      68_950n + 63_000n,
    ])
    const [{ account_number, bank_code }] = await h.sql(
      '01',
      'select account_number, bank_code from inbound_credits where bank_reference = $1',
      [sessionId],
    )
    const credit = { ...notice(account_number, '700.00', { bankCode: bank_code }), sessionId }
    expect(outcomeOf(await reverseCredit(h, credit))).toBe('REVERSED')
    expect(await gained(h, merchant, before)).toBe(63_000n)
    const [reversed] = await h.sql(
      '01',
      `select r.fee_kobo::text as fee from credit_reversals r where r.bank_reference = $1`,
      [sessionId],
    )
    expect(reversed.fee).toBe('1050')
  })

  const limited = async (h: Harness, merchant: TestMerchant, input: object): Promise<void> => {
    const asked = await doAct(h, actorOf('operator', 'risk'), 'limits.set', {
      merchant,
      input: { kind: 'COLLECTIONS', ...input },
    })
    await approveAs(h, actorOf('operator', 'admin'), asked.reference)
  }

  test('above the limit of a payment it is not accepted, and can be returned', async () => {
    const h = harness()
    const merchant = await holding(h)
    const { input, before } = await surplus(h, merchant)
    await limited(h, merchant, { perPayment: '699.99' })
    expect(await refusal(doAct(h, finance, 'suspense.accept', { merchant, input }))).toBe('PAYMENT_LIMIT')
    expect((await doAct(h, finance, 'suspense.return', { merchant, input })).outcome).toBe('DONE')
    expect(await gained(h, merchant, before)).toBe(0n)
  })

  test('eight accepted at once take no more than is left of the day; a new payment counts them, tomorrow does not', async () => {
    const h = harness()
    const hours = (h.gateway.ctx.clock.now().getTime() / 3_600_000 + 1) % 24
    await advance(h, Math.ceil(((36 - hours) % 24) * 3600)) // to noon
    const merchant = await holding(h)
    const { accountNumber } = await paid(h, merchant) // 1,500
    const notices = Array.from({ length: 8 }, () => notice(accountNumber, '700.00'))
    for (const one of notices) expect(outcomeOf(await tell(h, one))).toBe('SUSPENDED')
    const before = await money(h, merchant)
    await limited(h, merchant, { perDay: '3700' }) // leaves 2,200: three times 700
    const items = await listOf(h, merchant)
    const accept = (item: any) =>
      refusal(doAct(h, finance, 'suspense.accept', { merchant, input: { id: item.id, amount: 700 } }))
    const outcomes = await Promise.all(items.map(accept))
    expect(outcomes.toSorted((a = '', b = '') => a.localeCompare(b))).toEqual([
      ...Array(3).fill('done'),
      ...Array(5).fill('PAYMENT_DAY_LIMIT'),
    ])
    expect(await gained(h, merchant, before)).toBe(3n * NET)
    const asked = await h.as(merchant, 'POST', INIT, initBody(merchant, { amount: 100.01 }))
    expect(asked.json.problem.code).toBe('PAYMENT_DAY_LIMIT')
    expect((await h.as(merchant, 'POST', INIT, initBody(merchant, { amount: 100 }))).status).toBe(200)
    await advance(h, 24 * 3600)
    const [left] = await listOf(h, merchant)
    expect(await accept(left)).toBe('done')
  })
})
