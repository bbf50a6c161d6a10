// The audit trail: who did what, from where, why, what was before and after. One chain per merchant and cell
// (merchant 0 has what is about none of them): each line's hash is over the hash of the line before and the
// line itself. A line commits with what it tells of; the head of its chain is locked from then to the commit,
// so lines of one merchant are written one after the other.

import { AGENT_SCOPE } from '@cowrie/contract/kit/permissions'
import type { Rows } from '#core/rows.ts'
import { sha256 } from '#kit/crypto.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { Actor } from '../access/actor.ts'
import { canonical } from './digest.ts'
import { findPerson, findSecurityKind, noteSecurity } from './security.ts'

export type TrailEntry = {
  /** HOUSE where it is about no merchant of this cell. */
  readonly merchantId: bigint
  readonly by: Pick<Actor, 'kind' | 'side' | 'personId' | 'name' | 'role' | 'address' | 'requestId'>
  readonly what: string
  readonly reason: string
  /** Masked by whoever writes it: no secret, and of persons no more than is needed to understand the line. */
  readonly before?: object | null
  readonly after?: object | null
  readonly approvalId?: bigint | null
  /** API key of the merchant it is about, where the line is kept elsewhere than with that merchant. */
  readonly concerns?: string | null
}

export type TrailRow = Pick<
  Rows['trail'],
  | 'merchant_id'
  | 'number'
  | 'at'
  | 'actor_kind'
  | 'actor_id'
  | 'actor_name'
  | 'actor_role'
  | 'what'
  | 'reason'
  | 'before'
  | 'after'
  | 'address'
  | 'request_id'
  | 'approval_id'
  | 'concerns'
  | 'previous'
  | 'hash'
> & {
  actor_side: Actor['side']
}

const NEXT: Statement = {
  name: 'trail_next',
  text: `insert into trail_heads (merchant_id, number, hash) values ($1, 1, '')
    on conflict (merchant_id) do update set number = trail_heads.number + 1 returning number, hash`,
}
const COLUMNS = `merchant_id, number, at, actor_kind, actor_side, actor_id, actor_name, actor_role, what, reason, before, after,
  address, request_id, approval_id, concerns, previous, hash`
const INSERT: Statement = {
  name: 'trail_insert',
  text: `with head as (update trail_heads set hash = $18 where merchant_id = $1)
    insert into trail (${COLUMNS})
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
}

/** Everything of a line but its hash is hashed. */
const hashOf = (row: TrailRow): Buffer =>
  sha256()
    .update(row.previous)
    .update(canonical({ ...row, previous: null, hash: null }), 'utf8')
    .digest()

const clean = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\ufffd')
const jsonOf = (value: object | null | undefined): string | null => (value ? canonical(value) : null)

export async function record(t: Tx, entry: TrailEntry): Promise<void> {
  const [head] = await t.query<Pick<Rows['trail_heads'], 'number' | 'hash'>>(NEXT, [entry.merchantId])
  if (!head) fail('INTERNAL', {}, `merchant ${entry.merchantId}: the audit trail has no head`)
  const { by } = entry
  const row: TrailRow = {
    merchant_id: entry.merchantId,
    number: head.number,
    at: t.now,
    actor_kind: by.kind,
    actor_side: by.side,
    actor_id: by.personId,
    actor_name: clean(by.name),
    actor_role: by.role,
    what: entry.what,
    reason: clean(entry.reason),
    before: jsonOf(entry.before),
    after: jsonOf(entry.after),
    address: by.address,
    request_id: by.requestId,
    approval_id: entry.approvalId ?? null,
    concerns: entry.concerns ?? null,
    previous: head.hash,
    hash: head.hash,
  }
  await t.query(INSERT, Object.values({ ...row, hash: hashOf(row) }))
  await noteLine(t, entry)
}

/** A line that is a security event is one in the same transaction. */
async function noteLine(t: Tx, { merchantId, by, what, reason, concerns = null, ...changed }: TrailEntry) {
  const before = (changed.before ?? null) as Readonly<Record<string, unknown>> | null
  const after = (changed.after ?? null) as Readonly<Record<string, unknown>> | null
  const kind = findSecurityKind({ what, before, after })
  if (kind === null) return
  const person = findPerson({ what, by, before, after })
  const details = { what, ...(reason === '' ? {} : { reason }), ...(before && { before }), ...(after && { after }) }
  await noteSecurity(t, { kind, merchantId, concerns, person, by, details })
}

const listing = (name: string, which: string): Statement => ({
  name,
  text: `select ${COLUMNS} from trail where merchant_id = $1 and number < $2 ${which} order by number desc limit $3`,
})
/** Each has an index that begins with its lines. What an agent proposed is in both. */
const LISTS = {
  ALL: listing('trail_list', ''),
  DONE: listing('trail_list_done', `and (actor_role is distinct from '${AGENT_SCOPE}' or approval_id is not null)`),
  AGENTS: listing('trail_list_agents', `and actor_role = '${AGENT_SCOPE}'`),
}
/** The lines of a chain below a number, newest first. */
export const listTrail = (
  r: Read,
  merchantId: bigint,
  below: bigint | null,
  limit: number,
  which: keyof typeof LISTS = 'ALL',
): Promise<TrailRow[]> => r.query<TrailRow>(LISTS[which], [merchantId, below ?? 2n ** 62n, limit])

const CONCERNING = listing('trail_list_concerning', 'and concerns = $4')
/** Those of a chain that are about one merchant. */
export const listConcerning = (
  r: Read,
  merchantId: bigint,
  below: bigint | null,
  limit: number,
  concerns: string,
): Promise<TrailRow[]> => r.query<TrailRow>(CONCERNING, [merchantId, below ?? 2n ** 62n, limit, concerns])

const CHAINS: Statement = {
  name: 'trail_chains',
  text: `
-- all merchants: every chain of the cell
select coalesce(h.merchant_id, l.merchant_id) as merchant_id, h.number, h.hash from trail_heads h
full join (select distinct merchant_id from trail) l on l.merchant_id = h.merchant_id order by 1`,
}
export type Head = { merchant_id: bigint; number: bigint | null; hash: Buffer | null }
export const listChains = (r: Read): Promise<Head[]> => r.query<Head>(CHAINS, [])

const FORWARD: Statement = {
  name: 'trail_forward',
  text: `select ${COLUMNS} from trail where merchant_id = $1 and number > $2 order by number limit $3`,
}
export const trailAfter = (r: Read, merchantId: bigint, after: bigint, limit: number): Promise<TrailRow[]> =>
  r.query<TrailRow>(FORWARD, [merchantId, after, limit])

const VERIFIED_AT_ONCE = 1_000
export type Verified = { readonly lines: bigint; readonly broken: { number: bigint; why: string } | null }

/** Walks a chain from its first line to its head; names the first line that is not as it was written. */
export async function verifyChain(r: Read, head: Head): Promise<Verified> {
  let previous: Buffer = Buffer.alloc(0)
  let last = 0n
  for (;;) {
    const rows = await trailAfter(r, head.merchant_id, last, VERIFIED_AT_ONCE)
    for (const row of rows) {
      const broken = faultOf(row, last, previous)
      if (broken) return { lines: last, broken }
      last = row.number
      previous = row.hash
    }
    if (rows.length < VERIFIED_AT_ONCE) break
  }
  // A line may have been written since the head was read: the head must be a line, not the last one.
  const known = head.number !== null && head.number <= last
  if (!known) return { lines: last, broken: { number: last + 1n, why: 'lines are missing at the end' } }
  if (head.number === last && !head.hash?.equals(previous))
    return { lines: last, broken: { number: last, why: 'the last line is not the one that was written' } }
  return { lines: last, broken: null }
}

function faultOf(row: TrailRow, last: bigint, previous: Buffer): Verified['broken'] {
  if (row.number !== last + 1n) return { number: last + 1n, why: 'the line is missing' }
  if (!row.previous.equals(previous)) return { number: row.number, why: 'it does not follow the line before' }
  if (!row.hash.equals(hashOf(row))) return { number: row.number, why: 'it is not as it was written' }
  return null
}
