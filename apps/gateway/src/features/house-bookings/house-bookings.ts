// House bookings: what the bank books on our account for reasons of its own, and what a card scheme pays us.
//   line of a statement: FEE, TAX, LEVY → bank costs        CARD_SETTLEMENT → card receivable
// Nobody sends a notice of them and no merchant is touched. The line itself is the cause, so it is posted when the statement of its day
// has been read, before that is compared (features/reconciliation), and once: kind and session are the key of its row, in the same
// commit. Books: BANK_CHARGE moves bank → bank costs, CARD_SETTLEMENT moves what an acquirer owes us → bank. Who waits: nobody; the operator
// for a settlement that does not say whose it is, where several connectors charge cards.
import { cellOf, engineTx, readAll } from '../../core/cells/cells.ts'
import { bankAccount, cardReceivable, HOUSE, houseAccount } from '../../core/ledger/chart.ts'
import { type Entry, type Posting, post } from '../../core/ledger/ledger.ts'
import { acquirersOf, numberOf, settlingConnector } from '../../core/routing/routing.ts'
import type { Ctx, Tx } from '../../kit/ctx.ts'
import { type CellId, FIRST_CONNECTOR_ID, idsFrom } from '../../kit/ids.ts'
import { resolveAll } from '../breaks/breaks.ts'
import * as sql from './house-bookings.sql.ts'

/** The posting that each kind of line makes. */
const POSTED_AS = {
  FEE: 'BANK_CHARGE',
  TAX: 'BANK_CHARGE',
  LEVY: 'BANK_CHARGE',
  CARD_SETTLEMENT: 'CARD_SETTLEMENT',
} as const satisfies Record<sql.HouseKind, string>
export const HOUSE_LINES = Object.keys(POSTED_AS) as readonly sql.HouseKind[]

const entriesOf = ({ kind, kobo, connector, acquirer }: sql.Booking): readonly Entry[] =>
  kind === 'CARD_SETTLEMENT'
    ? [
        { account: bankAccount(connector), kobo: -kobo },
        { account: cardReceivable(acquirer ?? FIRST_CONNECTOR_ID), kobo },
      ]
    : [
        { account: houseAccount('BANK_COSTS'), kobo: -kobo },
        { account: bankAccount(connector), kobo },
      ]

const postingOf = (line: sql.Booking): Posting => ({
  id: line.transfer_id,
  merchantId: HOUSE,
  kind: POSTED_AS[line.kind],
  object: 'house_booking',
  objectId: line.transfer_id,
  entries: entriesOf(line),
})

/** Whose debt card settlements of a statement pay: by the name that a line has, '' where it has none. One that is missing here is booked
 *  by nobody, and the comparison finds it. */
type Acquirers = ReadonlyMap<string, string>
async function acquirers(ctx: Ctx, cell: CellId, connector: number): Promise<Acquirers> {
  const names = await acquirersOf(ctx, cell)
  const unnamed = await settlingConnector(ctx, cell, connector)
  return new Map([...names.map((name) => [name, name] as const), ...(unnamed === null ? [] : [['', unnamed] as const])])
}

async function acquirerOf(ctx: Ctx, cell: CellId, all: Acquirers, line: sql.HouseLine): Promise<number | null> {
  const name = line.kind === 'CARD_SETTLEMENT' ? all.get(line.named ?? '') : undefined
  return name === undefined ? null : numberOf(ctx, cell, name)
}

/** A bank may charge each transfer of a day by a line of its own. */
const TOGETHER = 1_000

async function bookingsOf<Line extends sql.HouseLine>(
  ctx: Ctx,
  cell: CellId,
  known: Acquirers,
  lines: readonly Line[],
): Promise<(Line & sql.Booking)[]> {
  const next = idsFrom(await cellOf(ctx, cell).takeIds(lines.length))
  const bookings: (Line & sql.Booking)[] = []
  for (const line of lines)
    bookings.push({ ...line, transfer_id: next(), acquirer: await acquirerOf(ctx, cell, known, line) })
  return bookings
}

/** Those that were booked meanwhile are left alone. */
async function book(t: Tx, bookings: readonly sql.Booking[]): Promise<void> {
  const booked = await sql.insert(t, bookings)
  const postings = bookings.filter(({ transfer_id }) => booked.has(transfer_id)).map(postingOf)
  if (postings.length > 0) await post(t, postings)
}

/** What was left to a person and is clear now, because the settings name its acquirer, or this version knows its kind. Its break ends in the
 *  same commit, so that nobody corrects it as well. */
async function bookLeft(ctx: Ctx, cell: CellId, connector: number, known: Acquirers): Promise<void> {
  const lines = await readAll(ctx, cell, (r) => sql.listLeft(r, connector, HOUSE_LINES, [...known.keys()]))
  if (lines.length === 0) return
  for (const booking of await bookingsOf(ctx, cell, known, lines))
    await engineTx(ctx, cell, async (t) => {
      const ended = await resolveAll(t, [
        { id: booking.break_id, merchantId: HOUSE, done: 'Booked from the statement.' },
      ])
      if (ended.size > 0) await book(t, [booking])
    })
}

/** Books the lines of a day that are the bank's own, and earlier ones that had to wait; those that are booked already are left alone. */
export async function bookHouseLines(
  ctx: Ctx,
  cell: CellId,
  of: { readonly day: string; readonly connector: number },
): Promise<void> {
  const known = await acquirers(ctx, cell, of.connector)
  for (;;) {
    const lines = await readAll(ctx, cell, (r) => sql.listUnbooked(r, of, HOUSE_LINES, [...known.keys()], TOGETHER))
    if (lines.length === 0) break
    const bookings = await bookingsOf(ctx, cell, known, lines)
    await engineTx(ctx, cell, (t) => book(t, bookings))
  }
  await bookLeft(ctx, cell, of.connector, known)
}
