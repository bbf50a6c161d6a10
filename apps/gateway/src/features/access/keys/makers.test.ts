// A key is no way around its maker: it may no more than the person who made it, and what it asks for, that
// person asked for.
import { describe, expect, test } from 'vitest'
import { needsSecondFactor } from '#features/access/people/known/persons.ts'
import { actorOf, approveAs, doAct, rejectAs, show } from '#test/features/access/acts.ts'
import { basic } from '#test/features/access/secret-keys.ts'
import { summary as batchSummary, rowTo, taken } from '#test/features/payouts/batches.ts'
import { mailsTo, money, newMerchant, sent, statusOf } from '#test/features/payouts/disbursements.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { advance, type Harness, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'
import { personIn } from '#test/people/sessions.ts'

const harness = useHarness()
const developer = () => actorOf('merchant', 'developer', `${unique('dev')}@team.example`)
const owner = () => actorOf('merchant', 'owner', `${unique('Own')}@team.example`)
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? 'no code',
  )
const SETTINGS = '/api/v1/disbursement-settings'
const careful = async (h: Harness, approvalAbove: number | null = 200): Promise<TestMerchant> => {
  const merchant = await newMerchant(h)
  if (approvalAbove !== null) await h.as(merchant, 'PUT', SETTINGS, { lowBalanceThreshold: null, approvalAbove })
  return merchant
}
const asKey = (merchant: TestMerchant, { apiKey, secretKey }: { apiKey: string; secretKey: string }): TestMerchant => ({
  ...merchant,
  apiKey,
  secretKey,
})
const queued = async (h: Harness, merchant: TestMerchant): Promise<any[]> =>
  (await show(h, owner(), 'approvals.list', { merchant: merchant.apiKey, state: 'WAITING' })).content

describe('a key can do no more than its maker', () => {
  test.each(['PAYOUTS', 'READ', 'COLLECTIONS', 'AGENT'])(
    'a developer’s key of scope %s waits for an owner; finance cannot approve it, and until then there is no key',
    async (scope) => {
      const h = harness()
      const merchant = await newMerchant(h)
      const asking = developer()
      const asked = await doAct(h, asking, 'keys.create', { merchant, input: { name: 'ci', scope } })
      expect(asked).toMatchObject({ outcome: 'WAITING', reply: null })
      expect(await show(h, asking, 'keys.list', { merchant: merchant.apiKey })).toEqual([])
      const tries = [asking, actorOf('merchant', 'finance'), developer()]
      for (const one of tries) expect(await codeOf(approveAs(h, one, asked.reference, { merchant }))).not.toBe('done')
      const boss = owner()
      const { reply } = await approveAs(h, boss, asked.reference, { merchant })
      expect(reply.reply).toMatchObject({ scope, createdBy: asking.name, secretKey: expect.any(String) })
      await advance(h, 5)
      const mails = await mailsTo(h, merchant)
      expect(mails[0]?.text).toContain(`made by ${asking.name} with the approval of ${boss.name}`)
    },
  )

  test('an owner, who may everything, makes one at once', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const done = await doAct(h, owner(), 'keys.create', { merchant, input: { name: 'ci', scope: 'PAYOUTS' } })
    expect(done.outcome).toBe('DONE')
  })

  test('in live whoever may make keys or lead notifications elsewhere needs a second factor', () => {
    const { ctx } = harness().gateway
    const needs = (role: string) => needsSecondFactor({ ...ctx, environment: 'live' }, 'merchant', role)
    expect(['owner', 'finance', 'developer', 'support', 'auditor'].map(needs)).toEqual([true, true, true, false, false])
  })
})

describe('a key counts as whoever made it', () => {
  test('an owner does not approve what a key of their own making asked for; somebody else does', async () => {
    const h = harness()
    const merchant = await careful(h)
    const [author, finance] = [owner(), actorOf('merchant', 'finance')]
    const made = await doAct(h, author, 'keys.create', { merchant, input: { name: 'mine', scope: 'PAYOUTS' } })
    const { reference } = await sent(h, asKey(merchant, made.reply), { amount: 250 })
    const [waiting] = await queued(h, merchant)
    expect(waiting).toMatchObject({ state: 'WAITING', requestedBy: { name: made.reply.apiKey }, mayApprove: true })
    const seen = await show(h, author, 'approvals.show', { merchant: merchant.apiKey, reference: waiting.reference })
    expect(seen.mayApprove).toBe(false)
    expect(await codeOf(approveAs(h, author, waiting.reference, { merchant }))).toBe('APPROVAL_OWN')
    await approveAs(h, finance, waiting.reference, { merchant })
    await advance(h, 5)
    expect(await statusOf(h, merchant, reference)).toBe('SUCCESS')
  })

  test('nor does the owner who approved the key and saw its secret, nor its maker after a rise; both may reject', async () => {
    const h = harness()
    const merchant = await careful(h)
    const [asking, boss] = [developer(), owner()]
    const asked = await doAct(h, asking, 'keys.create', { merchant, input: { name: 'ci', scope: 'PAYOUTS' } })
    const { reply } = await approveAs(h, boss, asked.reference, { merchant })
    await sent(h, asKey(merchant, reply.reply), { amount: 250 })
    const [{ reference }] = (await queued(h, merchant)) as [any]
    const risen = { ...actorOf('merchant', 'owner'), name: asking.name.toUpperCase(), personId: asking.personId }
    for (const one of [boss, risen])
      expect(await codeOf(approveAs(h, one, reference, { merchant }))).toBe('APPROVAL_OWN')
    await rejectAs(h, boss, reference, { merchant })
    expect(await money(h, merchant)).toMatchObject({ hold: 0n, paid: 0n })
  })

  test('the database holds it too', async () => {
    const h = harness()
    const merchant = await careful(h)
    const author = owner()
    const made = await doAct(h, author, 'keys.create', { merchant, input: { name: 'mine', scope: 'PAYOUTS' } })
    await sent(h, asKey(merchant, made.reply), { amount: 250 })
    const forged = h.sql(
      merchant.cell,
      `update approvals set status = 'EXECUTED', decided_at = created_at, decider_kind = 'person', decider_id = 1, decider_name = $2
       where concerns = $1 and status = 'WAITING'`,
      [merchant.apiKey, author.name],
    )
    await expect(forged).rejects.toThrow('approvals_two_people')
  })

  test('what an agent proposes below the merchant’s amount its maker may decide; above it somebody else must', async () => {
    const h = harness()
    const merchant = await careful(h)
    const author = owner()
    const made = await doAct(h, author, 'keys.create', { merchant, input: { name: 'desk', scope: 'AGENT' } })
    const agent = asKey(merchant, made.reply)
    await personIn(h, 'merchant', 'owner', { merchant })
    await sent(h, agent, { amount: 150 })
    await sent(h, agent, { amount: 250 })
    const [above, below] = (await queued(h, merchant)) as [any, any]
    expect(await codeOf(approveAs(h, author, above.reference, { merchant }))).toBe('APPROVAL_OWN')
    expect(await codeOf(approveAs(h, author, below.reference, { merchant }))).toBe('done')
  })

  test('what a key asked for is rejected when the key is ended, its money free; what others asked for stays', async () => {
    const h = harness()
    const merchant = await careful(h)
    const author = owner()
    const made = await doAct(h, author, 'keys.create', { merchant, input: { name: 'mine', scope: 'PAYOUTS' } })
    const byKey = [
      await sent(h, asKey(merchant, made.reply), { amount: 250 }),
      await sent(h, asKey(merchant, made.reply), { amount: 300 }),
    ]
    const batch = await taken(h, asKey(merchant, made.reply), [rowTo('7777', { amount: 201 })])
    const byPair = await sent(h, merchant, { amount: 400 })
    await doAct(h, author, 'keys.end', { merchant, input: { apiKey: made.reply.apiKey } })
    expect((await queued(h, merchant)).map(({ input }) => input.reference)).toEqual([byPair.reference])
    for (const { reference } of byKey) expect(await statusOf(h, merchant, reference)).toBe('EXPIRED')
    expect(await batchSummary(h, merchant, batch.batchReference)).toMatchObject({ batchStatus: 'EXPIRED' })
    expect(await money(h, merchant)).toMatchObject({ hold: 41_000n, paid: 0n })
    const { content } = await show(h, author, 'approvals.list', { merchant: merchant.apiKey, state: 'REJECTED' })
    expect(content).toHaveLength(3)
    expect(content[0]).toMatchObject({ decidedBy: { name: author.name } })
  })

  test('ended with the key pair it is the same; a process that dies ends no key without what it asked for', async () => {
    const h = harness()
    const merchant = await careful(h)
    const made = await doAct(h, owner(), 'keys.create', { merchant, input: { name: 'mine', scope: 'PAYOUTS' } })
    await sent(h, asKey(merchant, made.reply), { amount: 250 })
    const end = () =>
      h.call('DELETE', `/api/v1/auth/keys/${made.reply.apiKey}`, { headers: basic(merchant, merchant.secretKey) })
    await dyingAt(h, 'trail', async () => {
      expect((await end()).status).toBe(500)
    })
    const inForce = 'select from api_keys where api_key = $1 and ended_at is null'
    expect(await h.sql('01', inForce, [made.reply.apiKey])).toHaveLength(1)
    expect(await queued(h, merchant)).toHaveLength(1)
    expect((await end()).status).toBe(200)
    expect(await queued(h, merchant)).toEqual([])
    expect(await money(h, merchant)).toMatchObject({ hold: 0n, paid: 0n })
  })
})
