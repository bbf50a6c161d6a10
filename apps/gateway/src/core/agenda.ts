// The agenda: what is to be done, and when, as rows that commit with the fact that made them necessary. A row
// is leased for seconds, claimed with SKIP LOCKED in batches, and gone when its work is done. Work must bear
// repetition: a worker that dies after the work and before the row is gone leaves it to the next. Due means
// due by the movable clock. When rows that were claimed together fail, each is done alone: one that cannot be
// done waits, longer each time, and holds up no other.
import { insertInto } from '#core/insert-into.ts'
import type { Rows } from '#core/rows.ts'
import { moments, numbers, texts } from '#kit/arrays.ts'
import { monotonicMs } from '#kit/clock.ts'
import type { Ctx, Statement, Tx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { TIMERS_DONE } from '#kit/series.ts'
import { commitOne, isLost, readAll } from './cells/cells.ts'

export type DueRow = Pick<Rows['agenda'], 'id' | 'kind' | 'merchant_id' | 'subject' | 'due_at' | 'attempts'>
/** What timers are about. */
export const listSubjects = (rows: readonly DueRow[]): bigint[] => rows.map((row) => row.subject)
type Run = (ctx: Ctx, cell: CellId, rows: readonly DueRow[]) => Promise<void>
/** What happens when timers of one kind fall due; gets all that were claimed together. `background`: it waits
 *  for somebody outside, and a worker goes on with everything else meanwhile. It must end within the
 *  lease. */
export type DueHandler = Run | { readonly background: true; readonly run: Run }
export type DueHandlers = Readonly<Record<string, DueHandler>>

/** Work on what timers are about: a worker goes on only when it is done; or beside everything else. */
export type Work = (cell: CellId, ids: readonly bigint[]) => Promise<void>
export const inLine =
  (work: Work): DueHandler =>
  (_, cell, rows) =>
    work(cell, listSubjects(rows))
export const inBackground = (work: Work): DueHandler => ({
  background: true,
  run: (_, cell, rows) => work(cell, listSubjects(rows)),
})

const LEASE_SECONDS = 20
const BATCH = 200
/** How long rows of a group that failed are done one by one; half the lease is left to the last of them. */
const ALONE_MS = (LEASE_SECONDS * 1000) / 2

export const schedule = async (
  t: Tx,
  kind: string,
  merchantId: bigint,
  subject: bigint,
  dueAt: Date,
): Promise<void> => {
  await insertInto('agenda', t, { kind, merchant_id: merchantId, subject, due_at: dueAt })
}

const SCHEDULE_ALL: Statement = {
  name: 'agenda_schedule_all',
  text: `insert into agenda (kind, merchant_id, subject, due_at)
    select * from unnest($1::text[], $2::bigint[], $3::bigint[], $4::timestamptz[])`,
}
export type Timer = {
  readonly kind: string
  readonly merchantId: bigint
  readonly subject: bigint
  readonly dueAt: Date
}
export const scheduleAll = async (t: Tx, timers: readonly Timer[]): Promise<void> => {
  if (timers.length === 0) return
  await t.query(SCHEDULE_ALL, [
    texts(timers.map((timer) => timer.kind)),
    numbers(timers.map((timer) => timer.merchantId)),
    numbers(timers.map((timer) => timer.subject)),
    moments(timers.map((timer) => timer.dueAt)),
  ])
}

const CLAIM: Statement = {
  name: 'agenda_claim',
  text: `
-- all merchants: the timers of every merchant fall due here
with due as (
  select id from agenda where due_at <= $1 and (lease_until is null or lease_until <= $1)
  order by due_at, id limit ${BATCH} for update skip locked
), claimed as (
  update agenda a set lease_until = $2, attempts = attempts + 1 from due where a.id = due.id
  returning a.id, a.kind, a.merchant_id, a.subject, a.due_at, a.attempts
)
select id, kind, merchant_id, subject, due_at, attempts from claimed order by due_at, id`,
}
const DONE: Statement = {
  name: 'agenda_done',
  text: `
-- all merchants: rows this worker has just finished
delete from agenda where id = any($1::bigint[])`,
}
const AGAIN: Statement = {
  name: 'agenda_again',
  text: `
-- all merchants: rows whose work failed wait longer each time
update agenda set lease_until = null, due_at = $2::timestamptz + make_interval(secs => least(300, power(2, attempts))) where id = any($1::bigint[])`,
}
const RENEW: Statement = {
  name: 'agenda_renew',
  text: `
-- all merchants: rows this worker claimed, as far as they are still its own
update agenda set lease_until = $3 where id = any($1::bigint[]) and lease_until = $2 returning id`,
}
const LET_GO: Statement = {
  name: 'agenda_let_go',
  text: `
-- all merchants: rows this worker did not come to; they are due as they were
update agenda set lease_until = null where id = any($1::bigint[]) and lease_until = $2`,
}
const NEXT: Statement = {
  name: 'agenda_next',
  text: `
-- all merchants: the earliest timer of the cell
select due_at, lease_until from agenda order by due_at, id limit 1`,
}
const PENDING_WORK: Statement = {
  name: 'agenda_pending_work',
  text: `
-- all merchants: whether anything of the cell is due, in hand or not, and whether an event has no number yet
select exists (select from agenda where due_at <= $1) as due, exists (select from outbox) as unnumbered`,
}

const leaseFrom = (now: Date): Date => new Date(now.getTime() + LEASE_SECONDS * 1000)

/** One kind's rows of a claim: done and gone, or back on the agenda. Answers how many were done. */
async function runGroup(ctx: Ctx, cell: CellId, rows: readonly DueRow[], lease: Date, run: Run): Promise<number> {
  const [first] = rows as [DueRow]
  const ids = rows.map((row) => row.id)
  const claimedAt = ctx.clock.now()
  try {
    await run(ctx, cell, rows)
    await commitOne(ctx, cell, (t) => t.query(DONE, [ids]))
    TIMERS_DONE(first.kind, 'done').n += rows.length
    return rows.length
  } catch (error) {
    if (rows.length > 1 && !isLost(error)) {
      ctx.log.warn('batch of due work failed; retrying each item alone', {
        kind: first.kind,
        cell,
        count: rows.length,
        error,
      })
      return runAlone(ctx, cell, rows, lease, run)
    }
    TIMERS_DONE(first.kind, 'failed').n += rows.length
    const which = rows.length === 1 ? { subject: first.subject, merchantId: first.merchant_id } : { count: rows.length }
    ctx.log.error('due work failed', { kind: first.kind, cell, ...which, error })
    await commitOne(ctx, cell, (t) => t.query(AGAIN, [ids, claimedAt]))
    return 0
  }
}

/** Rows of a group that failed, one by one, for a while; what there was no time for is let go and claimed
 *  again. */
async function runAlone(ctx: Ctx, cell: CellId, rows: readonly DueRow[], lease: Date, run: Run): Promise<number> {
  const until = monotonicMs() + ALONE_MS
  const renewed = leaseFrom(ctx.clock.now())
  const own = await commitOne(ctx, cell, (t) =>
    t.query<Pick<Rows['agenda'], 'id'>>(RENEW, [rows.map((row) => row.id), lease, renewed]),
  )
  const ids = new Set(own.map(({ id }) => id))
  let ran = 0
  for (const row of rows) {
    if (monotonicMs() > until) break
    if (!ids.delete(row.id)) continue
    ran += await runGroup(ctx, cell, [row], renewed, run)
  }
  if (ids.size > 0) await commitOne(ctx, cell, (t) => t.query(LET_GO, [[...ids], renewed]))
  return ran
}

/** Background work of a worker; it is waited for at the end. */
export type BackgroundWork = Set<Promise<unknown>>

/** Does what is due now, batch by batch; answers how many rows that were. With `background`, work that waits
 *  for somebody outside is only begun. */
export async function runDue(
  ctx: Ctx,
  cell: CellId,
  handlers: DueHandlers,
  background?: BackgroundWork,
): Promise<number> {
  let ran = 0
  for (;;) {
    const now = ctx.clock.now()
    const lease = leaseFrom(now)
    const rows = await commitOne(ctx, cell, (t) => t.query<DueRow>(CLAIM, [now, lease]))
    if (rows.length === 0) return ran
    for (const [kind, group] of Map.groupBy(rows, (row) => row.kind)) {
      const handler = handlers[kind] ?? missingHandler
      if (typeof handler === 'function') ran += await runGroup(ctx, cell, group, lease, handler)
      else if (background) runInBackground(ctx, cell, background, runGroup(ctx, cell, group, lease, handler.run))
      else ran += await runGroup(ctx, cell, group, lease, handler.run)
    }
    if (rows.length < BATCH) return ran
  }
}

const missingHandler: Run = async (_ctx, _cell, [row]) => {
  throw new Error(`no handler for timer ${row?.kind}`)
}

function runInBackground(ctx: Ctx, cell: CellId, background: BackgroundWork, work: Promise<unknown>): void {
  const done = work
    .catch((error: unknown) => ctx.log.error('could not reschedule failed work', { cell, error }))
    .finally(() => background.delete(done))
  background.add(done)
}

/** When the earliest timer falls due. */
export async function nextDue(ctx: Ctx, cell: CellId): Promise<Date | null> {
  const rows = await readAll(ctx, cell, (r) => r.query<Pick<Rows['agenda'], 'due_at'>>(NEXT, []))
  return rows[0]?.due_at ?? null
}

/** What work there is now: timers that are due, also those that a worker has in hand, and events without a
 *  number. */
export async function pendingWork(ctx: Ctx, cell: CellId): Promise<{ due: boolean; unnumbered: boolean }> {
  const rows = await readAll(ctx, cell, (r) =>
    r.query<{ due: boolean; unnumbered: boolean }>(PENDING_WORK, [ctx.clock.now()]),
  )
  return rows[0] ?? { due: false, unnumbered: false }
}
