// Security events: written in the transaction of what they tell of, by the line of the audit trail or, where
// nothing is changed, by whoever refuses. Who is to be told stands in the outbox, in the same statement
// (features/access/security-events).
import {
  SECURITY_KIND_NAMES,
  SECURITY_KINDS,
  SECURITY_LINES,
  SEVERITIES,
  type SecurityKind,
  type SecurityKindName,
} from '@cowrie/contract/access/security'
import { rolePermissions, type Side } from '@cowrie/contract/kit/permissions'
import type { Rows } from '#core/rows.ts'
import type { Statement, Tx } from '#kit/ctx.ts'
import { SECURITY_EVENTS } from '#kit/series.ts'
import type { Actor } from '../access/actor.ts'
import { canonical } from './digest.ts'

// A kind that never happened is 0, or its first would be no increase.
for (const kind of SECURITY_KIND_NAMES) SECURITY_EVENTS(kind)

export type SecurityNote = {
  readonly kind: SecurityKindName
  /** HOUSE where it is about no merchant of this cell. */
  readonly merchantId: bigint
  /** API key of the merchant it is about, where it is kept elsewhere than with that merchant. */
  readonly concerns?: string | null
  /** E-mail address of whom it is about. */
  readonly person: string | null
  readonly by: Pick<Actor, 'side' | 'name' | 'address' | 'requestId'> & { readonly kind: Actor['kind'] | 'nobody' }
  /** Masked by whoever writes it, as lines of the trail are. */
  readonly details?: object | null
}

const INSERT: Statement = {
  name: 'security_events_insert',
  text: `
with event as (
  insert into security_events (merchant_id, concerns, at, kind, severity, person, actor_kind, actor_side, actor_name, address, request_id, details)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning id
)
insert into security_outbox (event_id, sink, merchant_id, at, try_at)
select e.id, s.sink, $1, $3, $3 from event e cross join unnest($13::text[]) as s (sink)`,
}
const FEEDS = ['FILE', 'POST'] as const
export type Sink = Rows['security_outbox']['sink']
const TOLD = ['MAIL', ...FEEDS] as const satisfies readonly Sink[]

const clean = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\ufffd')

export async function noteSecurity(t: Tx, note: SecurityNote): Promise<void> {
  const { kind, merchantId, concerns = null, person, by, details = null } = note
  const { severity, told }: SecurityKind = SECURITY_KINDS[kind]
  SECURITY_EVENTS(kind).n += 1
  await t.query(INSERT, [
    ...[merchantId, concerns, t.now, kind, SEVERITIES[severity], person],
    ...[by.kind, by.side, clean(by.name), by.address, by.requestId, details && canonical(details)],
    told ? TOLD : FEEDS,
  ])
}

// ---- from a line of the audit trail

const TOP: readonly unknown[] = ['owner', 'admin']
const PERIOD: readonly string[] = ['from', 'to']

type Changed = Readonly<Record<string, unknown>> | null
type Line = {
  readonly what: string
  readonly by: { readonly kind: string; readonly name: string }
  readonly before: Changed
  readonly after: Changed
}

const ADDED: SecurityKindName = 'manager.added'
const ENDED: SecurityKindName = 'manager.ended'
/** What was given or taken: one kind for those who manage the others, one for everybody else. */
function memberKind(what: string, before: Changed, after: Changed): SecurityKindName {
  if (/\.(?:invite|replace)$/.test(what))
    return isTop(after?.['role'] ?? 'owner') ? 'manager.invited' : 'member.invited'
  if (/\.acceptInvitation$/.test(what)) {
    if (after?.['password'] === 'reset') return 'password.changed'
    return isTop(after?.['role']) ? ADDED : 'member.joined'
  }
  if (/\.end$/.test(what)) return isTop(before?.['role']) ? ENDED : 'member.ended'
  if (isTop(after?.['role'])) return ADDED
  if (isTop(before?.['role'])) return ENDED
  const side: Side = what.startsWith('operators.') ? 'operator' : 'merchant'
  const permissions = (role: unknown) => rolePermissions(side, String(role))
  return permissions(after?.['role']).isSubsetOf(permissions(before?.['role'])) ? 'role.changed' : 'role.raised'
}
const isTop = (role: unknown): boolean => TOP.includes(role)

/** Of a search that only a period narrows. */
function isEverybody(after: Changed): boolean {
  const filter = (after?.['filter'] ?? {}) as Readonly<Record<string, unknown>>
  return Object.entries(filter).every(([name, value]) => PERIOD.includes(name) || value === undefined)
}

/** What a line is; null for lines that are no security event. */
export function findSecurityKind({
  what,
  before,
  after,
}: Pick<Line, 'what' | 'before' | 'after'>): SecurityKindName | null {
  const kind = SECURITY_LINES[what.replace(/^(?:merchant|operator)\./, '')]
  if (kind === 'MEMBER') return memberKind(what, before, after)
  if (kind === 'EXPORT') return isEverybody(after) ? 'export.everybody' : 'export.taken'
  return kind ?? null
}

/** Whom a line is about: the member that it names, else the person who did it. */
export function findPerson({ by, before, after }: Line): string | null {
  const named = after?.['email'] ?? before?.['email']
  if (typeof named === 'string') return named
  return by.kind === 'person' ? by.name : null
}
