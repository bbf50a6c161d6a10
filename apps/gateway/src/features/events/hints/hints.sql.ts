import type { Rows } from '#core/rows.ts'
import type { Read, Statement } from '#kit/ctx.ts'

const AFTER: Statement = {
  name: 'hints_after',
  text: `select n.number, e.type, e.object from event_numbers n join events e on e.id = n.event_id and e.merchant_id = $1
    where n.merchant_id = $1 and n.number > $2 order by n.number limit $3`,
}
export type HintRow = Pick<Rows['events'], 'type' | 'object'> & { number: Rows['event_numbers']['number'] }
/** What happened after a number, without what it says. */
export const hintsAfter = (read: Read, merchantId: bigint, after: bigint, limit: number): Promise<HintRow[]> =>
  read.query<HintRow>(AFTER, [merchantId, after, limit])
