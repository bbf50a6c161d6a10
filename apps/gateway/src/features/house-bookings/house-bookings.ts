// House bookings: what the bank books on our account for reasons of its own, and what a card scheme pays us.
//   line of a statement: FEE, TAX, LEVY → bank costs        CARD_SETTLEMENT → card receivable
// Nobody sends a notice of them and no merchant is touched. The line itself is the cause, so it is posted when the statement of its day
// has been read, before that is compared (features/reconciliation), and once: kind and session are the key of its row, in the same
// commit. Books: BANK_CHARGE moves bank → bank costs, CARD_SETTLEMENT moves card receivable → bank. Who waits: nobody.
import { cellOf, engineTx, readAll } from '../../core/cells/cells.ts'
import { bankAccount, HOUSE, houseAccount } from '../../core/ledger/chart.ts'
import { type Entry, type Posting, post } from '../../core/ledger/ledger.ts'
import type { Ctx } from '../../kit/ctx.ts'
import { type CellId, idsFrom } from '../../kit/ids.ts'
import * as sql from './house-bookings.sql.ts'

/** The posting that each kind of line makes. */
const POSTED_AS = {
  FEE: 'BANK_CHARGE',
  TAX: 'BANK_CHARGE',
  LEVY: 'BANK_CHARGE',
  CARD_SETTLEMENT: 'CARD_SETTLEMENT',
} as const satisfies Record<sql.HouseKind, string>
export const HOUSE_LINES = Object.keys(POSTED_AS) as readonly sql.HouseKind[]

const entriesOf = ({ kind, kobo, connector }: sql.HouseLine): readonly Entry[] =>
  kind === 'CARD_SETTLEMENT'
    ? [
        { account: bankAccount(connector), kobo: -kobo },
        { account: houseAccount('CARD_RECEIVABLE'), kobo },
      ]
    : [
        { account: houseAccount('BANK_COSTS'), kobo: -kobo },
        { account: bankAccount(connector), kobo },
      ]

const postingOf = (line: sql.HouseLine, id: bigint): Posting => ({
  id,
  merchantId: HOUSE,
  kind: POSTED_AS[line.kind],
  object: 'house_booking',
  objectId: id,
  entries: entriesOf(line),
})

/** A bank may charge each transfer of a day by a line of its own. */
const TOGETHER = 1_000

/** Books the lines of a day that are the bank's own; those that are booked already are left alone. */
export async function bookHouseLines(
  ctx: Ctx,
  cell: CellId,
  of: { readonly day: string; readonly connector: number },
): Promise<void> {
  for (;;) {
    const lines = await readAll(ctx, cell, (r) => sql.listUnbooked(r, of, HOUSE_LINES, TOGETHER))
    if (lines.length === 0) return
    const next = idsFrom(await cellOf(ctx, cell).takeIds(lines.length))
    const named = lines.map((line) => ({ ...line, transfer_id: next() }))
    await engineTx(ctx, cell, async (t) => {
      const booked = await sql.insert(t, named)
      const postings = named.filter(({ transfer_id }) => booked.has(transfer_id))
      if (postings.length > 0)
        await post(
          t,
          postings.map((line) => postingOf(line, line.transfer_id)),
        )
    })
  }
}
