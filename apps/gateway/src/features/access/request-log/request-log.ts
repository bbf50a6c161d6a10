// Request log: every request of a merchant's key or of a person leaves one line (method, path, status,
// milliseconds, who, from where, why it was refused), kept for some days. Never a body, a query or a header.
// Lines are written by the processes that answer (recorder.ts), read newest first or followed as they come,
// and deleted by a worker. They lie in an unlogged table: a crash empties it, and no money is ever counted by
// it.
import type { RequestLine, RequestPage, RequestQuery } from '@cowrie/contract/access/requests'
import { DAY_MS } from '@cowrie/contract/kit/durations'
import { DEFAULT_SIZE } from '@cowrie/contract/kit/paging'
import { commitOne } from '#core/cells/cells.ts'
import { onePerProcess } from '#core/feature.ts'
import type { Ctx, Read } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { momentOrNull } from '#kit/times.ts'
import { createRecorder, idAt } from './recorder.ts'
import * as sql from './request-log.sql.ts'

/** Whoever follows the log sees a line so long after its answer: by then every process has written what it
 *  had. */
const SETTLED_MS = 2_000
/** Lines that one listing looks at. */
const LOOK = 50_000
const SLICE = 10_000
const SLICES_MAX = 5
const BEYOND = 2n ** 63n - 1n

/** Null where no log is kept. */
export const sharedRecorder = onePerProcess(({ ctx }) => (ctx.requestLogDays === 0 ? null : createRecorder(ctx)))

const lineOf = (row: sql.Row): RequestLine => ({
  id: String(row.id),
  at: row.at.toISOString(),
  method: row.method,
  path: row.path,
  route: row.route,
  status: row.status,
  ms: row.ms,
  key: row.key,
  requestId: row.request_id,
  caller: row.caller,
  code: row.code,
})

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const WHY = 'must be a date, such as 2026-05-01T00:00:00.000'

function statusesOf(text: string | undefined): readonly [number, number] {
  if (text === undefined) return [0, 999]
  return text.endsWith('xx') ? [Number(text[0]) * 100, Number(text[0]) * 100 + 99] : [Number(text), Number(text)]
}

function wantedOf(now: Date, days: number, merchantId: bigint, query: RequestQuery): sql.Wanted {
  const since = momentOrNull('since', query.since, WHY)
  const until = momentOrNull('until', query.until, WHY)
  const oldestFirst = query.after !== undefined
  const settled = oldestFirst ? idAt(now.getTime() - SETTLED_MS) : BEYOND
  return {
    merchantId,
    above: larger(
      larger(idAt(now.getTime() - days * DAY_MS), BigInt(query.after ?? 0)),
      since === null ? 0n : idAt(since.getTime()) - 1n,
    ),
    below: smaller(
      smaller(settled, query.before === undefined ? BEYOND : BigInt(query.before)),
      until === null ? BEYOND : idAt(until.getTime()),
    ),
    oldestFirst,
    look: LOOK,
    status: statusesOf(query.status),
    path: query.path ?? null,
    key: query.key ?? null,
    size: Number(query.size ?? DEFAULT_SIZE),
  }
}

/** Lines of a merchant, 0 for those of none. A page that is not full has looked at all lines, or `next` says
 *  where to look on; whoever follows the log learns where to go on in any case. */
export async function list(ctx: Ctx, read: Read, merchantId: bigint, query: RequestQuery): Promise<RequestPage> {
  const wanted = wantedOf(read.now, ctx.requestLogDays, merchantId, query)
  if (query.requestId !== undefined) {
    const found = await sql.find(read, merchantId, query.requestId)
    return { content: found.filter(({ id }) => id > wanted.above && id < wanted.below).map(lineOf), next: null }
  }
  const rows = await sql.list(read, wanted)
  const last =
    (rows.length === wanted.size ? rows.at(-1)?.id : await sql.endOfLook(read, wanted)) ??
    (wanted.oldestFirst ? larger(wanted.above, wanted.below - 1n) : null)
  return { content: rows.map(lineOf), next: last === null ? null : String(last) }
}

/** Deletes what has been kept long enough, some of it. */
export async function forgetOld(ctx: Ctx, cell: CellId): Promise<void> {
  const below = idAt(ctx.clock.now().getTime() - ctx.requestLogDays * DAY_MS)
  for (let slices = 0; slices < SLICES_MAX; slices += 1)
    if ((await commitOne(ctx, cell, (t) => sql.forget(t, below, SLICE))) < SLICE) return
}
