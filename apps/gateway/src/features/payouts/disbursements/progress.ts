// Rows of batches reach their final state: the batch counts them, notifies its progress, and is complete with
// the last. Rows end in several workers at once. Each counts under the lock of the batch, so no step is
// notified twice and none is lost.
import { batchProgress } from '@cowrie/contract/events/payouts'
import { cellById } from '#core/cells/cells.ts'
import { type Announcement, announceAll, eventBody } from '#core/events.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import * as sql from './batches.sql.ts'
import type { Row } from './disbursements.sql.ts'

/** The progress that a batch with so many open rows has notified: whole steps of its interval, and the
 *  end. */
export function percentNotified(batch: Pick<sql.BatchRow, 'rows' | 'notify_percent'>, openRows: number): number {
  if (batch.notify_percent === null) return 0
  if (openRows === 0) return 100
  const percent = Math.floor((100 * (batch.rows - openRows)) / batch.rows)
  return percent - (percent % batch.notify_percent)
}

const progressOf = (batch: sql.BatchRow, id: bigint): Announcement => ({
  id,
  merchantId: batch.merchant_id,
  type: batchProgress.type,
  object: batch.reference,
  objectId: batch.id,
  objectVersion: batch.notified_percent,
  body: eventBody(batchProgress, {
    batchReference: batch.reference,
    transactionBatchReference: batch.transaction_reference,
    percentDone: batch.notified_percent,
    totalTransactionsCount: batch.rows,
    pendingCount: batch.open_rows,
  }),
})

/** Of a batch that expires only the count is taken: it is not completed, and nothing was done for it. */
export async function closeRows(ctx: Ctx, t: Tx, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const ended = Map.groupBy(rows, (row) => row.batch_id as bigint)
  const before = await sql.lockBatches(t, [...ended.keys()])
  const after = before.map((batch) => {
    const open_rows = batch.open_rows - (ended.get(batch.id)?.length ?? 0)
    const notified_percent = batch.status === 'EXPIRED' ? batch.notified_percent : percentNotified(batch, open_rows)
    return { ...batch, open_rows, notified_percent }
  })
  await sql.setOpenRows(t, after)
  await complete(
    t,
    after.filter(({ open_rows, status }) => open_rows === 0 && status !== 'EXPIRED'),
  )
  const further = after.filter(({ notified_percent }, at) => notified_percent !== before[at]?.notified_percent)
  const ids = await cellById(ctx, t.cell).takeIds(further.length)
  await announceAll(
    t,
    further.map((batch, at) => progressOf(batch, ids[at] as bigint)),
  )
}

const complete = (t: Tx, batches: readonly sql.BatchRow[]): Promise<unknown> =>
  batches.length === 0
    ? Promise.resolve()
    : sql.moveBatches(
        t,
        batches.map(({ id, merchant_id }) => ({
          on: 'complete',
          id,
          merchantId: merchant_id,
          from: 'AWAITING_PROCESSING',
        })),
      )

/** A batch in which no row is valid is complete from the start; a merchant that wants progress events gets
 *  that one. */
export async function completeAtOnce(t: Tx, batch: sql.BatchRow, eventId: bigint): Promise<sql.BatchRow> {
  const done: sql.BatchRow = { ...batch, status: 'COMPLETED', notified_percent: percentNotified(batch, 0) }
  await sql.setOpenRows(t, [done])
  await complete(t, [batch])
  if (done.notified_percent > 0) await announceAll(t, [progressOf(done, eventId)])
  return done
}
