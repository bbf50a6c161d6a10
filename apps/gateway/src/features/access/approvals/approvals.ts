// Approvals and the audit trail as people read them: what waits for a second person, what was decided, and
// who did what. WAITING → EXECUTED | REJECTED | EXPIRED; how an act runs, waits and is decided is in
// core/acts. No postings of its own.
import type { ApprovalRecord } from '@cowrie/contract/access/approvals'
import { masked } from '@cowrie/contract/access/masking'
import { TRAIL_PAGE, type TrailLine } from '@cowrie/contract/access/trail'
import type { Static } from 'typebox'
import type { Actor } from '#core/access/actor.ts'
import type { ViewCall } from '#core/acts/acts.ts'
import { type ApprovalRow, type ApprovalState, listApprovals, stateAt } from '#core/acts/approvals.ts'
import { sharedRegistry } from '#core/acts/registry.ts'
import { approvesBy, isAuthor, visibleApproval } from '#core/acts/run.ts'
import { listConcerning, listTrail, type TrailRow } from '#core/acts/trail.ts'
import { readAll } from '#core/cells/cells.ts'
import type { Shared } from '#core/feature.ts'
import { HOUSE } from '#core/ledger/chart.ts'
import { fail } from '#kit/fail.ts'
import { approvalReference, type CellId, parseApproval } from '#kit/ids.ts'
import { findTitle } from './titles.ts'

const APPROVALS_PAGE = 100

function approvalShown(shared: Shared, cell: CellId, row: ApprovalRow, by: Actor): Static<typeof ApprovalRecord> {
  const now = shared.ctx.clock.now()
  const state = stateAt(row, now)
  const spec = sharedRegistry(shared).act(row.side, row.act)?.spec
  const may = spec !== undefined && by.may(spec.approvedWith ?? spec.permission)
  const input = JSON.parse(row.input) as Record<string, unknown>
  return {
    reference: approvalReference(cell, row.id),
    act: row.act,
    merchant: row.concerns,
    // Whoever approves sees every word of it; of the others only who may see personal data.
    input: (may || by.side === 'operator' || by.may('personalData.read') ? input : masked(input)) as typeof input,
    state,
    requestedBy: { kind: row.requester_kind, name: row.requester_name },
    reason: row.reason,
    requestSigned: row.request_signed,
    requestedAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    decidedBy: row.decider_name === null ? null : { kind: row.decider_kind ?? 'person', name: row.decider_name },
    decidedAt: row.decided_at?.toISOString() ?? null,
    decisionReason: row.decision_reason,
    decisionSigned: row.decision_signed,
    mayApprove: may && state === 'WAITING' && !isAuthor(row, by) && approvesBy(by, now),
  }
}

type Query = { readonly state?: ApprovalState; readonly before?: string; readonly reference?: string }
type Looking = Pick<ViewCall<never>, 'merchant' | 'by'> & { readonly query: Query }

/** A merchant's are in its cell and where people are known; the operator's are everywhere. Newest first by
 *  id, then by cell. */
export async function showApprovals(shared: Shared, { merchant, by, query }: Looking) {
  const { ctx } = shared
  const before = query.before === undefined ? null : parseApproval(query.before)
  if (query.before !== undefined && before === null)
    fail('FIELD_INVALID', { field: 'before', why: 'must be the reference of an approval' })
  const cells = new Set([...(merchant ? [merchant.cell] : ctx.cells.keys()), ctx.identities.id])
  const found = await Promise.all(
    [...cells].map(async (cell) => {
      const below = before && (cell < before.cell ? before.id + 1n : before.id)
      const asked = { side: by.side, concerns: merchant?.apiKey ?? null, below, state: query.state ?? null }
      const rows = await readAll(ctx, cell, (r) => listApprovals(r, { ...asked, limit: APPROVALS_PAGE }))
      return rows.map((row) => ({ row, cell }))
    }),
  )
  const newest = found
    .flat()
    .toSorted((a, b) => (a.row.id === b.row.id ? (a.cell < b.cell ? 1 : -1) : a.row.id < b.row.id ? 1 : -1))
    .slice(0, APPROVALS_PAGE)
  return { content: newest.map(({ row, cell }) => approvalShown(shared, cell, row, by)) }
}

export async function showApproval(shared: Shared, { merchant, by, query }: Looking) {
  const entered = { actor: by, merchant, provedAt: null }
  const { row, cell } = await visibleApproval(shared, query.reference ?? '', entered)
  return approvalShown(shared, cell, row, by)
}

const parsed = (text: string | null) => (text === null ? null : (JSON.parse(text) as Record<string, unknown>))
export const presentTrailLine = (cell: CellId, row: TrailRow): Static<typeof TrailLine> => ({
  number: String(row.number),
  at: row.at.toISOString(),
  by: { kind: row.actor_kind, side: row.actor_side, name: row.actor_name, role: row.actor_role },
  what: row.what,
  title: findTitle(row.what),
  reason: row.reason,
  before: parsed(row.before),
  after: parsed(row.after),
  address: row.address,
  requestId: row.request_id,
  approval: row.approval_id === null ? null : approvalReference(cell, row.approval_id),
  concerns: row.concerns,
  hash: row.hash.toString('hex'),
})

type TrailQuery = { readonly before?: string; readonly of?: 'MERCHANT' | 'AGENTS' | 'TEAM' }
/** What was done with a merchant's people is kept where people are known, with nobody's lines. What agents
 *  read stands apart, or what people did would not be found among it; the operator sees the chain as it
 *  is. */
export async function showTrail(
  { ctx }: Shared,
  { merchant, cell, by, query }: Omit<ViewCall<never>, 'query'> & { readonly query: TrailQuery },
) {
  const team = query.of === 'TEAM'
  const place = team ? ctx.identities.id : cell
  const below = query.before === undefined ? null : BigInt(query.before)
  const chain = by.side === 'operator' && query.of === undefined ? 'ALL' : 'DONE'
  const which = query.of === 'AGENTS' ? 'AGENTS' : chain
  const rows = await readAll(ctx, place, (r) =>
    team
      ? listConcerning(r, HOUSE, below, TRAIL_PAGE, merchant?.apiKey ?? '')
      : listTrail(r, merchant?.id ?? HOUSE, below, TRAIL_PAGE, which),
  )
  const lines = rows.map((row) => presentTrailLine(place, row))
  // A merchant's people see that the operator acted, and not who it was or where from.
  const content = by.side === 'operator' ? lines : lines.map(withoutOperator)
  return { content, next: rows.length === TRAIL_PAGE ? String(rows.at(-1)?.number) : null }
}

const withoutOperator = (line: Static<typeof TrailLine>): Static<typeof TrailLine> =>
  line.by.side === 'merchant'
    ? line
    : { ...line, by: { ...line.by, name: 'operator', role: null }, address: null, requestId: null }
