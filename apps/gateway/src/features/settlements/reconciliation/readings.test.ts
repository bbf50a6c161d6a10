// A reading of the bank's statement is one attempt: what is refused leaves nothing that counts, whatever it
// said and however far it came.

import type { Statement, StatementLine } from '@cowrie/contract/bank/statement-connector'
import { beforeAll, expect, test } from 'vitest'
import { newSession, waiting } from '#test/bank/notices.ts'
import { behindPagingBank } from '#test/bank/paging-bank.ts'
import { breaks, brief, handlersOf, night, noon } from '#test/features/settlements/reconciliation.ts'
import { advance, type Harness, paid, status, useHarness } from '#test/kit/harness.ts'
import { reconcile } from './reconciliation.ts'

const harness = useHarness()
beforeAll(() => noon(harness()))

/** Past midnight, but before the worker looks: the day is over and not read yet. */
async function afterMidnight(h: Harness): Promise<string> {
  const [{ day }] = await h.sql('01', `select to_char(max(day), 'YYYY-MM-DD') as day from statement_days`)
  const midnight = Date.parse(`${day}T23:00:00Z`)
  await advance(h, Math.ceil((midnight - h.gateway.ctx.clock.now().getTime()) / 1000) + 60)
  return day
}
const dayRow = async (h: Harness, day: string) =>
  (await h.sql('01', `select * from statement_days where day = $1::date`, [day]))[0]
const booked = (h: Harness, day: string) =>
  h.sql('01', `select line, session_id, kobo::text from statement_booked where day = $1::date order by line`, [day])
const numbered = (lines: readonly StatementLine[]): StatementLine[] =>
  lines.map((line, at) => ({ ...line, line: at + 1 }))

/** Three payments and a lost notice of a fourth; their sessions. */
async function fourPayments(h: Harness) {
  const { main } = h.merchants
  const lost = await waiting(h, main)
  const { sessionId } = (await h.pay(lost.accountNumber, 1500, { scenario: 'lost' })).json
  for (let at = 0; at < 3; at += 1) await paid(h, main)
  return { lost, sessionId: sessionId as string }
}

test('a statement of several pages is read whole, and read on where a killed run stopped', async () => {
  const h = harness()
  const { lost, sessionId } = await fourPayments(h)
  const day = await afterMidnight(h)
  let allowed = 2 // pages
  const bank = await behindPagingBank(h, 1, (whole) => {
    if (allowed === 0) throw new Error('killed')
    allowed -= 1
    return whole
  })
  await expect(reconcile(bank.ctx, '01', day, handlersOf(h.gateway))).rejects.toThrow(
    'could not get the bank statement',
  )
  expect(await dayRow(h, day)).toMatchObject({ reading: 1, after: '2', lines: 2, read_at: null })
  expect(await booked(h, day)).toEqual([]) // half a statement is none
  allowed = 100
  expect(await reconcile(bank.ctx, '01', day, handlersOf(h.gateway))).toBe(true)
  expect(bank.asked.slice(0, 4)).toEqual([null, '1', '2', '3'])
  const lines = await booked(h, day)
  expect(lines.map(({ line }) => line)).toEqual(lines.map((_, at) => at + 1))
  // All of it is this cell's: nobody of another was paid.
  const incoming = lines.reduce((sum, { kobo }) => sum + BigInt(kobo), 0n)
  expect(await dayRow(h, day)).toMatchObject({
    ...{ reading: 1, lines: lines.length, own_lines: lines.length },
    ...{ in_kobo: String(incoming), out_kobo: '0', own_in_kobo: String(incoming), own_out_kobo: '0' },
  })
  expect(brief(await breaks(h, sessionId))).toEqual(['MISSING_HERE CREDIT RESOLVED'])
  expect((await status(h, h.merchants.main, lost.transactionReference)).paymentStatus).toBe('PAID')
  await bank.close()
  await noon(h)
})

test('a line beyond the totals of a refused statement is never credited', async () => {
  const h = harness()
  const made = await waiting(h, h.merchants.main, { amount: 7000 })
  await paid(h, h.merchants.main)
  const day = await afterMidnight(h)
  const garbled = newSession()
  const corrupt = (whole: Statement, asked: number): Statement => {
    if (asked > 0) return whole
    const line = { ...(whole.lines[0] as StatementLine), line: whole.count + 1, sessionId: garbled, amount: '7000.00' }
    return { ...whole, lines: [...whole.lines, { ...line, accountNumber: made.accountNumber }] }
  }
  const bank = await behindPagingBank(h, 5000, corrupt)
  const handlers = handlersOf(h.gateway)
  await expect(reconcile(bank.ctx, '01', day, handlers)).rejects.toThrow('other totals than its lines')
  expect(await dayRow(h, day)).toMatchObject({
    ...{ reading: 2, lines: 0, own_lines: 0, after: null, read_at: null },
    ...{ in_kobo: '0', out_kobo: '0', own_in_kobo: '0', own_out_kobo: '0' },
  })
  expect(await reconcile(bank.ctx, '01', day, handlers)).toBe(true)
  expect((await booked(h, day)).map(({ session_id }) => session_id)).not.toContain(garbled)
  expect(await breaks(h, garbled)).toEqual([])
  await night(h)
  expect((await status(h, h.merchants.main, made.transactionReference)).paymentStatus).toBe('EXPIRED')
  await bank.close()
  await noon(h)
})

test('a statement that grew while it was read is read anew: the line that was missing is credited, no other is doubled', async () => {
  const h = harness()
  const { lost, sessionId } = await fourPayments(h)
  const day = await afterMidnight(h)
  // The bank has not booked the first line yet when the first page is asked for; its totals are those of what
  // it shows.
  const corrupt = (whole: Statement, asked: number): Statement => {
    if (asked > 0) return whole
    const lines = numbered(whole.lines.filter((line) => line.sessionId !== sessionId))
    const amountIn = (Number(whole.amountIn) - 1500).toFixed(2)
    return { ...whole, lines, count: lines.length, amountIn }
  }
  const bank = await behindPagingBank(h, 2, corrupt)
  const handlers = handlersOf(h.gateway)
  await expect(reconcile(bank.ctx, '01', day, handlers)).rejects.toThrow('it changed while it was read')
  expect(await booked(h, day)).toEqual([])
  expect(await reconcile(bank.ctx, '01', day, handlers)).toBe(true)
  const lines = await booked(h, day)
  expect(new Set(lines.map(({ session_id }) => session_id)).size).toBe(lines.length)
  expect(lines.map(({ session_id }) => session_id)).toContain(sessionId)
  expect((await status(h, h.merchants.main, lost.transactionReference)).paymentStatus).toBe('PAID')
  expect((await breaks(h)).filter(({ class: cls }) => cls === 'DUPLICATE')).toEqual([])
  // The lines of the refused reading only take room; they go with the pages of the next.
  expect(await h.sql('01', 'select 1 from statement_lines where day = $1::date and reading = 1', [day])).toEqual([])
  await bank.close()
  await noon(h)
})

test('a statement whose totals are already those of a line it does not show yet is refused until it shows it', async () => {
  const h = harness()
  const { lost, sessionId } = await fourPayments(h)
  const day = await afterMidnight(h)
  const corrupt = (whole: Statement, asked: number): Statement =>
    asked > 1 ? whole : { ...whole, lines: numbered(whole.lines.filter((line) => line.sessionId !== sessionId)) }
  const bank = await behindPagingBank(h, 5000, corrupt)
  const handlers = handlersOf(h.gateway)
  for (let at = 0; at < 2; at += 1)
    await expect(reconcile(bank.ctx, '01', day, handlers)).rejects.toThrow('other totals than its lines')
  expect(await reconcile(bank.ctx, '01', day, handlers)).toBe(true)
  expect(brief(await breaks(h, sessionId))).toEqual(['MISSING_HERE CREDIT RESOLVED'])
  expect((await status(h, h.merchants.main, lost.transactionReference)).paymentStatus).toBe('PAID')
  await bank.close()
  await noon(h)
})

test('a statement whose amounts alone are wrong, or are none, is refused; a balance below zero is one', async () => {
  const h = harness()
  await fourPayments(h)
  const day = await afterMidnight(h)
  const handlers = handlersOf(h.gateway)
  const first = (over: Partial<StatementLine>) => (whole: Statement) => ({
    ...whole,
    lines: whole.lines.map((line, at) => (at === 0 ? { ...line, ...over } : line)),
  })
  for (const [corrupt, why] of [
    [first({ amount: '1.00' }), 'other totals than its lines'],
    [(whole: Statement) => ({ ...whole, amountOut: '1.00' }), 'other totals than its lines'],
    [(whole: Statement) => ({ ...whole, count: whole.count + 1 }), 'other totals than its lines'],
    [first({ amount: 'much' }), 'statement'],
    [first({ bookedAt: 'yesterday' }), 'statement'],
  ] as const) {
    const bank = await behindPagingBank(h, 5000, corrupt)
    await expect(reconcile(bank.ctx, '01', day, handlers), why).rejects.toThrow(why)
    await bank.close()
    expect(await booked(h, day)).toEqual([])
  }
  const bank = await behindPagingBank(h, 5000, (whole) => ({ ...whole, openingBalance: '-5.01' }))
  expect(await reconcile(bank.ctx, '01', day, handlers)).toBe(true)
  expect(await dayRow(h, day)).toMatchObject({ opening_kobo: '-501' })
  await bank.close()
  await noon(h)
})

test('pages that repeat, leave out or never end are refused', async () => {
  const h = harness()
  await fourPayments(h)
  const day = await afterMidnight(h)
  const handlers = handlersOf(h.gateway)
  for (const [corrupt, why] of [
    [(whole: Statement) => ({ ...whole, lines: whole.lines.toReversed() }), 'not in their order'],
    [
      (whole: Statement) => ({ ...whole, lines: whole.lines.map((line) => ({ ...line, line: 1 })) }),
      'not in their order',
    ],
  ] as const) {
    const bank = await behindPagingBank(h, 2, corrupt)
    await expect(reconcile(bank.ctx, '01', day, handlers)).rejects.toThrow(why)
    await bank.close()
  }
  const { ctx } = h.gateway
  let pages = 0
  const endless = async (asked: { date: string; after: string | null }) => {
    const outcome = await ctx.bank.statement(asked)
    pages += 1
    return outcome.kind === 'yes' ? { ...outcome, value: { ...outcome.value, lines: [], next: `x${pages}` } } : outcome
  }
  const connectors = { ...ctx.connectors, of: () => ({ ...ctx.bank, statement: endless }) }
  await expect(reconcile({ ...ctx, connectors }, '01', day, handlers)).rejects.toThrow('it has no end')
  await noon(h)
})
