import type { Read, Statement } from '../../kit/ctx.ts'

const NUMBERED: Statement = { name: 'connectors_numbered', text: 'select id, name from connectors' }
/** Every connector that this cell ever had a route to. */
export const numbered = (read: Read): Promise<{ id: number; name: string }[]> => read.query(NUMBERED, [])

export type RouteRow = {
  readonly bank_code: string | null
  readonly above_kobo: bigint
  readonly connectors: readonly string[]
}

const IN_FORCE: Statement = {
  name: 'payout_routes_in_force',
  text: `select bank_code, above_kobo, connectors from (
  select distinct on (bank_code, above_kobo) bank_code, above_kobo, connectors from payout_routes where valid_from <= $1
  order by bank_code, above_kobo, valid_from desc
) r where connectors <> '{}' order by bank_code nulls last, above_kobo desc`,
}
/** The closest first: those of a bank before those of any, those of larger amounts before those of smaller ones. */
export const inForce = (read: Read): Promise<RouteRow[]> => read.query(IN_FORCE, [read.now])
