// The door: who a request's session is of, as acts and views see it.
import { rolePermissions, type Side } from '@cowrie/contract/kit/permissions'
import { createLimits } from '#core/access/limits.ts'
import type { Door, Entered } from '#core/acts/door.ts'
import { fail } from '#kit/fail.ts'
import type { HttpRequest } from '#kit/http/answers.ts'
import { TOP_ROLE } from '../known/four-eyes.ts'
import { mayStill, needsSecondFactor } from '../known/persons.ts'
import type { Entrance } from './entrance.ts'
import { needSession, type SessionRow } from './sessions.ts'

/** The whole session of a request; one that still lacks its second factor is good for nothing else. */
export async function wholeSession(
  entrance: Entrance,
  request: HttpRequest,
  side: Side,
  quietly = false,
): Promise<SessionRow> {
  const row = await needSession(entrance.ctx, request, side, entrance.originOf(side), quietly)
  return row.half ? fail('SESSION_HALF') : row
}

export async function enter(entrance: Entrance, request: HttpRequest, side: Side, quietly = false): Promise<Entered> {
  const row = await wholeSession(entrance, request, side, quietly)
  const { merchant_cell: cell, member_of: id, role, proved_at: provedAt, approves_from: approvesFrom } = row
  if ((cell === null) !== (side === 'operator')) fail('SESSION_ENDED')
  if (provedAt === null && needsSecondFactor(entrance.ctx, side, role)) fail('FACTOR_NEEDED')
  const merchant =
    cell === null || id === null ? null : ((await entrance.merchants.byId(cell, id)) ?? fail('SESSION_ENDED'))
  const address = entrance.addressOf(request)
  // An owner sets the list, so no list shuts the last one out.
  if (merchant && role !== TOP_ROLE.merchant && !merchant.letsIn(address)) fail('PERSON_ADDRESS_REFUSED')
  const permissions = rolePermissions(side, role)
  return {
    actor: {
      kind: 'person',
      side,
      personId: row.person_id,
      name: row.email,
      role,
      may: (permission) => permissions.has(permission),
      address,
      requestId: request.id,
      ...(approvesFrom ? { approvesFrom } : {}),
    },
    merchant,
    provedAt,
  }
}

export function createDoor(entrance: Entrance, prove: Door['prove'] = async () => null): Door {
  const limits = createLimits()
  return {
    enter: async (request, side, quietly) => {
      const entered = await enter(entrance, request, side, quietly)
      if (!quietly && entered.merchant && !limits.takeForPeople(entered.merchant).allowed) fail('RATE_LIMITED')
      return entered
    },
    prove,
    mayStill: (personId, side, merchant, permission) => mayStill(entrance.ctx, personId, side, merchant, permission),
  }
}
