// The acts and views of the team and of the operators. Their rows are in the database of identities, so that
// is where they run.
import * as team from '@cowrie/contract/access/team'
import type { Act, View } from '@cowrie/contract/kit/act'
import { DAY_MS } from '@cowrie/contract/kit/durations'
import { type ActCall, type BoundAct, type BoundView, bindAct, bindView, type ViewCall } from '#core/acts/acts.ts'
import { readAll } from '#core/cells/cells.ts'
import type { Shared } from '#core/feature.ts'
import { listKeysMadeBy } from '#features/access/keys/keys.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { isFoursome, listManagers, TOP_ROLE, tellManagers } from './known/four-eyes.ts'
import { peopleCell, type Where } from './known/persons.ts'
import { type Entrance, sharedEntrance } from './sessions/entrance.ts'
import { voidInvitationsAs } from './team.sql.ts'
import {
  changeRole,
  end,
  inviteByMail,
  needNoOwner,
  needRoomForInvitation,
  showTeam,
  takeInvitationIds,
} from './team.ts'

const merchantOf = ({ merchant }: ActCall<Act> | ViewCall<View>) =>
  merchant ?? fail('FIELD_MISSING', { field: 'merchant' })
const ofMerchant = (call: ActCall<Act> | ViewCall<View>): Where => {
  const { cell, id } = merchantOf(call)
  return { cell, id }
}
const ofOperator = (): Where => null

type Ids = Awaited<ReturnType<typeof takeInvitationIds>>
const OPERATOR = 'the operator'
/** The handler of an act that sends a link. `role` is the one in the input if not given; null resets a
 *  password. */
const sending = <A extends Act>(entrance: Entrance, whereOf: (call: ActCall<Act>) => Where, role?: string | null) => ({
  prepare: (ctx: Ctx): Promise<Ids> => takeInvitationIds(ctx),
  run: async (t: Tx, call: ActCall<A>, ids: Ids) => {
    const input = call.input as { readonly email: string; readonly name?: string; readonly role?: string }
    const given = role === null ? '' : (role ?? input.role ?? '')
    if (call.by.side === 'merchant') await needRoomForInvitation(t, whereOf(call), input.email)
    const reply = await inviteByMail(entrance, t, {
      ids,
      where: whereOf(call),
      to: call.merchant?.name ?? OPERATOR,
      by: call.by.name,
      email: input.email,
      name: input.name ?? '',
      role: given,
      resets: role === null,
    })
    const what = role === null ? 'was sent a link to set another password' : `was invited as ${given}`
    if (whereOf(call) === null)
      await tellManagers(
        entrance.ctx,
        t,
        null,
        await listManagers(t, null),
        `${reply.email} ${what} by ${call.by.name}.`,
      )
    return { reply, after: { email: reply.email, ...(role === null ? { password: 'reset' } : { role: given }) } }
  },
})
/** The first owner only; an invitation that went to a wrong address is no longer good. */
const firstOwner = (entrance: Entrance) => {
  const { prepare, run } = sending<typeof team.inviteOwner>(entrance, ofMerchant, TOP_ROLE.merchant)
  return {
    prepare: async (ctx: Ctx, call: ActCall<typeof team.inviteOwner>): Promise<Ids> => {
      await readAll(ctx, peopleCell(ctx).id, (r) => needNoOwner(r, ofMerchant(call)))
      return prepare(ctx)
    },
    run: async (t: Tx, call: ActCall<typeof team.inviteOwner>, ids: Ids) => {
      await needNoOwner(t, ofMerchant(call))
      await voidInvitationsAs(t, ofMerchant(call), TOP_ROLE.merchant)
      return run(t, call, ids)
    },
  }
}

const OBJECT_MS = 3 * DAY_MS
/** Where the owners cannot be reached. Whoever can be is mailed at once, and ends the invitation as any
 *  other. */
const replacing = (entrance: Entrance) => ({
  prepare: (ctx: Ctx): Promise<Ids> => takeInvitationIds(ctx),
  run: async (t: Tx, call: ActCall<typeof team.replaceOwner>, ids: Ids) => {
    const where = ofMerchant(call)
    const { email, name } = call.input
    const opensAt = new Date(t.now.getTime() + OBJECT_MS)
    const to = merchantOf(call).name
    const inviting = { ids, where, to, by: OPERATOR, email, name, role: TOP_ROLE.merchant, opensAt }
    const reply = { ...(await inviteByMail(entrance, t, inviting)), opensAt: opensAt.toISOString() }
    const told = new Set([...(await listManagers(t, where)), merchantOf(call).email])
    const what = `The operator invites ${reply.email} as another owner of ${to}. The invitation can be accepted from ${opensAt.toISOString()} on.`
    const also = 'If this should not be, end the invitation before then: in the dashboard, under Team.'
    await tellManagers(entrance.ctx, t, where, [...told], what, also)
    return { reply, after: { email: reply.email, role: TOP_ROLE.merchant, opensAt: reply.opensAt } }
  },
})
const changing = ({ ctx }: Entrance, whereOf: (call: ActCall<Act>) => Where) => ({
  run: async (t: Tx, call: ActCall<Act>) => {
    const asked = { ...(call.input as { email: string; role: string }), by: call.by.name }
    const { before, after } = await changeRole(ctx, t, whereOf(call), asked)
    return { reply: after, before, after }
  },
})
/** What a member leaves: keys that they made or approved work on after them. */
const endingMember = (entrance: Entrance) => ({
  prepare: (ctx: Ctx, call: ActCall<typeof team.endMember>) => listKeysMadeBy(ctx, merchantOf(call), call.input.email),
  run: async (t: Tx, call: ActCall<typeof team.endMember>, keys: Awaited<ReturnType<typeof listKeysMadeBy>>) => {
    const { reply, before } = await ending(entrance, ofMerchant).run(t, call)
    return { reply: { ...reply, keys }, before, after: { keysLeft: keys.map(({ apiKey }) => apiKey) } }
  },
})
const ending = ({ ctx }: Entrance, whereOf: (call: ActCall<Act>) => Where) => ({
  run: async (t: Tx, call: ActCall<Act>) => {
    const { email } = call.input as { email: string }
    const { before } = await end(ctx, t, whereOf(call), { email, by: call.by.name })
    return { reply: { email: before.email }, before }
  },
})

export function peopleActs(shared: Shared): readonly BoundAct[] {
  const entrance = sharedEntrance(shared)
  const needsApproval = (ctx: Ctx): Promise<boolean> => readAll(ctx, peopleCell(ctx).id, isFoursome)
  return [
    bindAct(team.inviteMember, sending(entrance, ofMerchant)),
    bindAct(team.resetMember, sending(entrance, ofMerchant, null)),
    bindAct(team.changeMemberRole, changing(entrance, ofMerchant)),
    bindAct(team.endMember, endingMember(entrance)),
    bindAct(team.inviteOwner, { ...firstOwner(entrance), needsApproval }),
    bindAct(team.replaceOwner, replacing(entrance)),
    bindAct(team.inviteOperator, { ...sending(entrance, ofOperator), needsApproval }),
    bindAct(team.resetOperator, { ...sending(entrance, ofOperator, null), needsApproval }),
    bindAct(team.changeOperatorRole, { ...changing(entrance, ofOperator), needsApproval }),
    bindAct(team.endOperator, ending(entrance, ofOperator)),
  ]
}

export const peopleViews = (): readonly BoundView[] => [
  bindView(team.listTeam, (ctx, call) => readAll(ctx, peopleCell(ctx).id, (r) => showTeam(r, ofMerchant(call)))),
  bindView(team.listOperators, (ctx) => readAll(ctx, peopleCell(ctx).id, (r) => showTeam(r, ofOperator()))),
]
