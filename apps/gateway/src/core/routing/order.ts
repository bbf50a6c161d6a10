// In which order connectors are asked for what is not a payout: account numbers, new card charges, new
// mandates, identities. Two people set it per cell, from an instant on; where they have not, it is that of
// the settings, BANK_URL first (docs/decisions/0090-several-connectors.md).
import type { Routed } from '@cowrie/contract/bank/connector-routes'
import type { BankPort, Connector, Connectors, Ctx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { readAll } from '../cells/cells.ts'
import { orderInForce } from './routing.sql.ts'

/** Those of the route, as far as this process has them; all where there is none, or where it has none of
 *  them. */
export async function inOrder(ctx: Ctx, cell: CellId, capability: Routed): Promise<Connectors['all']> {
  const { all } = ctx.connectors
  if (all.length === 1) return all
  const names = await readAll(ctx, cell, (r) => orderInForce(r, capability))
  const [first, ...others] = names.flatMap((name) => all.find((one) => one.name === name) ?? [])
  return first === undefined ? all : [first, ...others]
}

/** The first that says it has these calls and answers. Where nobody both says so and answers, the first that
 *  does not say otherwise: what it does not answer waits there, as with one bank. */
export async function firstFor(ctx: Ctx, cell: CellId, capability: 'identity' | 'mandate'): Promise<Connector> {
  const all = await inOrder(ctx, cell, capability)
  if (all.length === 1) return all[0]
  await Promise.all(all.map((one) => one.learn()))
  return (
    all.find((each) => each.claims(capability) === true && each.answers()) ??
    all.find((each) => each.claims(capability) !== false) ??
    all[0]
  )
}

/** Whoever is asked about persons. One question goes to one of them, however often it is repeated, because
 *  each of them charges for it. */
export const findRegister = async (ctx: Ctx, cell: CellId): Promise<BankPort> =>
  (await firstFor(ctx, cell, 'identity')).bank
