// Four eyes among those who manage others, so that nobody thins them out alone. Once there were two
// administrators, two are needed, whoever is ended meanwhile; whoever becomes an operator then, or may more
// than before, approves nothing for a day; and all who manage hear of every change.
import { DAY_MS } from '@cowrie/contract/kit/durations'
import { rolePermissions, type Side } from '@cowrie/contract/kit/permissions'
import type { Ctx, Read, Tx } from '#kit/ctx.ts'
import { spacedText } from '#kit/times.ts'
import { queuePersonMail } from './people-mails.ts'
import * as sql from './persons.sql.ts'
import { peopleCell, type Where } from './persons.ts'

const WAIT_MS = DAY_MS
/** Who can manage the others. */
export const TOP_ROLE: Readonly<Record<Side, string>> = { merchant: 'owner', operator: 'admin' }
export const sideAt = (where: Where): Side => (where === null ? 'operator' : 'merchant')
export const isTop = (where: Where, role: string): boolean => role === TOP_ROLE[sideAt(where)]

/** Whether there ever were two administrators: the last one cannot be ended, so two who ever were, were at
 *  once. */
export const isFoursome = async (read: Read): Promise<boolean> => (await sql.countManagers(read)) >= 2

/** From when on somebody approves. Founders do at once: those who come while there was one administrator, and
 *  whoever is the second. */
const approvesFrom = async (t: Tx, where: Where): Promise<Date | null> =>
  where === null && (await isFoursome(t)) ? new Date(t.now.getTime() + WAIT_MS) : null

/** Somebody belongs there from now on. Those who manage are told; of a merchant's people only of owners. */
export async function enlist(
  ctx: Ctx,
  t: Tx,
  member: Omit<Parameters<typeof sql.insertMembership>[1], 'managed' | 'approvesFrom'> & { readonly email: string },
): Promise<void> {
  const { where, role, by, email } = member
  const managers = await listManagers(t, where)
  await sql.insertMembership(t, { ...member, managed: isTop(where, role), approvesFrom: await approvesFrom(t, where) })
  if (where === null || isTop(where, role))
    await tellManagers(ctx, t, where, managers, `${email} is ${role} from now on, invited by ${by}.`)
}

/** Another role. Whoever gets more rights waits as a new operator does. */
export async function setRole(
  t: Tx,
  where: Where,
  member: { readonly id: bigint; readonly role: string },
  role: string,
): Promise<boolean> {
  const side = sideAt(where)
  const raised = !rolePermissions(side, role).isSubsetOf(rolePermissions(side, member.role))
  const from = raised ? await approvesFrom(t, where) : null
  return sql.setRole(t, member.id, { role, managed: isTop(where, role), approvesFrom: from })
}

export const listManagers = (read: Read, where: Where): Promise<string[]> =>
  sql.listWithRole(read, where, TOP_ROLE[sideAt(where)])

/** Mails everybody who managed before the change: also whoever it ends. */
export async function tellManagers(
  ctx: Ctx,
  t: Tx,
  where: Where,
  managers: readonly string[],
  what: string,
  also = 'If this should not be, end the access of whoever did it at once.',
): Promise<void> {
  const ids = await peopleCell(ctx).takeIds(managers.length)
  const text = `${what}\n\nOn ${spacedText(t.now).slice(0, 16)} (West Africa Time). ${also}\n`
  const subject = where === null ? 'A change among the operators' : 'A change among the owners'
  for (const [at, to] of managers.entries()) await queuePersonMail(ctx, t, ids[at] as bigint, { to, subject, text })
}
