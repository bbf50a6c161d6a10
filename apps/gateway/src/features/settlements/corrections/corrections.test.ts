// Breaks: given to somebody, closed, and corrected by two people; then our account at the bank is the bank's
// again. What a credit of nobody becomes is decided in suspense.
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseApproval } from '#kit/ids.ts'
import { newSession, notice, outcomeOf, tell } from '#test/bank/notices.ts'
import { actorOf, approveAs, doAct, rejectAs, show } from '#test/features/access/acts.ts'
import { money, newMerchant, sentTo } from '#test/features/payouts/disbursements.ts'
import { breaks, fault, noon } from '#test/features/settlements/reconciliation.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { advance, type Harness, paid, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { personIn } from '#test/people/sessions.ts'

const harness = useHarness({ settles: true })
const cell = '01'
const ada = actorOf('operator', 'finance', 'ada@cowrie.example')
const bola = actorOf('operator', 'finance', 'bola@cowrie.example')
const clerk = actorOf('operator', 'operations', 'clerk@cowrie.example')

/** The sessions of what the bank's statement has and our books have not. */
const scene = { charge: '', charge2: '', stranger: '', amount: '', twice: '', payout: '' }
let payer: TestMerchant

beforeAll(async () => {
  const h = harness()
  await noon(h)
  const { main } = h.merchants
  payer = await newMerchant(h)
  scene.charge = newSession()
  scene.charge2 = newSession()
  scene.stranger = newSession()
  await fault(h, { fault: 'invented', sessionId: scene.charge, amount: '11.00', kind: 'CHARGE' })
  await fault(h, { fault: 'invented', sessionId: scene.charge2, amount: '13.00', kind: 'CHARGE' })
  await fault(h, { fault: 'stranger', sessionId: scene.stranger, amount: '70.00', accountNumber: '0199999999' })
  scene.amount = (await paid(h, main)).sessionId
  scene.twice = (await paid(h, main)).sessionId
  await fault(h, { fault: 'amount', sessionId: scene.amount })
  await fault(h, { fault: 'duplicate', sessionId: scene.twice })
  const failed = await sentTo(h, payer, '0001')
  const [row] = await h.sql(cell, 'select session_id from disbursements where reference = $1', [failed.reference])
  scene.payout = row.session_id
  await fault(h, { fault: 'invented', sessionId: scene.payout, amount: '250.00', kind: 'PAYOUT' })
  await noon(h)
})

const breakOf = async (h: Harness, sessionId: string, cls?: string): Promise<string> => {
  const [row] = await h.sql(
    cell,
    `select id::text from recon_breaks where session_id = $1 and ($2::text is null or class = $2) and status = 'OPEN'`,
    [sessionId, cls ?? null],
  )
  return row?.id ?? 'none'
}
const resolve = (h: Harness, id: string, correction: string, amount: string, more: object = {}) =>
  doAct(h, ada, 'breaks.resolve', { cell, input: { id, correction, amount }, reason: 'letter of the bank', ...more })
/** One asks, another approves. */
const resolved = async (h: Harness, id: string, correction: string, amount: string, more: object = {}) => {
  const asked = await resolve(h, id, correction, amount, more)
  expect(asked.outcome).toBe('WAITING')
  return (await approveAs(h, bola, asked.reference)).reply.reply
}
const postings = (h: Harness, id: string) =>
  h.sql(cell, `select id, accounts, amounts from transfers where kind = 'CORRECTION' and object_id = $1`, [id])

describe('a break', () => {
  test('is listed, given to somebody, and shown with what corrects it', async () => {
    const h = harness()
    const id = await breakOf(h, scene.charge)
    const assign = (to: string) => doAct(h, clerk, 'breaks.assign', { cell, input: { id, to } })
    const { email: theirs } = await personIn(h, 'merchant', 'owner', { merchant: h.merchants.main })
    const { email: left } = await personIn(h, 'operator', 'finance')
    await h.sql(cell, `update memberships set ended_at = created_at where created_by = $1`, [left])
    for (const to of [theirs, left, 'nobody@cowrie.example'])
      await expect(assign(to), to).rejects.toMatchObject({ code: 'MEMBER_UNKNOWN' })
    await personIn(h, 'operator', 'finance', { email: bola.name })
    expect((await assign(bola.name.toUpperCase())).reply).toMatchObject({ assignedTo: bola.name })
    const { content } = await show(h, clerk, 'breaks.list', { cell, assignedTo: bola.name })
    expect(content).toMatchObject([{ id, class: 'MISSING_HERE', kind: 'CHARGE', assignedTo: bola.name, state: 'OPEN' }])
    const shown = await show(h, clerk, 'breaks.show', { cell, id })
    expect(shown).toMatchObject({ difference: '-11.00', corrections: ['BANK_CHARGE', 'FEES_OUT'], why: null })
    await expect(show(h, clerk, 'breaks.show', { cell, id: '99' })).rejects.toMatchObject({ code: 'BREAK_NOT_FOUND' })
  })

  test('is corrected by two people: one alone posts nothing; then one posting, with its approval', async () => {
    const h = harness()
    const id = await breakOf(h, scene.charge)
    await expect(
      doAct(h, clerk, 'breaks.resolve', { cell, input: { id, correction: 'BANK_CHARGE', amount: '11.00' } }),
    ).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    const refusals = [
      ['BANK_CHARGE', '10.00', 'CORRECTION_AMOUNT'],
      ['WRITE_OFF', '11.00', 'CORRECTION_NOT_ALLOWED'],
      ['TO_MERCHANT', '11.00', 'CORRECTION_NOT_ALLOWED'],
      ['BANK_CHARGE', 'much', 'AMOUNT_INVALID'],
    ] as const
    for (const [kind, amount, code] of refusals)
      await expect(resolve(h, id, kind, amount)).rejects.toMatchObject({ code })
    const would = await resolve(h, id, 'BANK_CHARGE', '11.00', { dryRun: true })
    const entries = [
      { account: 'bank', amount: '11.00' },
      { account: 'differences', amount: '-11.00' },
    ]
    expect(would).toMatchObject({ outcome: 'WOULD', reply: { posting: 'CORRECTION', entries } })
    const asked = await resolve(h, id, 'BANK_CHARGE', '11.00')
    expect(asked).toMatchObject({ outcome: 'WAITING', reply: null })
    await expect(approveAs(h, ada, asked.reference)).rejects.toMatchObject({ code: 'APPROVAL_OWN' })
    await expect(approveAs(h, clerk, asked.reference)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    expect(await postings(h, id)).toEqual([])
    // A process that dies between the posting and its approval leaves neither.
    await dyingAt(h, 'approved_postings', () =>
      expect(approveAs(h, bola, asked.reference)).rejects.toThrow('died here'),
    )
    expect([await postings(h, id), (await breaks(h, scene.charge))[0]?.status]).toEqual([[], 'OPEN'])
    expect((await approveAs(h, bola, asked.reference)).reply.reply).toMatchObject({
      correction: 'BANK_CHARGE',
      entries,
    })
    const [posted, ...more] = await postings(h, id)
    expect(more).toEqual([])
    const transfer = await show(h, clerk, 'transfers.show', { cell, id: posted.id })
    expect(transfer).toMatchObject({ kind: 'CORRECTION', object: 'recon_break', approval: asked.reference })
    expect(transfer.entries).toMatchObject([
      { kind: 'BANK', amount: '11.00' },
      { kind: 'DIFFERENCES', amount: '-11.00' },
    ])
    const [broken] = await breaks(h, scene.charge)
    expect([broken?.status, broken?.done]).toEqual(['RESOLVED', 'BANK_CHARGE: letter of the bank'])
    await expect(resolve(h, id, 'BANK_CHARGE', '11.00')).rejects.toMatchObject({ code: 'CORRECTION_NOT_ALLOWED' })
  })

  test('two approvals of one break, and many tries of each, at once: one posting', async () => {
    const h = harness()
    const id = await breakOf(h, scene.charge2)
    const asked = await Promise.all([0, 1].map(() => resolve(h, id, 'BANK_CHARGE', '13.00')))
    const tries = await Promise.allSettled(
      Array.from({ length: 12 }, (_, at) => approveAs(h, bola, asked[at % 2]?.reference ?? '')),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await postings(h, id)).toHaveLength(1)
    const { content } = await show(h, ada, 'approvals.list', { state: 'WAITING' })
    expect(content.filter(({ act }: { act: string }) => act === 'breaks.resolve')).toHaveLength(1)
  })

  test('an amount, a line twice and a payout that the bank made after all: written off, to and from a wallet', async () => {
    const h = harness()
    const { main } = h.merchants
    expect(await resolved(h, await breakOf(h, scene.amount), 'WRITE_OFF', '0.01')).toMatchObject({ amount: '0.01' })
    const before = await money(h, main)
    const twice = await breakOf(h, scene.twice, 'DUPLICATE')
    await expect(resolve(h, twice, 'TO_MERCHANT', '1500.00')).rejects.toMatchObject({ code: 'CORRECTION_NOT_ALLOWED' })
    await resolved(h, twice, 'TO_MERCHANT', '1500.00', { merchant: main })
    expect((await money(h, main)).wallet - before.wallet).toBe(150_000n)
    const held = await money(h, payer)
    const payout = await breakOf(h, scene.payout)
    await expect(resolve(h, payout, 'FROM_MERCHANT', '250.00', { merchant: main })).rejects.toMatchObject({
      code: 'CORRECTION_NOT_ALLOWED',
    })
    await resolved(h, payout, 'FROM_MERCHANT', '250.00')
    expect((await money(h, payer)).wallet - held.wallet).toBe(-25_000n)
  })

  test('a credit of nobody goes into suspense, and from there to a wallet, once; returning it at the same moment is refused', async () => {
    const h = harness()
    const id = await breakOf(h, scene.stranger)
    for (const kind of ['WRITE_OFF', 'BANK_CREDIT', 'TO_MERCHANT'])
      await expect(resolve(h, id, kind, '70.00')).rejects.toMatchObject({ code: 'CORRECTION_NOT_ALLOWED' })
    // Nor to a merchant whose it is said to be: its notice would count it again.
    await expect(resolve(h, id, 'TO_MERCHANT', '70.00', { merchant: payer })).rejects.toMatchObject({
      code: 'CORRECTION_NOT_ALLOWED',
    })
    await resolved(h, id, 'TO_SUSPENSE', '70.00')
    const { content } = await show(h, clerk, 'suspense.list', { cell })
    const item = content.find(({ sessionId }: { sessionId: string }) => sessionId === scene.stranger)
    expect(item).toMatchObject({ merchant: null, amount: '70.00', state: 'HELD', owner: 'operations' })
    const kept = await doAct(h, clerk, 'suspense.keep', { cell, input: { id: item.id, days: 20 } })
    expect(Date.parse(kept.reply.decideBy)).toBeGreaterThan(Date.parse(item.decideBy))
    const before = await money(h, payer)
    const input = { id: item.id }
    const [back, give] = await Promise.all([
      doAct(h, clerk, 'suspense.return', { cell, input }),
      doAct(h, clerk, 'suspense.reassign', { merchant: payer, input }),
    ])
    expect([back.outcome, give.outcome, (await money(h, payer)).wallet]).toEqual(['WAITING', 'WAITING', before.wallet])
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, (_, at) => approveAs(h, ada, (at % 2 ? back : give).reference)),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [row] = await h.sql(cell, 'select status from suspense_items where id = $1', [item.id])
    const gained = (await money(h, payer)).wallet - before.wallet
    expect(row.status === 'REASSIGNED' ? gained : gained + 7_000n).toBe(7_000n)
    await advance(h, 30)
  })

  test('409 WRONG_STATE when the bank’s notice of the credit is a moment faster than the decision; it is in suspense once', async () => {
    const h = harness()
    const sessionId = newSession()
    const credit = { sessionId, amount: '71.00', accountNumber: '0199999999' }
    await fault(h, { fault: 'stranger', ...credit })
    await noon(h)
    const id = await breakOf(h, sessionId)
    const asked = await resolve(h, id, 'TO_SUSPENSE', '71.00')
    const blocker = new pg.Client({ connectionString: h.databases[cell] })
    await blocker.connect()
    await blocker.query('begin')
    await blocker.query('select from recon_breaks where id = $1 for update', [id])
    const approving = approveAs(h, bola, asked.reference).then(
      () => 'DONE',
      (error: { code?: string }) => error.code,
    )
    // It has looked, found nothing, and waits for the row of its break.
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await h.until('the decision waits', async () => (await h.sql(cell, waits)).length > 0)
    const told = await tell(h, { ...notice(credit.accountNumber, credit.amount), ...credit })
    await blocker.query('rollback')
    await blocker.end()
    expect([outcomeOf(told), await approving]).toEqual(['SUSPENDED', 'WRONG_STATE'])
    expect(await h.sql(cell, 'select from suspense_items where bank_reference = $1', [sessionId])).toHaveLength(1)
    expect((await breaks(h, sessionId))[0]?.status).toBe('OPEN')
    const { state } = await show(h, ada, 'approvals.show', { reference: asked.reference })
    expect(state).toBe('WAITING')
    await rejectAs(h, bola, asked.reference)
    await doAct(h, clerk, 'breaks.close', { cell, input: { id }, reason: 'its notice arrived' })
    await advance(h, 30)
  })

  test('what needs no posting is closed with a reason; the balance at the bank is ours again', async () => {
    const h = harness()
    const late = (await paid(h, h.merchants.main)).sessionId
    await fault(h, { fault: 'late', sessionId: late })
    await noon(h)
    const id = await breakOf(h, late)
    await expect(resolve(h, id, 'WRITE_OFF', '1500.00')).rejects.toMatchObject({ code: 'CORRECTION_NOT_ALLOWED' })
    const close = (reason: string) => doAct(h, clerk, 'breaks.close', { cell, input: { id }, reason })
    await expect(close('')).rejects.toMatchObject({ code: 'FIELD_MISSING' })
    await close('the bank books it a day later')
    expect((await breaks(h, late))[0]).toMatchObject({ status: 'RESOLVED', done: 'the bank books it a day later' })
    await expect(close('again')).rejects.toMatchObject({ code: 'WRONG_STATE' })
    await noon(h)
    const left = await h.sql(cell, `select class, kind, says from recon_breaks where status = 'OPEN'`)
    expect(left).toEqual([])
    expect((await show(h, clerk, 'accounts.list', { cell })).content).toContainEqual(
      expect.objectContaining({ kind: 'DIFFERENCES', balance: '-23.99' }),
    )
  })
})

/** Money in suspense of a merchant, whose sender's account takes nothing back. */
async function heldFor(h: Harness, seller: TestMerchant, naira: number): Promise<any> {
  const { accountNumber } = await paid(h, seller)
  await h.pay(accountNumber, naira, { senderAccountNumber: '0123450009' })
  await advance(h, 5)
  const { content } = await show(h, clerk, 'suspense.list', { cell })
  return content.find(({ merchant }: { merchant: string }) => merchant === seller.apiKey)
}

describe('suspense of a merchant', () => {
  test('goes to a wallet of that merchant only; one alone moves nothing', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    const item = await heldFor(h, seller, 800)
    expect(item).toMatchObject({ state: 'HELD', reason: 'TRANSACTION_COMPLETED', amount: '800.00' })
    const input = { id: item.id }
    await expect(doAct(h, clerk, 'suspense.reassign', { merchant: payer, input })).rejects.toMatchObject({
      code: 'SUSPENSE_OF_ANOTHER',
    })
    const before = await money(h, seller)
    const would = await doAct(h, clerk, 'suspense.reassign', { merchant: seller, input, dryRun: true })
    expect(would.reply.entries[0]).toEqual({ account: 'suspense', amount: '-800.00' })
    const asked = await doAct(h, clerk, 'suspense.reassign', { merchant: seller, input })
    expect([asked.outcome, (await money(h, seller)).wallet]).toEqual(['WAITING', before.wallet])
    expect((await approveAs(h, ada, asked.reference)).reply.reply).toMatchObject({ state: 'REASSIGNED' })
    expect((await money(h, seller)).wallet - before.wallet).toBe(80_000n)
    await expect(doAct(h, clerk, 'suspense.return', { cell, input })).rejects.toMatchObject({ code: 'WRONG_STATE' })
  })

  test('a process that dies while it is given to a wallet leaves it held; approved again, it is there once', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    const item = await heldFor(h, seller, 900)
    const { reference } = await doAct(h, clerk, 'suspense.reassign', { merchant: seller, input: { id: item.id } })
    const before = (await money(h, seller)).wallet
    const now = async () => ({
      states: (
        await h.sql(
          cell,
          `select status from suspense_items where id = $1 union all select status from approvals where id = $2`,
          [item.id, parseApproval(reference ?? '')?.id],
        )
      ).map(({ status }: { status: string }) => status),
      postings: (
        await h.sql(cell, `select from transfers where kind = 'SUSPENSE_REASSIGN' and object_id = $1`, [item.id])
      ).length,
      gained: (await money(h, seller)).wallet - before,
    })
    const untouched = { states: ['HELD', 'WAITING'], postings: 0, gained: 0n }
    // In the order of the transaction: the item moves, the posting, the event, the approval of the posting,
    // the line in the trail.
    for (const table of ['state_changes', 'transfers', 'outbox', 'approved_postings', 'trail']) {
      await dyingAt(h, table, () => expect(approveAs(h, ada, reference)).rejects.toThrow('died here'))
      expect(await now(), `it failed at ${table}`).toEqual(untouched)
    }
    for (const table of ['transfers', 'trail']) {
      await dyingAt(h, table, () => expect(approveAs(h, ada, reference)).rejects.toBeInstanceOf(Error), 'killed')
      expect(await now(), `it was killed at ${table}`).toEqual(untouched)
    }
    await approveAs(h, ada, reference)
    const done = { states: ['REASSIGNED', 'EXECUTED'], postings: 1, gained: 90_000n }
    expect(await now()).toEqual(done)
    // Whoever was killed after the commit has no answer, and asks again.
    await expect(approveAs(h, ada, reference)).rejects.toMatchObject({ code: 'APPROVAL_OVER' })
    expect(await now()).toEqual(done)
  })
})
