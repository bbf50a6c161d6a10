// What the bank books for itself is in our books after the night, once, and explains its balance.
import { beforeAll, describe, expect, test } from 'vitest'
import { engineTx } from '#core/cells/cells.ts'
import { openBreaks, resolveAll } from '#features/bank/breaks/breaks.ts'
import { localDay } from '#kit/times.ts'
import { newSession } from '#test/bank/notices.ts'
import { breaks, brief, fault, night, noon } from '#test/features/settlements/reconciliation.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { type Harness, paid, useHarness } from '#test/kit/harness.ts'
import { bookHouseLines } from './house-bookings.ts'

const harness = useHarness({ settles: true })
beforeAll(() => noon(harness()))

const invent = async (h: Harness, kind: string, amount: string): Promise<string> => {
  const sessionId = newSession()
  await fault(h, { fault: 'invented', sessionId, amount, kind })
  return sessionId
}
const posted = (h: Harness, sessionId: string) =>
  h.sql(
    '01',
    `select f.kind, f.merchant_id::text as merchant, f.accounts::text[] as accounts, f.amounts::text[] as amounts
     from house_bookings h join transfers f on f.id = h.transfer_id where h.session_id = $1`,
    [sessionId],
  )

describe('a line that the bank booked for itself', () => {
  test.each([
    ['FEE', { kind: 'BANK_CHARGE', merchant: '0', accounts: ['6', '0'], amounts: ['-2688', '2688'] }],
    ['TAX', { kind: 'BANK_CHARGE', merchant: '0', accounts: ['6', '0'], amounts: ['-2688', '2688'] }],
    ['LEVY', { kind: 'BANK_CHARGE', merchant: '0', accounts: ['6', '0'], amounts: ['-2688', '2688'] }],
    ['CARD_SETTLEMENT', { kind: 'CARD_SETTLEMENT', merchant: '0', accounts: ['0', '1'], amounts: ['-2688', '2688'] }],
  ])('%s is posted in the night, leaves no break, and the balances agree', async (kind, wanted) => {
    const h = harness()
    const sessionId = await invent(h, kind, '26.88')
    await paid(h, h.merchants.main)
    await night(h)
    expect(await posted(h, sessionId)).toEqual([wanted])
    expect(await breaks(h, sessionId)).toEqual([])
    await noon(h)
    expect(await posted(h, sessionId)).toHaveLength(1)
    expect((await breaks(h)).filter(({ class: cls, status }) => cls === 'BALANCE' && status === 'OPEN')).toEqual([])
  })

  test('printed twice, it is posted once, and the other line is a break', async () => {
    const h = harness()
    const sessionId = newSession()
    for (const amount of ['50.00', '50.00']) await fault(h, { fault: 'invented', sessionId, amount, kind: 'LEVY' })
    await night(h)
    expect(await posted(h, sessionId)).toHaveLength(1)
    expect(brief(await breaks(h, sessionId))).toEqual(['DUPLICATE LEVY OPEN'])
  })

  test('booked by two workers at once, and after one that died in the middle: one posting', async () => {
    const h = harness()
    const sessionId = await invent(h, 'FEE', '10.75')
    let day = ''
    await dyingAt(h, 'transfers', async () => {
      day = await night(h)
    })
    expect(await posted(h, sessionId)).toEqual([])
    const { ctx } = h.gateway
    await Promise.all(Array.from({ length: 5 }, () => bookHouseLines(ctx, '01', { day, connector: 1 })))
    expect(await posted(h, sessionId)).toHaveLength(1)
    await noon(h)
    expect(await posted(h, sessionId)).toHaveLength(1)
    expect(await breaks(h, sessionId)).toEqual([])
  })

  test('a line that goes against its kind is booked as nothing: a person decides', async () => {
    const h = harness()
    const sessionId = newSession()
    await fault(h, { fault: 'invented', sessionId, amount: '70.00', kind: 'CREDIT' })
    await night(h)
    expect(brief(await breaks(h, sessionId))).toEqual(['MISSING_HERE OTHER OPEN'])
  })
})

test('a line that was left is not booked when its break ends, by a person, at the same moment', async () => {
  const h = harness()
  const sessionId = await invent(h, 'FEE', '31.00')
  const day = localDay(h.gateway.ctx.clock.now())
  const { ctx } = h.gateway
  await engineTx(ctx, '01', (t) =>
    openBreaks(ctx, t, day, [
      { class: 'MISSING_HERE', merchantId: 0n, kind: 'FEE', sessionId, bankKobo: 3_100n, ourKobo: null, says: 'left' },
    ]),
  )
  await dyingAt(h, 'house_bookings', async () => {
    await night(h)
  })
  expect(await posted(h, sessionId)).toEqual([])
  const [{ id }] = await h.sql('01', 'select id::text from recon_breaks where session_id = $1', [sessionId])
  const held = Promise.withResolvers<void>()
  const decided = Promise.withResolvers<void>()
  const closing = engineTx(ctx, '01', async (t) => {
    await resolveAll(t, [{ id: BigInt(id), merchantId: 0n, done: 'known' }])
    held.resolve()
    await decided.promise
  })
  await held.promise
  const booking = bookHouseLines(ctx, '01', { day, connector: 1 })
  // It has found the line, and waits for the row of its break.
  const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await h.until('the booking waits', async () => (await h.sql('01', waits)).length > 0)
  decided.resolve()
  await Promise.all([closing, booking])
  expect(await posted(h, sessionId)).toEqual([])
})
