// The balance at the bank against our account BANK, every night, to the kobo.
//   ours = the bank's + what we booked that no statement shows yet − what a statement shows that we have not
//     booked
// What is left over is a break of the class BALANCE: something moved our account, or the bank's, that no line
// shows. It is resolved automatically on the night on which the two agree again. A bank without balances in
// its statement is compared by the sum of its lines.
import { nairaText } from '@cowrie/contract/kit/money'
import { engineTx, firstCell, readAll } from '#core/cells/cells.ts'
import { HOUSE } from '#core/ledger/chart.ts'
import { type Day, shift } from '#core/routing/statement-days.ts'
import { openBreaks, resolveAll } from '#features/bank/breaks/breaks.ts'
import type { Ctx, Read } from '#kit/ctx.ts'
import { type CellId, FIRST_CONNECTOR_ID } from '#kit/ids.ts'
import { localDay } from '#kit/times.ts'
import * as sql from './balance.sql.ts'
import { toSpanSince } from './span.ts'

/** What the bank holds, what our books say, and what is left of that when all that is under way is
 *  counted. */
type Measured = {
  readonly bankKobo: bigint
  readonly ourKobo: bigint
  readonly underWayKobo: bigint
  readonly apart: bigint
}
async function measure(ctx: Ctx, read: Read, cell: CellId, of: Day): Promise<Measured | null> {
  const found = await sql.compareBalances(read, toSpanSince(ctx, cell, of), of.day)
  if (!found) return null
  // The bank's balance is that of all cells together; whatever its lines do not explain is looked at once, in
  // the first of them.
  const bankKobo = firstCell(ctx) === cell ? (found.bank_kobo ?? found.lines_kobo) : found.lines_kobo
  const { our_kobo: ourKobo, under_way_kobo: underWayKobo } = found
  return { bankKobo, ourKobo, underWayKobo, apart: ourKobo - bankKobo - underWayKobo }
}

/** By how much the bank holds more than our books say, beyond what is under way and what other breaks
 *  explain; null when the statement of yesterday was not compared yet. */
export async function findBalanceApart(ctx: Ctx, read: Read, cell: CellId, connector: number): Promise<bigint | null> {
  const of = { day: shift(localDay(ctx.clock.now()), -1), connector }
  if (!(await sql.isCompared(read, of))) return null
  const found = await measure(ctx, read, cell, of)
  return found && -found.apart
}

/** Compares as of now with the statement of a day. */
export async function compareBalance(ctx: Ctx, cell: CellId, of: Day): Promise<void> {
  const { day, connector } = of
  const found = await readAll(ctx, cell, (r) => measure(ctx, r, cell, of))
  if (!found) return
  const { apart, bankKobo, ourKobo, underWayKobo } = found
  const says = `Our books have ${nairaText(apart < 0n ? -apart : apart)} ${apart < 0n ? 'less' : 'more'} than the bank, beyond ${nairaText(underWayKobo)} under way.`
  const open = await readAll(ctx, cell, (r) => sql.listOpen(r, connector))
  if (apart !== 0n) ctx.log.error('balance at the bank differs from our books', { cell })
  const stays = apart === 0n ? undefined : open.find((row) => row.says === says)
  const ended = open.filter((row) => row !== stays)
  if (ended.length === 0 && (apart === 0n || stays)) return
  await engineTx(ctx, cell, async (t) => {
    const done = apart === 0n ? `The balances agree on ${day}.` : `The difference changed on ${day}.`
    await resolveAll(
      t,
      ended.map((row) => ({ id: row.id, merchantId: row.merchant_id, done })),
    )
    if (apart === 0n || stays) return
    await openBreaks(ctx, t, day, [
      {
        class: 'BALANCE',
        merchantId: HOUSE,
        kind: 'BALANCE',
        sessionId: connector === FIRST_CONNECTOR_ID ? `${cell} ${day}` : `${cell} ${connector} ${day}`,
        connector,
        bankKobo,
        ourKobo,
        says,
      },
    ])
  })
}
