import { Assertion, createPasskeyRoutes } from '@cowrie/contract/access/passkeys'
import type { Side } from '@cowrie/contract/kit/permissions'
import type { BodyOf, ReplyOf, Route } from '@cowrie/contract/kit/spec'
import { Compile } from 'typebox/compile'
import type { Door } from '#core/acts/door.ts'
import { bindRaw, type RouteDeps } from '#core/bind.ts'
import { fail } from '#kit/fail.ts'
import type { HttpReply, HttpRequest } from '#kit/http/answers.ts'
import { bodyReader } from '#kit/validation/validate.ts'
import { wholeSession } from '../sessions/door.ts'
import type { Entrance } from '../sessions/entrance.ts'
import { ownLine } from '../sessions/own-line.ts'
import { needSession, refuseCrossSite, type SessionRow } from '../sessions/sessions.ts'
import { DIGEST_BYTES } from './challenges.ts'
import { comeInAs, finishLogIn, renew } from './coming-in.ts'
import {
  type Asking,
  endPasskey,
  listPasskeys,
  logInOptions,
  logInWith,
  proofOptions,
  proveAct,
  register,
  registerOptions,
  renamePasskey,
  stepUpWith,
} from './passkeys.ts'

function digestOf(text: string | undefined): Buffer {
  const digest = Buffer.from(text ?? fail('FIELD_MISSING', { field: 'digest' }), 'base64url')
  return digest.length === DIGEST_BYTES ? digest : fail('FIELD_INVALID', { field: 'digest', why: 'must be a SHA-256' })
}

const askingOf = ({ side, person_id, id, created_at, proved_at }: SessionRow): Asking => ({
  side,
  personId: person_id,
  sessionId: id,
  openedAt: created_at,
  provedAt: proved_at,
})
const idIn = ({ params }: HttpRequest): string => (params as { id: string }).id

export function passkeyRoutes(deps: RouteDeps, entrance: Entrance, side: Side): void {
  const { ctx } = deps
  const routes = createPasskeyRoutes(side)
  const on = <R extends Route>(
    route: R,
    serve: (read: () => BodyOf<R>, request: HttpRequest, reply: HttpReply) => Promise<ReplyOf<R>>,
  ): void => {
    const read = bodyReader(route)
    bindRaw(deps, route, (request, reply) =>
      serve(() => read((request.body as string | undefined) ?? '') as BodyOf<R>, request, reply),
    )
  }
  /** `half`: also one that waits for its second factor, which a passkey is. */
  const sessionIn = async (request: HttpRequest, half = false): Promise<SessionRow> => {
    const session = await (half
      ? needSession(ctx, request, side, entrance.originOf(side))
      : wholeSession(entrance, request, side))
    deps.http.anonymous.putBack(request)
    return session
  }

  on(routes.options, async (read, request) => {
    const { purpose, digest } = read()
    if (purpose === 'log-in') return { publicKey: logInOptions(entrance, side) }
    const asking = askingOf(await sessionIn(request, purpose === 'step-up'))
    if (purpose === 'register') return { publicKey: await registerOptions(entrance, asking) }
    return { publicKey: await proofOptions(entrance, asking, purpose === 'act' ? digestOf(digest) : null) }
  })
  on(routes.logIn, async (read, request, reply) => {
    refuseCrossSite(request, entrance.originOf(side)) // or another site would log somebody in as somebody else
    const { credential, merchant } = read()
    const personId = await logInWith(entrance, side, credential)
    return (
      (await comeInAs(entrance, request, reply, side, personId, { proved: true, merchant })) ?? fail('PASSKEY_REFUSED')
    )
  })
  on(routes.stepUp, async (read, request, reply) => {
    const session = await sessionIn(request, true)
    await stepUpWith(entrance, askingOf(session), read().credential)
    return session.half
      ? finishLogIn(entrance, request, reply, session)
      : renew(entrance, request, reply, session, true)
  })
  on(routes.register, async (read, request, reply) => {
    const session = await sessionIn(request)
    const { name, credential } = read()
    const line = await ownLine({ entrance, request }, session)
    const { passkey, first } = await register(entrance, askingOf(session), line, name, credential)
    return { ...passkey, ...(await renew(entrance, request, reply, session, first)) }
  })
  on(routes.list, async (_, request) => listPasskeys(ctx, askingOf(await sessionIn(request))))
  on(routes.rename, async (read, request) => {
    const session = await sessionIn(request)
    const line = await ownLine({ entrance, request }, session)
    return renamePasskey(ctx, askingOf(session), line, idIn(request), read().name)
  })
  on(routes.end, async (_, request, reply) => {
    const session = await sessionIn(request)
    const line = await ownLine({ entrance, request }, session)
    await endPasskey(ctx, askingOf(session), line, idIn(request))
    return renew(entrance, request, reply, session, false)
  })
}

const assertion = Compile(Assertion)
/** Door.prove. What comes with an act is held against the schema here, because the act's own does not know
 *  it. */
export const proveBy =
  (entrance: Entrance): Door['prove'] =>
  async ({ actor }, digest, proof) =>
    actor.personId !== null && assertion.Check(proof)
      ? proveAct(entrance, { side: actor.side, personId: actor.personId }, digest, proof)
      : null
