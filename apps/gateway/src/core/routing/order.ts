// In which order connectors are asked for what is not a payout: account numbers, new card charges, identities. Two people set it per cell, from an
// instant on; where they have not, it is that of the settings, BANK_URL first (docs/decisions/0100-routes-by-capability.md).
import type { Routed } from '@cowrie/contract/payouts/routes'
import type { BankPort, Connectors, Ctx } from '../../kit/ctx.ts'
import type { CellId } from '../../kit/ids.ts'
import { readAll } from '../cells/cells.ts'
import { orderInForce } from './routing.sql.ts'

/** Those of the route, as far as this process has them; all where there is none, or where it has none of them. */
export async function inOrder(ctx: Ctx, cell: CellId, capability: Routed): Promise<Connectors['all']> {
  const { all } = ctx.connectors
  if (all.length === 1) return all
  const names = await readAll(ctx, cell, (r) => orderInForce(r, capability))
  const [first, ...others] = names.flatMap((name) => all.find((one) => one.name === name) ?? [])
  return first === undefined ? all : [first, ...others]
}

/** Whoever is asked about persons: the first that says it knows them and answers. One question goes to one of them, however often it is
 *  repeated, because each of them charges for it. */
export async function registerOf(ctx: Ctx, cell: CellId): Promise<BankPort> {
  const all = await inOrder(ctx, cell, 'identity')
  if (all.length === 1) return all[0].bank
  await Promise.all(all.map((one) => one.learn()))
  const one =
    all.find((each) => each.claims('identity') === true && each.answers()) ??
    all.find((each) => each.claims('identity') !== false) ??
    all[0]
  return one.bank
}
