// House bookings: what the bank books on our account for reasons of its own, what an acquirer pays us, and
// what we move between our banks.
//   line of a statement: FEE, TAX, LEVY → bank costs      CARD_SETTLEMENT → card receivable      SWEEP_OUT,
//     SWEEP_IN → on its way (sweeps.ts)
// Nobody sends a notice of them and no merchant is touched. The line itself is the cause, so it is posted
// when the statement of its day has been read, before that is compared (features/settlements/reconciliation),
// and once: kind and session are the key of its row, in the same commit. Books: BANK_CHARGE moves bank → bank
// costs, CARD_SETTLEMENT moves what an acquirer owes us → bank, SWEEP moves bank → on its way → bank. Who
// waits: nobody; the operator for a settlement that does not say whose it is, where several connectors charge
// cards.
import { STATEMENT_KINDS } from '@cowrie/contract/bank/statement-connector'
import { cellById, engineTx, readAll } from '#core/cells/cells.ts'
import { bankAccount, cardReceivable, HOUSE, houseAccount } from '#core/ledger/chart.ts'
import { type Entry, type Posting, post } from '#core/ledger/ledger.ts'
import { listAcquirers, needConnectorNumber, settlingConnector } from '#core/routing/routing.ts'
import { resolveAll } from '#features/bank/breaks/breaks.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { type CellId, FIRST_CONNECTOR_ID, idsFrom } from '#kit/ids.ts'
import * as sql from './house-bookings.sql.ts'

type House = { readonly posting: string; readonly account: 'BANK_COSTS' | 'SWEEPS' | null }
const CHARGE: House = { posting: 'BANK_CHARGE', account: 'BANK_COSTS' }
const SWEEP: House = { posting: 'SWEEP', account: 'SWEEPS' }
/** The posting that each kind of line makes, and its account beside the bank's; of a card settlement, what
 *  the acquirer owes us. */
const KINDS: Readonly<Record<sql.HouseKind, House>> = {
  FEE: CHARGE,
  TAX: CHARGE,
  LEVY: CHARGE,
  CARD_SETTLEMENT: { posting: 'CARD_SETTLEMENT', account: null },
  SWEEP_OUT: SWEEP,
  SWEEP_IN: SWEEP,
}
export const HOUSE_LINES = Object.keys(KINDS) as readonly sql.HouseKind[]

function entriesOf({ kind, kobo, connector, acquirer }: sql.Booking): readonly Entry[] {
  const { account } = KINDS[kind]
  const [bank, other] = [
    bankAccount(connector),
    account === null ? cardReceivable(acquirer ?? FIRST_CONNECTOR_ID) : houseAccount(account),
  ]
  const [from, to] = STATEMENT_KINDS[kind] === 'IN' ? [bank, other] : [other, bank]
  return [
    { account: from, kobo: -kobo },
    { account: to, kobo },
  ]
}

const postingOf = (line: sql.Booking): Posting => ({
  id: line.transfer_id,
  merchantId: HOUSE,
  kind: KINDS[line.kind].posting,
  object: 'house_booking',
  objectId: line.transfer_id,
  entries: entriesOf(line),
})

/** Whose debt card settlements of a statement pay: by the name that a line has, '' where it has none. One
 *  that is missing here is booked by nobody, and the comparison finds it. */
type Acquirers = ReadonlyMap<string, string>
async function acquirers(ctx: Ctx, cell: CellId, connector: number): Promise<Acquirers> {
  const names = await listAcquirers(ctx, cell)
  const unnamed = await settlingConnector(ctx, cell, connector)
  return new Map([...names.map((name) => [name, name] as const), ...(unnamed === null ? [] : [['', unnamed] as const])])
}

async function acquirerOf(ctx: Ctx, cell: CellId, all: Acquirers, line: sql.HouseLine): Promise<number | null> {
  const name = line.kind === 'CARD_SETTLEMENT' ? all.get(line.named ?? '') : undefined
  return name === undefined ? null : needConnectorNumber(ctx, cell, name)
}

/** A bank may charge each transfer of a day by a line of its own. */
const TOGETHER = 1_000

async function bookingsOf<Line extends sql.HouseLine>(
  ctx: Ctx,
  cell: CellId,
  known: Acquirers,
  lines: readonly Line[],
): Promise<(Line & sql.Booking)[]> {
  const next = idsFrom(await cellById(ctx, cell).takeIds(lines.length))
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

/** What was left to a person and is clear now, because the settings name its acquirer, or this version knows
 *  its kind. Its break ends in the same commit, so that nobody corrects it as well. */
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

/** Books the lines of a day that are the bank's own, and earlier ones that had to wait; those that are booked
 *  already are left alone. */
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
