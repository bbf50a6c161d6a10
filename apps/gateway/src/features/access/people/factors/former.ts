// Another password is another one: none of the last four, the present one among them. Each is compared as at
// a log-in, which costs as much.
import { readAll } from '#core/cells/cells.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { keepFormer, lastPasswords, setPassword } from '../known/persons.sql.ts'
import { peopleCell } from '../known/persons.ts'
import type { Passwords } from './passwords.ts'

const LAST = 4

export async function refuseFormer(
  ctx: Ctx,
  passwords: Passwords,
  personId: bigint,
  password: string,
  field = 'password',
): Promise<void> {
  for (const digest of await readAll(ctx, peopleCell(ctx).id, (r) => lastPasswords(r, personId, LAST)))
    if (await passwords.matches(password, digest, 'known')) fail('PASSWORD_USED', { field })
}

/** The present one becomes one of those before it. */
export async function replacePassword(t: Tx, personId: bigint, digest: string): Promise<void> {
  await keepFormer(t, personId, LAST - 1)
  await setPassword(t, personId, digest)
}
