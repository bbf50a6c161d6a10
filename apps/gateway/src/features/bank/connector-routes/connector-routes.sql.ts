import type { Routed } from '@cowrie/contract/bank/connector-routes'
import { insertInto } from '#core/insert-into.ts'
import { texts } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type RouteRow = {
  id: bigint
  capability: 'payout' | Routed
  bank_code: string | null
  above_kobo: bigint
  connectors: string[]
  valid_from: Date
}

const LIST: Statement = {
  name: 'payout_routes_list',
  text: `select id, capability, bank_code, above_kobo, connectors, valid_from from (
  select id, 'payout' as capability, bank_code, above_kobo, connectors, valid_from from payout_routes
  union all select id, capability, null, 0, connectors, valid_from from capability_routes
) r order by capability <> 'payout', capability, bank_code nulls last, above_kobo desc, valid_from desc`,
}
/** All that were ever set: those of payouts first, of each bank and amount the newest first. */
export const list = (read: Read): Promise<RouteRow[]> => read.query(LIST, [])

/** False when the same has a route from that instant on already. */
export const insert = async (t: Tx, row: RouteRow): Promise<boolean> => {
  const { id, capability, bank_code, above_kobo, connectors, valid_from } = row
  const rows =
    capability === 'payout'
      ? insertInto(
          'payout_routes',
          t,
          { id, bank_code, above_kobo, connectors: texts(connectors), valid_from, created_at: t.now },
          'on conflict on constraint payout_routes_one_per_instant do nothing returning id',
        )
      : insertInto(
          'capability_routes',
          t,
          { id, capability, connectors: texts(connectors), valid_from, created_at: t.now },
          'on conflict on constraint capability_routes_one_per_instant do nothing returning id',
        )
  return (await rows).length > 0
}
