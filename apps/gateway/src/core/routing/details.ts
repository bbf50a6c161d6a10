// What a bank says of a payout beside its outcome, in version 2 of the protocol: what the network calls it,
// and what the bank charges. Information: no money is moved and no state changed by it, and an outcome never
// waits for it. What the bank charges is booked when its statement shows it
// (docs/decisions/0090-several-connectors.md).
import { parseNaira } from '@cowrie/contract/kit/money'
import type { Ctx, Outcome } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { cellOf, commitOne, readAll } from '../cells/cells.ts'
import { type Coalesced, coalesce } from '../coalesce.ts'
import { type Details, keep, sessionsOf } from './details.sql.ts'
import { connectorName, connectorNumber } from './routing.ts'

type Sent = { readonly merchant_id: bigint; readonly session_id: string | null; readonly connector: number }
type Reported = { readonly networkReference?: string; readonly fee?: string }

/** What answers that come together say is one statement and one commit. */
const keepers = new WeakMap<object, Coalesced<Details, void>>()
function keeperOf(ctx: Ctx, cell: CellId): Coalesced<Details, void> {
  const key = cellOf(ctx, cell)
  const keeper =
    keepers.get(key) ??
    coalesce<Details, void>({
      name: 'payout-details',
      key: ({ sessionId }) => sessionId,
      run: async (all) => {
        await commitOne(ctx, cell, (t) => keep(t, all))
        return all.map(() => undefined)
      },
    })
  keepers.set(key, keeper)
  return keeper
}

/** Keeps what an answer or a notice says, before its outcome is applied: afterwards nobody asks again. */
export async function keepDetails(ctx: Ctx, cell: CellId, row: Sent, outcome: Outcome<Reported>): Promise<void> {
  if (outcome.kind !== 'yes' || row.session_id === null) return
  const { networkReference = null, fee } = outcome.value
  const feeKobo = fee === undefined ? null : parseNaira(fee)
  if (networkReference === null && feeKobo === null) return
  const { session_id: sessionId, merchant_id: merchantId, connector } = row
  await keeperOf(
    ctx,
    cell,
  )({ sessionId, merchantId, connector, networkReference, feeKobo }).catch((error: unknown) =>
    ctx.log.warn('what a bank said of a payout beside its outcome was not kept', { cell, error }),
  )
}

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
    for (const { network_reference, session_id } of await readAll(ctx, one, (r) => sessionsOf(r, number, references)))
      found.set(network_reference, session_id)
  }
  return found
}
