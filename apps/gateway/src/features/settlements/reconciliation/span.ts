// What a time is looked through for: of one connector, from one moment until another.
import { DAY_MS } from '@cowrie/contract/kit/durations'
import { type Day, dayEnd } from '#core/routing/statement-days.ts'
import type { Ctx } from '#kit/ctx.ts'
import { type CellId, payoutSessionId } from '#kit/ids.ts'
import type { Span } from './match.sql.ts'

/** Payouts that ended soon are found by their sessions of so many days; those that ended later have an index
 *  (sources.sql.ts). */
const SENT_BEFORE_DAYS = 3
/** What we booked so long before the end of a day may have been committed after it was compared. */
const LATE_COMMIT_MS = 60 * 60_000

type Here = Pick<Ctx, 'institution' | 'clock'>

export const toSpan = (
  { institution }: Pick<Ctx, 'institution'>,
  cell: CellId,
  connector: number,
  from: Date,
  until: Date,
): Span => ({
  connector,
  from,
  until,
  firstSession: payoutSessionId(institution, cell, new Date(from.getTime() - SENT_BEFORE_DAYS * DAY_MS), 0n).slice(
    0,
    18,
  ),
  lastSession: payoutSessionId(institution, cell, until, 0n).slice(0, 18),
})

/** From shortly before the end of a day to past now: what its statement may not have yet. */
export const toSpanSince = (ctx: Here, cell: CellId, { day, connector }: Day): Span => {
  const from = new Date(dayEnd(day).getTime() - LATE_COMMIT_MS)
  return toSpan(ctx, cell, connector, from, new Date(ctx.clock.now().getTime() + DAY_MS))
}
