// Reading the bank's statement of a day, page by page, and going on where a run that was killed stopped.
//   page → held against what the statement said of itself on its first page → kept → … → the whole held
//     against those totals → read
// A reading is one attempt with its own lines. What is refused, because it changed while it was read or
// because its lines are not what it says, is begun anew as the next attempt; its lines are of no reading that
// counts, and nothing ever looks at them (statement_booked).

import {
  OTHER_KIND,
  STATEMENT_KINDS,
  type Statement,
  type StatementKind,
  type StatementLine,
} from '@cowrie/contract/bank/statement-connector'
import { parseNaira } from '@cowrie/contract/kit/money'
import { engineTx, firstCell, readAll } from '#core/cells/cells.ts'
import { bankFor } from '#core/routing/routing.ts'
import type { Day } from '#core/routing/statement-days.ts'
import { cellsOfNumbers } from '#core/routing/stock.ts'
import { monotonicMs } from '#kit/clock.ts'
import type { Ctx } from '#kit/ctx.ts'
import { type CellId, cellOfPayoutSession, FIRST_CONNECTOR_ID } from '#kit/ids.ts'
import { sessionsNamed } from './names.ts'
import * as sql from './reconciliation.sql.ts'

/** Then the rest is left to the next run, so that one run stays within its lease. */
const READING_MS = 8_000
/** Lines of refused readings that are deleted with each page. */
const FORGOTTEN_TOGETHER = 10_000

/** Lines are of the cell that their account names, or, for what we ordered, their session: the account of a
 *  debit is the customer's, and says nothing of cells. */
async function oursOf(
  ctx: Ctx,
  cell: CellId,
  connector: number,
  lines: readonly StatementLine[],
): Promise<readonly StatementLine[]> {
  if (ctx.cells.size === 1) return lines
  const accounts = lines.map(({ accountNumber, bankCode }) => ({
    accountNumber: accountNumber ?? '',
    bankCode: bankCode ?? '',
  }))
  const ranged = connector === FIRST_CONNECTOR_ID && !ctx.connectors.all[0].issues()
  const cells = ranged
    ? accounts.map((one) => ctx.ranges.known(one.bankCode, one.accountNumber))
    : await cellsOfNumbers(ctx, accounts)
  return lines.filter(({ kind, sessionId, ofSessionId, accountNumber }, at) => {
    const isOrdered = accountNumber === null || kind === 'DEBIT' || ofSessionId === sessionId
    const named = isOrdered ? cellOfPayoutSession(ctx.institution, sessionId) : (cells[at] ?? null)
    return named !== null && ctx.cells.has(named) ? named === cell : firstCell(ctx) === cell
  })
}

const OF_PAYOUTS: ReadonlySet<string> = new Set(['PAYOUT', 'PAYOUT_REVERSAL'] satisfies StatementKind[])

/** A payout that the statement calls by the network's name has our session from here on. With several cells a
 *  line whose reference has the form of our sessions says itself which cell it is of, so it is left as it
 *  is. */
async function underOurSessions(
  ctx: Ctx,
  cell: CellId,
  connector: number,
  lines: readonly StatementLine[],
): Promise<readonly StatementLine[]> {
  const mayBeTheirs = (reference: string): boolean =>
    ctx.cells.size === 1 || cellOfPayoutSession(ctx.institution, reference) === null
  const references = lines.flatMap(({ kind, sessionId }) =>
    OF_PAYOUTS.has(kind) && mayBeTheirs(sessionId) ? [sessionId] : [],
  )
  const sessions = await sessionsNamed(ctx, cell, connector, references)
  if (sessions.size === 0) return lines
  return lines.map((line) => {
    const sessionId = OF_PAYOUTS.has(line.kind) ? sessions.get(line.sessionId) : undefined
    return sessionId === undefined ? line : { ...line, sessionId }
  })
}

const unreadable = (what: string): never => {
  throw new Error(`bank statement rejected: ${what}`)
}
/** Amounts of the protocol are never below zero; a balance may be. */
const koboOf = (text: string): bigint => {
  const kobo = text.startsWith('-') ? parseNaira(text.slice(1)) : parseNaira(text)
  if (kobo === null) return unreadable('an amount is not an amount')
  return text.startsWith('-') ? 0n - kobo : kobo
}

const momentOf = (text: string): string =>
  Number.isNaN(Date.parse(text)) ? unreadable('a time of booking is not a time') : text

/** A credit that goes out is not one: what its kind would book is wrong, so a person looks at it. */
const kindOf = ({ kind, direction }: StatementLine): string => {
  const way = (STATEMENT_KINDS as Readonly<Record<string, string>>)[kind]
  return way === undefined || way === direction ? kind : OTHER_KIND
}

const newLine = (line: StatementLine): sql.NewLine => ({
  line: line.line,
  kind: kindOf(line),
  direction: line.direction,
  session_id: line.sessionId,
  of_session_id: line.ofSessionId,
  kobo: String(koboOf(line.amount)),
  booked_at: momentOf(line.bookedAt),
  day_only: line.dayOnly === true,
  bank_code: line.bankCode,
  account_number: line.accountNumber,
  sender_name: line.sender?.name ?? null,
  sender_account_number: line.sender?.accountNumber ?? null,
  sender_bank_code: line.sender?.bankCode ?? null,
  says: line.text,
  acquirer: line.kind === 'CARD_SETTLEMENT' ? (line.acquirer ?? null) : null,
})

const sumOf = (lines: readonly StatementLine[], direction: string): bigint =>
  lines.filter((line) => line.direction === direction).reduce((sum, line) => sum + koboOf(line.amount), 0n)
const balanceOf = (text: string | null | undefined): bigint | null => (typeof text === 'string' ? koboOf(text) : null)

const saidOn = (page: Statement) => ({
  said_lines: page.count,
  said_in_kobo: koboOf(page.amountIn),
  said_out_kobo: koboOf(page.amountOut),
  opening_kobo: balanceOf(page.openingBalance),
  closing_kobo: balanceOf(page.closingBalance),
})

/** How far the day is with this page. */
const withPage = (ctx: Ctx, before: sql.DayRow, page: Statement, ours: readonly StatementLine[]): sql.DayRow => ({
  ...before,
  ...saidOn(page),
  after: page.next,
  lines: before.lines + page.lines.length,
  in_kobo: before.in_kobo + sumOf(page.lines, 'IN'),
  out_kobo: before.out_kobo + sumOf(page.lines, 'OUT'),
  own_lines: before.own_lines + ours.length,
  own_in_kobo: before.own_in_kobo + sumOf(ours, 'IN'),
  own_out_kobo: before.own_out_kobo + sumOf(ours, 'OUT'),
  read_at: page.next === null ? ctx.clock.now() : null,
})

/** Why a page cannot be taken; null when it can. */
function faultOf(before: sql.DayRow, page: Statement, after: sql.DayRow): string | null {
  const said = saidOn(page)
  if (before.lines > 0 && Object.entries(said).some(([name, value]) => before[name as keyof sql.DayRow] !== value))
    return 'it changed while it was read'
  if (page.lines.some(({ line }, at) => line !== before.lines + at + 1)) return 'its lines are not in their order'
  if (page.next !== null && (page.lines.length === 0 || page.next === before.after)) return 'it has no end'
  if (after.read_at === null) return null
  const isWhole =
    after.lines === said.said_lines && after.in_kobo === said.said_in_kobo && after.out_kobo === said.said_out_kobo
  return isWhole ? null : 'it has other totals than its lines'
}

const begunAnew = ({ day, connector, reading }: sql.DayRow): sql.DayRow => ({
  day,
  connector,
  reading: reading + 1,
  after: null,
  read_at: null,
  opening_kobo: null,
  closing_kobo: null,
  said_lines: null,
  said_in_kobo: null,
  said_out_kobo: null,
  lines: 0,
  in_kobo: 0n,
  out_kobo: 0n,
  own_lines: 0,
  own_in_kobo: 0n,
  own_out_kobo: 0n,
})

/** Keeps one page and how far that is, or begins anew. */
async function keepPage(ctx: Ctx, cell: CellId, before: sql.DayRow, page: Statement): Promise<void> {
  const ours = await oursOf(
    ctx,
    cell,
    before.connector,
    await underOurSessions(ctx, cell, before.connector, page.lines),
  )
  const after = withPage(ctx, before, page, ours)
  const fault = faultOf(before, page, after)
  await engineTx(ctx, cell, async (t) => {
    const now = await sql.lockDay(t, before)
    const isOvertaken = !now || now.read_at !== null || now.reading !== before.reading || now.after !== before.after
    if (isOvertaken) return // somebody else has read on
    if (fault === null && ours.length > 0) await sql.insertLines(t, before, ours.map(newLine))
    await sql.setRead(t, fault === null ? after : begunAnew(before))
    if (before.reading > 1) await sql.forgetRefused(t, before, FORGOTTEN_TOGETHER)
  })
  if (fault !== null) unreadable(fault)
}

/** Reads on; false when there is more to read than one run may take. */
export async function readDay(ctx: Ctx, cell: CellId, of: Day): Promise<boolean> {
  const until = monotonicMs() + READING_MS
  const { day } = of
  const bank = await bankFor(ctx, cell, of.connector)
  for (;;) {
    const row = await readAll(ctx, cell, (r) => sql.findDay(r, of))
    if (!row) throw new Error(`the bank statement of ${day} is not waiting to be read`)
    if (row.read_at !== null) return true
    if (monotonicMs() > until) return false
    const outcome = await bank.statement({ date: day, after: row.after })
    if (outcome.kind !== 'yes') throw new Error(`could not get the bank statement of ${day}: ${outcome.why}`)
    await keepPage(ctx, cell, row, outcome.value)
  }
}
