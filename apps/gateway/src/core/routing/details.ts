// What a bank says of a payout beside its outcome, in version 2 of the protocol: what the network calls it,
// and what the bank charges. Information: no money is moved and no state changed by it, and an outcome never
// waits for it. What the bank charges is booked when its statement shows it
// (docs/decisions/0090-several-connectors.md).
import { parseNaira } from '@cowrie/contract/kit/money'
import type { Ctx, Outcome } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { cellById, commitOne } from '../cells/cells.ts'
import { type Coalesced, coalesce } from '../coalesce.ts'
import { type Details, keep } from './details.sql.ts'

type Sent = { readonly merchant_id: bigint; readonly session_id: string | null; readonly connector: number }
type Reported = { readonly networkReference?: string; readonly fee?: string }

/** What answers that come together say is one statement and one commit. */
const keepers = new WeakMap<object, Coalesced<Details, void>>()
function keeperOf(ctx: Ctx, cell: CellId): Coalesced<Details, void> {
  const key = cellById(ctx, cell)
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
