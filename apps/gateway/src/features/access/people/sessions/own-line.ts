// The audit trail of what people do with their own account: password, factors, sessions, joining. A line
// commits with the change, where people are known: nobody's chain, with a note about the merchant whose
// person it is, as for the acts of the team.
import type { Side } from '@cowrie/contract/kit/permissions'
import { record, type TrailEntry } from '#core/acts/trail.ts'
import { HOUSE } from '#core/ledger/chart.ts'
import type { Tx } from '#kit/ctx.ts'
import type { HttpRequest } from '#kit/http/answers.ts'
import type { Where } from '../known/persons.ts'
import type { Entrance } from './entrance.ts'
import type { SessionRow } from './sessions.ts'

type Changed = Pick<TrailEntry, 'before' | 'after'>
/** `what` is a route's id without its side. Last in its transaction: the head of the chain is held from here
 *  to the commit. */
export type OwnLine = (t: Tx, what: string, changed: Changed) => Promise<void>

type Who = { readonly personId: bigint; readonly email: string; readonly role: string | null; readonly side: Side }
type Came = { readonly entrance: Entrance; readonly request: HttpRequest }

/** Before the transaction: the merchant may have to be looked up in its cell. */
export async function concernedAt({ merchants }: Entrance, where: Where): Promise<string | null> {
  return where === null ? null : ((await merchants.byId(where.cell, where.id))?.apiKey ?? null)
}

export function recordOwn(
  t: Tx,
  { entrance, request }: Came,
  { side, personId, email, role }: Who,
  concerns: string | null,
  what: string,
  changed: Changed,
): Promise<void> {
  const address = entrance.addressOf(request)
  const by = { kind: 'person', side, personId, name: email, role, address, requestId: request.id } as const
  return record(t, { merchantId: HOUSE, concerns, by, what: `${side}.${what}`, reason: '', ...changed })
}

/** For whoever is in. */
export async function ownLine(came: Came, session: SessionRow): Promise<OwnLine> {
  const { side, role, email, person_id: personId, merchant_cell: cell, member_of: id } = session
  const concerns = await concernedAt(came.entrance, cell === null || id === null ? null : { cell, id })
  return (t, what, changed) => recordOwn(t, came, { side, personId, email, role }, concerns, what, changed)
}
