// What has left with its month (migration 0011, docs/decisions/0029-months.md). Months leave oldest first, so
// one id is the boundary. What is here may name what has left, never the other way round.
import type { Read, Statement } from '#kit/ctx.ts'

const BOUNDARY = '(select coalesce(max(past_id), 0) from departed_months)'

/** Whether an id is of a month that has left. Ids of no month stay; and null names nothing. */
export const hasLeft = (id: string): string => `coalesce(${id} >= 200001000000000000 and ${id} < ${BOUNDARY}, false)`
export const isHere = (id: string): string => `not ${hasLeft(id)}`

/** The first day that is here whole: around the end of a month an id may be a moment older than its row's
 *  time. */
export const FIRST_WHOLE_DAY = `(select coalesce(max(past_day) + 1, '-infinity') from departed_months)`

export type Numbered = 'transfers' | 'singles' | 'batches' | 'invoices' | 'events'
/** The last number of a merchant that has left; `merchant` is SQL. */
export const lastLeft = (of: Numbered, merchant: string): string =>
  `coalesce((select max(x.${of}) from departed_numbers x where x.merchant_id = ${merchant}), 0)`
/** The same of every merchant, for statements that look at many rows. */
export const ALL_LEFT = `(
        select merchant_id, max(transfers) as transfers, max(singles) as singles, max(events) as events from departed_numbers
        group by 1
      )`
/** Whether a number comes after those that have left, where any have. */
export const isAfter = (number: string, gone: string): string => `(${number} > ${gone} or ${gone} = 0)`

const LEFT: Statement = { name: 'departed_id', text: `select ${hasLeft('$1::bigint')} as gone` }
/** Whether what has this id answers like something that never was. */
export const isGone = async (read: Read, id: bigint): Promise<boolean> =>
  (await read.query<{ gone: boolean }>(LEFT, [id]))[0]?.gone === true
