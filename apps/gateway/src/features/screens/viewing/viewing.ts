// View-as: one of the operator's people sees a merchant's screens as one of its roles does, for an hour, read
// only and without personal data.
//   begin (a reason, a proof of identity) → looks, each counted → ended, or expired by the clock
// Books: none. Who waits: nobody. The merchant is mailed, and has a line in its audit trail, in the
// transaction that begins it; each look is a line of its request log, with the operator's name. A grant is of
// one person and one merchant, and is asked for at every look.
import { masked } from '@cowrie/contract/access/masking'
import type { ActReplyOf, InputOf, ViewReplyOf } from '@cowrie/contract/kit/act'
import { MINUTE_MS } from '@cowrie/contract/kit/durations'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import {
  type beginViewing,
  permissionsViewedAs,
  type showViewing,
  VIEW_AS_MINUTES,
  type viewedMe,
} from '@cowrie/contract/screens/view-as'
import { type Actor, need } from '#core/access/actor.ts'
import type { Merchant } from '#core/access/merchants.ts'
import type { Entered } from '#core/acts/door.ts'
import { commitOne, readAll } from '#core/cells/cells.ts'
import { queueMail } from '#features/events/mails/mails.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { spacedText } from '#kit/times.ts'
import * as sql from './viewing.sql.ts'

type Shown = ActReplyOf<typeof beginViewing>
type Begin = InputOf<typeof beginViewing>

const view = ({ role, expires_at, views }: sql.GrantRow): Shown => ({
  role: role as Shown['role'],
  until: expires_at.toISOString(),
  views,
})
/** A command on the machine has no session to look with. */
const personOf = ({ personId }: Actor): bigint =>
  personId ?? fail('PERMISSION_DENIED', { permission: 'operator.merchants.viewAs' })

// ---- begin and end

/** In place of one that the person has at this merchant already. */
export async function begin(
  t: Tx,
  ids: { readonly grant: bigint; readonly mail: bigint },
  merchant: Merchant,
  by: Actor,
  { role }: Begin,
  reason: string,
): Promise<Shown> {
  const personId = personOf(by)
  await sql.end(t, merchant.id, personId)
  const until = new Date(t.now.getTime() + VIEW_AS_MINUTES * MINUTE_MS)
  const grant = await sql.insert(t, ids.grant, merchant.id, personId, role, until)
  await queueMail(t, ids.mail, merchant, {
    subject: 'The operator looks at your dashboard',
    text: [
      `${by.name}, who works for the operator of the gateway, sees your screens as your role ${role} does, until ${spacedText(until)} West Africa Time.`,
      `The reason given: ${reason}`,
      'Nothing can be changed that way, and personal data is masked. Each look is in your request log, and the beginning in your audit trail.',
      'If you do not expect this, ask the operator.',
    ].join('\n\n'),
  })
  return view(grant)
}

export async function end(t: Tx, merchant: Merchant, by: Actor): Promise<Shown> {
  const [last] = (await sql.end(t, merchant.id, personOf(by))).toSorted((a, b) => Number(b.id - a.id))
  return view(last ?? fail('VIEW_NOT_OPEN'))
}

export async function show(ctx: Ctx, merchant: Merchant, by: Actor): Promise<ViewReplyOf<typeof showViewing>> {
  const grant = await readAll(ctx, merchant.cell, (r) => sql.find(r, merchant.id, personOf(by)))
  return { viewing: grant && view(grant) }
}

// ---- a look

export type Looking = Entered & { readonly merchant: Merchant; readonly until: Date; readonly operator: Actor }

/** The operator's person as somebody of the merchant who may only read, and no personal data; refused without
 *  a grant in force. Whoever has lost the permission since is refused too. A suspended merchant is looked at
 *  like any other. */
export async function look(ctx: Ctx, { actor, provedAt }: Entered, merchant: Merchant): Promise<Looking> {
  need(actor, 'operator.merchants.viewAs')
  const grant = await commitOne(ctx, merchant.cell, (t) => sql.count(t, merchant.id, personOf(actor)))
  const { role, expires_at: until } = grant ?? fail('VIEW_NOT_OPEN')
  const permissions = permissionsViewedAs(role)
  const seen: Actor = { ...actor, side: 'merchant', role, may: (permission) => permissions.has(permission) }
  return {
    actor: seen,
    merchant: { ...merchant, suspended: false, person: seen },
    provedAt,
    until,
    operator: actor,
  }
}

export const me = ({ actor, merchant, until }: Looking): ReplyOf<typeof viewedMe> => ({
  email: actor.name,
  name: actor.name,
  side: 'merchant',
  role: actor.role ?? '',
  merchant: { name: merchant.name, apiKey: merchant.apiKey },
  permissions: [...permissionsViewedAs(actor.role ?? '')],
  factors: [],
  factorNeeded: false,
  recoveryCodesLeft: 0,
  provedAt: null,
  proved: false,
  until: until.toISOString(),
})

/** Whatever a view left in it. */
export const withoutPersons = (reply: unknown): unknown => masked(reply)
