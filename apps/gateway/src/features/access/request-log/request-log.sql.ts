// The statements of the request log.
import type { Rows } from '#core/rows.ts'
import { moments, numbers, texts } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type Row = Readonly<
  Pick<
    Rows['request_log'],
    | 'id'
    | 'merchant_id'
    | 'at'
    | 'method'
    | 'path'
    | 'route'
    | 'status'
    | 'ms'
    | 'key'
    | 'request_id'
    | 'caller'
    | 'code'
  >
>

const INSERT: Statement = {
  name: 'request_log_insert',
  text: `
-- all merchants: what one process answered within a second
insert into request_log (id, merchant_id, at, method, path, route, status, ms, key, request_id, caller, code)
select * from unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::int[], $8::int[],
  $9::text[], $10::uuid[], $11::text[], $12::text[])
on conflict on constraint request_log_pkey do nothing`,
}
export const insert = (t: Tx, rows: readonly Row[]): Promise<unknown> =>
  t.query(INSERT, [
    numbers(rows.map((row) => row.id)),
    numbers(rows.map((row) => row.merchant_id)),
    moments(rows.map((row) => row.at)),
    texts(rows.map((row) => row.method)),
    texts(rows.map((row) => row.path)),
    texts(rows.map((row) => row.route)),
    numbers(rows.map((row) => row.status)),
    numbers(rows.map((row) => row.ms)),
    texts(rows.map((row) => row.key)),
    texts(rows.map((row) => row.request_id)),
    texts(rows.map((row) => row.caller)),
    texts(rows.map((row) => row.code)),
  ])

const COLUMNS = 'id, merchant_id, at, method, path, route, status, ms, key, request_id, caller, code'
/** At most $4 lines are looked at: a filter that nothing passes would read the week. */
const listing = (name: string, order: 'asc' | 'desc'): Statement => ({
  name,
  text: `
select ${COLUMNS} from (
  select ${COLUMNS} from request_log where merchant_id = $1 and id > $2 and id < $3 order by id ${order} limit $4
) l
where status between $5 and $6 and ($7::text is null or starts_with(path, $7)) and ($8::text is null or key = $8)
order by id ${order} limit $9`,
})
const NEWEST_FIRST = listing('request_log_newest', 'desc')
const OLDEST_FIRST = listing('request_log_oldest', 'asc')

export type Wanted = {
  readonly merchantId: bigint
  /** Both exclusive. */
  readonly above: bigint
  readonly below: bigint
  readonly oldestFirst: boolean
  readonly look: number
  readonly status: readonly [least: number, most: number]
  readonly path: string | null
  readonly key: string | null
  readonly size: number
}
export const list = (read: Read, wanted: Wanted): Promise<Row[]> =>
  read.query<Row>(wanted.oldestFirst ? OLDEST_FIRST : NEWEST_FIRST, [
    wanted.merchantId,
    wanted.above,
    wanted.below,
    wanted.look,
    ...wanted.status,
    wanted.path,
    wanted.key,
    wanted.size,
  ])

const ends = (name: string, order: 'asc' | 'desc'): Statement => ({
  name,
  text: `select id from request_log where merchant_id = $1 and id > $2 and id < $3 order by id ${order} offset $4 limit 1`,
})
const END_NEWEST = ends('request_log_end_newest', 'desc')
const END_OLDEST = ends('request_log_end_oldest', 'asc')
/** The last line that a listing looked at; null when it looked at all there are. */
export const endOfLook = async (read: Read, wanted: Wanted): Promise<bigint | null> => {
  const { merchantId, above, below, look, oldestFirst } = wanted
  const statement = oldestFirst ? END_OLDEST : END_NEWEST
  return (
    (await read.query<Pick<Rows['request_log'], 'id'>>(statement, [merchantId, above, below, look - 1]))[0]?.id ?? null
  )
}

const FIND: Statement = {
  name: 'request_log_find',
  text: `select ${COLUMNS} from request_log where request_id = $2 and merchant_id = $1`,
}
export const find = (read: Read, merchantId: bigint, requestId: string): Promise<Row[]> =>
  read.query<Row>(FIND, [merchantId, requestId])

const FORGET: Statement = {
  name: 'request_log_forget',
  text: `
-- all merchants: old lines of the cell
with gone as (
  delete from request_log where ctid = any(array(select ctid from request_log where id < $1 limit $2)) returning 1
)
select count(*)::int as gone from gone`,
}
export const forget = async (t: Tx, below: bigint, most: number): Promise<number> =>
  (await t.query<{ gone: number }>(FORGET, [below, most]))[0]?.gone ?? 0
