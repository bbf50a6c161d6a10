// Log-in: the password, then the code of the second factor where there is one. Cheap refusals come first: a
// flood against one account, or against many, reaches scrypt as often as unknown devices may and no more.
// Whoever has come in from this device before is not counted with those, so that a flood locks no owner out.
// An unknown address costs the same work and gets the same answer.
import type { LogInReply } from '@cowrie/contract/access/people'
import type { Side } from '@cowrie/contract/kit/permissions'
import type { Static } from 'typebox'
import { engineTx, readAll } from '#core/cells/cells.ts'
import type { Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { HttpReply, HttpRequest } from '#kit/http/answers.ts'
import { type Refusal, takeCounted } from '../factors/counted.ts'
import type { Lane } from '../factors/passwords.ts'
import { queuePersonMail } from '../known/people-mails.ts'
import {
  findPersonByEmail,
  hasSecondFactor,
  isAt,
  listMemberships,
  lockPerson,
  type Membership,
  memberSide,
  normaliseEmail,
  type Person,
  peopleCell,
  toPlace,
} from '../known/persons.ts'
import { admitTry, type Entrance, networkName } from './entrance.ts'
import { LOGGED_IN, noteFor, noteRefused } from './noted.ts'
import * as sql from './sessions.sql.ts'
import { giveCookies, readDeviceToken, readToken, type SessionRow, startSession, tokenDigest } from './sessions.ts'

type LoggedIn = Static<typeof LogInReply>
type Given = { readonly deviceToken?: string | undefined; readonly asToken?: boolean | undefined }

/** How the device of a request is named, if it is one of ours. */
function deviceOf(entrance: Entrance, request: HttpRequest, { deviceToken }: Given): string | null {
  const token = deviceToken ?? readDeviceToken(request)
  return token !== null && entrance.isDeviceToken(token) ? token : null
}

export async function logIn(
  entrance: Entrance,
  request: HttpRequest,
  reply: HttpReply,
  side: Side,
  body: Given & { readonly email: string; readonly password: string; readonly merchant?: string },
): Promise<LoggedIn> {
  const { ctx, passwords, tries } = entrance
  const home = peopleCell(ctx).id
  const email = normaliseEmail(body.email)
  const device = deviceOf(entrance, request, body)
  if (device !== null) admitTry(tries.device, device)
  const known = device !== null && (await readAll(ctx, home, (r) => sql.isKnownDevice(r, email, tokenDigest(device))))
  const lane: Lane = known ? 'known' : 'unknown'
  const network = networkName(entrance, request)
  if (!known) admitTry(tries.address, network)
  passwords.refuseIfFull(lane)
  if (!known) admitTry(tries.account, email)
  const find = () => readAll(ctx, home, (r) => findPersonByEmail(r, email))
  const person = await passwords.whose(body.password, find, lane)
  const membership = person && (await findMembership(entrance, person, side, body.merchant))
  if (!person || !membership) {
    await noteRefused(entrance, request, side, email)
    return fail('LOG_IN_REFUSED')
  }
  if (device !== null) tries.device.release(device)
  if (!known) {
    tries.address.release(network)
    tries.account.release(email)
  }
  return comeIn(entrance, request, reply, { person, membership, side, proved: false, ...body })
}

/** Where the person comes in: the merchant that was named, else the newest that they belong to. */
export async function findMembership(
  { ctx, merchants }: Entrance,
  person: Person,
  side: Side,
  apiKey: string | undefined,
): Promise<Membership | null> {
  const all = (await readAll(ctx, peopleCell(ctx).id, (r) => listMemberships(r, person.id))).filter(
    (one) => memberSide(one) === side,
  )
  if (side === 'operator' || apiKey === undefined) return all[0] ?? null
  const merchant = await merchants.byApiKey(apiKey)
  return (merchant && all.find((one) => isAt(one, merchant))) ?? null
}

export const listFactors = ({ totp_sealed, has_passkey }: Pick<Person, 'totp_sealed' | 'has_passkey'>) => [
  ...(totp_sealed === null ? [] : (['TOTP'] as const)),
  ...(has_passkey ? (['PASSKEY'] as const) : []),
]

export type Coming = Given & {
  readonly person: Person
  readonly membership: Membership
  readonly side: Side
  /** A second factor was seen just now. */
  readonly proved: boolean
  /** Done in the same transaction, first. What it answers is refused, and nobody comes in; what it has
   *  written then stays. */
  readonly before?: (t: Tx) => Promise<Refusal | null>
}
/** Whoever has shown who they are comes in: a session, its cookie, the device, and a mail if that is a new
 *  one. Without the second factor that they have, the session is half, and good for nothing but showing
 *  it. */
export async function comeIn(
  entrance: Entrance,
  request: HttpRequest,
  reply: HttpReply,
  coming: Coming,
): Promise<LoggedIn> {
  const { person, membership, side, proved } = coming
  const { ctx } = entrance
  const half = !proved && hasSecondFactor(person)
  const facts = entrance.factsOf(request)
  const deviceToken = half ? null : (deviceOf(entrance, request, coming) ?? entrance.newDeviceToken())
  const [id = 0n, mailId = 0n] = await peopleCell(ctx).takeIds(2)
  const note = await noteFor(entrance, request, { email: person.email, side, where: toPlace(membership) })
  const started = await engineTx(ctx, peopleCell(ctx).id, async (t) => {
    const refusal = (await coming.before?.(t)) ?? null
    if (refusal !== null) return refusal
    if (!half) await note(t, LOGGED_IN, { factors: proved ? 2 : 1 })
    if (deviceToken !== null) {
      const others = await sql.hasDevices(t, person.id)
      const added = await sql.seeDevice(t, person.id, tokenDigest(deviceToken), facts.device, proved)
      if (added && others) await queuePersonMail(ctx, t, mailId, newDeviceMail(person, facts, t.now))
    }
    const ids = { id, personId: person.id, membershipId: membership.id }
    return startSession(t, { ...ids, side, proved, half, facts })
  })
  if (typeof started === 'string') return fail(started)
  const state = { state: half ? ('CODE' as const) : ('IN' as const), factors: listFactors(person) }
  if (coming.asToken) return { ...state, token: started.token, ...(deviceToken === null ? {} : { deviceToken }) }
  giveCookies(reply, side, started.token, deviceToken)
  return state
}

const newDeviceMail = (person: Person, { device, address }: { device: string; address: string }, at: Date) => ({
  to: person.email,
  subject: 'A log-in from a new device',
  text: `Dear ${person.name},

somebody logged in to Cowrie with your e-mail address from a device that we have not seen before.

  Device: ${device}
  Address: ${address}
  At: ${at.toISOString()}

If it was you, there is nothing to do. If not, log in, end all sessions, change your password, and tell an owner or administrator.
`,
})

/** The second step: the code. The half session ends, and a whole one with another token begins. */
export async function sendCode(
  entrance: Entrance,
  request: HttpRequest,
  reply: HttpReply,
  half: SessionRow,
  body: { readonly code: string; readonly deviceToken?: string },
): Promise<LoggedIn> {
  const { ctx } = entrance
  if (!half.half) fail('SESSION_ENDED')
  const name = await admitCode(entrance, request, half, body)
  const [person, membership] = await readAll(ctx, peopleCell(ctx).id, async (r) => [
    await findPersonByEmail(r, half.email),
    (await listMemberships(r, half.person_id)).find((one) => one.id === half.membership_id),
  ])
  if (!person || !membership) return fail('SESSION_ENDED')
  const note = await noteFor(entrance, request, { email: person.email, side: half.side, where: toPlace(membership) })
  const answer = await comeIn(entrance, request, reply, {
    person,
    membership,
    side: half.side,
    proved: true,
    asToken: readToken(request, half.side)?.byCookie === false,
    deviceToken: body.deviceToken,
    before: async (t) => {
      const locked = (await lockPerson(t, person.id)) ?? fail('SESSION_ENDED')
      const refusal = await takeCounted(ctx, t, locked, body.code, (kind) => note(t, kind))
      if (refusal === null && !(await sql.endSession(t, half.id, person.id))) fail('SESSION_ENDED')
      return refusal
    },
  })
  entrance.tries.code.release(name)
  return answer
}

/** Codes are short: wrong ones are counted per person, on a known device apart from elsewhere. Answers what
 *  was counted. */
export async function admitCode(
  entrance: Entrance,
  request: HttpRequest,
  { person_id, email }: SessionRow,
  given: Given = {},
): Promise<string> {
  const device = deviceOf(entrance, request, given)
  const home = peopleCell(entrance.ctx).id
  const known =
    device !== null && (await readAll(entrance.ctx, home, (r) => sql.isKnownDevice(r, email, tokenDigest(device))))
  const name = `${person_id} ${known ? device : ''}`
  admitTry(entrance.tries.code, name)
  return name
}
