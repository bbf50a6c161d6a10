// Who belongs to a merchant, and to the operator. A person is invited by mail with a link that is good once,
// within 72 hours; its token is stored as a digest, and sealed in the mail until that is sent. A role that is
// changed or ended counts at the next request. Somebody always stays who can manage the others.
import { INVITATIONS_A_DAY, INVITATIONS_OF_ADDRESS_AN_HOUR } from '@cowrie/contract/access/team'
import { DAY_MS, HOUR_MS } from '@cowrie/contract/kit/durations'
import { MERCHANT_ROLES, type MerchantPermission, rolePermissions, type Side } from '@cowrie/contract/kit/permissions'
import { record, type TrailEntry } from '#core/acts/trail.ts'
import { commitOne, engineTx, readAll } from '#core/cells/cells.ts'
import { HOUSE } from '#core/ledger/chart.ts'
import { randomHex } from '#kit/crypto.ts'
import type { Ctx, Read, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { HttpRequest } from '#kit/http/answers.ts'
import { spacedText } from '#kit/times.ts'
import { refuseFormer, replacePassword } from './factors/former.ts'
import { createPasswords, refuseWeak } from './factors/passwords.ts'
import { enlist, listManagers, setRole, sideAt, TOP_ROLE, tellManagers } from './known/four-eyes.ts'
import { queuePersonMail } from './known/people-mails.ts'
import { insertPerson } from './known/persons.sql.ts'
import {
  findPersonByEmail,
  lockPerson,
  normaliseEmail,
  type Person,
  peopleCell,
  toPlace,
  type Where,
} from './known/persons.ts'
import { admitTry, type Entrance, networkName } from './sessions/entrance.ts'
import { concernedAt, recordOwn } from './sessions/own-line.ts'
import { endSessions, endSessionsOfMembership, tokenDigest } from './sessions/sessions.ts'
import * as sql from './team.sql.ts'

const UNIQUE_VIOLATION = '23505'
const INVITATION_MS = 72 * HOUR_MS

// ---- invite, accept

export type Invited = { readonly email: string; readonly expiresAt: string; readonly token: string }
type Inviting = {
  readonly ids: { readonly id: bigint; readonly mailId: bigint }
  readonly email: string
  readonly name: string
  readonly where: Where
  readonly role: string
  readonly by: string
  /** To a member, who sets another password with it. */
  readonly resets?: boolean
  /** When the link begins to work; at once if not given. */
  readonly opensAt?: Date
}

export const takeInvitationIds = async (ctx: Ctx): Promise<Inviting['ids']> => {
  const [id = 0n, mailId = 0n] = await peopleCell(ctx).takeIds(2)
  return { id, mailId }
}

/** A merchant's people may not have us mail whoever they like, as often as they like. */
export async function needRoomForInvitation(t: Tx, where: Where, email: string): Promise<void> {
  await sql.lockInviting(t, where)
  const [dayAgo, hourAgo] = [DAY_MS, HOUR_MS].map((ms) => new Date(t.now.getTime() - ms)) as [Date, Date]
  const { of_team: ofTeam, of_address: ofAddress } = await sql.countInvitations(t, where, {
    email: normaliseEmail(email),
    dayAgo,
    hourAgo,
  })
  if (ofTeam >= INVITATIONS_A_DAY || ofAddress >= INVITATIONS_OF_ADDRESS_AN_HOUR)
    fail('TOO_MANY_INVITATIONS', { retryAfter: String(HOUR_MS / 1000) })
}

/** An invitation. A later one takes the place of those that were not used. */
export async function invite(
  t: Tx,
  { ids, where, role, by, name, resets = false, opensAt, ...given }: Inviting,
): Promise<Invited> {
  const email = normaliseEmail(given.email)
  const member = await sql.findMember(t, where, email)
  if (resets && !member) fail('MEMBER_UNKNOWN')
  if (!resets && member) fail('ALREADY_MEMBER')
  await sql.voidInvitations(t, where, email)
  const token = randomHex(32)
  const expiresAt = new Date((opensAt ?? t.now).getTime() + INVITATION_MS)
  const shown = member ? { name: member.name, role: member.role } : { name, role }
  await sql.insertInvitation(t, {
    id: ids.id,
    email,
    ...shown,
    where,
    resets,
    digest: tokenDigest(token),
    by,
    expiresAt,
    opensAt: opensAt ?? null,
  })
  return { email, expiresAt: expiresAt.toISOString(), token }
}

/** Behind the hash, so that no server and no log sees it. */
export const invitationLink = (base: string, side: Side, token: string): string =>
  `${base}/${side === 'operator' ? 'operator' : 'dashboard'}/invitation#${token}`

const whenOf = (opensAt: Date | undefined): string =>
  opensAt
    ? `from ${spacedText(opensAt).slice(0, 16)} (West Africa Time) on, within 72 hours from then`
    : 'within 72 hours'

/** The invitation and the mail with its link, in one transaction. */
export async function inviteByMail(
  entrance: Pick<Entrance, 'ctx' | 'urlOf'>,
  t: Tx,
  inviting: Inviting & { readonly to: string },
): Promise<{ email: string; expiresAt: string }> {
  const { token, email, expiresAt } = await invite(t, inviting)
  const side = sideAt(inviting.where)
  const what = inviting.resets
    ? 'set another password for your Cowrie account'
    : `join ${inviting.to} on Cowrie as ${inviting.role}`
  await queuePersonMail(entrance.ctx, t, inviting.ids.mailId, {
    to: email,
    subject: inviting.resets ? 'Set another password' : `Invitation to ${inviting.to}`,
    text: `Dear ${inviting.name},

${inviting.by} asks you to ${what}. Open this link ${whenOf(inviting.opensAt)}; it can be used once:

  ${invitationLink(entrance.urlOf(side), side, token)}

If you do not know what this is about, do nothing.
`,
  })
  return { email, expiresAt }
}

/** Whoever has the link has the mailbox. A person who is known keeps password and second factor, and shows
 *  the password; a link that resets sets another one. */
export async function accept(
  entrance: Entrance,
  request: HttpRequest,
  side: Side,
  body: { readonly token: string; readonly name?: string; readonly password: string },
): Promise<{ email: string }> {
  const { ctx, passwords, tries } = entrance
  const home = peopleCell(ctx)
  const network = networkName(entrance, request)
  admitTry(tries.address, network)
  const digest = tokenDigest(body.token)
  const { found, person } = await readAll(ctx, home.id, async (r) => {
    const invitation = await sql.findInvitation(r, digest)
    return { found: invitation, person: invitation && (await findPersonByEmail(r, invitation.email)) }
  })
  if (!found || sideAt(toPlace({ ...found, person_id: 0n })) !== side) return fail('INVITATION_INVALID')
  const name = body.name ?? found.name
  const set = found.resets || person?.password_digest == null
  if (set) refuseWeak(body.password, { email: found.email, name })
  else if (!(await passwords.matches(body.password, person.password_digest, 'known'))) fail('PASSWORD_REFUSED')
  if (set && person) await refuseFormer(ctx, passwords, person.id, body.password)
  const passwordDigest = set ? await passwords.digest(body.password, 'known') : null
  const [personId = 0n, membershipId = 0n] = await home.takeIds(2)
  const concerns = await concernedAt(entrance, toPlace({ ...found, person_id: 0n }))
  try {
    await engineTx(ctx, home.id, async (t) => {
      const joined = await join(ctx, t, { digest, personId, membershipId, known: person, name, passwordDigest })
      const after = found.resets ? { password: 'reset' } : { role: joined.role, password: set ? 'set' : 'kept' }
      const who = { side, email: found.email, ...joined }
      await recordOwn(t, { entrance, request }, who, concerns, 'people.acceptInvitation', { after })
    })
  } catch (error) {
    // Somebody accepted another invitation to the same address in the same instant.
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) fail('INVITATION_INVALID')
    throw error
  }
  tries.address.release(network)
  return { email: found.email }
}

async function join(
  ctx: Ctx,
  t: Tx,
  given: {
    readonly digest: Buffer
    readonly personId: bigint
    readonly membershipId: bigint
    readonly known: Person | null
    readonly name: string
    readonly passwordDigest: string | null
  },
): Promise<{ readonly personId: bigint; readonly role: string }> {
  const { digest, known, passwordDigest } = given
  const invitation = (await sql.useInvitation(t, digest)) ?? fail('INVITATION_INVALID')
  const { email, role, resets, invited_by: by } = invitation
  const personId = known?.id ?? given.personId
  if (known) {
    await lockPerson(t, known.id)
    if (passwordDigest !== null) await replacePassword(t, known.id, passwordDigest)
  } else await insertPerson(t, { id: personId, email, name: given.name, passwordDigest })
  if (resets) {
    await endSessions(t, personId)
    return { personId, role }
  }
  const where = toPlace({ ...invitation, person_id: personId })
  if (await sql.findMember(t, where, email)) fail('ALREADY_MEMBER')
  await enlist(ctx, t, { id: given.membershipId, personId, where, role, by, email })
  return { personId, role }
}

const KEPT_MS = 90 * DAY_MS
/** As long as sessions are. Who was invited by whom stays in the audit trail. */
export const forgetOldInvitations = (ctx: Ctx): Promise<unknown> =>
  commitOne(ctx, peopleCell(ctx).id, (t) => sql.forgetInvitations(t, new Date(t.now.getTime() - KEPT_MS)))

// ---- roles

/** Refuses what would leave nobody who can manage the others. */
async function keepOne(t: Tx, where: Where, member: sql.Member): Promise<void> {
  const top = TOP_ROLE[sideAt(where)]
  if (member.role !== top) return
  const all = await sql.lockWithRole(t, where, top)
  if (!all.some(({ id }) => id !== member.id)) fail('LAST_ADMIN')
}

const memberOf = async (t: Tx, where: Where, email: string): Promise<sql.Member> =>
  (await sql.findMember(t, where, normaliseEmail(email))) ?? fail('MEMBER_UNKNOWN')

type Change = { readonly email: string; readonly by: string }

export async function changeRole(ctx: Ctx, t: Tx, where: Where, { email, role, by }: Change & { role: string }) {
  const member = await memberOf(t, where, email)
  const managers = await listManagers(t, where)
  if (role !== TOP_ROLE[sideAt(where)]) await keepOne(t, where, member)
  if (!(await setRole(t, where, member, role))) fail('MEMBER_UNKNOWN')
  if (where === null || [role, member.role].includes(TOP_ROLE.merchant))
    await tellManagers(ctx, t, where, managers, `${member.email}, ${member.role}, was made ${role} by ${by}.`)
  return { before: { email: member.email, role: member.role }, after: { email: member.email, role } }
}

export async function end(ctx: Ctx, t: Tx, where: Where, { email, by }: Change) {
  const member = await sql.findMember(t, where, normaliseEmail(email))
  const voided = await sql.voidInvitations(t, where, normaliseEmail(email))
  if (!member) {
    if (!voided) fail('MEMBER_UNKNOWN')
    if (where === null) {
      const what = `The invitation of ${normaliseEmail(email)} was ended by ${by}.`
      await tellManagers(ctx, t, where, await listManagers(t, where), what)
    }
    return { before: { email: normaliseEmail(email), role: null } }
  }
  const managers = await listManagers(t, where)
  await keepOne(t, where, member)
  if (!(await sql.endMembership(t, member.id))) fail('MEMBER_UNKNOWN')
  await endSessionsOfMembership(t, member.id)
  if (where === null || member.role === TOP_ROLE.merchant)
    await tellManagers(ctx, t, where, managers, `The access of ${member.email}, ${member.role}, was ended by ${by}.`)
  return { before: { email: member.email, role: member.role } }
}

/** Refuses where an owner is in force: nobody outside the team adds another in silence. */
export async function needNoOwner(read: Read, where: Where): Promise<void> {
  if (await sql.anyWithRoles(read, where, [TOP_ROLE.merchant])) fail('OWNER_IN_FORCE')
}

/** Whether a merchant has somebody with a permission. */
export function hasAnybody(ctx: Ctx, where: NonNullable<Where>, permission: MerchantPermission): Promise<boolean> {
  const roles = Object.keys(MERCHANT_ROLES).filter((role) => rolePermissions('merchant', role).has(permission))
  return readAll(ctx, peopleCell(ctx).id, (r) => sql.anyWithRoles(r, where, roles))
}

export async function showTeam(read: Read, where: Where) {
  return (await sql.listTeam(read, where)).map(({ email, name, role, state, totp, passkey, since, used_at }) => ({
    email,
    name,
    role,
    state,
    factors: [...(totp ? (['TOTP'] as const) : []), ...(passkey ? (['PASSKEY'] as const) : [])],
    since: since.toISOString(),
    usedAt: used_at?.toISOString() ?? null,
  }))
}

/** The address of an operator as it is kept; null of anybody else. */
export const findOperator = async (ctx: Ctx, email: string): Promise<string | null> =>
  (await readAll(ctx, peopleCell(ctx).id, (r) => sql.findMember(r, null, normaliseEmail(email))))?.email ?? null

/** An administrator by a link that whoever runs the machine gets: the very first; or, once there was one,
 *  another while fewer than two are left. Null otherwise. The others learn of it when the link is used. */
export async function inviteAtTheMachine(
  ctx: Ctx,
  base: string,
  which: 'first' | 'another',
  { email, name, by }: { readonly email: string; readonly name: string; readonly by: string },
): Promise<string | null> {
  const ids = await takeInvitationIds(ctx)
  return engineTx(ctx, peopleCell(ctx).id, async (t) => {
    if ((await sql.wasOperator(t)) !== (which === 'another')) return null
    if ((await sql.lockWithRole(t, null, TOP_ROLE.operator)).length >= 2) return null
    await sql.voidOperatorInvitations(t)
    const { token } = await invite(t, { ids, email, name, where: null, role: TOP_ROLE.operator, by })
    const after = { email: normaliseEmail(email) }
    await record(t, {
      merchantId: HOUSE,
      by: atTheMachine(by),
      what: which === 'first' ? 'operators.inviteFirst' : 'operators.inviteAnother',
      reason: '',
      after,
    })
    return invitationLink(base, 'operator', token)
  })
}
const atTheMachine = (name: string): TrailBy => ({
  kind: 'command',
  side: 'operator',
  personId: null,
  name,
  role: null,
  address: null,
  requestId: null,
})

/** The first operator of a sandbox, with the password that it prints; false once there was one. In live
 *  nobody gets a password from anybody. */
export async function joinFirst(
  ctx: Ctx,
  { by, ...given }: { readonly email: string; readonly name: string; readonly password: string; readonly by: TrailBy },
): Promise<boolean> {
  const home = peopleCell(ctx)
  if (ctx.environment === 'live') fail('INTERNAL', {}, 'in live the first operator comes by a link')
  if (await readAll(ctx, home.id, sql.wasOperator)) return false
  const passwordDigest = await createPasswords(ctx.passwordCost).digest(given.password, 'known')
  const [personId = 0n, id = 0n] = await home.takeIds(2)
  const email = normaliseEmail(given.email)
  return engineTx(ctx, home.id, async (t) => {
    if (await sql.wasOperator(t)) return false
    await insertPerson(t, { id: personId, email, name: given.name, passwordDigest })
    await enlist(ctx, t, { id, personId, where: null, role: TOP_ROLE.operator, by: by.name, email })
    await record(t, { merchantId: HOUSE, by, what: 'operators.first', reason: '', after: { email } })
    return true
  })
}
type TrailBy = TrailEntry['by']
