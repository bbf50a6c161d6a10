// The statements that say what a break comes to now: its lines at the bank, and what our books have under
// their session.
import type { Read, Statement } from '#kit/ctx.ts'
import { type Compared, everyKind, FIRST, type LineRow } from './match.sql.ts'

export type BookedLine = LineRow & { direction: 'IN' | 'OUT' }
const LINES: Statement = {
  name: 'recon_lines_of_break',
  text: `select to_char(l.day, 'YYYY-MM-DD') as day, l.connector, l.line, l.kind, l.direction, l.session_id, l.of_session_id, l.kobo, l.booked_at, l.day_only, l.bank_code,
  l.account_number, l.sender_name, l.sender_account_number, l.sender_bank_code, l.says
from statement_booked l where l.kind = $1 and l.session_id = $2 and l.connector = $3::smallint order by l.day, l.line`,
}
/** What a break is about. */
type Subject = { readonly kind: string; readonly session_id: string; readonly connector: number }
const valuesOf = ({ kind, session_id, connector }: Subject): unknown[] => [kind, session_id, connector]

export const listLines = (read: Read, subject: Subject): Promise<BookedLine[]> => read.query(LINES, valuesOf(subject))

const AWAITED: Statement = {
  name: 'recon_is_awaited',
  text: `
-- all merchants: a line of the statement of a bank, whoever it is about
select exists (select from recon_breaks b where b.status = 'OPEN' and b.class = 'TIMING' and b.kind = $1 and b.session_id = $2
    and b.connector = $3::smallint)
  or not exists (select from statement_days d where d.connector = $3::smallint and d.day >= $4::date and d.matched_at is not null) as awaited`,
}
/** Whether a line that is missing may still be booked: the statement of the day of its break is not
 *  compared, or it is known to be late. */
export const isAwaited = async (read: Read, subject: Subject & { readonly day: string }): Promise<boolean> =>
  (await read.query<{ awaited: boolean }>(AWAITED, [...valuesOf(subject), subject.day]))[0]?.awaited ?? true

const OURS: Statement = {
  name: 'recon_ours_of_break',
  text: `
-- all merchants: a line of the statement of a bank, whoever it is about
select c.* from (${everyKind(`l.kind = $1 and l.session_id = $2 and l.connector = $3::smallint and ${FIRST}`)}) as c`,
}
export const findOurs = async (read: Read, subject: Subject): Promise<Compared | null> =>
  (await read.query<Compared>(OURS, valuesOf(subject)))[0] ?? null
