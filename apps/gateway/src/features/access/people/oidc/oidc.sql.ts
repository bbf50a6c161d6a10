import type { Side } from '@cowrie/contract/kit/permissions'
import { insertInto } from '#core/insert-into.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'

const FIND: Statement = {
  name: 'oidc_find_link',
  text: 'select person_id from oidc_links where issuer = $1 and subject = $2',
}
export const findLinked = async (read: Read, issuer: string, subject: string): Promise<bigint | null> =>
  (await read.query<Pick<Rows['oidc_links'], 'person_id'>>(FIND, [issuer, subject]))[0]?.person_id ?? null

/** False when the person is linked to somebody else at this provider, or the other way round. */
export const link = async (t: Tx, personId: bigint, issuer: string, subject: string): Promise<boolean> =>
  (
    await insertInto(
      'oidc_links',
      t,
      { person_id: personId, issuer, subject, created_at: t.now },
      'on conflict do nothing returning person_id',
    )
  ).length === 1

export type UsedInvitation = Readonly<Pick<Rows['invitations'], 'name' | 'member_of' | 'role' | 'invited_by'>> & {
  readonly merchant_cell: CellId | null
}
const USE_INVITATIONS: Statement = {
  name: 'oidc_use_invitations',
  text: `
update invitations i set used_at = $3
where i.email = $1 and (i.member_of is null) = $2 and not i.resets and i.used_at is null and i.expires_at > $3 and (i.opens_at is null or i.opens_at <= $3)
  and not exists (
    select from memberships m join people p on p.id = m.person_id
    where p.email = $1 and m.ended_at is null and m.member_of is not distinct from i.member_of
      and m.merchant_cell is not distinct from i.merchant_cell)
returning i.name, i.merchant_cell, i.member_of, i.role, i.invited_by`,
}
/** The invitations of an address to one side that are still good: each is used once. */
export const useInvitations = (t: Tx, email: string, side: Side) =>
  t.query<UsedInvitation>(USE_INVITATIONS, [email, side === 'operator', t.now])
