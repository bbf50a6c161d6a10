// The statements of the bank's statement: its days, and its lines as they come in.

import type { Day } from '#core/routing/statement-days.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type DayRow = Pick<
  Rows['statement_days'],
  | 'after'
  | 'said_in_kobo'
  | 'said_out_kobo'
  | 'opening_kobo'
  | 'closing_kobo'
  | 'in_kobo'
  | 'out_kobo'
  | 'own_in_kobo'
  | 'own_out_kobo'
  | 'read_at'
> & {
  day: string
  /** The number of the connector whose bank it is. */
  connector: Rows['statement_days']['connector']
  /** The attempt under way, or the one that was taken. */
  reading: Rows['statement_days']['reading']
  /** What the statement says of itself, on the first page of this reading. */
  said_lines: Rows['statement_days']['said_lines']
  /** What was read so far, also of other cells. */
  lines: Rows['statement_days']['lines']
  /** Of it: of this cell. */
  own_lines: Rows['statement_days']['own_lines']
}
const COLUMNS = `to_char(day, 'YYYY-MM-DD') as day, connector, reading, after, said_lines, said_in_kobo, said_out_kobo, opening_kobo, closing_kobo,
  lines, in_kobo, out_kobo, own_lines, own_in_kobo, own_out_kobo, read_at`

const FIND: Statement = {
  name: 'statement_days_find',
  text: `select ${COLUMNS} from statement_days where day = $1::date and connector = $2::smallint`,
}
export const findDay = async (read: Read, { day, connector }: Day): Promise<DayRow | null> =>
  (await read.query<DayRow>(FIND, [day, connector]))[0] ?? null

const INSERT_DAY: Statement = {
  name: 'statement_days_insert',
  text: `insert into statement_days (day, connector) values ($1::date, $2::smallint) on conflict do nothing returning day`,
}
export const insertDay = async (t: Tx, { day, connector }: Day): Promise<boolean> =>
  (await t.query(INSERT_DAY, [day, connector])).length > 0

const LOCK: Statement = {
  name: 'statement_days_lock',
  text: `select ${COLUMNS} from statement_days where day = $1::date and connector = $2::smallint for update`,
}
export const lockDay = async (t: Tx, { day, connector }: Day): Promise<DayRow | null> =>
  (await t.query<DayRow>(LOCK, [day, connector]))[0] ?? null

const SET_READ: Statement = {
  name: 'statement_days_set_read',
  text: `update statement_days set reading = $2, after = $3, said_lines = $4, said_in_kobo = $5, said_out_kobo = $6, opening_kobo = $7, closing_kobo = $8,
  lines = $9, in_kobo = $10, out_kobo = $11, own_lines = $12, own_in_kobo = $13, own_out_kobo = $14, read_at = $15
  where day = $1::date and connector = $16::smallint`,
}
export const setRead = (t: Tx, row: DayRow): Promise<unknown> =>
  t.query(SET_READ, [
    row.day,
    row.reading,
    row.after,
    row.said_lines,
    row.said_in_kobo,
    row.said_out_kobo,
    row.opening_kobo,
    row.closing_kobo,
    row.lines,
    row.in_kobo,
    row.out_kobo,
    row.own_lines,
    row.own_in_kobo,
    row.own_out_kobo,
    row.read_at,
    row.connector,
  ])

const SET_MATCHED: Statement = {
  name: 'statement_days_set_matched',
  text: `update statement_days set matched_at = $3 where day = $1::date and connector = $2::smallint and matched_at is null returning day`,
}
export const setMatched = async (t: Tx, { day, connector }: Day): Promise<boolean> =>
  (await t.query(SET_MATCHED, [day, connector, t.now])).length > 0

export type NewLine = {
  line: number
  kind: string
  direction: string
  session_id: string
  of_session_id: string | null
  kobo: string
  booked_at: string
  day_only: boolean
  bank_code: string | null
  account_number: string | null
  sender_name: string | null
  sender_account_number: string | null
  sender_bank_code: string | null
  says: string
  acquirer: string | null
}
const INSERT_LINES: Statement = {
  name: 'statement_lines_insert',
  text: `insert into statement_lines (day, connector, reading, line, kind, direction, session_id, of_session_id, kobo, booked_at, bank_code, account_number, sender_name,
  sender_account_number, sender_bank_code, says, acquirer, day_only)
select $1::date, $2::smallint, $3::int, x.* from json_to_recordset($4::json) as x(line int, kind text, direction text, session_id text, of_session_id text, kobo bigint,
  booked_at timestamptz, bank_code text, account_number text, sender_name text, sender_account_number text, sender_bank_code text, says text, acquirer text, day_only boolean)`,
}
export const insertLines = (
  t: Tx,
  { day, connector, reading }: Pick<DayRow, 'day' | 'connector' | 'reading'>,
  lines: readonly NewLine[],
): Promise<unknown> => t.query(INSERT_LINES, [day, connector, reading, JSON.stringify(lines)])

const FORGET: Statement = {
  name: 'statement_lines_forget',
  text: `delete from statement_lines where (day, connector, reading, line) in (select day, connector, reading, line
    from statement_lines where day = $1::date and connector = $2::smallint and reading < $3::int limit $4)`,
}
/** Some lines of refused readings of a day. They count for nothing; they only take room. */
export const forgetRefused = (
  t: Tx,
  { day, connector, reading }: Pick<DayRow, 'day' | 'connector' | 'reading'>,
  most: number,
): Promise<unknown> => t.query(FORGET, [day, connector, reading, most])
