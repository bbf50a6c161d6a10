// People for tests: they enter by a door of the test, and do what they do by the runner that HTTP and
// commands use.

import { type MerchantRole, type OperatorRole, rolePermissions, type Side } from '@cowrie/contract/kit/permissions'
import type { Actor } from '#core/access/actor.ts'
import type { Door, Entered } from '#core/acts/door.ts'
import { sharedRegistry } from '#core/acts/registry.ts'
import { type Outcome, runAct, showView } from '#core/acts/run.ts'
import { readAddressee } from '#core/acts/serve.ts'
import type { Feature, Shared } from '#core/feature.ts'
import { fail } from '#kit/fail.ts'
import { share } from '../../../src/app.ts'
import { FEATURES } from '../../../src/feature-list.ts'
import type { Gateway } from '../../../src/gateway.ts'
import type { Harness, TestMerchant } from '../../kit/harness.ts'

type Role = OperatorRole | MerchantRole | 'nobody'
/** The role of each person as it is now; an Actor has the one it entered with. */
const roles = new Map<bigint, { side: Side; role: string }>()
let lastPerson = 7_000n

/** Somebody new. */
export function actorOf(side: Side, role: Role, name?: string): Actor {
  lastPerson += 1n
  const personId = lastPerson
  roles.set(personId, { side, role })
  return {
    kind: 'person',
    side,
    personId,
    name: name ?? `${role}-${personId}@test.example`,
    role,
    may: (permission) => rolePermissions(side, role).has(permission),
    address: '127.0.0.1',
    requestId: null,
  }
}
/** From now on the person has another role, or none. */
export const changeRole = ({ personId, side }: Actor, role: Role): void => {
  roles.set(personId ?? 0n, { side, role })
}

/** A proof is good that names the digest. */
export const TEST_DOOR: Required<Door> = {
  enter: async () => fail('INTERNAL', {}, 'nobody enters by HTTP here'),
  prove: async (_, digest, proof) =>
    (proof as { signs?: string }).signs === digest.toString('base64url') ? { passkey: 'of a test', ...proof } : null,
  mayStill: async (personId, side, _, permission) => {
    const has = roles.get(personId)
    return has?.side === side && rolePermissions(side, has.role).has(permission)
  },
}

const made = new WeakMap<Gateway, Map<readonly Feature[], Shared>>()
export function sharedOf(h: Pick<Harness, 'gateway' | 'config'>, features: readonly Feature[] = FEATURES): Shared {
  const known = made.get(h.gateway) ?? new Map<readonly Feature[], Shared>()
  made.set(h.gateway, known)
  const shared = known.get(features) ?? share(h.gateway, h.config, features)
  known.set(features, shared)
  return shared
}

type Whose = TestMerchant | string
const apiKeyOf = (merchant: Whose | undefined): string | undefined =>
  typeof merchant === 'string' ? merchant : merchant?.apiKey

/** A merchant's people are of `merchant`, or of the harness's main one. */
async function enteredAs(h: Harness, shared: Shared, actor: Actor, merchant?: Whose): Promise<Entered> {
  const own = actor.side === 'merchant' ? (apiKeyOf(merchant) ?? h.merchants.main.apiKey) : null
  return {
    actor,
    merchant: own === null ? null : await shared.merchants.byApiKey(own),
    provedAt: h.gateway.ctx.clock.now(),
  }
}

export type Doing = {
  readonly merchant?: Whose
  readonly cell?: string
  readonly input?: object
  readonly reason?: string
  readonly dryRun?: boolean
  readonly proof?: object
  /** When the person last proved who they are; just now if not given. */
  readonly provedAt?: Date | null
  readonly features?: readonly Feature[]
}
export async function doAct(
  h: Harness,
  actor: Actor,
  actId: string,
  doing: Doing = {},
): Promise<Outcome & { reply: any }> {
  const { merchant, provedAt, features, ...asked } = doing
  const shared = sharedOf(h, features)
  const bound = sharedRegistry(shared).act(actor.side, actId) ?? fail('ACT_UNKNOWN', { act: actId })
  const entered = await enteredAs(h, shared, actor, merchant)
  return runAct(
    shared,
    bound,
    { reason: 'a test wants it', ...asked, merchant: apiKeyOf(merchant) },
    provedAt === undefined ? entered : { ...entered, provedAt },
    TEST_DOOR,
  )
}

export const approveAs = (h: Harness, actor: Actor, reference: string | null, doing: Doing = {}) =>
  doAct(h, actor, 'approvals.approve', { ...doing, input: { reference: reference ?? '' } })
export const rejectAs = (h: Harness, actor: Actor, reference: string | null, doing: Doing = {}) =>
  doAct(h, actor, 'approvals.reject', { ...doing, input: { reference: reference ?? '' } })

/** `merchant` and `cell` of the query say where, as over HTTP; a merchant's people are of that merchant. */
export async function show(
  h: Harness,
  actor: Actor,
  viewId: string,
  query: Readonly<Record<string, unknown>> = {},
  features?: readonly Feature[],
): Promise<any> {
  const shared = sharedOf(h, features)
  const bound = sharedRegistry(shared).view(actor.side, viewId) ?? fail('ACT_UNKNOWN', { act: viewId })
  const asked = readAddressee(query)
  return showView(shared, bound, asked, await enteredAs(h, shared, actor, asked.merchant))
}
