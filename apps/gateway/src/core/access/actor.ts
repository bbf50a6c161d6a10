// Who acts, as everything that is done knows it: acts, the audit trail, and a merchant's request that one of
// its people sent.
import type { Permission, Side } from '@cowrie/contract/kit/permissions'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'

/** Who acts. It is kept in the audit trail as it is shown: `name` of a person is the e-mail address, of a key
 *  its public half. */
export type Actor = {
  readonly kind: 'person' | 'key' | 'command' | 'timer'
  readonly side: Side
  /** Of a person; null otherwise. */
  readonly personId: bigint | null
  readonly name: string
  /** Of a person: the role at this moment. Of a key for agents: its scope. */
  readonly role: string | null
  /** Of a key: the addresses of who made it and who approved that. What it asks for, they asked for. */
  readonly makers?: readonly string[]
  /** What the caller may; a command on the machine may what its person may, a timer everything. */
  /** Of somebody who is new or got more rights: approves nothing until then. */
  readonly approvesFrom?: Date
  may(permission: Permission): boolean
  /** Where from: the network address; null of a command or a timer. */
  readonly address: string | null
  readonly requestId: string | null
}

/** A proof of identity counts so long. */
export const STEP_UP_MS = 5 * 60_000
/** Whether a person has shown lately who they are. */
export const isProved = ({ clock }: Pick<Ctx, 'clock'>, provedAt: Date | null): boolean =>
  provedAt !== null && clock.now().getTime() - provedAt.getTime() <= STEP_UP_MS

export const need = (by: Actor, permission: Permission): void => {
  if (!by.may(permission)) fail('PERMISSION_DENIED', { permission })
}
