// Passkeys: a person registers what its devices hold, logs in with one, proves itself again, and signs what
// it does. A passkey is asked for user verification every time, so it counts as two factors. The first one
// may be registered by whoever has no second factor and has logged in within five minutes; every other change
// asks for a proof as recent, and ends the other sessions. An authenticator whose counter does not go forward
// may have been copied: it is refused, and its owner is mailed. What was signed for an act is kept with it.
import { type Assertion, type Attestation, type KeptProof, PASSKEYS_MAX } from '@cowrie/contract/access/passkeys'
import { STEP_UP_SECONDS } from '@cowrie/contract/access/people'
import type { Side } from '@cowrie/contract/kit/permissions'
import { noteSecurity } from '#core/acts/security.ts'
import { engineTx, readAll } from '#core/cells/cells.ts'
import { HOUSE } from '#core/ledger/chart.ts'
import { hmacBytes } from '#kit/crypto.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { forgetWrong } from '../factors/factors.sql.ts'
import { queuePersonMail } from '../known/people-mails.ts'
import {
  findPersonById,
  hasSecondFactor,
  lockPerson,
  type Person,
  peopleCell,
  setHasPasskey,
} from '../known/persons.ts'
import type { Entrance } from '../sessions/entrance.ts'
import type { OwnLine } from '../sessions/own-line.ts'
import { endSessions } from '../sessions/sessions.ts'
import { type For, makeChallenge, readChallenge } from './challenges.ts'
import * as sql from './passkeys.sql.ts'
import {
  creationOptions,
  parseChallenge,
  type RelyingParty,
  relyingParty,
  requestOptions,
  verifyNew,
  verifySignature,
} from './webauthn.ts'

/** Whose session asks, since when it is open, and when the person last showed a second factor. */
export type Asking = {
  readonly side: Side
  readonly personId: bigint
  readonly sessionId: bigint
  readonly openedAt: Date
  readonly provedAt: Date | null
}

const STEP_UP_MS = STEP_UP_SECONDS * 1000

const partyOf = (entrance: Entrance, side: Side): RelyingParty => relyingParty(entrance.urlOf(side))

/** What an authenticator knows a person by: no number of ours. */
const handleOf = (ctx: Ctx, personId: bigint): Buffer => hmacBytes(ctx.keys.handles, `person ${personId}`)

/** By mail, in the transaction of what happened. */
async function tell(ctx: Ctx, t: Tx, { email }: Person, subject: string, text: string): Promise<void> {
  const [id = 0n] = await peopleCell(ctx).takeIds(1)
  await queuePersonMail(ctx, t, id, { to: email, subject, text })
}

/** Of a second factor; who has none has logged in just now. */
function needProof(ctx: Ctx, { openedAt, provedAt }: Asking, first = false): void {
  const shown = first ? openedAt : provedAt
  if (shown === null || ctx.clock.now().getTime() - shown.getTime() > STEP_UP_MS) fail('PROOF_NEEDED')
}

// ---- what the browser is asked with

export const logInOptions = (entrance: Entrance, side: Side) =>
  requestOptions(partyOf(entrance, side), makeChallenge(entrance.ctx, { purpose: 'log-in', side, personId: null }), [])

export async function registerOptions(entrance: Entrance, asking: Asking) {
  const { ctx } = entrance
  const { side, personId } = asking
  const home = peopleCell(ctx).id
  const person = (await readAll(ctx, home, (r) => findPersonById(r, personId))) ?? fail('SESSION_ENDED')
  needProof(ctx, asking, !hasSecondFactor(person))
  const known = await readAll(ctx, home, (r) => sql.list(r, personId))
  if (known.length >= PASSKEYS_MAX) fail('PASSKEYS_FULL')
  const { email, name } = person
  const challenge = makeChallenge(ctx, { purpose: 'register', side, personId })
  return creationOptions(partyOf(entrance, side), { handle: handleOf(ctx, personId), email, name }, challenge, known)
}

/** For a step-up, or for an act with its digest. */
export async function proofOptions(entrance: Entrance, { side, personId }: Asking, act: Buffer | null) {
  const { ctx } = entrance
  const known = await readAll(ctx, peopleCell(ctx).id, (r) => sql.list(r, personId))
  const challenge = makeChallenge(
    ctx,
    act ? { purpose: 'act', side, personId, act } : { purpose: 'step-up', side, personId },
  )
  return requestOptions(partyOf(entrance, side), challenge, known)
}

// ---- register, list, rename, end

/** The new passkey, and whether it is the person's first second factor. */
export async function register(entrance: Entrance, asking: Asking, line: OwnLine, name: string, given: Attestation) {
  const { ctx } = entrance
  const { side, personId } = asking
  const text = parseChallenge(given.response.clientDataJSON) ?? fail('PASSKEY_REFUSED')
  const challenge = readChallenge(ctx, text, { purpose: 'register', side, personId }) ?? fail('PASSKEY_REFUSED')
  const made = (await verifyNew(partyOf(entrance, side), text, given)) ?? fail('PASSKEY_REFUSED')
  const home = peopleCell(ctx)
  const [id = 0n] = await home.takeIds(1)
  return engineTx(ctx, home.id, async (t) => {
    const person = (await lockPerson(t, personId)) ?? fail('SESSION_ENDED')
    const first = !hasSecondFactor(person)
    needProof(ctx, asking, first) // it may be the second of two at once
    if (!(await sql.useChallenge(t, challenge, 'register', personId))) fail('PASSKEY_REFUSED')
    if ((await sql.list(t, personId)).length >= PASSKEYS_MAX) fail('PASSKEYS_FULL')
    const row = await sql.insert(t, {
      id,
      person_id: personId,
      credential_id: made.credentialId,
      public_key: made.publicKey,
      counter: BigInt(made.counter),
      name,
      transports: given.response.transports ?? [],
    })
    if (!row) return fail('PASSKEY_TAKEN')
    await setHasPasskey(t, personId, true)
    const sessionsEnded = await endSessions(t, personId, asking.sessionId)
    await tell(ctx, t, person, 'A passkey was added', addedText(name))
    await line(t, 'passkeys.register', { after: { passkey: id.toString(), sessionsEnded } })
    return { passkey: shown(row), first }
  })
}
const NOT_YOU = 'Your other sessions were ended. If it was not you, tell an owner or administrator at once.'
const addedText = (name: string): string =>
  `The passkey "${name}" was added to your account. It can be used to log in and to approve.\n\n${NOT_YOU}`

export async function listPasskeys(ctx: Ctx, { personId }: Asking) {
  return (await readAll(ctx, peopleCell(ctx).id, (r) => sql.list(r, personId))).map(shown)
}

export async function renamePasskey(ctx: Ctx, { personId }: Asking, line: OwnLine, id: string, name: string) {
  return engineTx(ctx, peopleCell(ctx).id, async (t) => {
    const row = (await sql.rename(t, personId, idOf(id), name)) ?? fail('PASSKEY_UNKNOWN')
    await line(t, 'passkeys.rename', { after: { passkey: id } })
    return shown(row)
  })
}

export async function endPasskey(ctx: Ctx, asking: Asking, line: OwnLine, id: string): Promise<void> {
  needProof(ctx, asking)
  const { personId } = asking
  await engineTx(ctx, peopleCell(ctx).id, async (t) => {
    const person = (await lockPerson(t, personId)) ?? fail('SESSION_ENDED')
    const { name } = (await sql.end(t, personId, idOf(id))) ?? fail('PASSKEY_UNKNOWN')
    await setHasPasskey(t, personId, (await sql.list(t, personId)).length > 0)
    const sessionsEnded = await endSessions(t, personId, asking.sessionId)
    const text = `The passkey "${name}" was ended: it opens nothing any more.\n\n${NOT_YOU}`
    await tell(ctx, t, person, 'A passkey was ended', text)
    await line(t, 'passkeys.end', { before: { passkey: id }, after: { sessionsEnded } })
  })
}

const ID = /^\d{1,18}$/
const idOf = (text: string): bigint => (ID.test(text) ? BigInt(text) : fail('PASSKEY_UNKNOWN'))

const shown = ({ id, name, created_at, used_at }: sql.PasskeyRow) => ({
  id: id.toString(),
  name,
  createdOn: created_at.toISOString(),
  usedOn: used_at?.toISOString() ?? null,
})

// ---- signatures

/** Whose signature it is; null unless the passkey is in force, the person's own, and signs a challenge that
 *  was made for this and was never used. Whatever is wrong, the answer is the same. */
async function signedBy(entrance: Entrance, wanted: For, given: Assertion): Promise<bigint | null> {
  const { ctx } = entrance
  const { side, personId, purpose } = wanted
  const { clientDataJSON, userHandle } = given.response
  const text = parseChallenge(clientDataJSON)
  const challenge = text === null ? null : readChallenge(ctx, text, wanted)
  if (text === null || challenge === null) return null
  const home = peopleCell(ctx).id
  const passkey = await readAll(ctx, home, (r) => sql.find(r, Buffer.from(given.id, 'base64url')))
  if (!passkey || (personId !== null && passkey.person_id !== personId)) return null
  const handle = handleOf(ctx, passkey.person_id).toString('base64url')
  if (userHandle !== undefined && userHandle !== handle) return null
  const counter = await verifySignature(partyOf(entrance, side), text, passkey.public_key, given)
  if (counter === null) return null
  return engineTx(ctx, home, async (t) => {
    if (!(await sql.useChallenge(t, challenge, purpose, passkey.person_id))) return null
    if (await sql.use(t, passkey.id, counter)) {
      await forgetWrong(t, passkey.person_id)
      return passkey.person_id
    }
    // Committed with the challenge: the mail goes out although nothing else happens.
    const person = await findPersonById(t, passkey.person_id)
    if (person && (await sql.find(t, passkey.credential_id))) {
      await noteCopied(t, person.email, side)
      await tell(ctx, t, person, 'A passkey was refused', copiedText(passkey.name))
    }
    return null
  })
}
/** The signature came from no session, so nobody is named but whose passkey it is. */
const noteCopied = (t: Tx, email: string, side: Side): Promise<void> => {
  const by = { kind: 'nobody', side, name: '', address: null, requestId: null } as const
  return noteSecurity(t, { kind: 'passkey.copied', merchantId: HOUSE, person: email, by })
}
const copiedText = (name: string): string =>
  `Somebody used your passkey "${name}", and its counter did not go forward. That happens when a security key was copied. Nobody was let in.

End this passkey, register a new one, and tell an owner or administrator.`

export const logInWith = async (entrance: Entrance, side: Side, given: Assertion): Promise<bigint> =>
  (await signedBy(entrance, { purpose: 'log-in', side, personId: null }, given)) ?? fail('PASSKEY_REFUSED')

export async function stepUpWith(entrance: Entrance, { side, personId }: Asking, given: Assertion): Promise<void> {
  if ((await signedBy(entrance, { purpose: 'step-up', side, personId }, given)) === null) fail('PASSKEY_REFUSED')
}

/** What is kept of a signature under exactly this act; null when it is none. */
export async function proveAct(
  entrance: Entrance,
  { side, personId }: Pick<Asking, 'side' | 'personId'>,
  act: Buffer,
  given: Assertion,
): Promise<KeptProof | null> {
  if ((await signedBy(entrance, { purpose: 'act', side, personId, act }, given)) === null) return null
  const { clientDataJSON, authenticatorData, signature } = given.response
  return { credentialId: given.id, clientDataJSON, authenticatorData, signature }
}
