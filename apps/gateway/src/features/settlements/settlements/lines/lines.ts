// What is to be settled: every entry on what merchants and sub accounts are owed becomes a line, once, and a
// line is paid by one settlement at a time. Here lines are gathered from the ledger, and shown as statements
// show them.
import { HOUR_MS } from '@cowrie/contract/kit/durations'
import { nairaText } from '@cowrie/contract/kit/money'
import type { LineOf } from '@cowrie/contract/settlements/statement'
import { commitOne, readAll } from '#core/cells/cells.ts'
import { heldBackBy, horizonLags, SLICE } from '#core/ledger/horizons.ts'
import { monotonicMs, pause } from '#kit/clock.ts'
import type { Ctx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { nextRun } from './calendar.ts'
import * as sql from './lines.sql.ts'

/** A run that did not come within an hour is put on the agenda again. */
const LOST_MS = HOUR_MS
const TIMEOUT_MS = 2_000

const lostBefore = (now: Date): Date => new Date(now.getTime() - LOST_MS)

/** Takes what was committed, as far as no open transaction is in the way; each slice in a transaction of its
 *  own. */
export async function gather(ctx: Ctx, cell: CellId, slice = SLICE): Promise<sql.Gathered> {
  let lines = 0
  for (;;) {
    const taken = await commitOne(ctx, cell, (t) => sql.gather(t, nextRun(t.now), lostBefore(t.now), slice))
    lines += taken.lines
    if (!taken.more) return { lines, upto: taken.upto }
  }
}

/** The same where it is asked for at every deadline of a moved clock, and mostly nothing is new: to look
 *  costs no commit. Answers how many lines came. */
export const gatherNews = async (ctx: Ctx, cell: CellId): Promise<number> =>
  (await readAll(ctx, cell, (r) => sql.hasNews(r, lostBefore(r.now)))) ? (await gather(ctx, cell)).lines : 0

/** The same, until all that is committed by now is in it: an open transaction of another request is waited
 *  for a moment. False when one stays open for longer and something is missing because of it. */
export async function gatherAll(ctx: Ctx, cell: CellId): Promise<boolean> {
  const newest = await readAll(ctx, cell, (r) => sql.newestXid(r))
  for (const until = monotonicMs() + TIMEOUT_MS; monotonicMs() < until; await pause(5))
    if ((await gather(ctx, cell)).upto >= newest) return true
  return readAll(ctx, cell, async (r) => {
    const missing = (await horizonLags(r)).find((lag) => lag.horizon === 'settlements' && lag.oldest !== null)
    if (!missing) return true
    const detail = `since ${missing.oldest?.toISOString()} by ${await heldBackBy(r)}`
    ctx.log.warn('settlement run leaves out recent payments: an open database transaction holds them back', {
      cell,
      detail,
    })
    return false
  })
}

/** A line as its statement shows it. */
export const lineView = (row: sql.LineRow): LineOf => ({
  kind: row.kind,
  transactionReference: row.reference ?? '',
  paymentReference: row.payment_reference ?? '',
  at: row.at.toISOString(),
  amount: nairaText(row.amount_kobo),
  fee: nairaText(row.fee_kobo),
  feeRule: {
    id: String(row.fee_schedule_id ?? ''),
    basisPoints: Number(row.basis_points ?? 0n),
    cap: nairaText(row.cap_kobo ?? 0n),
    ...(row.flat_kobo ? { flat: nairaText(row.flat_kobo) } : {}),
  },
  shares: toShares(row).map(({ code, kobo }) => ({ subAccountCode: code, amount: nairaText(BigInt(kobo)) })),
  net: nairaText(row.kobo),
})

export const toShares = (row: sql.LineRow): { code: string; kobo: string }[] =>
  row.shares === null ? [] : (JSON.parse(row.shares) as { code: string; kobo: string }[])
