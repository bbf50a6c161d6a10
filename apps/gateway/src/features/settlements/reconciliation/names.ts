// Payouts that a statement of the bank calls by the network's name for them, kept when they were sent
// (core/routing/details.ts).
import { readAll } from '#core/cells/cells.ts'
import { connectorName, connectorNumber } from '#core/routing/routing.ts'
import type { Ctx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import * as sql from './names.sql.ts'

/** Our sessions of payouts that a bank names by references of its own. Connectors have another number in each
 *  cell, and a payout may be of any. */
export async function sessionsNamed(
  ctx: Ctx,
  cell: CellId,
  connector: number,
  references: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  if (references.length === 0) return found
  const name = await connectorName(ctx, cell, connector)
  for (const one of ctx.cells.keys()) {
    const number = await connectorNumber(ctx, one, name)
    if (number === null) continue
    for (const { network_reference, session_id } of await readAll(ctx, one, (r) =>
      sql.listSessions(r, number, references),
    ))
      found.set(network_reference, session_id)
  }
  return found
}
