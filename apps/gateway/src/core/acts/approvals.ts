// The queue of what needs two people. An approval lives in the cell of the act it lets happen, and one about
// no merchant where people are known. WAITING → EXECUTED (with the act, in one transaction), REJECTED, or
// EXPIRED by a timer; the instant is compared as well, so a late timer lets nothing happen. That whoever
// approves is not whoever asked is held here and by a constraint.

import { APPROVAL_DAYS, approvalMachine } from '@cowrie/contract/access/approvals'
import type { Act } from '@cowrie/contract/kit/act'
import { DAY_MS } from '@cowrie/contract/kit/durations'
import type { Side } from '@cowrie/contract/kit/permissions'
import type { StateOf } from '@cowrie/contract/kit/spec'
import { EXPIRE_APPROVAL } from '@cowrie/contract/kit/timers'
import { insertInto } from '#core/insert-into.ts'
import type { Rows } from '#core/rows.ts'
import type { Ctx, Read, Statement, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { approvalReference, type CellId } from '#kit/ids.ts'
import type { Actor } from '../access/actor.ts'
import { schedule } from '../agenda.ts'
import { engineTx } from '../cells/cells.ts'
import { HOUSE } from '../ledger/chart.ts'
import { mover } from '../ledger/move.ts'
import type { ActCall } from './acts.ts'
import { actDigest, canonical } from './digest.ts'
import { record } from './trail.ts'

export type ApprovalState = StateOf<typeof approvalMachine>
export type ApprovalRow = Pick<
  Rows['approvals'],
  | 'id'
  | 'merchant_id'
  | 'concerns'
  | 'act'
  | 'input'
  | 'digest'
  | 'requester_kind'
  | 'requester_id'
  | 'requester_name'
  | 'requester_role'
  | 'requester_makers'
  | 'reason'
  | 'created_at'
  | 'expires_at'
  | 'decider_name'
  | 'decided_at'
  | 'decision_reason'
> & {
  side: Side
  status: ApprovalState
  request_signed: boolean
  decider_kind: Actor['kind'] | null
  decision_signed: boolean
}
const COLUMNS = `id, merchant_id, concerns, side, act, input, digest, status, requester_kind, requester_id, requester_name, requester_role,
  requester_makers, reason, request_proof is not null as request_signed, created_at, expires_at, decider_kind, decider_name, decided_at, decision_reason,
  decision_proof is not null as decision_signed`

/** Whose chain and queue a call belongs to: the merchant's own where its rows are, else nobody's, with a note
 *  about whom it is. */
export const keptWith = (
  { merchant, cell }: Pick<ActCall<Act>, 'merchant' | 'cell'>,
  spec: Act,
): { merchantId: bigint; concerns: string | null } => ({
  merchantId: merchant && spec.concerns !== 'installation' && merchant.cell === cell ? merchant.id : HOUSE,
  concerns: merchant?.apiKey ?? null,
})

export const digestOfCall = (spec: Act, { merchant, cell, input, reason }: ActCall<Act>): Buffer =>
  actDigest({ side: spec.side, act: spec.id, merchant: merchant?.apiKey ?? null, cell, input, reason })

/** Puts a call into the queue inside a transaction of its cell, with its timer and its line in the trail;
 *  answers the reference it is decided by. Also for what an API key asks for. */
export async function queueAct(
  t: Tx,
  /** Taken from the cell before (`takeIds`). */
  id: bigint,
  spec: Act,
  call: ActCall<Act>,
  more: {
    /** What is kept of a passkey's assertion over the digest. */
    readonly proof?: object | null
    /** Where it waits with something that ends at its own time. After a week it ends in any case. */
    readonly expiresAt?: Date | null
  } = {},
): Promise<string> {
  const { by, reason } = call
  const { merchantId, concerns } = keptWith(call, spec)
  const latest = new Date(t.now.getTime() + APPROVAL_DAYS * DAY_MS)
  const expiresAt = more.expiresAt && more.expiresAt < latest ? more.expiresAt : latest
  await insertInto('approvals', t, {
    id,
    merchant_id: merchantId,
    concerns,
    side: spec.side,
    act: spec.id,
    input: canonical(call.input),
    digest: digestOfCall(spec, call),
    status: 'WAITING',
    requester_kind: by.kind,
    requester_id: by.personId,
    requester_name: by.name,
    requester_role: by.role,
    requester_makers: by.makers ?? null,
    reason,
    request_proof: more.proof ? canonical(more.proof) : null,
    created_at: t.now,
    expires_at: expiresAt,
  })
  await schedule(t, EXPIRE_APPROVAL, merchantId, id, expiresAt)
  const reference = approvalReference(t.cell, id)
  const after = { act: spec.id, reference }
  await record(t, { merchantId, concerns, by, what: 'approvals.ask', reason, after, approvalId: id })
  return reference
}

const COUNT_ASKED: Statement = {
  name: 'approvals_count_asked',
  text: `select count(*)::int as count from approvals
    where merchant_id = $1 and status = 'WAITING' and expires_at > $3 and requester_kind = 'key' and requester_name = $2`,
}
/** How much of what an API key of a merchant asked for still waits. */
export const countAsked = async (r: Read, merchantId: bigint, apiKey: string): Promise<number> =>
  (await r.query<{ count: number }>(COUNT_ASKED, [merchantId, apiKey, r.now]))[0]?.count ?? 0

const LOCK_ASKED: Statement = {
  name: 'approvals_lock_asked',
  text: `select ${COLUMNS} from approvals
    where merchant_id = $1 and status = 'WAITING' and expires_at > $3 and requester_kind = 'key' and requester_name = $2
    order by id for update`,
}
/** All of that, locked. */
export const lockAsked = (t: Tx, merchantId: bigint, apiKey: string): Promise<ApprovalRow[]> =>
  t.query<ApprovalRow>(LOCK_ASKED, [merchantId, apiKey, t.now])

const FIND: Statement = {
  name: 'approvals_find',
  text: `
-- all merchants: its reference names it; whose it is is compared by whoever asks
select ${COLUMNS} from approvals where id = $1`,
}
export const findApproval = async (r: Read, id: bigint): Promise<ApprovalRow | null> =>
  (await r.query<ApprovalRow>(FIND, [id]))[0] ?? null

const LOCK: Statement = { name: 'approvals_lock', text: `${FIND.text} for update` }
/** Locks an approval that can still be decided; refuses one that is over. */
export async function lockWaiting(t: Tx, id: bigint): Promise<ApprovalRow> {
  const [row] = await t.query<ApprovalRow>(LOCK, [id])
  if (!row) return fail('APPROVAL_UNKNOWN', { reference: approvalReference(t.cell, id) })
  refuseOver(row, t.now)
  return row
}

/** As it is shown: whoever is too late need not wait for the timer to learn it. */
export const stateAt = (row: ApprovalRow, now: Date): ApprovalState =>
  row.status === 'WAITING' && row.expires_at <= now ? 'EXPIRED' : row.status
export function refuseOver(row: ApprovalRow, now: Date): void {
  const state = stateAt(row, now)
  if (state !== 'WAITING') fail('APPROVAL_OVER', { state })
}

const move = mover(approvalMachine, {
  name: 'approvals',
  set: {
    decided_at: 'timestamptz',
    decider_kind: 'text',
    decider_id: 'bigint',
    decider_name: 'text',
    decision_reason: 'text',
    decision_proof: 'text',
  },
})
const NOBODY = { decider_kind: null, decider_id: null, decider_name: null, decision_reason: null, decision_proof: null }

/** Marks a locked approval; false when it was decided already. */
export async function markDecided(
  t: Tx,
  row: ApprovalRow,
  on: 'approve' | 'reject',
  by: Actor,
  given: { readonly reason: string | null; readonly proof: object | null },
): Promise<void> {
  const moved = await move(t, [
    {
      on,
      id: row.id,
      merchantId: row.merchant_id,
      from: 'WAITING',
      set: {
        decided_at: t.now,
        decider_kind: by.kind,
        decider_id: by.personId,
        decider_name: by.name,
        decision_reason: given.reason,
        decision_proof: given.proof ? canonical(given.proof) : null,
      },
    },
  ])
  if (!moved.has(row.id)) fail('APPROVAL_OVER', { state: 'decided already' })
}

/** Ends what nobody decided in time; what was decided meanwhile stays as it is. */
export const expireApprovals = (ctx: Ctx, cell: CellId, rows: readonly { subject: bigint; merchant_id: bigint }[]) =>
  engineTx(ctx, cell, async (t) => {
    const moved = await move(
      t,
      rows.map(({ subject, merchant_id }) => ({
        on: 'expire' as const,
        id: subject,
        merchantId: merchant_id,
        from: 'WAITING' as const,
        set: { ...NOBODY, decided_at: t.now },
      })),
    )
    for (const { subject, merchant_id } of rows)
      if (moved.has(subject))
        await record(t, {
          merchantId: merchant_id,
          by: TIMER,
          what: 'approvals.expire',
          reason: '',
          approvalId: subject,
        })
  })
const TIMER = {
  kind: 'timer',
  side: 'operator',
  personId: null,
  name: EXPIRE_APPROVAL,
  role: null,
  address: null,
  requestId: null,
} as const

const LIST: Statement = {
  name: 'approvals_list',
  text: `
-- all merchants: the operator sees all of its side; a merchant's people name their merchant
select ${COLUMNS} from approvals
where side = $1 and ($2::text is null or concerns = $2) and id < $3 and ($4::text is null or status = $4)
order by id desc limit $5`,
}
export type ApprovalsAsked = {
  readonly side: Side
  /** API key. */
  readonly concerns: string | null
  readonly below: bigint | null
  readonly state: ApprovalState | null
  readonly limit: number
}
export const listApprovals = (r: Read, asked: ApprovalsAsked): Promise<ApprovalRow[]> =>
  r.query<ApprovalRow>(LIST, [asked.side, asked.concerns, asked.below ?? 2n ** 62n, asked.state, asked.limit])
