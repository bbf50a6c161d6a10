// What ends a difference takes two people: closing it, correcting it, undoing that, and paying out of our own
// accounts what they hold.
import { beforeAll, describe, expect, test } from 'vitest'
import { readAll } from '#core/cells/cells.ts'
import { type AccountKind, houseAccount } from '#core/ledger/chart.ts'
import { balance } from '#core/ledger/ledger.ts'
import { newSession } from '#test/bank/notices.ts'
import { actorOf, approveAs, doAct, show } from '#test/features/access/acts.ts'
import { vended } from '#test/features/payouts/bills.ts'
import { newMerchant, sent, sentTo } from '#test/features/payouts/disbursements.ts'
import { fault, heal, night, noon } from '#test/features/settlements/reconciliation.ts'
import { walletOf } from '#test/features/wallets/wallets.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { advance, type Harness, paid, useHarness } from '#test/kit/harness.ts'

const harness = useHarness({ settles: true })
const cell = '01'
const ada = actorOf('operator', 'finance', 'ada@cowrie.example')
const bola = actorOf('operator', 'finance', 'bola@cowrie.example')
const clerk = actorOf('operator', 'operations', 'clerk@cowrie.example')
beforeAll(() => noon(harness()))

const house = (h: Harness, kind: AccountKind): Promise<bigint> =>
  readAll(h.gateway.ctx, cell, (r) => balance(r, houseAccount(kind)))
const open = (h: Harness, cls: string): Promise<{ id: string; session_id: string }[]> =>
  h.sql(cell, `select id::text, session_id from recon_breaks where class = $1 and status = 'OPEN' order by id`, [cls])
const breakOf = async (h: Harness, sessionId: string, cls?: string): Promise<any> => {
  const of =
    'select id::text, class, status, done from recon_breaks where session_id = $1 and ($2::text is null or class = $2)'
  return (await h.sql(cell, `${of} order by id desc`, [sessionId, cls ?? null]))[0]
}
const invent = async (h: Harness, kind: string, amount: string, sessionId = newSession()): Promise<string> => {
  await fault(h, { fault: 'invented', sessionId, amount, kind })
  return sessionId
}
const ask = (h: Harness, id: string, correction: string, amount: string, more: object = {}) =>
  doAct(h, ada, 'breaks.resolve', { cell, input: { id, correction, amount }, ...more })
const corrected = async (h: Harness, id: string, correction: string, amount: string, more: object = {}) =>
  (await approveAs(h, bola, (await ask(h, id, correction, amount, more)).reference)).reply.reply
const askUndo = async (h: Harness, id: string): Promise<string | null> =>
  (await doAct(h, ada, 'breaks.undo', { cell, input: { id }, reason: 'the bank booked it' })).reference
const shown = (h: Harness, id: string) => show(h, ada, 'breaks.show', { cell, id })

describe('a break with a difference', () => {
  test('is closed by two only; what is left of it at the bank is written off by two, and the nights are quiet', async () => {
    const h = harness()
    const session = await invent(h, 'CHARGE', '750.00')
    await noon(h)
    const { id } = await breakOf(h, session)
    const close = (more: object = {}) =>
      doAct(h, clerk, 'breaks.close', { cell, input: { id }, reason: 'known', ...more })
    await expect(close({ provedAt: null })).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED' })
    const asked = await close()
    expect([asked.outcome, (await breakOf(h, session)).status]).toEqual(['WAITING', 'OPEN'])
    await expect(approveAs(h, clerk, asked.reference)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    await approveAs(h, bola, asked.reference)
    expect(await breakOf(h, session)).toMatchObject({ status: 'RESOLVED', done: 'known' })
    await noon(h)
    const [left] = await open(h, 'BALANCE')
    expect(await shown(h, left?.id ?? '')).toMatchObject({ difference: '-750.00', corrections: ['WRITE_OFF'] })
    await expect(ask(h, left?.id ?? '', 'WRITE_OFF', '749.00')).rejects.toMatchObject({ code: 'CORRECTION_AMOUNT' })
    const before = await house(h, 'DIFFERENCES')
    await corrected(h, left?.id ?? '', 'WRITE_OFF', '750.00')
    expect((await house(h, 'DIFFERENCES')) - before).toBe(-75_000n)
    await noon(h)
    expect(await open(h, 'BALANCE')).toEqual([])
  })

  test('of a line that is there three times: each of the two that are too many has one', async () => {
    const h = harness()
    const session = newSession()
    for (const amount of ['20.00', '21.00', '22.00']) await invent(h, 'CHARGE', amount, session)
    await noon(h)
    const often = `select id::text from recon_breaks where session_id = $1 and class = 'DUPLICATE' order by place`
    const twice = await h.sql(cell, often, [session])
    expect(twice).toHaveLength(2)
    for (const [at, { id }] of twice.entries()) {
      const amount = ['21.00', '22.00'][at] as string
      expect(await shown(h, id)).toMatchObject({ difference: `-${amount}` })
      await corrected(h, id, 'WRITE_OFF', amount)
    }
    await corrected(h, (await breakOf(h, session, 'MISSING_HERE')).id, 'BANK_CHARGE', '20.00')
    await noon(h)
    expect(await open(h, 'BALANCE')).toEqual([])
  })

  test('of a sweep that never arrived: what is on its way is written off, and no break comes back', async () => {
    const h = harness()
    const session = await invent(h, 'SWEEP_OUT', '90.00')
    for (let at = 0; at < 5; at += 1) await noon(h)
    const { id, class: cls } = await breakOf(h, session)
    expect([cls, await house(h, 'SWEEPS')]).toEqual(['TRANSIT', -9_000n])
    expect(await shown(h, id)).toMatchObject({ difference: '-90.00', corrections: ['WRITE_OFF'] })
    await corrected(h, id, 'WRITE_OFF', '90.00')
    expect(await house(h, 'SWEEPS')).toBe(0n)
    await noon(h)
    expect([...(await open(h, 'TRANSIT')), ...(await open(h, 'BALANCE'))]).toEqual([])
  })
})

describe('a correction', () => {
  test('that the bank proves wrong is undone by two, once; its break is open again, and the statement ends it', async () => {
    const h = harness()
    const one = await paid(h, h.merchants.main, { amount: 2_500 })
    await fault(h, { fault: 'missing', sessionId: one.sessionId })
    for (let at = 0; at < 4; at += 1) await noon(h)
    const { id } = await breakOf(h, one.sessionId, 'MISSING_THERE')
    await expect(askUndo(h, id)).rejects.toMatchObject({ code: 'WRONG_STATE' })
    const before = await house(h, 'DIFFERENCES')
    await corrected(h, id, 'WRITE_OFF', '2500.00')
    await heal(h)
    await fault(h, {
      ...{ fault: 'stranger', sessionId: one.sessionId, amount: '2500.00', accountNumber: one.accountNumber },
    })
    await noon(h)
    expect(await open(h, 'BALANCE')).toHaveLength(1)
    const asked = await Promise.all([askUndo(h, id), askUndo(h, id)])
    await expect(approveAs(h, ada, asked[0])).rejects.toMatchObject({ code: 'APPROVAL_OWN' })
    for (const table of ['transfers', 'corrections_undone', 'approved_postings'])
      await dyingAt(h, table, () => expect(approveAs(h, bola, asked[0]), table).rejects.toThrow('died here'))
    expect(await breakOf(h, one.sessionId, 'MISSING_THERE')).toMatchObject({ status: 'RESOLVED' })
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, (_, at) => approveAs(h, bola, asked[at % 2] ?? null)),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect([await house(h, 'DIFFERENCES'), (await breakOf(h, one.sessionId, 'MISSING_THERE')).status]).toEqual([
      before,
      'OPEN',
    ])
    await noon(h)
    expect((await breakOf(h, one.sessionId, 'MISSING_THERE')).done).toMatch(/^On the statement of /)
    expect(await open(h, 'BALANCE')).toEqual([])
  })

  test('out of a wallet gives it back; into one takes it back, and what is gone is owed', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 1_000 })
    const failed = await sentTo(h, merchant, '0001', { amount: 700 })
    const [row] = await h.sql(cell, 'select session_id from disbursements where reference = $1', [failed.reference])
    await invent(h, 'PAYOUT', '700.00', row.session_id)
    const one = await paid(h, h.merchants.main, { amount: 600 })
    await fault(h, { fault: 'duplicate', sessionId: one.sessionId })
    await noon(h)
    const { id } = await breakOf(h, row.session_id)
    await corrected(h, id, 'FROM_MERCHANT', '700.00')
    expect(await walletOf(h, merchant)).toBe(300)
    await approveAs(h, bola, await askUndo(h, id))
    expect(await walletOf(h, merchant)).toBe(1_000)
    const twice = await breakOf(h, one.sessionId, 'DUPLICATE')
    await corrected(h, twice.id, 'TO_MERCHANT', '600.00', { merchant })
    await sent(h, merchant, { amount: 1_500 })
    await approveAs(h, bola, await askUndo(h, twice.id))
    const [debt] = await h.sql(cell, 'select balance_kobo::text from accounts where id = $1::bigint * 16 + 13', [
      merchant.id,
    ])
    expect([await walletOf(h, merchant), debt.balance_kobo]).toEqual([0, '-51000'])
    // Corrected again, it is over.
    await corrected(h, id, 'FROM_MERCHANT', '700.00')
    await corrected(h, twice.id, 'WRITE_OFF', '600.00')
  })
})

test('what billers are owed, and fees that are ours, leave our account by two, and never more than there is', async () => {
  const h = harness()
  await vended(h, h.merchants.main)
  await advance(h, 30)
  const owed = await house(h, 'BILLERS')
  const naira = (kobo: bigint): string => `${kobo / 100n}.${String(kobo % 100n).padStart(2, '0')}`
  const [first, second] = [await invent(h, 'TO_A_BILLER', naira(owed)), await invent(h, 'TO_A_BILLER', naira(owed))]
  const fee = await invent(h, 'TO_OURSELVES', '0.50')
  const far = await invent(h, 'TO_OURSELVES', '9000000.00')
  await noon(h)
  const ids = [(await breakOf(h, first)).id, (await breakOf(h, second)).id]
  expect((await shown(h, ids[0])).corrections).toContain('TO_BILLERS')
  expect((await shown(h, (await breakOf(h, far)).id)).corrections).toEqual(['BANK_CHARGE'])
  const asked = await Promise.all(ids.map((id) => ask(h, id, 'TO_BILLERS', naira(owed))))
  const tries = await Promise.allSettled(asked.map(({ reference }) => approveAs(h, bola, reference)))
  expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await house(h, 'BILLERS')).toBe(0n)
  const earned = await house(h, 'FEE_INCOME')
  await corrected(h, (await breakOf(h, fee)).id, 'FEES_OUT', '0.50')
  expect((await house(h, 'FEE_INCOME')) - earned).toBe(-50n)
  await night(h)
  expect(await open(h, 'BALANCE')).toEqual([])
})
