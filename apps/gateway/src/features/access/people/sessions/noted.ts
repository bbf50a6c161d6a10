// Security events of coming in, which change nothing and so have no line in the audit trail. They are kept
// where people are known, with the merchant whose person it is, as a person's own lines are.
import type { SecurityKindName } from '@cowrie/contract/access/security'
import type { Side } from '@cowrie/contract/kit/permissions'
import { noteSecurity } from '#core/acts/security.ts'
import { engineTx, readAll } from '#core/cells/cells.ts'
import { HOUSE } from '#core/ledger/chart.ts'
import type { Tx } from '#kit/ctx.ts'
import type { HttpRequest } from '#kit/http/answers.ts'
import { findPersonByEmail, listMemberships, memberSide, peopleCell, toPlace, type Where } from '../known/persons.ts'
import type { Entrance } from './entrance.ts'
import { concernedAt } from './own-line.ts'

export const LOGGED_IN: SecurityKindName = 'login.accepted'
export type Note = (t: Tx, kind: SecurityKindName, details?: object) => Promise<void>
type Who = { readonly email: string; readonly side: Side; readonly where: Where }

/** A merchant whose cell is away is not named; nobody waits outside for that. */
const concernsOf = (entrance: Entrance, where: Where): Promise<string | null> =>
  concernedAt(entrance, where).catch(() => null)

/** What happens to a person while they come in or prove themselves. Made before the transaction. */
export async function noteFor(entrance: Entrance, request: HttpRequest, { email, side, where }: Who): Promise<Note> {
  const concerns = await concernsOf(entrance, where)
  const { device, address } = entrance.factsOf(request)
  const by = { side, name: email, address, requestId: request.id }
  return (t, kind, details = {}) =>
    noteSecurity(t, {
      ...{ kind, merchantId: HOUSE, concerns, person: email, details: { device, ...details } },
      // Whoever sends a wrong code is nobody yet.
      by: { ...by, kind: kind === LOGGED_IN ? 'person' : 'nobody' },
    })
}

/** A password was wrong, or nobody has the address: the same work for both. What was typed in place of an
 *  address is kept of those who are known only: it may be a password. */
export async function noteRefused(entrance: Entrance, request: HttpRequest, side: Side, email: string): Promise<void> {
  const { ctx, tries } = entrance
  const home = peopleCell(ctx).id
  const person = await readAll(ctx, home, (r) => findPersonByEmail(r, email))
  const all = await readAll(ctx, home, (r) => listMemberships(r, person?.id ?? 0n))
  const membership = all.find((one) => memberSide(one) === side)
  const concerns = await concernsOf(entrance, membership ? toPlace(membership) : null)
  const { device, address } = entrance.factsOf(request)
  const name = person?.email ?? ''
  const note = {
    merchantId: HOUSE,
    concerns,
    person: person?.email ?? null,
    by: { kind: 'nobody', side, name, address, requestId: request.id },
    details: { device },
  } as const
  const full = person !== null && tries.account.isFull(email)
  await engineTx(ctx, home, async (t) => {
    await noteSecurity(t, { ...note, kind: 'login.refused' })
    if (full) await noteSecurity(t, { ...note, kind: 'login.locked' })
  })
}
