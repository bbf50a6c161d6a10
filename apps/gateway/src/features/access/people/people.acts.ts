// The acts and views of the team and of the operators. Their rows are in the database of identities, so that
// is where they run.
import * as team from '@cowrie/contract/access/team'
import type { Act, View } from '@cowrie/contract/kit/act'
import { type ActCall, type BoundAct, type BoundView, bindAct, bindView, type ViewCall } from '#core/acts/acts.ts'
import { readAll } from '#core/cells/cells.ts'
import type { Shared } from '#core/feature.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { peopleCell, type Where } from './known/persons.ts'
import { type Entrance, sharedEntrance } from './sessions/entrance.ts'
import { changeRole, end, inviteByMail, isFoursome, showTeam, TOP_ROLE, takeInvitationIds } from './team.ts'

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
    return { reply, after: { email: reply.email, ...(role === null ? { password: 'reset' } : { role: given }) } }
  },
})
const changing = (whereOf: (call: ActCall<Act>) => Where) => ({
  run: async (t: Tx, call: ActCall<Act>) => {
    const { before, after } = await changeRole(t, whereOf(call), call.input as { email: string; role: string })
    return { reply: after, before, after }
  },
})
const ending = (whereOf: (call: ActCall<Act>) => Where) => ({
  run: async (t: Tx, call: ActCall<Act>) => {
    const { before } = await end(t, whereOf(call), (call.input as { email: string }).email)
    return { reply: { email: before.email }, before }
  },
})

export function peopleActs(shared: Shared): readonly BoundAct[] {
  const entrance = sharedEntrance(shared)
  const needsApproval = (ctx: Ctx): Promise<boolean> => isFoursome(ctx)
  return [
    bindAct(team.inviteMember, sending(entrance, ofMerchant)),
    bindAct(team.resetMember, sending(entrance, ofMerchant, null)),
    bindAct(team.changeMemberRole, changing(ofMerchant)),
    bindAct(team.endMember, ending(ofMerchant)),
    bindAct(team.inviteOwner, { ...sending(entrance, ofMerchant, TOP_ROLE.merchant), needsApproval }),
    bindAct(team.inviteOperator, { ...sending(entrance, ofOperator), needsApproval }),
    bindAct(team.resetOperator, { ...sending(entrance, ofOperator, null), needsApproval }),
    bindAct(team.changeOperatorRole, { ...changing(ofOperator), needsApproval }),
    bindAct(team.endOperator, ending(ofOperator)),
  ]
}

export const peopleViews = (): readonly BoundView[] => [
  bindView(team.listTeam, (ctx, call) => readAll(ctx, peopleCell(ctx).id, (r) => showTeam(r, ofMerchant(call)))),
  bindView(team.listOperators, (ctx) => readAll(ctx, peopleCell(ctx).id, (r) => showTeam(r, ofOperator()))),
]
