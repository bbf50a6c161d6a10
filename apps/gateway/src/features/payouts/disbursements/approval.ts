// The approval of a merchant's server, before a transfer is sent. Each row of a batch is asked about for
// itself, under its own reference.
//   PENDING without a session → asked → [approved] AWAITING_PROCESSING, and a worker sends it | [anything
//     else] FAILED
// The answer is recorded once: who comes second finds it decided. Locks as with whoever ends a transfer: the
// wallet, then its row.
import { APPROVE_DISBURSEMENT, SEND_DISBURSEMENT } from '@cowrie/contract/kit/timers'
import type { Merchant, Merchants } from '#core/access/merchants.ts'
import { schedule, scheduleAll } from '#core/agenda.ts'
import { engineTx, readAll } from '#core/cells/cells.ts'
import { lockWallets } from '#core/ledger/ledger.ts'
import { askEach, askToApprove, NOT_APPROVED } from '#features/wallets/approval-call/approval-call.ts'
import { waiting as awaiting } from '#features/wallets/authorisation/codes.ts'
import { owes, walletAndReceivable } from '#features/wallets/receivables/gate.ts'
import { confirmGoals } from '#features/wallets/wallets/alone.ts'
import { limitToday } from '#features/wallets/wallets/day-limit.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import { askApproval, byIds, decideApproval, lock, type Row, takeMark } from './disbursements.sql.ts'
import { endAll, moveDisbursements, walletsToLock } from './outcome.ts'

const timersOf = (rows: readonly Row[], dueAt: Date) =>
  rows.map(({ id, merchant_id }) => ({ kind: APPROVE_DISBURSEMENT, merchantId: merchant_id, subject: id, dueAt }))

const waiting = (row: Row) => ({
  id: row.id,
  merchantId: row.merchant_id,
  set: {
    description: row.description,
    session_id: null,
    connector: row.connector,
    question_at: null,
    completed_at: null,
  },
})

/** Which of the transfers that a worker is about to send need approval first. */
export async function needApproval(
  merchants: Merchants,
  cell: CellId,
  rows: readonly Row[],
): Promise<ReadonlySet<bigint>> {
  const ids = new Set(rows.filter(({ approval }) => approval === null).map(({ merchant_id }) => merchant_id))
  const asking = new Set<bigint>()
  for (const id of ids) if ((await merchants.must(cell, id)).transfers.approvalUrl !== null) asking.add(id)
  return new Set(rows.flatMap((row) => (row.approval === null && asking.has(row.merchant_id) ? [row.id] : [])))
}

/** From now on they wait for approval; not one that somebody else has taken meanwhile. */
export async function askFirst(t: Tx, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const mine = await askApproval(
    t,
    rows.map(({ id }) => id),
  )
  const held = rows.filter(({ id }) => mine.has(id))
  const from = 'AWAITING_PROCESSING' as const
  const moved = await moveDisbursements(
    t,
    held.map((row) => ({ ...waiting(row), on: 'askApproval' as const, from })),
  )
  if (moved.size !== held.length)
    fail('INTERNAL', {}, `transfers ${held.map(({ id }) => id).join(', ')}: state changed despite row locks`)
  await scheduleAll(t, timersOf(held, t.now))
}

/** Puts an answer into effect, if nobody has before. */
async function apply(ctx: Ctx, t: Tx, merchant: Merchant, row: Row, approves: boolean): Promise<void> {
  if (!approves) await lockWallets(t, walletsToLock(row))
  if (!(await decideApproval(t, merchant.id, row.id, approves ? 'GIVEN' : 'REFUSED'))) return
  const moved = approves
    ? await moveDisbursements(t, [{ ...waiting(row), on: 'approve', from: 'PENDING' }])
    : await endAll(ctx, t, [{ row, merchant, on: 'fail', description: NOT_APPROVED }])
  if (moved.size !== 1) fail('INTERNAL', {}, `transfer ${row.id}: state changed despite row lock`)
  if (approves) await schedule(t, SEND_DISBURSEMENT, merchant.id, row.id, t.now)
}

/** When their timers fall due: asks the merchants' servers, outside any transaction. */
export async function askServers(ctx: Ctx, merchants: Merchants, cell: CellId, ids: readonly bigint[]): Promise<void> {
  const rows = (await readAll(ctx, cell, (r) => byIds(r, ids))).filter(({ approval }) => approval === 'ASKED')
  const late = await askEach(rows, async (row) => {
    const merchant = await merchants.must(cell, row.merchant_id)
    const approves = await askToApprove(ctx, merchant, {
      id: row.transaction_reference,
      reference: row.reference,
      kobo: row.kobo,
      accountNumber: row.account_number,
      bankCode: row.bank_code,
      narration: row.narration,
    })
    await engineTx(ctx, cell, (t) => apply(ctx, t, merchant, row, approves))
    ctx.wake(cell)
  })
  if (late.length > 0) await engineTx(ctx, cell, (t) => scheduleAll(t, timersOf(late, t.now)))
}

// ---- the approval of one of the merchant's people

export async function releaseTransfer(t: Tx, merchant: Merchant, reference: string): Promise<'AWAITING_PROCESSING'> {
  const locked = await lockWallets(t, walletAndReceivable(merchant.id))
  const row = awaiting(await lock(t, merchant.id, reference), 'TRANSFER_UNKNOWN')
  if (owes(locked, merchant.id)) fail('RECEIVABLE_OPEN')
  await (await limitToday(t, merchant, row.created_at, row.kobo))()
  if (!(await takeMark(t, merchant.id, row.id))) fail('TRANSFER_NOT_WAITING', { state: row.status })
  await confirmGoals(t, merchant, [{ bankCode: row.bank_code, accountNumber: row.account_number }])
  const from = 'PENDING_AUTHORIZATION' as const
  const description = 'Transaction processing in progress'
  const moved = await moveDisbursements(t, [{ ...waiting({ ...row, description }), on: 'release', from }])
  if (moved.size !== 1) fail('INTERNAL', {}, `transfer ${row.id}: state changed despite row lock`)
  await schedule(t, SEND_DISBURSEMENT, merchant.id, row.id, t.now)
  return 'AWAITING_PROCESSING'
}

/** What nobody authorised expires, also at once; one that ended meanwhile stays as it is. */
export async function refuseTransfer(ctx: Ctx, t: Tx, merchant: Merchant, reference: string): Promise<void> {
  await lockWallets(t, walletAndReceivable(merchant.id))
  const row = await lock(t, merchant.id, reference)
  if (row?.approval !== 'PERSON' || row.status !== 'PENDING_AUTHORIZATION') return
  await endAll(ctx, t, [{ row, merchant, on: 'expire', description: NOT_APPROVED }])
}
