// The statements of house bookings.
import type { Rows } from '#core/rows.ts'
import { numbers, texts } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

/** The kinds of lines that are the bank's own. */
export type HouseKind = 'FEE' | 'TAX' | 'LEVY' | 'CARD_SETTLEMENT' | 'SWEEP_OUT' | 'SWEEP_IN'
export type HouseLine = {
  kind: HouseKind
  session_id: string
  kobo: bigint
  booked_at: Date
  connector: number
  /** The connector that a card settlement names as the one that pays; null where it names none. */
  named: string | null
}

const LINE = 'l.kind, l.session_id, l.kobo, l.booked_at, l.connector, l.acquirer as named'
/** Whose debt a card settlement pays is known; `names` is an expression. */
const isClear = (names: string): string => `(l.kind <> 'CARD_SETTLEMENT' or coalesce(l.acquirer, '') = any(${names}))`
const NOT_BOOKED =
  'not exists (select from house_bookings h where h.kind = l.kind and h.session_id = l.session_id and h.connector = l.connector)'
/** A person was asked about it: it is booked with the end of its break, or never, because it was
 *  corrected. */
const NOT_LEFT = `not exists (select b.merchant_id from recon_breaks b where b.class = 'MISSING_HERE' and b.kind = l.kind and b.session_id = l.session_id
  and b.connector = l.connector)`

const UNBOOKED: Statement = {
  name: 'house_bookings_unbooked',
  text: `
-- all merchants: lines that are no merchant's
select distinct on (l.kind, l.session_id) ${LINE} from statement_booked l
    where l.day = $1::date and l.connector = $2::smallint and l.kind = any($3::text[]) and ${isClear('$5::text[]')} and ${NOT_BOOKED} and ${NOT_LEFT}
    order by l.kind, l.session_id, l.line limit $4`,
}
/** Lines of a day that are not booked. One that the statement has twice is there once: the other is a break.
 *  Of card settlements those that one of `acquirers` pays; '' stands for one that names nobody. */
export const listUnbooked = (
  read: Read,
  { day, connector }: { readonly day: string; readonly connector: number },
  kinds: readonly HouseKind[],
  acquirers: readonly string[],
  limit: number,
): Promise<HouseLine[]> => read.query(UNBOOKED, [day, connector, kinds, limit, texts(acquirers)])

const LEFT: Statement = {
  name: 'house_bookings_left',
  text: `
-- all merchants: lines that are no merchant's
select distinct on (b.id) b.id as break_id, ${LINE} from recon_breaks b
join statement_booked l on l.kind = b.kind and l.session_id = b.session_id and l.connector = b.connector
where b.status = 'OPEN' and b.class = 'MISSING_HERE' and b.connector = $1::smallint and b.kind = any($2::text[])
  and ${isClear('$3::text[]')} and ${NOT_BOOKED}
order by b.id, l.day, l.line`,
}
/** Lines of earlier days that were left to a person and can be booked now, each with its break. */
export const listLeft = (
  read: Read,
  connector: number,
  kinds: readonly HouseKind[],
  acquirers: readonly string[],
): Promise<(HouseLine & { break_id: bigint })[]> => read.query(LEFT, [connector, kinds, texts(acquirers)])

const INSERT: Statement = {
  name: 'house_bookings_insert',
  text: `insert into house_bookings (kind, session_id, kobo, transfer_id, booked_at, connector, acquirer)
    select * from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::timestamptz[], $6::smallint[], $7::smallint[])
    on conflict (kind, session_id, connector) do nothing returning transfer_id`,
}
/** A line that is about to be booked; `acquirer` is the number of the connector whose debt it pays, of a card
 *  settlement only. */
export type Booking = HouseLine & { readonly transfer_id: bigint; readonly acquirer: number | null }
/** The transfers of the lines that were not booked until now. */
export const insert = async (t: Tx, lines: readonly Booking[]): Promise<ReadonlySet<bigint>> => {
  const rows = await t.query<Pick<Rows['house_bookings'], 'transfer_id'>>(INSERT, [
    lines.map((line) => line.kind),
    lines.map((line) => line.session_id),
    lines.map((line) => line.kobo),
    lines.map((line) => line.transfer_id),
    lines.map((line) => line.booked_at),
    lines.map((line) => line.connector),
    numbers(lines.map((line) => line.acquirer)),
  ])
  return new Set(rows.map((row) => row.transfer_id))
}
