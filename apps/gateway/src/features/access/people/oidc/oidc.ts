// OpenID Connect: a person logs in at an identity provider that the operator has set, and returns as who it
// is here. The provider says who somebody is, and nothing else: roles are ours. Somebody it names for the
// first time is found by the e-mail address that it has verified, among people who are known or invited here,
// and linked to that subject for ever. It counts as the first factor, and as the second too where the ID
// token says that one was seen. State, nonce and verifier travel in a sealed cookie, so that only the browser
// that began can end it, and each state serves once.
import { SECOND_FACTORS } from '@cowrie/contract/access/oidc'
import { CHALLENGE_MINUTES } from '@cowrie/contract/access/passkeys'
import type { Side } from '@cowrie/contract/kit/permissions'
import { engineTx } from '#core/cells/cells.ts'
import { open, randomHex, seal, sha256 } from '#kit/crypto.ts'
import type { Ctx, OidcIdentity, OidcPort, OidcSecrets, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { enlist } from '../known/four-eyes.ts'
import { insertPerson } from '../known/persons.sql.ts'
import { findPersonByEmail, normaliseEmail, peopleCell } from '../known/persons.ts'
import { useChallenge } from '../passkeys/passkeys.sql.ts'
import * as sql from './oidc.sql.ts'

const LIFE_MS = CHALLENGE_MINUTES * 60_000

type Begun = OidcSecrets & { readonly expiresAt: number }
const contextOf = (side: Side): string => `oidc ${side}`

const portOf = (ctx: Ctx): OidcPort => ctx.oidc ?? fail('OIDC_OFF')

/** Where the browser goes, and what it keeps meanwhile. */
export async function begin(ctx: Ctx, side: Side, redirectUri: string): Promise<{ address: string; sealed: string }> {
  const secrets = { state: randomHex(32), nonce: randomHex(32), verifier: randomHex(32) }
  const outcome = await portOf(ctx).begin(redirectUri, secrets)
  if (outcome.kind !== 'yes') return unanswered(ctx, outcome.why)
  const begun: Begun = { ...secrets, expiresAt: ctx.clock.now().getTime() + LIFE_MS }
  return { address: outcome.value, sealed: seal(ctx.keys, JSON.stringify(begun), contextOf(side)) }
}

/** Keeps in the audit trail that a person was linked to a subject. */
export type Linked = (
  t: Tx,
  person: { readonly personId: bigint; readonly email: string },
  after: object,
) => Promise<void>

/** Who returned, and how many factors were seen. */
export async function finish(
  ctx: Ctx,
  side: Side,
  returnedTo: string,
  sealed: string | null,
  linked: Linked,
): Promise<{ personId: bigint; factors: 1 | 2 }> {
  const port = portOf(ctx)
  const begun = read(ctx, side, sealed)
  if (!begun || begun.expiresAt <= ctx.clock.now().getTime()) return fail('OIDC_REFUSED')
  const outcome = await port.finish(returnedTo, begun)
  if (outcome.kind === 'unknown') return unanswered(ctx, outcome.why)
  if (outcome.kind === 'no') return refused(ctx, outcome.why)
  const challenge = { digest: sha256().update(begun.state).digest(), expiresAt: new Date(begun.expiresAt) }
  const personId = await engineTx(ctx, peopleCell(ctx).id, async (t) => {
    if (!(await useChallenge(t, challenge, 'oidc', null))) fail('OIDC_REFUSED')
    return personOf(ctx, t, side, outcome.value, linked)
  })
  if (personId === null) return refused(ctx, 'nobody here has this subject or verified address')
  const second = outcome.value.methods.some((method) => SECOND_FACTORS.includes(method))
  return { personId, factors: second ? 2 : 1 }
}

/** By the subject that is linked; else by the address, which links it. An address that changes at the
 *  provider changes nobody here. */
async function personOf(ctx: Ctx, t: Tx, side: Side, identity: OidcIdentity, linked: Linked): Promise<bigint | null> {
  const { issuer, subject, verifiedEmail } = identity
  const known = await sql.findLinked(t, issuer, subject)
  if (known !== null || verifiedEmail === null) return known
  const email = normaliseEmail(verifiedEmail)
  const invitations = await sql.useInvitations(t, email, side)
  const personId = (await findPersonByEmail(t, email))?.id ?? (await newPerson(ctx, t, email, invitations))
  if (personId === null) return null
  for (const { role, invited_by: by, merchant_cell: cell, member_of: at } of invitations) {
    const [id = 0n] = await peopleCell(ctx).takeIds(1)
    const where = cell === null || at === null ? null : { cell, id: at }
    await enlist(ctx, t, { id, personId, where, role, by, email })
  }
  if (await sql.link(t, personId, issuer, subject)) {
    await linked(t, { personId, email }, { issuer, joinedAs: invitations.map(({ role }) => role) })
    return personId
  }
  // Two returned at once; or the address belongs to somebody else at the provider now.
  return (await sql.findLinked(t, issuer, subject)) === personId ? personId : fail('OIDC_REFUSED')
}

/** Whoever was invited, and has no password; nobody else. */
async function newPerson(
  ctx: Ctx,
  t: Tx,
  email: string,
  invitations: readonly sql.UsedInvitation[],
): Promise<bigint | null> {
  const [invitation] = invitations
  if (!invitation) return null
  const [id = 0n] = await peopleCell(ctx).takeIds(1)
  await insertPerson(t, { id, email, name: invitation.name, passwordDigest: null })
  return id
}

function read(ctx: Ctx, side: Side, sealed: string | null): Begun | null {
  try {
    return sealed === null ? null : (JSON.parse(open(ctx.keys, sealed, contextOf(side))) as Begun)
  } catch {
    return null // of another side or another key, or no cookie of ours
  }
}

function refused(ctx: Ctx, why: string): never {
  ctx.log.info('a log-in through the identity provider was refused', { detail: why })
  return fail('OIDC_REFUSED')
}
function unanswered(ctx: Ctx, why: string): never {
  ctx.log.warn('the identity provider does not answer', { detail: why })
  return fail('OIDC_UNAVAILABLE')
}
