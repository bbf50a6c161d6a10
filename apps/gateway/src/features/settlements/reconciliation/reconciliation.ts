// Reconciliation: the bank's statement of a day is compared with our books, both ways.
//   00:30 of the next day → read, page by page (reading.ts) → the bank's own lines are booked → compared →
//     what can be followed automatically is → the balances (balance.ts)
// Killed anywhere and begun again, it goes on where it was. Days that were missed follow each other; each
// sees to the next day's timer.
// Books: nothing is posted here but what the bank books for itself (features/settlements/house-bookings).
// What another line makes necessary is done by the command that its notice would have called (follow.ts); the
// rest are breaks (features/bank/breaks). Who waits: the operator.
import type { BreakClass } from '@cowrie/contract/settlements/reconciliation'
import { schedule } from '#core/agenda.ts'
import { engineTx, readAll } from '#core/cells/cells.ts'
import { HOUSE } from '#core/ledger/chart.ts'
import {
  beginDays,
  DAY_TIMER,
  type Day,
  dayEnd,
  dayIn,
  dayStart,
  scheduleDay,
  shift,
} from '#core/routing/statement-days.ts'
import { type FoundBreak, openBreaks, resolveAll } from '#features/bank/breaks/breaks.ts'
import { findHolder } from '#features/collections/credits/credits.ts'
import { bookHouseLines } from '#features/settlements/house-bookings/house-bookings.ts'
import { followSweeps } from '#features/settlements/house-bookings/sweeps.ts'
import type { Ctx } from '#kit/ctx.ts'
import { Failure } from '#kit/fail.ts'
import { type CellId, FIRST_CONNECTOR_ID } from '#kit/ids.ts'
import { localDay } from '#kit/times.ts'
import { compareBalance } from './balance.ts'
import { reportCover } from './cover.ts'
import { follow, type Handlers } from './follow.ts'
import * as match from './match.sql.ts'
import { readDay } from './reading.ts'
import * as sql from './reconciliation.sql.ts'
import { toSpan } from './span.ts'

const FOLLOWED_TOGETHER = 50

// ---- days

/** The first day of a cell is the one it is started on; from then on every day sees to the next. */
export async function ensureDays(ctx: Ctx): Promise<void> {
  for (const cell of ctx.cells.keys()) {
    await engineTx(ctx, cell, (t) => beginDays(t, FIRST_CONNECTOR_ID))
  }
}

// ---- comparing

const notHere = (line: match.Compared, cls: BreakClass, says: string): FoundBreak => ({
  connector: line.connector,
  class: cls,
  merchantId: line.merchant_id ?? HOUSE,
  kind: line.kind,
  sessionId: line.session_id,
  bankKobo: line.kobo,
  ourKobo: line.our_kobo,
  says,
})

const otherAmount = (line: match.Compared): FoundBreak =>
  notHere(line, 'AMOUNT', 'The bank has booked a different amount than we have.')

/** What a line that we have not booked so is called. */
async function judged(handlers: Handlers, line: match.Compared): Promise<FoundBreak> {
  if (line.booked) return otherAmount(line)
  if (line.kind === 'REVERSAL' || line.kind === 'PAYOUT_REVERSAL')
    return notHere(line, 'REVERSAL', 'The bank has booked a reversal that we have not.')
  if (line.state !== null) return notHere(line, 'MISSING_HERE', `The bank has booked it; with us it is ${line.state}.`)
  if (line.kind === 'CREDIT' && !(await hasOwner(handlers, line)))
    return notHere(line, 'UNKNOWN_OWNER', 'The bank has booked it for an account that nobody owns.')
  return notHere(line, 'MISSING_HERE', 'The bank has booked it; our books do not have it.')
}

async function hasOwner({ credits }: Handlers, line: match.Compared): Promise<boolean> {
  const { bank_code: bankCode, account_number: accountNumber } = line
  if (bankCode === null || accountNumber === null) return false
  if (line.connector !== FIRST_CONNECTOR_ID) return true // who has a number of another bank is not asked by its number alone
  try {
    await findHolder(credits, { bankCode, accountNumber })
    return true
  } catch (error) {
    if (error instanceof Failure && error.code === 'ACCOUNT_UNKNOWN') return false
    throw error
  }
}

const ofNobody = (line: match.LineRow & { place?: number }, cls: BreakClass, says: string): FoundBreak => ({
  ...notHere({ ...line, source: null, merchant_id: null, our_kobo: null, state: null, booked: false }, cls, says),
  place: line.place ?? 1,
})

const notThere = (row: match.OursRow, connector: number, cls: BreakClass, says: string): FoundBreak => ({
  connector,
  class: cls,
  merchantId: row.merchant_id,
  kind: row.kind,
  sessionId: row.session_id,
  bankKobo: null,
  ourKobo: row.kobo,
  says,
})

async function compare(ctx: Ctx, cell: CellId, of: Day, handlers: Handlers): Promise<void> {
  const { day, connector } = of
  const span = toSpan(ctx, cell, connector, dayStart(day), dayEnd(day))
  const found: FoundBreak[] = []
  for (const line of await readAll(ctx, cell, (r) => match.listNotHere(r, of))) found.push(await judged(handlers, line))
  for (const line of await readAll(ctx, cell, (r) => match.listOfNoKind(r, of)))
    found.push(ofNobody(line, 'MISSING_HERE', 'The bank has booked it; our books have no such kind of line.'))
  for (const line of await readAll(ctx, cell, (r) => match.listTwice(r, of)))
    found.push(ofNobody(line, 'DUPLICATE', `The bank has booked it again, as line ${line.line} of ${day}.`))
  for (const row of await readAll(ctx, cell, (r) => match.listNotThere(r, span)))
    found.push(notThere(row, connector, 'TIMING', 'Our books have it; it is not on a bank statement yet.'))
  await engineTx(ctx, cell, async (t) => {
    await openBreaks(ctx, t, day, found)
    if (!(await sql.setMatched(t, of))) return
    const next = { day: shift(day, 1), connector }
    if (await sql.insertDay(t, next)) await scheduleDay(t, next)
  })
}

// ---- what resolves breaks automatically

/** What came late is no longer late, whatever its amount is: another amount is a break of its own, which the
 *  comparison of that day has opened. */
const foundWords = ({ found, found_kobo, our_kobo }: match.AwaitedRow): string =>
  found_kobo === our_kobo
    ? `On the statement of ${found}.`
    : `On the statement of ${found}, with another amount: see the break of the class AMOUNT.`

/** The bank's side: what was late is there now, or is missing for good. */
async function lookThere(ctx: Ctx, cell: CellId, { day, connector }: Day): Promise<void> {
  const awaited = await readAll(ctx, cell, (r) => match.listAwaited(r, connector))
  const found = awaited.filter((row) => row.found !== null)
  const missing = awaited.filter(
    (row) => row.found === null && row.class === 'TIMING' && row.day <= shift(day, -match.WINDOW_DAYS),
  )
  if (found.length + missing.length === 0) return
  await engineTx(ctx, cell, async (t) => {
    const end = (row: match.AwaitedRow, done: string) => ({ id: row.id, merchantId: row.merchant_id, done })
    await resolveAll(t, [
      ...found.map((row) => end(row, foundWords(row))),
      ...missing.map((row) => end(row, `On no statement up to ${day}: missing there.`)),
    ])
    const says = `We have it since ${match.WINDOW_DAYS} days; the bank has not.`
    const rows = missing.map((row) => ({ ...row, kobo: row.our_kobo ?? 0n }))
    await openBreaks(
      ctx,
      t,
      day,
      rows.map((row) => notThere(row, connector, 'MISSING_THERE', says)),
    )
  })
}

/** What our books have since, with another amount than the bank: now it is that which is wrong. */
async function passOn(ctx: Ctx, cell: CellId, lines: readonly match.Unbooked[]): Promise<void> {
  const done = 'In our books since, with another amount: see the break of the class AMOUNT.'
  for (const [day, group] of Map.groupBy(lines, (line) => line.day))
    await engineTx(ctx, cell, async (t) => {
      await resolveAll(
        t,
        group.map((line) => ({ id: line.id, merchantId: line.break_merchant_id, done })),
      )
      await openBreaks(ctx, t, day, group.map(otherAmount))
    })
}

/** Our side: what we have booked since; what the bank's word lets us book now. */
async function lookHere(ctx: Ctx, cell: CellId, handlers: Handlers): Promise<void> {
  const lines = await readAll(ctx, cell, (r) => match.listUnbooked(r))
  const ended = async (group: readonly match.Unbooked[], done: (line: match.Unbooked) => Promise<string | null>) => {
    const words = await Promise.all(group.map(done))
    const ends = group.flatMap((line, at) => {
      const said = words[at]
      return said ? [{ id: line.id, merchantId: line.break_merchant_id, done: said }] : []
    })
    if (ends.length > 0) await engineTx(ctx, cell, (t) => resolveAll(t, ends))
  }
  const [booked, open] = [lines.filter((line) => line.booked), lines.filter((line) => !line.booked)]
  const same = (line: match.Unbooked): boolean => line.kobo === line.our_kobo
  await ended(booked.filter(same), async () => 'In our books since.')
  await passOn(
    ctx,
    cell,
    booked.filter((line) => !same(line)),
  )
  // In the order in which the bank booked them, kind by kind: a credit before its reversal, a payout before
  // its reversal.
  for (const [, group] of [...Map.groupBy(open, ({ kind }) => ORDER.indexOf(kind))].sort(([a], [b]) => a - b)) {
    for (let at = 0; at < group.length; at += FOLLOWED_TOGETHER)
      await ended(group.slice(at, at + FOLLOWED_TOGETHER), (line) => follow(ctx, cell, handlers, line))
  }
}
const ORDER = ['CREDIT', 'RETURN', 'PAYOUT', 'DEBIT', 'REVERSAL', 'PAYOUT_REVERSAL']

/** Only of the day that has just ended: of an earlier one, too much has happened since. */
async function balances(ctx: Ctx, cell: CellId, { day, connector }: Day): Promise<void> {
  const now = ctx.clock.now()
  if (day !== shift(localDay(now), -1)) return
  await compareBalance(ctx, cell, { day, connector })
  if (connector === FIRST_CONNECTOR_ID) await reportCover(ctx, cell)
}

// ---- the day

/** Everything about one day; harmless when repeated. False when there is more to read. */
export async function reconcile(
  ctx: Ctx,
  cell: CellId,
  day: string,
  handlers: Handlers,
  connector = FIRST_CONNECTOR_ID,
): Promise<boolean> {
  const of = { day, connector }
  if (!(await readDay(ctx, cell, of))) return false
  await bookHouseLines(ctx, cell, of)
  await compare(ctx, cell, of, handlers)
  await lookThere(ctx, cell, of)
  await lookHere(ctx, cell, handlers)
  await followSweeps(ctx, cell, day)
  await balances(ctx, cell, of)
  return true
}

async function reconcileOwn(
  ctx: Ctx,
  cell: CellId,
  connector: number,
  subjects: readonly bigint[],
  handlers: Handlers,
): Promise<void> {
  for (const subject of subjects) {
    if (await reconcile(ctx, cell, dayIn(subject).day, handlers, connector)) continue
    await engineTx(ctx, cell, (t) => schedule(t, DAY_TIMER, HOUSE, subject, t.now))
  }
}

/** Days by their numbers on the agenda, the earliest first; one that has more to read comes again at once. */
export async function reconcileDays(
  ctx: Ctx,
  cell: CellId,
  days: readonly bigint[],
  handlers: Handlers,
): Promise<void> {
  const subjects = days.toSorted((a, b) => (a < b ? -1 : 1))
  const ofConnectors = Map.groupBy(subjects, (subject) => dayIn(subject).connector)
  const failed: unknown[] = []
  // A bank that is away holds up its own days, and no other bank's.
  for (const [connector, own] of ofConnectors)
    await reconcileOwn(ctx, cell, connector, own, handlers).catch((error: unknown) => failed.push(error))
  ctx.wake(cell)
  if (failed.length > 0) throw failed[0]
}
