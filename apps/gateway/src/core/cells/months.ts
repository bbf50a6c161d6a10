// Months: tables that grow are partitioned by the month that their ids begin with (migration 0001). The
// worker makes the next month's partitions ahead of time (month-keeper.ts); whoever needs the first id of a
// month that has none makes them then. Nobody is refused for want of them: until they are there, ids begin
// with the newest month that has its partitions.
import { type Clock, monotonicMs } from '#kit/clock.ts'
import type { Statement } from '#kit/ctx.ts'
import { monthAt } from '#kit/ids.ts'

/** After a month could not be opened, ids begin with an older one for so long. */
const RETRY_MS = 10_000

export const OPEN_MONTH: Statement = { name: 'months_open', text: 'select open_month($1)' }
const NEWEST: Statement = { name: 'months_newest', text: 'select max(month) as month from months where month <= $1' }

type Query = <Row>(statement: Statement, values: readonly unknown[]) => Promise<Row[]>

/** Gives the month that ids begin with now. */
export function createMonths(clock: Clock, query: Query, onOldMonth: (error: Error) => void): () => Promise<bigint> {
  let known: { readonly asked: bigint; readonly month: bigint; readonly until: number } | null = null
  let opening: Promise<bigint> | null = null
  const open = async (asked: bigint): Promise<bigint> => {
    try {
      await query(OPEN_MONTH, [asked])
      known = { asked, month: asked, until: Number.POSITIVE_INFINITY }
    } catch (error) {
      const [newest] = await query<{ month: number | null }>(NEWEST, [asked])
      if (newest?.month == null) throw error
      onOldMonth(error as Error)
      known = { asked, month: BigInt(newest.month), until: monotonicMs() + RETRY_MS }
    }
    return known.month
  }
  return async () => {
    const asked = monthAt(clock.now())
    if (known?.asked === asked && monotonicMs() < known.until) return known.month
    opening ??= open(asked).finally(() => {
      opening = null
    })
    return opening
  }
}
