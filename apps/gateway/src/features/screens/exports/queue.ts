// Exports that are too large to be waited for. Somebody asks (WAITING), a worker writes the file in one go on
// one snapshot (WRITING), with how far it has come beside it, and mails whoever asked (READY). It lies in the
// cell as one compressed stream, cut into pieces, for a week. A worker that dies leaves a lease that ends;
// the next begins again with a new attempt, and of two attempts only the later keeps anything: a file is
// whole, or it is not there. After a few attempts it is FAILED, and whoever asked is mailed that.
import { once } from 'node:events'
import { createGzip, type Gzip } from 'node:zlib'
import { masked } from '@cowrie/contract/access/masking'
import { DAY_MS } from '@cowrie/contract/kit/durations'
import type { QueryOf } from '@cowrie/contract/kit/spec'
import type { ExportState, QueuedExport } from '@cowrie/contract/screens/exports'
import type { exportPayments } from '@cowrie/contract/screens/files'
import type { Actor } from '#core/access/actor.ts'
import type { Merchant } from '#core/access/merchants.ts'
import { type DueRow, schedule } from '#core/agenda.ts'
import { cellById, commitOne, engineTx, readAs } from '#core/cells/cells.ts'
import { toFilter } from '#features/collections/transactions/search.ts'
import { queueMail } from '#features/events/mails/mails.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import { localDay } from '#kit/times.ts'
import * as sql from './exports.sql.ts'
import { countPayments, exportFileName, writePayments } from './exports.ts'

export const WRITE_EXPORT = 'exports.write'

const KEPT_MS = 7 * DAY_MS
const UNFINISHED_MAX = 5
const LISTED_MAX = 100
/** Each piece renews it. */
const LEASE_MS = 60_000
/** A filter with few hits keeps no piece for a long time: whoever writes says in between that it is at
 *  work. */
const RENEW_MS = 20_000
const ATTEMPTS_MAX = 5
const AGAIN_MS = 10_000
/** There was no room; it is looked at again. */
const LATER_MS = 2_000
/** Each holds a connection to the database while it is written. */
const AT_ONCE_MAX = 2
const PIECE_BYTES = 256 * 1024
/** Twice as fast as the usual 6, and hardly larger. */
const LEVEL = 4

type Query = QueryOf<typeof exportPayments>

// ---- asking

/** What is asked for, with its upper bound: what is made later is not in the file, whenever it is written. */
export type Wanted = { readonly id: bigint; readonly query: Query; readonly fileName: string; readonly rows: number }

export async function prepareExport(ctx: Ctx, merchant: Merchant, asked: Query): Promise<Wanted> {
  const now = ctx.clock.now()
  const { to } = toFilter(asked)
  const query = { ...asked, to: String((to === undefined || to > now ? now : to).getTime()) }
  const filter = toFilter(query)
  const rows = await countPayments(ctx, merchant, filter)
  const [id = 0n] = await cellById(ctx, merchant.cell).takeIds(1)
  return { id, query, fileName: exportFileName(filter, now), rows }
}

export async function queueExport(t: Tx, merchant: Merchant, by: Actor, wanted: Wanted): Promise<sql.ExportRow> {
  if ((await sql.countUnfinished(t, merchant.id)) >= UNFINISHED_MAX) fail('EXPORTS_FULL')
  await schedule(t, WRITE_EXPORT, merchant.id, wanted.id, t.now)
  return sql.insert(t, {
    id: wanted.id,
    merchant_id: merchant.id,
    asked_by: by.name,
    query: JSON.stringify(wanted.query),
    masked: !by.may('personalData.read'),
    file_name: wanted.fileName,
    rows_expected: BigInt(wanted.rows),
    expires_at: new Date(t.now.getTime() + KEPT_MS),
  })
}

// ---- writing

/** Somebody else has it by now. */
class Overtaken extends Error {}

const laterThan = (now: Date, ms: number): Date => new Date(now.getTime() + ms)

/** Compresses what is written and keeps it in pieces. */
function keeper(ctx: Ctx, cell: CellId, row: sql.ExportRow) {
  const gzip: Gzip = createGzip({ level: LEVEL })
  let rows = 0
  const keep = async (number: number, bytes: Buffer): Promise<void> => {
    const piece = { number, bytes, rows, until: laterThan(ctx.clock.now(), LEASE_MS) }
    if (!(await commitOne(ctx, cell, (t) => sql.keep(t, row, piece)))) throw new Overtaken()
  }
  const kept = (async () => {
    let [number, size, parts] = [0, 0, [] as Buffer[]]
    for await (const part of gzip as AsyncIterable<Buffer>) {
      parts.push(part)
      size += part.length
      if (size < PIECE_BYTES) continue
      number += 1
      await keep(number, Buffer.concat(parts))
      size = 0
      parts = []
    }
    await keep(number + 1, Buffer.concat(parts))
    return number + 1
  })()
  kept.catch((error: Error) => gzip.destroy(error)) // whoever writes is waiting for it
  return {
    take: async (text: string, written: number): Promise<boolean> => {
      rows = written
      if (!gzip.write(text)) await once(gzip, 'drain')
      return true
    },
    end: async (): Promise<number> => {
      gzip.end()
      return kept
    },
    stop: async (): Promise<void> => {
      gzip.destroy()
      await kept.catch(() => undefined)
    },
  }
}

async function writeWhole(ctx: Ctx, cell: CellId, row: sql.ExportRow): Promise<void> {
  const [mailId = 0n] = await cellById(ctx, cell).takeIds(1)
  const keeping = keeper(ctx, cell, row)
  const atWork = setInterval(() => {
    const until = laterThan(ctx.clock.now(), LEASE_MS)
    // What could not be said now is said the next time.
    commitOne(ctx, cell, (t) => sql.renew(t, row, until)).catch(() => undefined)
  }, RENEW_MS)
  try {
    const filter = toFilter(JSON.parse(row.query) as Query)
    const sums = await writePayments(ctx, { cell, id: row.merchant_id }, filter, row.masked, keeping.take)
    const pieces = await keeping.end()
    await engineTx(ctx, cell, async (t) => {
      const ready = await sql.setReady(t, row, pieces, sums?.rows ?? 0)
      if (ready === null) throw new Overtaken()
      await queueMail(t, mailId, { id: row.merchant_id, email: row.asked_by }, readyMail(ctx, ready))
    })
  } catch (error) {
    await keeping.stop()
    throw error
  } finally {
    clearInterval(atWork)
  }
}

const counted = new Intl.NumberFormat('en-GB')
const readyMail = ({ publicUrl }: Ctx, { file_name, rows_written, expires_at }: sql.ExportRow) => ({
  subject: `Your export is ready: ${file_name}`,
  text: [
    `It has ${counted.format(rows_written)} payments. Download it in the dashboard, under Exports: ${publicUrl}/dashboard/exports`,
    `It is kept until ${localDay(expires_at)}. The last line of the file says how many rows there are and what they sum to.`,
  ].join('\n\n'),
})
const failedMail = ({ publicUrl }: Ctx, { file_name }: sql.ExportRow) => ({
  subject: `Your export could not be written: ${file_name}`,
  text: `It was tried ${ATTEMPTS_MAX} times. Nothing was lost: ask for it again in the dashboard, or for fewer days at once: ${publicUrl}/dashboard/payments`,
})

const giveUp = async (ctx: Ctx, cell: CellId, row: sql.ExportRow): Promise<void> => {
  const [mailId = 0n] = await cellById(ctx, cell).takeIds(1)
  await engineTx(ctx, cell, async (t) => {
    if ((await sql.setFailed(t, row)) === null) return
    await sql.clear(t, row.merchant_id, row.id)
    await queueMail(t, mailId, { id: row.merchant_id, email: row.asked_by }, failedMail(ctx, row))
  })
  ctx.log.error('an export was given up', { cell, merchantId: row.merchant_id, subject: row.id })
}

/** Whoever may write it now, or nobody; then the timer comes again while it is unfinished. */
const claim = (
  ctx: Ctx,
  cell: CellId,
  { merchant_id, subject }: DueRow,
  room: boolean,
): Promise<sql.ExportRow | null> =>
  engineTx(ctx, cell, async (t) => {
    const row = room ? await sql.claim(t, merchant_id, subject, laterThan(t.now, LEASE_MS)) : null
    if (row) await sql.clear(t, merchant_id, subject)
    else {
      const other = await sql.find(t, merchant_id, subject)
      const held = other?.lease_until && other.lease_until > t.now ? other.lease_until : laterThan(t.now, LATER_MS)
      if (other && !other.ready_at && !other.failed_at) await schedule(t, WRITE_EXPORT, merchant_id, subject, held)
    }
    return row
  })

/** One per process: it knows how many files the process writes. */
export function createExportWriter(ctx: Ctx) {
  let running = 0
  const write = async (cell: CellId, due: DueRow): Promise<void> => {
    const row = await claim(ctx, cell, due, running < AT_ONCE_MAX)
    if (row === null) return
    if (row.attempt > ATTEMPTS_MAX) return giveUp(ctx, cell, row)
    running += 1
    try {
      await writeWhole(ctx, cell, row)
    } catch (error) {
      if (error instanceof Overtaken) return
      ctx.log.warn('an export broke off; it begins again', {
        cell,
        merchantId: row.merchant_id,
        subject: row.id,
        error,
      })
      await engineTx(ctx, cell, async (t) => {
        await sql.release(t, row)
        await schedule(t, WRITE_EXPORT, row.merchant_id, row.id, laterThan(t.now, AGAIN_MS * row.attempt))
      })
    } finally {
      running -= 1
    }
  }
  return { write }
}
export type ExportWriter = ReturnType<typeof createExportWriter>

// ---- what is shown, taken and forgotten

function stateOf({ ready_at, failed_at, lease_until }: sql.ExportRow, now: Date): ExportState {
  if (ready_at) return 'READY'
  if (failed_at) return 'FAILED'
  return lease_until && lease_until > now ? 'WRITING' : 'WAITING'
}

const SHOWN = [
  ...(['customerName', 'customerEmail', 'paymentStatus', 'amount', 'fromAmount', 'toAmount'] as const),
  ...(['transactionReference', 'paymentReference'] as const),
] as const

/** Without the days, which the name of the file has. */
function filterShown(query: Query, whole: boolean): QueuedExport['filter'] {
  const filter = Object.fromEntries(SHOWN.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])))
  return (whole ? filter : masked(filter)) as QueuedExport['filter']
}

export const presentExport = (row: sql.ExportRow, by: Actor, now: Date): QueuedExport => ({
  reference: String(row.id),
  title: row.file_name,
  filter: filterShown(JSON.parse(row.query) as Query, by.may('personalData.read')),
  state: stateOf(row, now),
  rows: Number(row.ready_at ? row.rows_written : row.rows_expected),
  rowsWritten: Number(row.rows_written),
  bytes: Number(row.bytes),
  createdBy: row.asked_by,
  createdAt: row.created_at.toISOString(),
  completedAt: row.ready_at?.toISOString() ?? null,
  expiresAt: row.expires_at.toISOString(),
  partly: row.masked,
})

export const presentExports = (ctx: Ctx, merchant: Merchant, by: Actor): Promise<QueuedExport[]> =>
  readAs(ctx, merchant.cell, merchant.id, async (read) =>
    (await sql.list(read, merchant.id, LISTED_MAX)).map((row) => presentExport(row, by, read.now)),
  )

/** A file that is ready, and that whoever asks may have. */
export async function readyExport(ctx: Ctx, merchant: Merchant, reference: string): Promise<sql.ExportRow> {
  const known = /^\d{1,18}$/.test(reference)
  const row = known
    ? await readAs(ctx, merchant.cell, merchant.id, (read) => sql.find(read, merchant.id, BigInt(reference)))
    : null
  if (row === null) return fail('EXPORT_UNKNOWN', { reference: reference.slice(0, 40) })
  const state = stateOf(row, ctx.clock.now())
  if (state !== 'READY') fail('EXPORT_NOT_READY', { state })
  if (!row.masked && merchant.person && !merchant.person.may('personalData.read'))
    fail('PERMISSION_DENIED', { permission: 'personalData.read' })
  return row
}

/** Its pieces in order, each read when the one before was taken: no connection is held for a slow reader. */
export async function* piecesOf(ctx: Ctx, cell: CellId, row: sql.ExportRow): AsyncGenerator<Buffer> {
  for (let number = 1; number <= (row.pieces ?? 0); number += 1) {
    const piece = await readAs(ctx, cell, row.merchant_id, (read) => sql.findPiece(read, row, number))
    yield piece ?? fail('EXPORT_UNKNOWN', { reference: String(row.id) })
  }
}

export const forgetExports = (ctx: Ctx, cell: CellId): Promise<unknown> => commitOne(ctx, cell, (t) => sql.forget(t))
