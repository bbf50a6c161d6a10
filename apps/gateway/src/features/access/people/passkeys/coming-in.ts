// From a proof to a session: somebody new comes in, a half session becomes whole, or the same one goes on
// under another token.
import type { Side } from '@cowrie/contract/kit/permissions'
import { engineTx, readAll } from '#core/cells/cells.ts'
import { fail } from '#kit/fail.ts'
import type { HttpReply, HttpRequest } from '#kit/http/answers.ts'
import { findPersonById, listMemberships, peopleCell } from '../known/persons.ts'
import type { Entrance } from '../sessions/entrance.ts'
import { comeIn, findMembership } from '../sessions/log-in.ts'
import { endSession, giveCookies, readToken, renewSession, type SessionRow } from '../sessions/sessions.ts'

/** Null when the person belongs nowhere on this side, or not to that merchant. */
export async function comeInAs(
  entrance: Entrance,
  request: HttpRequest,
  reply: HttpReply,
  side: Side,
  personId: bigint,
  { proved, merchant }: { readonly proved: boolean; readonly merchant?: string | undefined },
) {
  const person = await readAll(entrance.ctx, peopleCell(entrance.ctx).id, (r) => findPersonById(r, personId))
  const membership = person && (await findMembership(entrance, person, side, merchant))
  return membership ? comeIn(entrance, request, reply, { person, membership, side, proved }) : null
}

type Renewed = { readonly token?: string }

/** After a second factor was seen. The half session ends, and a whole one begins. */
export async function finishLogIn(
  entrance: Entrance,
  request: HttpRequest,
  reply: HttpReply,
  half: SessionRow,
): Promise<Renewed> {
  const { side, person_id } = half
  const [person, membership] = await readAll(entrance.ctx, peopleCell(entrance.ctx).id, async (r) => [
    await findPersonById(r, person_id),
    (await listMemberships(r, person_id)).find(({ id }) => id === half.membership_id),
  ])
  if (!person || !membership) return fail('SESSION_ENDED')
  const { token } = await comeIn(entrance, request, reply, {
    person,
    membership,
    side,
    proved: true,
    asToken: readToken(request, side)?.byCookie === false,
    before: async (t) => {
      if (!(await endSession(t, half.id, person_id))) fail('SESSION_ENDED')
      return null
    },
  })
  return token === undefined ? {} : { token }
}

export async function renew(
  entrance: Entrance,
  request: HttpRequest,
  reply: HttpReply,
  session: SessionRow,
  proved: boolean,
): Promise<Renewed> {
  const home = peopleCell(entrance.ctx)
  const [id = 0n] = await home.takeIds(1)
  const facts = entrance.factsOf(request)
  const { token } = await engineTx(entrance.ctx, home.id, (t) => renewSession(t, id, session, proved, facts))
  if (readToken(request, session.side)?.byCookie === false) return { token }
  giveCookies(reply, session.side, token, null)
  return {}
}
