// The balance at the bank against our account BANK, every night, to the kobo.
//   ours = the bank's + what we booked that no statement shows yet − what a statement shows that we have not
//     booked
// What is left over is a break of the class BALANCE: something moved our account, or the bank's, that no line
// shows. It is resolved automatically on the night on which the two agree again. A bank without balances in
// its statement is compared by the sum of its lines.
import { nairaText } from '@cowrie/contract/kit/money'
import { engineTx, firstCell, readAll } from '#core/cells/cells.ts'
import { HOUSE } from '#core/ledger/chart.ts'
import { openBreaks, resolveAll } from '#features/bank/breaks/breaks.ts'
import type { Ctx } from '#kit/ctx.ts'
import { type CellId, FIRST_CONNECTOR_ID } from '#kit/ids.ts'
import * as sql from './balance.sql.ts'
import type { Span } from './match.sql.ts'

/** Compares as of now with the statement of a day; `span` begins shortly before that day's end and reaches
 *  past now. */
export async function compareBalance(ctx: Ctx, cell: CellId, day: string, span: Span): Promise<void> {
  const found = await readAll(ctx, cell, (r) => sql.compareBalances(r, span, day))
  if (!found) return
  // The bank's balance is that of all cells together; whatever its lines do not explain is looked at once, in
  // the first of them.
  const bankKobo = firstCell(ctx) === cell ? (found.bank_kobo ?? found.lines_kobo) : found.lines_kobo
  const apart = found.our_kobo - bankKobo - found.under_way_kobo
  const says = `Our books have ${nairaText(apart < 0n ? -apart : apart)} ${apart < 0n ? 'less' : 'more'} than the bank, beyond ${nairaText(found.under_way_kobo)} under way.`
  const open = await readAll(ctx, cell, (r) => sql.listOpen(r, span.connector))
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
        sessionId: span.connector === FIRST_CONNECTOR_ID ? `${cell} ${day}` : `${cell} ${span.connector} ${day}`,
        connector: span.connector,
        bankKobo,
        ourKobo: found.our_kobo,
        says,
      },
    ])
  })
}
