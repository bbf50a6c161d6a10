// How an act runs, whoever asks for it and however: permission, step-up, input; then it is tried, or waits
// for a second person, or is done in one transaction with its line in the trail. What waited runs by the same
// handler when somebody else approves it, in one transaction with the mark on the approval: exactly once, or
// not at all.
import type { Act, ActOutcome, View } from '@cowrie/contract/kit/act'
import type { Route } from '@cowrie/contract/kit/spec'
import type { Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { type CellId, parseApproval } from '#kit/ids.ts'
import { bodyReader, queryReader } from '#kit/validation/validate.ts'
import { type Actor, isProved, need } from '../access/actor.ts'
import type { Merchant } from '../access/merchants.ts'
import { cellById, engineTx, readAll } from '../cells/cells.ts'
import type { Shared } from '../feature.ts'
import type { ActCall, BoundAct, BoundView, Done, ViewCall } from './acts.ts'
import {
  type ApprovalRow,
  digestOfCall,
  findApproval,
  keptWith,
  lockAsked,
  lockWaiting,
  markDecided,
  queueAct,
  refuseOver,
} from './approvals.ts'
import { decisionDigest } from './digest.ts'
import type { Door, Entered } from './door.ts'
import { sharedDoor, sharedRegistry } from './registry.ts'
import { record } from './trail.ts'

/** What is asked for: as the contract's ActBody, with the merchant's API key. */
export type ActRequest = {
  readonly merchant?: string | undefined
  readonly cell?: string | undefined
  readonly input?: object | undefined
  readonly reason?: string | undefined
  readonly dryRun?: boolean | undefined
  readonly proof?: object | undefined
}
export type Outcome = { readonly outcome: ActOutcome; readonly reply: unknown; readonly reference: string | null }

/** Where an act or a view happens, and about whom. A merchant's own people are always about their
 *  merchant. */
type Place = { readonly merchant: Merchant | null; readonly cell: CellId }
async function placeOf(
  shared: Shared,
  spec: Act | View,
  asked: ActRequest,
  { merchant: own }: Entered,
): Promise<Place> {
  const { ctx, merchants } = shared
  if (spec.side === 'merchant') {
    const merchant = own ?? fail('INTERNAL', {}, `${spec.id}: a merchant's person without a merchant`)
    return { merchant, cell: spec.concerns === 'installation' ? ctx.identities.id : merchant.cell }
  }
  const { merchant: apiKey, cell } = asked
  const merchant = apiKey === undefined ? null : ((await merchants.byApiKey(apiKey)) ?? fail('MERCHANT_UNKNOWN'))
  if (spec.concerns === 'installation') return { merchant, cell: ctx.identities.id }
  if (merchant) return { merchant, cell: merchant.cell }
  if (spec.concerns === 'merchant') fail('FIELD_MISSING', { field: 'merchant' })
  if (cell === undefined) return { merchant, cell: onlyCell(shared) ?? fail('FIELD_MISSING', { field: 'cell' }) }
  if (!ctx.cells.has(cell) && ctx.identities.id !== cell)
    fail('FIELD_INVALID', { field: 'cell', why: 'names no cell of this installation' })
  return { merchant, cell }
}
const cellByInput = async ({ ctx }: Shared, { spec, handler }: BoundAct, input: object): Promise<CellId | undefined> =>
  (spec.concerns === 'cell' ? await handler.cell?.(ctx, input as ActCall<Act>['input']) : null) ?? undefined
const onlyCell = ({ ctx }: Shared): CellId | null => (ctx.cells.size === 1 ? [...ctx.cells.keys()][0] : null) ?? null

/** A suspended merchant's people may nothing, like its keys. */
const needUnsuspended = ({ merchant }: Entered): void => {
  if (merchant?.suspended) fail('MERCHANT_SUSPENDED')
}

const readers = new WeakMap<Act, (text: string) => unknown>()
/** Input held against the act's schema, as the bodies of all routes are; what the schema does not name is
 *  left out, since it may be kept. */
function inputOf(spec: Act, input: object | string): object {
  const read = readers.get(spec) ?? bodyReader(asRoute(spec, { body: spec.input }))
  readers.set(spec, read)
  const given = read(typeof input === 'string' ? input : JSON.stringify(input)) as object
  return Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(spec.input.properties, name)))
}
const asRoute = ({ id, summary, errors, reply }: Act | View, more: Pick<Route, 'body' | 'query'>): Route => ({
  id,
  method: 'POST',
  path: id,
  auth: 'none',
  group: '',
  summary,
  errors,
  reply,
  ...more,
})

/** What is kept of the proof that came with it; refuses where the act wants one and there is none. A proof
 *  that is wrong is refused also where none was wanted. */
async function steppedUp(
  { ctx }: Shared,
  spec: Act,
  entered: Entered,
  door: Door | null,
  digest: Buffer,
  proof: object | undefined,
): Promise<object | null> {
  const challenge = digest.toString('base64url')
  if (proof) return (await door?.prove(entered, digest, proof)) ?? fail('STEP_UP_REQUIRED', { challenge })
  if (spec.stepUp && !isProved(ctx, entered.provedAt)) fail('STEP_UP_REQUIRED', { challenge })
  return null
}

const REJECT = 'approvals.reject'
const DECISIONS: Readonly<Record<string, 'approve' | 'reject'>> = {
  'approvals.approve': 'approve',
  [REJECT]: 'reject',
}

export async function runAct(
  shared: Shared,
  bound: BoundAct,
  asked: ActRequest,
  entered: Entered,
  door: Door | null = sharedDoor(shared),
): Promise<Outcome> {
  const { spec } = bound
  if (spec.side !== entered.actor.side) fail('ACT_UNKNOWN', { act: spec.id })
  need(entered.actor, spec.permission)
  needUnsuspended(entered)
  const input = inputOf(spec, asked.input ?? {})
  const decision = DECISIONS[spec.id]
  if (decision) return decide(shared, spec, decision, input as Decision, asked, entered, door)
  const cell = asked.cell ?? (await cellByInput(shared, bound, input))
  const place = await placeOf(shared, spec, { ...asked, cell }, entered)
  const call: ActCall<Act> = {
    ...place,
    input: input as ActCall<Act>['input'],
    by: entered.actor,
    reason: asked.reason ?? '',
    approvalId: null,
  }
  if (asked.dryRun) return tryOut(shared, bound, call)
  if (spec.approval === 'always' && call.reason === '') fail('FIELD_MISSING', { field: 'reason' })
  const digest = digestOfCall(spec, call)
  const proof = await steppedUp(shared, spec, entered, door, digest, asked.proof)
  const prepared = await bound.handler.prepare?.(shared.ctx, call)
  if (await waits(shared, bound, call)) return ask(shared, bound, call, proof)
  const done = await engineTx(shared.ctx, place.cell, (t) => perform(t, bound, call, prepared, entered.actor))
  bound.handler.after?.(shared.ctx, call)
  return { outcome: 'DONE', reply: done.reply ?? null, reference: null }
}

async function tryOut({ ctx }: Shared, { spec, handler }: BoundAct, call: ActCall<Act>): Promise<Outcome> {
  if (!spec.dryRun) fail('FIELD_INVALID', { field: 'dryRun', why: 'this act cannot be tried' })
  const reply = handler.preview ? await handler.preview(ctx, call) : await handler.prepare?.(ctx, call)
  return { outcome: 'WOULD', reply: reply ?? null, reference: null }
}

async function waits({ ctx }: Shared, { spec, handler }: BoundAct, call: ActCall<Act>): Promise<boolean> {
  if (spec.approval === 'sometimes') return (await handler.needsApproval?.(ctx, call)) ?? true
  return spec.approval === 'always'
}

async function ask(
  { ctx }: Shared,
  { spec, handler }: BoundAct,
  call: ActCall<Act>,
  proof: object | null,
): Promise<Outcome> {
  if (call.reason === '') fail('FIELD_MISSING', { field: 'reason' })
  const expiresAt = (await handler.waitsUntil?.(ctx, call)) ?? null
  const [id = 0n] = await cellById(ctx, call.cell).takeIds(1)
  const reference = await engineTx(ctx, call.cell, (t) => queueAct(t, id, spec, call, { proof, expiresAt }))
  return { outcome: 'WAITING', reply: null, reference }
}

/** The act and its line; `by` is who made it happen: whoever asked, or whoever approved. */
async function perform(
  t: Tx,
  { spec, handler }: BoundAct,
  call: ActCall<Act>,
  prepared: unknown,
  by: Actor,
): Promise<Done<Act>> {
  const done = await handler.run(t, call, prepared)
  await record(t, {
    ...(done.merchantId === undefined ? keptWith(call, spec) : { merchantId: done.merchantId }),
    by,
    what: spec.id,
    reason: call.reason,
    before: done.before ?? null,
    after: done.after ?? null,
    approvalId: call.approvalId,
  })
  return done
}

type Decision = { readonly reference: string; readonly reason?: string }

async function decide(
  shared: Shared,
  spec: Act,
  decision: 'approve' | 'reject',
  { reference, reason }: Decision,
  asked: ActRequest,
  entered: Entered,
  door: Door | null,
): Promise<Outcome> {
  const { ctx } = shared
  const { actor } = entered
  const { row, cell } = await visibleApproval(shared, reference, entered)
  const bound = sharedRegistry(shared).act(row.side, row.act) ?? fail('ACT_UNKNOWN', { act: row.act })
  const own = isRequester(row, actor)
  // Whoever asked may take it back, and nothing else.
  if (!own || decision === 'approve') need(actor, bound.spec.approvedWith ?? bound.spec.permission)
  if (decision === 'approve' && isAuthor(row, actor)) fail('APPROVAL_OWN')
  if (decision === 'approve' && !approvesBy(actor, ctx.clock.now()))
    fail('APPROVER_NEW', { from: actor.approvesFrom?.toISOString() ?? '' })
  refuseOver(row, ctx.clock.now())
  const digest = decisionDigest(decision, reference, row.digest)
  const proof = await steppedUp(shared, spec, entered, door, digest, asked.proof)
  const given = { reason: reason ?? asked.reason ?? null, proof }
  if (decision === 'reject') {
    const call = await waitingCall(shared, bound.spec, row, cell)
    await engineTx(ctx, cell, async (t) => {
      const locked = await lockWaiting(t, row.id)
      await bound.handler.refused?.(t, call)
      await markDecided(t, locked, 'reject', actor, given)
      const { merchant_id: merchantId, concerns, id: approvalId } = locked
      await record(t, { merchantId, concerns, by: actor, what: spec.id, reason: given.reason ?? '', approvalId })
    })
    return { outcome: 'DONE', reply: { reference, state: 'REJECTED', reply: null }, reference }
  }
  const reply = await execute(shared, bound, { row, cell }, entered, door, given)
  return { outcome: 'DONE', reply: { reference, state: 'EXECUTED', reply }, reference }
}

/** What an API key asked for and still waits is rejected, in the transaction that ends the key. All are
 *  locked first: whoever decides about one holds that before it takes the wallet. */
export async function rejectAsked(
  shared: Shared,
  t: Tx,
  { id: merchantId, apiKey: concerns }: Merchant,
  apiKey: string,
  by: Actor,
): Promise<void> {
  const rows = await lockAsked(t, merchantId, apiKey)
  for (const row of rows) {
    const bound = sharedRegistry(shared).act(row.side, row.act) ?? fail('ACT_UNKNOWN', { act: row.act })
    await bound.handler.refused?.(t, await waitingCall(shared, bound.spec, row, t.cell))
    const reason = `API key ${apiKey} was ended`
    await markDecided(t, row, 'reject', by, { reason, proof: null })
    await record(t, { merchantId, concerns, by, what: REJECT, reason, approvalId: row.id })
  }
}

const isRequester = (row: ApprovalRow, { personId, name }: Actor): boolean =>
  (personId !== null && personId === row.requester_id) || name.toLowerCase() === row.requester_name.toLowerCase()
/** Whose wish it is, in whatever guise: also of whoever made the key that asked. They are not the second
 *  person. */
export const isAuthor = (row: ApprovalRow, actor: Actor): boolean =>
  isRequester(row, actor) || (row.requester_makers ?? []).includes(actor.name.toLowerCase())

export const approvesBy = ({ approvesFrom }: Actor, now: Date): boolean => !approvesFrom || approvesFrom <= now

/** Anybody else's answers as one that does not exist. */
export async function visibleApproval(
  { ctx }: Shared,
  reference: string,
  { actor, merchant }: Entered,
): Promise<{ row: ApprovalRow; cell: CellId }> {
  const named = parseApproval(reference)
  const ours = named && (ctx.cells.has(named.cell) || ctx.identities.id === named.cell)
  const row = ours ? await readAll(ctx, named.cell, (r) => findApproval(r, named.id)) : null
  const mine = row?.side === actor.side && (actor.side === 'operator' || row.concerns === merchant?.apiKey)
  return row && named && mine ? { row, cell: named.cell } : fail('APPROVAL_UNKNOWN', { reference })
}

async function execute(
  shared: Shared,
  bound: BoundAct,
  { row, cell }: { readonly row: ApprovalRow; readonly cell: CellId },
  entered: Entered,
  door: Door | null,
  given: { readonly reason: string | null; readonly proof: object | null },
): Promise<unknown> {
  const { ctx, merchants } = shared
  const { spec, handler } = bound
  if (entered.actor.personId === null) fail('PERMISSION_DENIED', { permission: spec.approvedWith ?? spec.permission })
  const merchant = row.concerns === null ? null : await merchants.byApiKey(row.concerns)
  if (row.requester_id !== null && !(await door?.mayStill?.(row.requester_id, row.side, merchant, spec.permission)))
    fail('APPROVAL_STALE')
  if (row.requester_kind === 'key' && !(await merchants.byApiKey(row.requester_name))) fail('APPROVAL_STALE')
  const call = { ...(await waitingCall(shared, spec, row, cell)), approver: entered.actor }
  if (!digestOfCall(spec, call).equals(row.digest)) fail('INTERNAL', {}, `approval ${row.id} is not what was asked for`)
  const prepared = await handler.prepare?.(ctx, call)
  const done = await engineTx(ctx, cell, async (t) => {
    const locked = await lockWaiting(t, row.id)
    const performed = await perform(t, bound, call, prepared, entered.actor)
    await markDecided(t, locked, 'approve', entered.actor, given)
    return performed
  })
  handler.after?.(ctx, call)
  return done.reply ?? null
}

/** What waits, as it was asked for. */
async function waitingCall({ merchants }: Shared, spec: Act, row: ApprovalRow, cell: CellId): Promise<ActCall<Act>> {
  return {
    merchant: row.concerns === null ? null : await merchants.byApiKey(row.concerns),
    cell,
    input: inputOf(spec, row.input) as ActCall<Act>['input'],
    by: requesterOf(row, spec),
    reason: row.reason,
    approvalId: row.id,
  }
}

/** Whoever asked, as a handler sees them: they may this act, and nothing else. */
const requesterOf = (row: ApprovalRow, { permission, side }: Act): Actor => ({
  kind: row.requester_kind,
  side,
  personId: row.requester_id,
  name: row.requester_name,
  role: row.requester_role,
  may: (asked) => asked === permission,
  address: null,
  requestId: null,
})

const queryReaders = new WeakMap<View, ReturnType<typeof queryReader>>()
export async function showView(
  shared: Shared,
  { spec, handler }: BoundView,
  asked: Pick<ActRequest, 'merchant' | 'cell'> & { readonly query: Readonly<Record<string, unknown>> },
  entered: Entered,
): Promise<unknown> {
  if (spec.side !== entered.actor.side) fail('ACT_UNKNOWN', { act: spec.id })
  need(entered.actor, spec.permission)
  needUnsuspended(entered)
  const read = queryReaders.get(spec) ?? queryReader(asRoute(spec, { query: spec.query }))
  queryReaders.set(spec, read)
  const query = read(asked.query) as ViewCall<View>['query']
  return handler.show(shared.ctx, { ...(await placeOf(shared, spec, asked, entered)), query, by: entered.actor })
}
