// People: those of merchants and of the operator, their roles, second factors and sessions. A person is
// invited by mail (team.ts), logs in with a password and then a code, a passkey or an identity provider
// (sessions/, passkeys/, oidc/), and does what their role allows. Here is what people do with their own
// account. Whatever changes a factor asks for a proof, ends the other sessions, renews this one and is
// reported by mail; it and every session that is ended have a line in the audit trail. No books, no states;
// nobody waits but for a mail.
import { type Me, STEP_UP_SECONDS } from '@cowrie/contract/access/people'
import { rolePermissions } from '@cowrie/contract/kit/permissions'
import type { Static } from 'typebox'
import { isProved } from '#core/access/actor.ts'
import { engineTx, readAll } from '#core/cells/cells.ts'
import type { Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { HttpReply, HttpRequest } from '#kit/http/answers.ts'
import { codesLeft, confirmTotp, newRecoveryCodes, startTotp } from './factors/codes.ts'
import { type Refusal, takeCounted } from './factors/counted.ts'
import { refuseFormer, replacePassword } from './factors/former.ts'
import { refuseWeak } from './factors/passwords.ts'
import { queuePersonMail } from './known/people-mails.ts'
import {
  findPersonById,
  hasSecondFactor,
  lockPerson,
  needsSecondFactor,
  type Person,
  peopleCell,
} from './known/persons.ts'
import { admitTry, type Entrance } from './sessions/entrance.ts'
import { admitCode, listFactors } from './sessions/log-in.ts'
import { noteFor } from './sessions/noted.ts'
import { type OwnLine, ownLine } from './sessions/own-line.ts'
import {
  clearCookie,
  endSession,
  endSessions,
  giveCookies,
  LIMITS,
  listSessions,
  readToken,
  renewSession,
  type SessionRow,
} from './sessions/sessions.ts'

type Here = {
  readonly entrance: Entrance
  readonly request: HttpRequest
  readonly reply: HttpReply
  readonly session: SessionRow
}

const personOf = async ({ entrance: { ctx }, session }: Here): Promise<Person> =>
  (await readAll(ctx, peopleCell(ctx).id, (r) => findPersonById(r, session.person_id))) ?? fail('SESSION_ENDED')

export async function me(here: Here): Promise<Static<typeof Me>> {
  const { entrance, session } = here
  const { ctx, merchants } = entrance
  const person = await personOf(here)
  const { side, role, merchant_cell: cell, member_of: id, proved_at: provedAt } = session
  const merchant = cell === null || id === null ? null : await merchants.byId(cell, id)
  return {
    email: person.email,
    name: person.name,
    side,
    role,
    merchant: merchant && { name: merchant.name, apiKey: merchant.apiKey },
    permissions: [...rolePermissions(side, role)],
    factors: listFactors(person),
    factorNeeded: provedAt === null && needsSecondFactor(ctx, side, role),
    recoveryCodesLeft: await readAll(ctx, peopleCell(ctx).id, (r) => codesLeft(r, person.id)),
    provedAt: provedAt?.toISOString() ?? null,
    proved: isProved(ctx, provedAt),
  }
}

// ---- sessions

/** A half session has opened nothing, so its end is not in the trail. */
export async function logOut(here: Here): Promise<undefined> {
  const { entrance, session, reply } = here
  const { ctx } = entrance
  const line = await ownLine(here, session)
  await engineTx(ctx, peopleCell(ctx).id, async (t) => {
    const ended = await endSession(t, session.id, session.person_id)
    if (ended && !session.half) await line(t, 'people.logOut', { after: { session: String(session.id) } })
  })
  clearCookie(reply, session.side)
}

export async function logOutEverywhere(here: Here): Promise<undefined> {
  const { entrance, session, reply } = here
  const { ctx } = entrance
  const line = await ownLine(here, session)
  await engineTx(ctx, peopleCell(ctx).id, async (t) => {
    const ended = await endSessions(t, session.person_id)
    if (ended > 0) await line(t, 'people.endSessions', { after: { sessionsEnded: ended } })
  })
  clearCookie(reply, session.side)
}

export async function endOne(here: Here, id: string): Promise<undefined> {
  const { entrance, session } = here
  const { ctx } = entrance
  const number = /^\d{1,18}$/.test(id) ? BigInt(id) : 0n
  const line = await ownLine(here, session)
  // One of somebody else's, or one that is over, gets the same answer.
  await engineTx(ctx, peopleCell(ctx).id, async (t) => {
    if (await endSession(t, number, session.person_id))
      await line(t, 'people.endSession', { after: { session: String(number) } })
  })
}

export async function showSessions({ entrance: { ctx }, session }: Here) {
  const { side, person_id, id } = session
  const idleSince = new Date(ctx.clock.now().getTime() - LIMITS[side].idleMs)
  const rows = await readAll(ctx, peopleCell(ctx).id, (r) => listSessions(r, person_id, side, idleSince))
  return rows.map((row) => ({
    id: String(row.id),
    present: row.id === id,
    device: row.device,
    address: row.address,
    startedAt: row.created_at.toISOString(),
    usedAt: row.used_at.toISOString(),
  }))
}

// ---- factors

/** A second factor that was seen within five minutes; for those who have none, the password. */
async function needProof(here: Here, person: Person, password: string | undefined): Promise<void> {
  const { entrance, session } = here
  const since = entrance.ctx.clock.now().getTime() - (session.proved_at?.getTime() ?? Number.NEGATIVE_INFINITY)
  if (since <= STEP_UP_SECONDS * 1000) return
  if (hasSecondFactor(person) || password === undefined) fail('PROOF_NEEDED')
  await needPassword(here, person, password)
}

async function needPassword({ entrance }: Here, person: Person, password: string): Promise<void> {
  const name = `password ${person.id}`
  admitTry(entrance.tries.code, name)
  if (!(await entrance.passwords.matches(password, person.password_digest, 'known'))) fail('PASSWORD_REFUSED')
  entrance.tries.code.release(name)
}

type Work<T> = {
  /** Of the line in the trail; none where nothing was changed. */
  readonly what?: string
  /** What it refuses by its answer it has written down, and that stays. */
  readonly run: (t: Tx, person: Person, mailId: bigint) => Promise<Refusal | Ran<T>>
}
type Ran<T> = { readonly result: T; readonly changed?: Changed }
type Changed = Parameters<OwnLine>[2]
/** One transaction about the person, who is locked; the session goes on under another token. */
async function renewed<T>(
  here: Here,
  proved: boolean,
  { what, run }: Work<T>,
): Promise<{ readonly result: T; readonly held: { token?: string } }> {
  const { entrance, request, reply, session } = here
  const { ctx } = entrance
  const [id = 0n, mailId = 0n] = await peopleCell(ctx).takeIds(2)
  const line = await ownLine(here, session)
  const ran = await engineTx(ctx, peopleCell(ctx).id, async (t) => {
    const person = (await lockPerson(t, session.person_id)) ?? fail('SESSION_ENDED')
    const done = await run(t, person, mailId)
    if (typeof done === 'string') return done
    const renewal = await renewSession(t, id, session, proved, entrance.factsOf(request))
    if (what !== undefined) await line(t, what, done.changed ?? {})
    return { result: done.result, started: renewal }
  })
  if (typeof ran === 'string') return fail(ran)
  const { result, started } = ran
  if (readToken(request, session.side)?.byCookie === false) return { result, held: { token: started.token } }
  giveCookies(reply, session.side, started.token, null)
  return { result, held: {} }
}

const changedMail = ({ email, name }: Person, what: string, at: Date) => ({
  to: email,
  subject: `${what} of your Cowrie account changed`,
  text: `Dear ${name},

${what.toLowerCase()} of your account changed at ${at.toISOString()}. Your other sessions were ended.

If it was not you, tell an owner or administrator at once.
`,
})

export async function changePassword(
  here: Here,
  { password, newPassword }: { readonly password: string; readonly newPassword: string },
) {
  const { entrance, session } = here
  const person = await personOf(here)
  refuseWeak(newPassword, person, 'newPassword')
  await needPassword(here, person, password)
  await refuseFormer(entrance.ctx, entrance.passwords, person.id, newPassword, 'newPassword')
  const digest = await entrance.passwords.digest(newPassword, 'known')
  const { held } = await renewed(here, false, {
    what: 'people.changePassword',
    run: async (t, locked, mailId) => {
      if (locked.password_digest !== person.password_digest) fail('PASSWORD_REFUSED')
      await replacePassword(t, person.id, digest)
      const sessionsEnded = await endSessions(t, person.id, session.id)
      await queuePersonMail(entrance.ctx, t, mailId, changedMail(person, 'The password', t.now))
      return { result: null, changed: { after: { sessionsEnded } } }
    },
  })
  return held
}

export async function beginTotp(here: Here, { password }: { readonly password?: string }): Promise<{ uri: string }> {
  const { ctx } = here.entrance
  const person = await personOf(here)
  await needProof(here, person, password)
  return { uri: await engineTx(ctx, peopleCell(ctx).id, (t) => startTotp(ctx, t, person)) }
}

export async function finishTotp(here: Here, { code }: { readonly code: string }) {
  const { entrance, session, request } = here
  const name = await admitCode(entrance, request, session)
  const { result: recoveryCodes, held } = await renewed(here, true, {
    what: 'people.confirmTotp',
    run: async (t, person, mailId) => {
      if (person.totp_next_sealed === null) fail('FACTOR_NOT_STARTED')
      if (!(await confirmTotp(entrance.ctx, t, person, code))) fail('CODE_REFUSED')
      const sessionsEnded = await endSessions(t, person.id, session.id)
      await queuePersonMail(entrance.ctx, t, mailId, changedMail(person, 'The authenticator app', t.now))
      const factors = listFactors(person)
      const after = { factors: [...new Set([...factors, 'TOTP'])].toSorted(), sessionsEnded }
      const result = await newRecoveryCodes(entrance.ctx, t, person.id)
      return { result, changed: { before: { factors }, after } }
    },
  })
  entrance.tries.code.release(name)
  return { recoveryCodes, ...held }
}

export async function replaceRecoveryCodes(here: Here): Promise<{ recoveryCodes: string[] }> {
  const { ctx } = here.entrance
  const person = await personOf(here)
  await needProof(here, person, undefined)
  const [mailId = 0n] = await peopleCell(ctx).takeIds(1)
  const line = await ownLine(here, here.session)
  const recoveryCodes = await engineTx(ctx, peopleCell(ctx).id, async (t) => {
    await lockPerson(t, person.id)
    await queuePersonMail(ctx, t, mailId, recoveryMail(person, t.now))
    const codes = await newRecoveryCodes(ctx, t, person.id)
    await line(t, 'people.newRecoveryCodes', { after: { recoveryCodes: codes.length } })
    return codes
  })
  return { recoveryCodes }
}
const recoveryMail = ({ email, name }: Person, at: Date) => ({
  to: email,
  subject: 'New recovery codes for your Cowrie account',
  text: `Dear ${name},

new recovery codes were made for your account at ${at.toISOString()}; the old ones are void.

If it was not you, tell an owner or administrator at once.
`,
})

/** Never by mail: whoever reads somebody's mail must not move their money. */
export async function stepUp(here: Here, { code }: { readonly code: string }) {
  const { entrance, request, session } = here
  const name = await admitCode(entrance, request, session)
  const { side, email, merchant_cell: cell, member_of: id } = session
  const where = cell === null || id === null ? null : { cell, id }
  const note = await noteFor(entrance, request, { email, side, where })
  const { held } = await renewed<null>(here, true, {
    run: async (t, person) =>
      (await takeCounted(entrance.ctx, t, person, code, (kind) => note(t, kind))) ?? { result: null },
  })
  entrance.tries.code.release(name)
  return held
}
