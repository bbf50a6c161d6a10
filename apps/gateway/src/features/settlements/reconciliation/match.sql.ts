// The statements that compare a day of the bank's statement with our books, both ways, and look again at what
// is open. Each is one pass over sets; what comes out is breaks only.

import type { Day } from '#core/routing/statement-days.ts'
import type { Rows } from '#core/rows.ts'
import { LACKING, ofLine } from '#features/bank/breaks/breaks.ts'
import type { Read, Statement } from '#kit/ctx.ts'
import { SOURCES } from './sources.sql.ts'

/** What we have and the bank shows on neither of the statements of so many days is missing there. */
export const WINDOW_DAYS = 2

export type LineRow = {
  day: string
  connector: number
  line: number
  kind: string
  session_id: string
  of_session_id: string | null
  kobo: bigint
  booked_at: Date
  /** The bank says no more of it than the day. */
  day_only: boolean
  bank_code: string | null
  account_number: string | null
  sender_name: string | null
  sender_account_number: string | null
  sender_bank_code: string | null
  says: string
}
export type Compared = LineRow & {
  /** Of our side; null where we have nothing under this session. */
  source: string | null
  merchant_id: bigint | null
  our_kobo: bigint | null
  state: string | null
  booked: boolean
}

const LINE = `to_char(l.day, 'YYYY-MM-DD') as day, l.connector, l.line, l.kind, l.session_id, l.of_session_id, l.kobo, l.booked_at, l.day_only, l.bank_code, l.account_number,
  l.sender_name, l.sender_account_number, l.sender_bank_code, l.says`

const KINDS = Map.groupBy(SOURCES, ({ kind }) => kind)

export const KNOWN_KINDS: readonly string[] = [...KINDS.keys()]

/** The lines of a kind that `which` chooses, each with what we have under its session. */
const compared = (kind: string, which: string): string => {
  const sources = (KINDS.get(kind) ?? []).map(
    ({ name, ours }) => `select '${name}'::text as source, o.* from (${ours}) as o`,
  )
  return `select ${LINE}, o.source, o.merchant_id, o.kobo as our_kobo, o.state, coalesce(o.booked, false) as booked
from statement_booked l left join lateral (${sources.join(' union all ')} limit 1) as o on true
where l.kind = '${kind}' and ${which}`
}
export const everyKind = (which: string): string =>
  KNOWN_KINDS.map((kind) => compared(kind, which)).join('\nunion all\n')

export const FIRST = `not exists (select from statement_booked e where e.kind = l.kind and e.session_id = l.session_id
  and e.connector = l.connector and (e.day, e.line) < (l.day, l.line))`

/** A break of the line is there: open, or of any state while our books do not have the line. */
const isKnown = (line: string): string =>
  `exists (select b.merchant_id from recon_breaks b where b.class in (${LACKING}) and ${ofLine(line)} and (b.status = 'OPEN' or not ${line}.booked))`
const NOT_HERE: Statement = {
  name: 'recon_not_here',
  text: `
-- all merchants: the statement of a bank is about all of them
select * from (${everyKind(`l.day = $1::date and l.connector = $2::smallint and ${FIRST}`)}) as c
where (not c.booked or c.kobo <> c.our_kobo) and not ${isKnown('c')} order by c.line`,
}
/** Lines of a day that we have not booked, or with another amount, and of which there is no break. A line
 *  that is there again is not looked at. */
export const listNotHere = (read: Read, { day, connector }: Day): Promise<Compared[]> =>
  read.query(NOT_HERE, [day, connector])

const OF_NO_KIND: Statement = {
  name: 'recon_of_no_kind',
  text: `select ${LINE} from statement_booked l where l.day = $1::date and l.connector = $2::smallint and l.kind <> all($3::text[]) and ${FIRST} order by l.line`,
}
/** Lines of kinds that none of our books knows. */
export const listOfNoKind = (read: Read, { day, connector }: Day): Promise<LineRow[]> =>
  read.query(OF_NO_KIND, [day, connector, KNOWN_KINDS])

/** How many lines of the same kind and session came before. */
export const BEFORE = `(select count(*) from statement_booked e where e.kind = l.kind and e.session_id = l.session_id
  and e.connector = l.connector and (e.day, e.line) < (l.day, l.line))`

const TWICE: Statement = {
  name: 'recon_twice',
  text: `select ${LINE}, ${BEFORE}::int as place from statement_booked l where l.day = $1::date and l.connector = $2::smallint and not ${FIRST} order by l.line`,
}
/** Lines that an earlier line of the same kind and session came before, and how many did. */
export const listTwice = (read: Read, { day, connector }: Day): Promise<(LineRow & { place: number })[]> =>
  read.query(TWICE, [day, connector])

export type OursRow = { kind: string; session_id: string; merchant_id: bigint; kobo: bigint }
/** What we booked in a span, of every kind: kind, session_id, merchant_id, kobo. */
export const allBooked = SOURCES.map(
  ({ kind, booked }) => `select '${kind}'::text as kind, o.session_id, o.merchant_id, o.kobo from (${booked}) as o`,
).join('\nunion all\n')

const NOT_THERE: Statement = {
  name: 'recon_not_there',
  text: `
-- all merchants: the statement of a bank is about all of them
select * from (${allBooked}) as o
where not exists (select from statement_booked l where l.kind = o.kind and l.session_id = o.session_id and l.connector = $5::smallint)
order by o.kind, o.session_id`,
}
/** What a time is looked through for: of one connector. */
export type Span = {
  readonly from: Date
  readonly until: Date
  readonly firstSession: string
  readonly lastSession: string
  readonly connector: number
}
export const toValues = ({ from, until, firstSession, lastSession, connector }: Span): unknown[] => [
  ...[from, until, firstSession, lastSession, connector],
]
/** What we booked in a span of time and no statement that was read has. */
export const listNotThere = (read: Read, span: Span): Promise<OursRow[]> => read.query(NOT_THERE, toValues(span))

const OPEN = `status = 'OPEN'`
const FOUND_THERE: Statement = {
  name: 'recon_found_there',
  text: `
-- all merchants: breaks of all of them
select b.id, b.merchant_id, b.class, b.kind, b.session_id, b.our_kobo, to_char(b.day, 'YYYY-MM-DD') as day, to_char(min(l.day), 'YYYY-MM-DD') as found,
  (array_agg(l.kobo order by l.day, l.line))[1] as found_kobo
from recon_breaks b left join statement_booked l on l.kind = b.kind and l.session_id = b.session_id and l.connector = b.connector
where b.${OPEN} and b.class in ('TIMING', 'MISSING_THERE') and b.connector = $1::smallint group by b.id order by b.id`,
}
export type AwaitedRow = Pick<Rows['recon_breaks'], 'id' | 'merchant_id' | 'kind' | 'session_id' | 'our_kobo'> & {
  class: 'TIMING' | 'MISSING_THERE'
  day: string
  found: string | null
  /** The amount that it has there. */
  found_kobo: bigint | null
}
/** Open breaks that the bank could end, and the day of its statement that did. */
export const listAwaited = (read: Read, connector: number): Promise<AwaitedRow[]> =>
  read.query(FOUND_THERE, [connector])

const NOT_BOOKED = `b.${OPEN} and b.class in ('MISSING_HERE', 'REVERSAL')`
const OF_A_BREAK = `exists (select b.merchant_id from recon_breaks b where ${NOT_BOOKED} and b.kind = l.kind and b.session_id = l.session_id
  and b.connector = l.connector)`
const UNBOOKED: Statement = {
  name: 'recon_unbooked',
  text: `
-- all merchants: breaks of all of them
select b.id, b.merchant_id as break_merchant_id, c.* from recon_breaks b
join (${everyKind(`${OF_A_BREAK} and ${FIRST}`)}) as c on c.kind = b.kind and c.session_id = b.session_id and c.connector = b.connector
where ${NOT_BOOKED} order by c.booked_at, b.id`,
}
export type Unbooked = Compared & { break_merchant_id: bigint; id: Rows['recon_breaks']['id'] }
/** Open breaks that we could end, with their lines and what we have now; in the order in which the bank
 *  booked them. */
export const listUnbooked = (read: Read): Promise<Unbooked[]> => read.query(UNBOOKED, [])
