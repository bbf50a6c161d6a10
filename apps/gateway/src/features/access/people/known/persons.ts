// Who people are, and where they belong: the lowest part of the feature, which its other parts stand on.
import { PROVED } from '@cowrie/contract/kit/people-routes'
import { type Permission, rolePermissions, type Side } from '@cowrie/contract/kit/permissions'
import { readAll } from '#core/cells/cells.ts'
import type { Cell, Ctx } from '#kit/ctx.ts'
import { listMemberships, type Membership, type Person, type Where } from './persons.sql.ts'

export type { Membership, Person, Where } from './persons.sql.ts'
export {
  findPersonByEmail,
  findPersonById,
  listMemberships,
  lockPerson,
  setHasPasskey,
} from './persons.sql.ts'

/** The database of identities. */
export const peopleCell = (ctx: Ctx): Cell => ctx.identities

export const normaliseEmail = (text: string): string => text.trim().toLowerCase()

export const memberSide = ({ member_of }: Membership): Side => (member_of === null ? 'operator' : 'merchant')
export const toPlace = ({ merchant_cell, member_of }: Membership): Where =>
  merchant_cell === null || member_of === null ? null : { cell: merchant_cell, id: member_of }
export const isAt = (membership: Membership, where: Where): boolean =>
  where === null
    ? membership.member_of === null
    : membership.member_of === where.id && membership.merchant_cell === where.cell

/** Whether the person has a factor beside the password: then a password alone opens nothing. */
export const hasSecondFactor = ({ totp_sealed, has_passkey }: Pick<Person, 'totp_sealed' | 'has_passkey'>): boolean =>
  totp_sealed !== null || has_passkey

/** Who may do nothing but enrol until a second factor was seen: the operator's people, and in live whoever
 *  can do what asks for a proof: move a merchant's money, lead it or the notifications elsewhere, make
 *  keys. */
export const needsSecondFactor = (ctx: Ctx, side: Side, role: string): boolean =>
  side === 'operator' || (ctx.environment === 'live' && !rolePermissions(side, role).isDisjointFrom(PROVED))

/** Whether a person may something now; asked again when something was decided that is done later. `where` is
 *  whom it is about; an operator's membership is of no merchant. */
export async function mayStill(
  ctx: Ctx,
  personId: bigint,
  side: Side,
  where: Where,
  permission: Permission,
): Promise<boolean> {
  const all = await readAll(ctx, peopleCell(ctx).id, (r) => listMemberships(r, personId))
  // An operator's act may concern a merchant; the operator is not a member of it.
  const at = side === 'operator' ? null : where
  return all.some((one) => isAt(one, at) && rolePermissions(side, one.role).has(permission))
}
