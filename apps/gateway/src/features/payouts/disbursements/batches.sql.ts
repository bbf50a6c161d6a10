// The statements of batches.

import { batchMachine } from '@cowrie/contract/payouts/batches'
import { mover } from '#core/ledger/move.ts'
import type { Rows } from '#core/rows.ts'
import { numbers } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'
import { COLUMNS, type Row } from './disbursements.sql.ts'

export const moveBatches = mover(batchMachine, { name: 'batch', set: {} })

export type BatchRow = Pick<
  Rows['batches'],
  | 'id'
  | 'merchant_id'
  | 'reference'
  | 'transaction_reference'
  | 'title'
  | 'status'
  | 'version'
  | 'rows'
  | 'open_rows'
  | 'kobo'
  | 'fee_kobo'
  | 'notify_percent'
  | 'created_at'
> & {
  notified_percent: Rows['batches']['told_percent']
  /** It waits, or waited, for one of the merchant's people. */
  needs_person: Rows['batches']['needs_person']
}
/** What a list shows of a batch. */
export type BatchSummary = Pick<
  BatchRow,
  'id' | 'reference' | 'transaction_reference' | 'status' | 'rows' | 'kobo' | 'created_at'
>
const BATCH_COLUMNS = `id, merchant_id, reference, transaction_reference, title, status, version, rows, open_rows, kobo, fee_kobo,
  notify_percent, told_percent as notified_percent, needs_person, created_at`

const INSERT: Statement = {
  name: 'batches_insert',
  text: `
with counted as (
  insert into transfer_counters as c (merchant_id, batches) values ($2, 1)
  on conflict (merchant_id) do update set batches = c.batches + 1 returning batches
)
insert into batches (id, merchant_id, reference, transaction_reference, title, narration, source_account, status, two_fa, rows, open_rows,
  kobo, fee_kobo, notify_percent, created_at, needs_person, place)
select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, batches from counted`,
}
export type NewBatch = Omit<BatchRow, 'version' | 'notified_percent' | 'created_at'> & {
  narration: string
  sourceAccount: string
  twoFa: boolean
}
export const insertBatch = (t: Tx, batch: NewBatch): Promise<unknown> =>
  t.query(INSERT, [
    batch.id,
    batch.merchant_id,
    batch.reference,
    batch.transaction_reference,
    batch.title,
    batch.narration,
    batch.sourceAccount,
    batch.status,
    batch.twoFa,
    batch.rows,
    batch.open_rows,
    batch.kobo,
    batch.fee_kobo,
    batch.notify_percent,
    t.now,
    batch.needs_person,
  ])

const FIND: Statement = {
  name: 'batches_find',
  text: `select ${BATCH_COLUMNS} from batches where merchant_id = $1 and reference = $2`,
}
export const findBatch = async (read: Read, merchantId: bigint, reference: string): Promise<BatchRow | null> =>
  (await read.query<BatchRow>(FIND, [merchantId, reference]))[0] ?? null

const LOCK: Statement = { name: 'batches_lock', text: `${FIND.text} for update` }
export const lockBatch = async (t: Tx, merchantId: bigint, reference: string): Promise<BatchRow | null> =>
  (await t.query<BatchRow>(LOCK, [merchantId, reference]))[0] ?? null

const BY_IDS: Statement = {
  name: 'batches_by_ids',
  text: `
-- all merchants: their timers have fallen due
select ${BATCH_COLUMNS} from batches where id = any($1::bigint[])`,
}
export const batchesByIds = (read: Read, ids: readonly bigint[]): Promise<BatchRow[]> =>
  read.query<BatchRow>(BY_IDS, [numbers(ids)])

const SUMS: Statement = {
  name: 'batches_sums',
  text: `select status, count(*)::int as rows, sum(kobo)::bigint as kobo,
      sum(fee_kobo)::bigint as fee_kobo from disbursements where merchant_id = $1 and batch_id = $2 group by status`,
}
export const sumByStatus = (
  read: Read,
  merchantId: bigint,
  batchId: bigint,
): Promise<{ rows: number; kobo: bigint; fee_kobo: bigint; status: Rows['disbursements']['status'] }[]> =>
  read.query(SUMS, [merchantId, batchId])

const WAITING_ROWS: Statement = {
  name: 'batches_waiting_rows',
  text: `select ${COLUMNS} from disbursements
    where merchant_id = $1 and batch_id = $2 and status = 'PENDING_BATCH_AUTHORIZATION' order by id for update`,
}
/** The rows of a batch that wait for its code, held. */
export const lockWaitingRows = (t: Tx, merchantId: bigint, batchId: bigint): Promise<Row[]> =>
  t.query<Row>(WAITING_ROWS, [merchantId, batchId])

// Locked before it is counted: a statement that compared with its own snapshot would take another worker's
// step for news.
const LOCK_ALL: Statement = { name: 'batches_lock_all', text: `${BY_IDS.text} order by id for update` }
export const lockBatches = (t: Tx, ids: readonly bigint[]): Promise<BatchRow[]> =>
  t.query<BatchRow>(LOCK_ALL, [numbers(ids)])

const OPEN_ROWS: Statement = {
  name: 'batches_set_open_rows',
  text: `
-- all merchants: rows of their batches have reached their final state
update batches b set open_rows = x.open_rows, told_percent = x.notified_percent
from unnest($1::bigint[], $2::int[], $3::int[]) as x(id, open_rows, notified_percent) where b.id = x.id`,
}
/** How many rows are open, and the progress last notified; under the lock. */
export const setOpenRows = (t: Tx, batches: readonly BatchRow[]): Promise<unknown> =>
  t.query(OPEN_ROWS, [
    numbers(batches.map((batch) => batch.id)),
    numbers(batches.map((batch) => batch.open_rows)),
    numbers(batches.map((batch) => batch.notified_percent)),
  ])
