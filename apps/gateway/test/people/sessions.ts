// People who are in, without a log-in: their rows and their session are written as the feature writes them,
// and no password is derived. For tables over many roles, and for load.

import type { Side } from '@cowrie/contract/kit/permissions'
import { engineTx } from '#core/cells/cells.ts'
import { insertMembership, insertPerson } from '#features/access/people/known/persons.sql.ts'
import { peopleCell } from '#features/access/people/known/persons.ts'
import { type Started, startSession } from '#features/access/people/sessions/sessions.ts'
import type { Ctx } from '#kit/ctx.ts'

export type PersonIn = Started & { readonly personId: bigint; readonly email: string }
export type Coming = {
  /** Whose; of the operator's people nobody's. */
  readonly merchant?: { readonly cell: string; readonly id: bigint }
  readonly email?: string
  /** When the second factor was seen; just now if not given, null for never. */
  readonly provedAt?: Date | null
  /** From when on they approve; at once if not given. */
  readonly approvesFrom?: Date
  /** Only the password was seen. */
  readonly half?: boolean
}

let people = 0
export async function personIn(
  { gateway: { ctx } }: { readonly gateway: { readonly ctx: Ctx } },
  side: Side,
  role: string,
  coming: Coming = {},
): Promise<PersonIn> {
  people += 1
  const { merchant = null, half = false } = coming
  const email = coming.email ?? `${role}-${side}-${process.pid}-${people}@people.example`
  const home = peopleCell(ctx)
  const [personId = 0n, membershipId = 0n, id = 0n] = await home.takeIds(3)
  const started = await engineTx(ctx, home.id, async (t) => {
    await insertPerson(t, { id: personId, email, name: `Somebody ${role}`, passwordDigest: null })
    const managed = ['owner', 'admin'].includes(role)
    await insertMembership(t, {
      ...{ id: membershipId, personId, where: merchant, role, by: email },
      ...{ managed, approvesFrom: coming.approvesFrom ?? null },
    })
    const provedAt = coming.provedAt === undefined ? t.now : coming.provedAt
    const facts = { device: 'a test', address: '127.0.0.1' }
    return startSession(t, { id, personId, membershipId, side, proved: false, provedAt, half, facts })
  })
  return { ...started, personId, email }
}

/** As a program sends it. */
export const sessionHeader = ({ token }: Pick<Started, 'token'>) => ({ authorization: `Session ${token}` })
