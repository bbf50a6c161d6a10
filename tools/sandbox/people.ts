// Somebody who can log in to the sandbox's dashboard: the owner of its first merchant, with the address and
// password that the sandbox hands out. Nobody was invited, so nobody has to look for a mail first.
import { engineTx, readAll } from '../../apps/gateway/src/core/cells/cells.ts'
import { createPasswords } from '../../apps/gateway/src/features/access/people/factors/passwords.ts'
import { insertMembership, insertPerson } from '../../apps/gateway/src/features/access/people/known/persons.sql.ts'
import { findPersonByEmail, peopleCell } from '../../apps/gateway/src/features/access/people/known/persons.ts'
import type { Ctx } from '../../apps/gateway/src/kit/ctx.ts'
import type { SeededMerchant } from './seed.ts'

/** One that is there, of an earlier start, stays as it is. */
export async function seedOwner(
  ctx: Ctx,
  where: { readonly cell: string; readonly id: bigint },
  { email, name, password }: Pick<SeededMerchant, 'email' | 'name' | 'password'>,
): Promise<void> {
  const home = peopleCell(ctx)
  if (await readAll(ctx, home.id, (r) => findPersonByEmail(r, email))) return
  const passwordDigest = await createPasswords(ctx.passwordCost).digest(password, 'known')
  const [id = 0n, membershipId = 0n] = await home.takeIds(2)
  await engineTx(ctx, home.id, async (t) => {
    await insertPerson(t, { id, email, name: `Owner of ${name}`, passwordDigest })
    await insertMembership(t, {
      id: membershipId,
      personId: id,
      where,
      role: 'owner',
      by: 'the sandbox',
      managed: true,
      approvesFrom: null,
    })
  })
}
