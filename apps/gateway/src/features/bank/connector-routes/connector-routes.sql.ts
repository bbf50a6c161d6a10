import type { Routed } from '@cowrie/contract/bank/connector-routes'
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

const INSERT: Statement = {
  name: 'payout_routes_insert',
  text: `insert into payout_routes (id, bank_code, above_kobo, connectors, valid_from, created_at) values ($1, $2, $3, $4, $5, $6)
on conflict on constraint payout_routes_one_per_instant do nothing returning id`,
}
const INSERT_FOR: Statement = {
  name: 'capability_routes_insert',
  text: `insert into capability_routes (id, capability, connectors, valid_from, created_at) values ($1, $2, $3, $4, $5)
on conflict on constraint capability_routes_one_per_instant do nothing returning id`,
}
/** False when the same has a route from that instant on already. */
export const insert = async (t: Tx, row: RouteRow): Promise<boolean> => {
  const { id, capability, bank_code, above_kobo, connectors, valid_from } = row
  const rows =
    capability === 'payout'
      ? t.query(INSERT, [id, bank_code, above_kobo, texts(connectors), valid_from, t.now])
      : t.query(INSERT_FOR, [id, capability, texts(connectors), valid_from, t.now])
  return (await rows).length > 0
}
