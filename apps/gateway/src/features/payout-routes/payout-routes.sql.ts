import { texts } from '../../kit/arrays.ts'
import type { Read, Statement, Tx } from '../../kit/ctx.ts'

export type RouteRow = {
  id: bigint
  bank_code: string | null
  above_kobo: bigint
  connectors: string[]
  valid_from: Date
}

const LIST: Statement = {
  name: 'payout_routes_list',
  text: `select id, bank_code, above_kobo, connectors, valid_from from payout_routes
order by bank_code nulls last, above_kobo desc, valid_from desc`,
}
/** All that were ever set, of each bank and amount the newest first. */
export const list = (read: Read): Promise<RouteRow[]> => read.query(LIST, [])

const INSERT: Statement = {
  name: 'payout_routes_insert',
  text: `insert into payout_routes (id, bank_code, above_kobo, connectors, valid_from, created_at) values ($1, $2, $3, $4, $5, $6)
on conflict on constraint payout_routes_one_per_instant do nothing returning id`,
}
/** False when the bank and amount have a route from that instant on already. */
export const insert = async (t: Tx, row: RouteRow): Promise<boolean> => {
  const { id, bank_code, above_kobo, connectors, valid_from } = row
  const values = [id, bank_code, above_kobo, texts(connectors), valid_from, t.now]
  return (await t.query(INSERT, values)).length > 0
}
