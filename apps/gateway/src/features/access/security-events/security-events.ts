// Security events as people read them: a person what happened with their account, a merchant's people and the
// operator what happened to people, rights, keys and destinations. Written by core in the transaction of what
// they tell of (core/acts/security.ts), insert-only, kept as the audit trail is. No states, no books.
import {
  SECURITY_KINDS,
  SECURITY_PAGE,
  SEVERITIES,
  type SecurityEvent,
  type Severity,
} from '@cowrie/contract/access/security'
import type { Static } from 'typebox'
import type { ViewCall } from '#core/acts/acts.ts'
import { readAll } from '#core/cells/cells.ts'
import type { Shared } from '#core/feature.ts'
import type { SessionRow } from '#features/access/people/sessions/sessions.ts'
import type { Ctx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import * as sql from './security-events.sql.ts'

type Shown = Static<typeof SecurityEvent>
const SEVERITY_NAMES = Object.keys(SEVERITIES) as Severity[]
const severityOf = ({ severity }: sql.EventRow): Severity => SEVERITY_NAMES[severity - 1] ?? 'INFO'

type Found = { readonly cell: CellId; readonly row: sql.EventRow }
const shown = ({ cell, row }: Found): Shown => ({
  id: String(row.id),
  cell,
  at: row.at.toISOString(),
  kind: row.kind,
  says: SECURITY_KINDS[row.kind]?.says ?? row.kind,
  severity: severityOf(row),
  person: row.person,
  by: { kind: row.actor_kind, side: row.actor_side, name: row.actor_name },
  address: row.address,
  merchant: row.concerns,
  details: row.details === null ? null : (JSON.parse(row.details) as Record<string, unknown>),
})
/** A merchant's people see that the operator acted, and not who it was or where from. */
const withoutOperator = (event: Shown): Shown =>
  event.by.side === 'merchant' ? event : { ...event, by: { ...event.by, name: 'operator' }, address: null }

const newestFirst = (a: Found, b: Found): number =>
  b.row.at.getTime() - a.row.at.getTime() || (a.row.id < b.row.id ? 1 : -1)

type Query = { readonly before?: string; readonly least?: Severity }
const pageOf = ({ least = 'INFO' }: Query, below: string | undefined): sql.Page => ({
  below: below === undefined ? null : BigInt(below),
  severity: SEVERITIES[least],
  limit: SECURITY_PAGE,
})

type Looking = Omit<ViewCall<never>, 'query'> & { readonly query: Query }

/** What happened with a merchant is in its cell, what happened to its people where people are known: each has
 *  ids of its own, and a page ends at one of either. */
export async function showOwn({ ctx }: Shared, { merchant, cell, query }: Looking) {
  const [here, there] = query.before?.split('.') ?? []
  const [own, team] = await Promise.all([
    readAll(ctx, cell, (r) => sql.listOfMerchant(r, merchant?.id ?? 0n, pageOf(query, here))),
    readAll(ctx, ctx.identities.id, (r) => sql.listConcerning(r, merchant?.apiKey ?? '', pageOf(query, there))),
  ])
  const found = [...own.map((row) => ({ cell, row })), ...team.map((row) => ({ cell: ctx.identities.id, row }))]
  const page = found.toSorted(newestFirst).slice(0, SECURITY_PAGE)
  const lastOf = (rows: readonly sql.EventRow[], before: string | undefined): string =>
    String(rows.findLast((row) => page.some((one) => one.row === row))?.id ?? before ?? 2n ** 59n)
  const next = found.length < SECURITY_PAGE ? null : `${lastOf(own, here)}.${lastOf(team, there)}`
  return { content: page.map(shown).map(withoutOperator), next }
}

/** Of a cell as it was written, or of one merchant in it. */
export async function showAll({ ctx }: Shared, { merchant, cell, query }: Looking) {
  // A place in the list of a merchant's people names two cells; here the first is looked at.
  const page = pageOf(query, query.before?.split('.')[0])
  const rows = await readAll(ctx, cell, (r) =>
    merchant ? sql.listOfMerchant(r, merchant.id, page) : sql.listAll(r, page),
  )
  return {
    content: rows.map((row) => shown({ cell, row })),
    next: rows.length === SECURITY_PAGE ? String(rows.at(-1)?.id) : null,
  }
}

const OWN_MAX = 50
/** What happened with somebody's own account lately: where people are known, and with the merchant that they
 *  are in. */
export async function showPersons(ctx: Ctx, { email, merchant_cell, member_of }: SessionRow): Promise<Shown[]> {
  const page = { below: null, severity: SEVERITIES.INFO, limit: OWN_MAX }
  const home = ctx.identities.id
  const cell = merchant_cell ?? home
  const [people, own] = await Promise.all([
    readAll(ctx, home, (r) => sql.listOfPerson(r, email, 0n, page)),
    member_of === null ? [] : readAll(ctx, cell, (r) => sql.listOfPerson(r, email, member_of, page)),
  ])
  return [...people.map((row) => ({ cell: home, row })), ...own.map((row) => ({ cell, row }))]
    .toSorted(newestFirst)
    .slice(0, OWN_MAX)
    .map(shown)
    .map((event) => (event.by.name === email ? event : withoutOperator(event)))
}
