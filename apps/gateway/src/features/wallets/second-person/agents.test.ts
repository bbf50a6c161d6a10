// A key for agents proposes: whatever it asks for waits for one of the merchant's people, and each of its
// calls is in the audit trail.
import { describe, expect, test } from 'vitest'
import { AGENT_AT_ONCE } from '#core/access/limits.ts'
import { listChains, verifyChain } from '#core/acts/trail.ts'
import { readAll } from '#core/cells/cells.ts'
import { actorOf, approveAs, rejectAs, show } from '#test/features/access/acts.ts'
import { limited } from '#test/features/access/keys.ts'
import { verdict } from '#test/features/access/secret-keys.ts'
import {
  mailsTo,
  money,
  newMerchant,
  order,
  paidTo,
  SINGLE,
  sent,
  statusOf,
  summary,
  validate,
} from '#test/features/payouts/disbursements.ts'
import {
  ask as askRefund,
  INITIATE,
  payment,
  refundBody,
  refunded,
  money as refundMoney,
  statusOf as refundStatus,
} from '#test/features/payouts/refunds.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { advance, type Harness, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'
import { personIn } from '#test/people/sessions.ts'
import { PROPOSALS_MAX } from './second-person.ts'

const harness = useHarness()
const owner = actorOf('merchant', 'owner')
const finance = actorOf('merchant', 'finance')
const HELD = { wallet: 99_974_000n, hold: 26_000n, paid: 0n }
const PAID = { wallet: 99_974_000n, hold: 0n, paid: 25_000n }
const UNTOUCHED = { wallet: 100_000_000n, hold: 0n, paid: 0n }
const NAME = 'Support desk'

type Pair = { readonly merchant: TestMerchant; readonly agent: TestMerchant }
/** A merchant without `approvalAbove`, somebody in its team, and its agent. */
async function withAgent(h: Harness, role: string | null = 'finance', otp = false): Promise<Pair> {
  const merchant = await newMerchant(h, { otp })
  if (role !== null) await personIn(h, 'merchant', role, { merchant })
  return { merchant, agent: await limited(h, merchant, { scope: 'AGENT', name: NAME }) }
}
const queueOf = async (h: Harness, merchant: TestMerchant): Promise<any[]> =>
  (await show(h, owner, 'approvals.list', { merchant: merchant.apiKey, state: 'WAITING' })).content
const linesOf = async (h: Harness, { merchant, agent }: Pair): Promise<any[]> => {
  const { content } = await show(h, owner, 'trail.list', { merchant: merchant.apiKey, of: 'AGENTS' })
  for (const { by } of content) expect(by.name).toBe(agent.apiKey)
  return content.toReversed()
}

describe('what an agent proposes', () => {
  test('a payout waits though no amount needs a second person; no code is mailed; a person approves, and it is paid once', async () => {
    const h = harness()
    const { merchant, agent } = await withAgent(h, 'finance', true)
    const made = await sent(h, agent, { amount: 250 })
    expect(made.status).toBe('PENDING_AUTHORIZATION')
    await advance(h, 5)
    expect(await money(h, merchant)).toMatchObject(HELD)
    const [waiting, ...others] = await queueOf(h, merchant)
    expect(others).toEqual([])
    expect(waiting).toMatchObject({
      ...{ act: 'payouts.release', requestedBy: { kind: 'key', name: agent.apiKey } },
      reason: 'proposed with an API key of scope AGENT',
      input: { kind: 'TRANSFER', reference: made.reference, amount: '250.00' },
    })
    const [mail] = await mailsTo(h, merchant)
    expect(mail?.text).toContain(`was proposed with your API key ${agent.apiKey} (${NAME})`)
    expect(mail?.text).not.toMatch(/code: \d/)
    await approveAs(h, finance, waiting.reference, { merchant })
    await advance(h, 5)
    expect(await summary(h, merchant, made.reference)).toMatchObject({ status: 'SUCCESS' })
    expect([await paidTo(h, made.destinationAccountNumber), await money(h, merchant)]).toMatchObject([[{}], PAID])
  })

  test('a refund waits, also a small one back to whoever paid; rejected it is FAILED, approved it is COMPLETED', async () => {
    const h = harness()
    const { merchant, agent } = await withAgent(h, 'owner')
    const { transactionReference } = await payment(h, merchant)
    const [first, second] = [
      await refunded(h, agent, transactionReference, { refundAmount: 100 }),
      await refunded(h, agent, transactionReference, { refundAmount: 200 }),
    ]
    for (const one of [first, second]) expect(one).toMatchObject({ refundStatus: 'PENDING', authorization: 'APPROVAL' })
    await advance(h, 5)
    const [later, earlier] = await queueOf(h, merchant)
    expect(later).toMatchObject({ act: 'refunds.release', requestedBy: { name: agent.apiKey } })
    await rejectAs(h, finance, earlier.reference, { merchant })
    await approveAs(h, finance, later.reference, { merchant })
    await advance(h, 5)
    expect(await refundStatus(h, merchant, first.refundReference)).toBe('FAILED')
    expect(await refundStatus(h, merchant, second.refundReference)).toBe('COMPLETED')
    expect(await refundMoney(h, merchant)).toMatchObject({ clearing: 0n, paid: 20_000n })
  })

  test('no code releases it, whoever has the key: 403 of the agent, 400 APPROVAL_WAITING of the merchant’s own pair', async () => {
    const h = harness()
    const { merchant, agent } = await withAgent(h, 'finance', true)
    const { reference } = await sent(h, agent, { amount: 250 })
    const tries = [await validate(h, agent, reference, '123456'), await validate(h, merchant, reference, '123456')]
    expect(tries.map(verdict)).toEqual(['403 PERMISSION_DENIED', '400 APPROVAL_WAITING'])
    expect(await statusOf(h, merchant, reference)).toBe('PENDING_AUTHORIZATION')
  })

  test.each([null, 'developer', 'support', 'auditor'])(
    '409 PROPOSAL_UNDECIDABLE where nobody could decide (team: %s); nothing is held, and nothing waits',
    async (role) => {
      const h = harness()
      const { merchant, agent } = await withAgent(h, role)
      const { transactionReference } = await payment(h, merchant)
      const answers = [
        await h.as(agent, 'POST', SINGLE, order(agent)),
        await askRefund(h, agent, transactionReference, { refundAmount: 100 }),
      ]
      expect(answers.map(verdict)).toEqual(['409 PROPOSAL_UNDECIDABLE', '409 PROPOSAL_UNDECIDABLE'])
      expect([await money(h, merchant), await queueOf(h, merchant)]).toMatchObject([UNTOUCHED, []])
    },
  )

  test('the same twenty times at once: one line in the queue, and its money is held once', async () => {
    const h = harness()
    const { merchant, agent } = await withAgent(h)
    const { transactionReference } = await payment(h, merchant)
    await h.token(agent)
    const [transfer, refund] = [order(agent, { amount: 250 }), refundBody(transactionReference, { refundAmount: 100 })]
    const key = { 'idempotency-key': unique('proposal') }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        at % 2 === 0
          ? h.as(agent, 'POST', SINGLE, transfer, at % 4 === 0 ? key : {})
          : h.as(agent, 'POST', INITIATE, refund),
      ),
    )
    const verdicts = new Set(answers.map((answer) => (answer.status === 200 ? '200' : verdict(answer))))
    expect([...verdicts].filter((one) => one.startsWith('5'))).toEqual([])
    const queue = await queueOf(h, merchant)
    expect(queue).toHaveLength(2)
    expect(new Set(queue.map(({ input }) => input.reference))).toEqual(
      new Set([transfer.reference, refund.refundReference]),
    )
    expect((await money(h, merchant)).hold).toBe(26_000n)
    expect((await refundMoney(h, merchant)).clearing).toBe(11_000n)
  })

  test('409 PROPOSALS_TOO_MANY when twenty of one key wait; one is decided, and there is room', async () => {
    const h = harness()
    const { merchant, agent } = await withAgent(h)
    for (let at = 0; at < PROPOSALS_MAX; at += 1) await sent(h, agent, { amount: 100 + at })
    const another = () => h.as(agent, 'POST', SINGLE, order(agent, { amount: 500 }))
    expect(verdict(await another())).toBe('409 PROPOSALS_TOO_MANY')
    expect((await sent(h, merchant, { amount: 500 })).status).toBe('SUCCESS')
    const [waiting] = await queueOf(h, merchant)
    await rejectAs(h, finance, waiting.reference, { merchant })
    expect(verdict(await another())).toBe('200')
  })
})

describe('the audit trail of an agent', () => {
  test('has each of its calls, whatever became of it: which key, what, on what, how it ended; and the chain is whole', async () => {
    const h = harness()
    const pair = await withAgent(h)
    const { merchant, agent } = pair
    const { transactionReference } = await payment(h, merchant)
    const path = `/api/v2/transactions/${encodeURIComponent(transactionReference)}`
    const key = { 'idempotency-key': unique('proposal') }
    const transfer = order(agent)
    const calls = [
      () => h.as(agent, 'GET', path),
      () => h.as(agent, 'GET', '/api/v1/transactions/search?customerEmail=ada@adire.example&size=5'),
      () => h.as(agent, 'GET', '/api/v2/transactions/none'),
      () => h.as(agent, 'PUT', '/api/v1/webhook-urls', {}),
      () => h.as(agent, 'POST', INITIATE, {}),
      () => h.as(agent, 'POST', SINGLE, transfer, key),
      () => h.as(agent, 'POST', SINGLE, transfer, key),
      () => h.as(agent, 'GET', '/api/v1/requests?size=1'), // which the request log leaves out
    ]
    for (const call of calls) await call()
    const lines = await linesOf(h, pair)
    expect(lines.map(({ what, after }) => [what, after.outcome ?? after.act])).toEqual([
      ['auth.login', 'DONE'],
      ['transactions.get', 'DONE'],
      ['transactions.search', 'DONE'],
      ['transactions.get', 'TRANSACTION_NOT_FOUND'],
      ['webhookUrls.put', 'PERMISSION_DENIED'],
      ['refunds.initiate', 'FIELD_MISSING'],
      ['approvals.ask', 'payouts.release'],
      ['transfers.initiate', 'DONE'],
      ['transfers.initiate', 'DONE'],
      ['requests.list', 'DONE'],
    ])
    for (const { what, by, after, address, requestId, title } of lines) {
      expect(by, what).toEqual({ kind: 'key', side: 'merchant', name: agent.apiKey, role: 'AGENT' })
      expect(title).not.toBe(what)
      if (what === 'approvals.ask') continue
      expect(after.key, what).toBe(NAME)
      expect([address, requestId], what).toEqual([expect.any(String), expect.any(String)])
    }
    expect(lines[1].after.on).toEqual({ transactionReference })
    expect(lines[2].after.on).toEqual({ customerEmail: '(hidden)', size: '5' })
    for (const at of [7, 8]) expect(lines[at].after.on).toMatchObject({ reference: transfer.reference })
    expect(JSON.stringify(lines)).not.toContain(transfer.destinationAccountNumber)
    const { ctx } = h.gateway
    for (const head of await readAll(ctx, '01', listChains))
      expect((await readAll(ctx, '01', (r) => verifyChain(r, head))).broken).toBeNull()
  })

  test('keeps no card number, and stays small whatever was sent along', async () => {
    const h = harness()
    const pair = await withAgent(h)
    const many = Array.from({ length: 300 }, (_, at) => `x${at}=${'y'.repeat(20)}`).join('&')
    await h.as(pair.agent, 'GET', `/api/v1/transactions/search?paymentReference=4111111111111111&${many}`)
    await h.as(pair.agent, 'GET', '/api/v2/transactions/4111-1111-1111-1111')
    const [, search, get] = await linesOf(h, pair)
    for (const line of [search, get]) {
      expect(JSON.stringify(line)).not.toMatch(/4111-?1111/)
      expect(JSON.stringify(line).length).toBeLessThan(2_500)
    }
    expect(search.after.on.paymentReference).toBe('(hidden)')
  })

  test('no other key has a line for what it reads', async () => {
    const h = harness()
    const { merchant } = await withAgent(h)
    const reader = await limited(h, merchant, { scope: 'READ' })
    for (const key of [merchant, reader]) await h.as(key, 'GET', '/api/v1/transactions/search?size=1')
    const lines = await h.sql('01', 'select what from trail where merchant_id = $1 order by number', [merchant.id])
    expect(lines.map(({ what }) => what)).toEqual(['keys.create', 'keys.create'])
  })

  test('stands apart from what people did: there only what it proposed is', async () => {
    const h = harness()
    const pair = await withAgent(h)
    const { merchant, agent } = pair
    await h.as(agent, 'GET', '/api/v1/banks')
    await sent(h, agent)
    const whatOf = async (of: string) =>
      (await show(h, owner, 'trail.list', { merchant: merchant.apiKey, of })).content.map(({ what }: any) => what)
    expect(await whatOf('MERCHANT')).toEqual(['approvals.ask', 'keys.create'])
    expect(await whatOf('AGENTS')).toEqual(['transfers.initiate', 'approvals.ask', 'banks.list', 'auth.login'])
  })

  test('what has no line is not answered: 500, also of what is refused, and nothing is proposed', async () => {
    const h = harness()
    const pair = await withAgent(h)
    const { merchant, agent } = pair
    await h.token(agent)
    const transfer = order(agent, { amount: 250 })
    const before = (await linesOf(h, pair)).length
    await dyingAt(h, 'trail', async () => {
      for (const [method, path] of [
        ['GET', '/api/v1/transactions/search?size=1'],
        ['GET', '/api/v1/transactions/search?size=none'],
        ['PUT', '/api/v1/webhook-urls'],
      ] as const) {
        const answer = await h.as(agent, method, path)
        expect([path, answer.status, answer.text.includes('content')]).toEqual([path, 500, false])
      }
      expect((await h.as(agent, 'POST', SINGLE, transfer)).status).toBe(500)
      expect((await h.as(merchant, 'GET', '/api/v1/transactions/search?size=1')).status).toBe(200)
    })
    expect(await linesOf(h, pair)).toHaveLength(before)
    expect([await money(h, merchant), await queueOf(h, merchant)]).toMatchObject([UNTOUCHED, []])
    expect((await h.as(agent, 'POST', SINGLE, transfer)).json.responseBody.status).toBe('PENDING_AUTHORIZATION')
  })

  test('a process that dies between a proposal and the line of its call leaves the proposal and its line of the queue; the next try answers it', async () => {
    const h = harness()
    const pair = await withAgent(h)
    const { merchant, agent } = pair
    const propose = async () =>
      h.as(agent, 'POST', SINGLE, transfer, { 'idempotency-key': `once-${transfer.reference}` })
    const transfer = order(agent, { amount: 250 })
    await dyingAt(
      h,
      'trail',
      async () => expect((await propose()).status).toBe(500),
      'fails',
      "new.what = 'transfers.initiate'",
    )
    expect([await money(h, merchant), (await queueOf(h, merchant)).length]).toMatchObject([HELD, 1])
    expect((await linesOf(h, pair)).map(({ what }) => what)).toEqual(['auth.login', 'approvals.ask'])
    expect((await propose()).json.responseBody).toMatchObject({ status: 'PENDING_AUTHORIZATION' })
    expect([await money(h, merchant), (await queueOf(h, merchant)).length]).toMatchObject([HELD, 1])
  })

  test('429 beyond sixty at once, without a line; the merchant’s other keys go on', async () => {
    const h = harness()
    const pair = await withAgent(h)
    const { merchant, agent } = pair
    await h.token(agent)
    const read = (who: TestMerchant) => h.as(who, 'GET', '/api/v1/banks')
    const answers = await Promise.all(Array.from({ length: AGENT_AT_ONCE * 2 }, () => read(agent)))
    const taken = answers.filter(({ status }) => status === 200).length
    expect(answers.filter(({ status }) => status === 429).length).toBe(answers.length - taken)
    expect(taken).toBeLessThan(AGENT_AT_ONCE + 30)
    expect(taken).toBeGreaterThan(AGENT_AT_ONCE - 2)
    expect(await linesOf(h, pair)).toHaveLength(taken + 1)
    expect((await read(merchant)).status).toBe(200)
  })
})
