// The statements of who is held, and of holidays.
import { insertInto } from '#core/insert-into.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

const LIST: Statement = {
  name: 'settlement_holds_list',
  text: `
select h.merchant_id, m.api_key, m.name, h.reason, h.since from settlement_holds h join merchants m on m.id = h.merchant_id order by h.since, m.id`,
}
export const listHeld = (
  read: Read,
): Promise<(Pick<Rows['merchants'], 'api_key' | 'name'> & Pick<Rows['settlement_holds'], 'reason' | 'since'>)[]> =>
  read.query(LIST, [])

/** False when it is held already. */
export const hold = async (t: Tx, merchantId: bigint, reason: string): Promise<boolean> =>
  (
    await insertInto(
      'settlement_holds',
      t,
      { merchant_id: merchantId, reason, since: t.now },
      'on conflict (merchant_id) do nothing returning since',
    )
  ).length > 0

const RELEASE: Statement = {
  name: 'settlement_holds_delete',
  text: 'delete from settlement_holds where merchant_id = $1 returning reason, since',
}
export type Hold = Pick<Rows['settlement_holds'], 'reason' | 'since'>
/** What was released; null when it was not held. The next look at the lines puts a run on the agenda. */
export const release = async (t: Tx, merchantId: bigint): Promise<Hold | null> =>
  (await t.query<Hold>(RELEASE, [merchantId]))[0] ?? null

const FIND_HOLD: Statement = {
  name: 'settlement_holds_find',
  text: 'select reason, since from settlement_holds where merchant_id = $1',
}
export const findHold = async (read: Read, merchantId: bigint): Promise<Hold | null> =>
  (await read.query<Hold>(FIND_HOLD, [merchantId]))[0] ?? null

const HOLIDAY: Statement = {
  name: 'holidays_insert',
  text: 'insert into holidays (day, name) values ($1::date, $2) on conflict (day) do nothing returning day',
}
/** False when the day is a holiday already. */
export const addHoliday = async (t: Tx, day: string, name: string): Promise<boolean> =>
  (await t.query(HOLIDAY, [day, name])).length > 0

const HOLIDAYS: Statement = {
  name: 'holidays_from',
  text: `select to_char(day, 'YYYY-MM-DD') as day from holidays where day >= $1::date and day < $1::date + 60`,
}
/** Of the next weeks. */
export const holidaysFrom = async (read: Read, day: string): Promise<ReadonlySet<string>> =>
  new Set((await read.query<{ day: string }>(HOLIDAYS, [day])).map((row) => row.day))

const RUNS: Statement = {
  name: 'settlement_runs',
  text: `
-- all merchants: the operator looks at all of them
select to_char(created_at at time zone 'Africa/Lagos', 'YYYY-MM-DD') as day, count(*)::int as settlements, sum(kobo)::bigint as kobo,
  (count(*) filter (where status = 'PAYING'))::int as paying, (count(*) filter (where status = 'COMPLETED'))::int as completed,
  (count(*) filter (where status = 'RETURNED'))::int as returned
from settlements where created_at >= $1 group by 1 order by 1 desc`,
}
export type RunRow = {
  day: string
  settlements: number
  kobo: bigint
  paying: number
  completed: number
  returned: number
}
export const listRuns = (read: Read, since: Date): Promise<RunRow[]> => read.query(RUNS, [since])

const NEXT_RUN: Statement = { name: 'settlement_next_run', text: 'select run_at from settlement_horizon' }
export const nextRunAt = async (read: Read): Promise<Date | null> =>
  (await read.query<Pick<Rows['settlement_horizon'], 'run_at'>>(NEXT_RUN, []))[0]?.run_at ?? null
