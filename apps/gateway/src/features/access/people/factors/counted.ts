// Wrong codes, counted on the person: under the lock of their row, so that many at once, in however many
// processes, are looked at one after the other, and none is forgotten. From the twentieth without a right one
// only what nobody guesses is taken: a recovery code or a passkey. The count commits with the refusal.
import type { SecurityKindName } from '@cowrie/contract/access/security'
import type { Ctx, Tx } from '#kit/ctx.ts'
import type { Person } from '../known/persons.ts'
import { isAppCode, takeCode } from './codes.ts'
import * as sql from './factors.sql.ts'

export const WRONG_TOLD = 5
export const WRONG_MAX = 20

export type Refusal = 'CODE_REFUSED' | 'FACTOR_LOCKED'

/** Null: it was right, and the count begins anew. `person` is locked. */
export async function takeCounted(
  ctx: Ctx,
  t: Tx,
  person: Person,
  given: string,
  note: (kind: SecurityKindName) => Promise<void>,
): Promise<Refusal | null> {
  const locked = person.wrong_factors >= WRONG_MAX && isAppCode(given)
  if (!locked && (await takeCode(ctx, t, person, given))) {
    if (person.wrong_factors > 0) await sql.setWrong(t, person.id, 0)
    return null
  }
  const wrong = person.wrong_factors + 1
  await sql.setWrong(t, person.id, wrong)
  await note('factor.refused')
  if (wrong === WRONG_TOLD) await note('factor.attacked')
  if (wrong === WRONG_MAX) await note('factor.locked')
  return wrong >= WRONG_MAX ? 'FACTOR_LOCKED' : 'CODE_REFUSED'
}
