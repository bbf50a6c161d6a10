// The statements of house bookings.
import type { Read, Statement, Tx } from '../../kit/ctx.ts'

/** The kinds of lines that are the bank's own. */
export type HouseKind = 'FEE' | 'TAX' | 'LEVY' | 'CARD_SETTLEMENT'
export type HouseLine = { kind: HouseKind; session_id: string; kobo: bigint; booked_at: Date; connector: number }

const UNBOOKED: Statement = {
  name: 'house_bookings_unbooked',
  text: `select distinct on (l.kind, l.session_id) l.kind, l.session_id, l.kobo, l.booked_at, l.connector from statement_booked l
    where l.day = $1::date and l.connector = $2::smallint and l.kind = any($3::text[])
      and not exists (select from house_bookings h where h.kind = l.kind and h.session_id = l.session_id and h.connector = l.connector)
    order by l.kind, l.session_id, l.line limit $4`,
}
/** Lines of a day that are not booked. One that the statement has twice is there once: the other is a break. */
export const listUnbooked = (
  read: Read,
  { day, connector }: { readonly day: string; readonly connector: number },
  kinds: readonly HouseKind[],
  limit: number,
): Promise<HouseLine[]> => read.query(UNBOOKED, [day, connector, kinds, limit])

const INSERT: Statement = {
  name: 'house_bookings_insert',
  text: `insert into house_bookings (kind, session_id, kobo, transfer_id, booked_at, connector)
    select * from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::timestamptz[], $6::smallint[])
    on conflict (kind, session_id, connector) do nothing returning transfer_id`,
}
/** The transfers of the lines that were not booked until now. */
export const insert = async (
  t: Tx,
  lines: readonly (HouseLine & { transfer_id: bigint })[],
): Promise<ReadonlySet<bigint>> => {
  const rows = await t.query<{ transfer_id: bigint }>(INSERT, [
    lines.map((line) => line.kind),
    lines.map((line) => line.session_id),
    lines.map((line) => line.kobo),
    lines.map((line) => line.transfer_id),
    lines.map((line) => line.booked_at),
    lines.map((line) => line.connector),
  ])
  return new Set(rows.map((row) => row.transfer_id))
}
