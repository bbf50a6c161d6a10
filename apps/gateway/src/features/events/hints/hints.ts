// Hints: a screen that is open learns that something has changed, and reads it anew. One stream per browser,
// by server-sent events, fed by the numbered event feed: its id is the event's number, so whoever was cut off
// goes on where they were. A hint says kind and reference and nothing else; what changed is read through the
// routes, and so through the permissions. Who may follow is asked again every minute, without counting as
// use: a screen that is left open does not keep its session alive.
import type { Merchant } from '#core/access/merchants.ts'
import { readAs } from '#core/cells/cells.ts'
import { lastNumber } from '#core/events.ts'
import type { Watch } from '#features/events/events/watch.ts'
import { monotonicMs } from '#kit/clock.ts'
import type { Ctx } from '#kit/ctx.ts'
import type { HttpReply } from '#kit/http/answers.ts'
import * as sql from './hints.sql.ts'

const AT_ONCE = 200

export type HintTimes = {
  /** Proxies cut silent connections. */
  readonly beatMs: number
  readonly checkMs: number
}
export const HINT_TIMES: HintTimes = { beatMs: 15_000, checkMs: 60_000 }

const NUMBER = /^\d{1,18}$/
/** Where to go on: after the last event that the browser has seen, or from now on. */
export const findStart = (ctx: Ctx, { cell, id }: Merchant, seen: string | string[] | undefined): Promise<bigint> =>
  typeof seen === 'string' && NUMBER.test(seen)
    ? Promise.resolve(BigInt(seen))
    : readAs(ctx, cell, id, (read) => lastNumber(read, id))

const hintText = ({ number, type, object }: sql.HintRow): string =>
  `id: ${number}\ndata: ${JSON.stringify({ kind: type, reference: object })}\n\n`

type Following = {
  readonly merchant: Merchant
  readonly after: bigint
  readonly raw: HttpReply['raw']
  /** Whether the person may still follow. */
  readonly still: () => Promise<boolean>
  readonly times?: HintTimes
}

/** Writes hints until the browser goes, the session ends, or all places are taken. */
export async function follow(ctx: Ctx, watch: Watch, following: Following): Promise<void> {
  const { merchant, raw, still, times = HINT_TIMES } = following
  const { cell, id } = merchant
  let [last, checkedAt] = [following.after, monotonicMs()]
  const open = (): boolean => !raw.destroyed && !raw.writableEnded
  // An id without data is kept by the browser and shown to nobody.
  raw.write(`retry: 3000\nid: ${last}\n\n`)
  while (open()) {
    const began = monotonicMs()
    const found = await watch.until(cell, id, last, times.beatMs, raw)
    if (!open()) return
    if (monotonicMs() - checkedAt >= times.checkMs) {
      if (!(await still())) break
      checkedAt = monotonicMs()
    }
    // It did not wait: all places are taken, or the server closes.
    if (!found && monotonicMs() - began < times.beatMs / 2) break
    const rows = found ? await readAs(ctx, cell, id, (read) => sql.hintsAfter(read, id, last, AT_ONCE)) : []
    last = rows.at(-1)?.number ?? last
    // Whoever does not take these few bytes is gone.
    if (raw.writableNeedDrain) raw.destroy()
    else raw.write(rows.length === 0 ? ': \n\n' : rows.map(hintText).join(''))
  }
  raw.end()
}
