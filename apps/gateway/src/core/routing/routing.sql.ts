import type { Routed } from '@cowrie/contract/bank/connector-routes'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'
import { accountsOfConnector } from '../ledger/chart.ts'
import { openAccounts } from '../ledger/ledger.ts'

const NUMBERED: Statement = { name: 'connectors_numbered', text: 'select id, name from connectors' }
/** Every connector that this cell ever had a route to, or a card charged by. */
export const numbered = (read: Read): Promise<Pick<Rows['connectors'], 'id' | 'name'>[]> => read.query(NUMBERED, [])

const NUMBER: Statement = {
  name: 'connectors_number',
  text: `with named as (insert into connectors (id, name) select (select max(id) + 1 from connectors), $1::text
  where not exists (select from connectors where name = $1) on conflict do nothing)
select 1`,
}
const HAS: Statement = { name: 'connectors_has', text: 'select id from connectors where name = $1' }
/** The number that it has in this cell, from now on, with its accounts in our books. Another who numbers one
 *  at the same time is waited for, and then it is the next. */
export async function number(t: Tx, name: string): Promise<number> {
  for (let isNew = false; ; isNew = true) {
    const [found] = await t.query<Pick<Rows['connectors'], 'id'>>(HAS, [name])
    if (found && isNew) await openAccounts(t, accountsOfConnector(found.id))
    if (found) return found.id
    await t.query(NUMBER, [name])
  }
}

export type RouteRow = Readonly<Pick<Rows['payout_routes'], 'bank_code' | 'above_kobo' | 'connectors'>>

const IN_FORCE: Statement = {
  name: 'payout_routes_in_force',
  text: `select bank_code, above_kobo, connectors from (
  select distinct on (bank_code, above_kobo) bank_code, above_kobo, connectors from payout_routes where valid_from <= $1
  order by bank_code, above_kobo, valid_from desc
) r where connectors <> '{}' order by bank_code nulls last, above_kobo desc`,
}
/** The closest first: those of a bank before those of any, those of larger amounts before those of smaller
 *  ones. */
export const inForce = (read: Read): Promise<RouteRow[]> => read.query(IN_FORCE, [read.now])

const ORDER: Statement = {
  name: 'capability_routes_in_force',
  text: 'select connectors from capability_routes where capability = $1 and valid_from <= $2 order by valid_from desc limit 1',
}
/** Whom to ask for it, the preferred one first; none where no route says. */
export const orderInForce = async (read: Read, capability: Routed): Promise<readonly string[]> =>
  (await read.query<Pick<Rows['capability_routes'], 'connectors'>>(ORDER, [capability, read.now]))[0]?.connectors ?? []
