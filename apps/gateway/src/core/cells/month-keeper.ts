// Sees to it that the partitions of the next month are there before it begins; `cowrie run books` says when
// they are not.
import { DAY_MS } from '@cowrie/contract/kit/durations'
import type { Ctx, Read, Statement } from '#kit/ctx.ts'
import { type CellId, monthAt } from '#kit/ids.ts'
import { commitOne, readAll } from './cells.ts'
import { OPEN_MONTH } from './months.ts'

/** How long before a month begins its partitions are made. */
const AHEAD_MS = 7 * DAY_MS
/** Without them so long before it begins, the operator is warned. */
const LATE_MS = 3 * DAY_MS

const HAS: Statement = { name: 'months_has', text: 'select from months where month = $1' }

/** The month that is to be made by now and is not there; null when none is. */
export async function missingMonth(read: Read, aheadMs = LATE_MS): Promise<bigint | null> {
  const next = monthAt(new Date(read.now.getTime() + aheadMs))
  return (await read.query(HAS, [next])).length > 0 ? null : next
}

/** Makes the next month's partitions ahead of time, and warns when the time is nearly up. */
export function createMonthKeeper(ctx: Ctx): (cell: CellId) => Promise<void> {
  let warned: bigint | null = null
  return async (cell) => {
    const month = await readAll(ctx, cell, (r) => missingMonth(r, AHEAD_MS))
    if (month === null) return
    try {
      await commitOne(ctx, cell, (t) => t.query(OPEN_MONTH, [month]))
    } catch (error) {
      const late = await readAll(ctx, cell, (r) => missingMonth(r))
      if (late === null || warned === late) throw error
      warned = late
      ctx.log.warn('partitions of the next month are missing', { cell, detail: String(late), error })
    }
  }
}
