import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type ExportRow = Pick<
  Rows['exports'],
  | 'id'
  | 'merchant_id'
  | 'asked_by'
  | 'query'
  | 'masked'
  | 'file_name'
  | 'rows_expected'
  | 'created_at'
  | 'expires_at'
  | 'attempt'
  | 'lease_until'
  | 'rows_written'
  | 'bytes'
  | 'pieces'
  | 'ready_at'
  | 'failed_at'
>
const COLUMNS = `id, merchant_id, asked_by, query, masked, file_name, rows_expected, created_at, expires_at, attempt, lease_until, rows_written,
  bytes, pieces, ready_at, failed_at`
const UNFINISHED = 'ready_at is null and failed_at is null'

export type NewExport = Pick<
  ExportRow,
  'id' | 'merchant_id' | 'asked_by' | 'query' | 'masked' | 'file_name' | 'rows_expected' | 'expires_at'
>
const INSERT: Statement = {
  name: 'exports_insert',
  text: `insert into exports (id, merchant_id, asked_by, query, masked, file_name, rows_expected, expires_at, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${COLUMNS}`,
}
export const insert = async (t: Tx, row: NewExport): Promise<ExportRow> => {
  const { id, merchant_id, asked_by, query, masked, file_name, rows_expected, expires_at } = row
  const values = [id, merchant_id, asked_by, query, masked, file_name, rows_expected, expires_at, t.now]
  return (await t.query<ExportRow>(INSERT, values))[0] as ExportRow
}

const UNFINISHED_OF: Statement = {
  name: 'exports_unfinished',
  text: `select count(*)::int as count from exports where merchant_id = $1 and ${UNFINISHED}`,
}
export const countUnfinished = async (t: Tx, merchantId: bigint): Promise<number> =>
  (await t.query<{ count: number }>(UNFINISHED_OF, [merchantId]))[0]?.count ?? 0

const LIST: Statement = {
  name: 'exports_list',
  text: `select ${COLUMNS} from exports where merchant_id = $1 and expires_at > $2 order by id desc limit $3`,
}
export const list = (read: Read, merchantId: bigint, limit: number): Promise<ExportRow[]> =>
  read.query<ExportRow>(LIST, [merchantId, read.now, limit])

const FIND: Statement = {
  name: 'exports_find',
  text: `select ${COLUMNS} from exports where merchant_id = $1 and id = $2 and expires_at > $3`,
}
export const find = async (read: Read, merchantId: bigint, id: bigint): Promise<ExportRow | null> =>
  (await read.query<ExportRow>(FIND, [merchantId, id, read.now]))[0] ?? null

// ---- writing

/** Nobody writes it, and nothing else of its merchant is being written: one merchant's files follow one
 *  another. */
const CLAIM: Statement = {
  name: 'exports_claim',
  text: `update exports e set attempt = attempt + 1, lease_until = $4, rows_written = 0, bytes = 0
    where e.merchant_id = $1 and e.id = $2 and ${UNFINISHED} and (e.lease_until is null or e.lease_until <= $3)
      and not exists (select from exports o where o.merchant_id = $1 and o.id <> $2 and o.ready_at is null and o.failed_at is null
        and o.lease_until > $3)
    returning ${COLUMNS}`,
}
export const claim = async (t: Tx, merchantId: bigint, id: bigint, until: Date): Promise<ExportRow | null> =>
  (await t.query<ExportRow>(CLAIM, [merchantId, id, t.now, until]))[0] ?? null

const CLEAR: Statement = {
  name: 'exports_clear',
  text: 'delete from export_pieces where merchant_id = $1 and export_id = $2',
}
export const clear = (t: Tx, merchantId: bigint, id: bigint) => t.query(CLEAR, [merchantId, id])

type Attempt = Pick<ExportRow, 'merchant_id' | 'id' | 'attempt'>
const KEEP: Statement = {
  name: 'exports_keep',
  text: `with own as (
      update exports set rows_written = $5, bytes = bytes + length($6::bytea), lease_until = $7
      where merchant_id = $1 and id = $2 and attempt = $3 and ${UNFINISHED} returning id
    )
    insert into export_pieces (export_id, attempt, number, merchant_id, bytes) select id, $3, $4, $1, $6 from own returning number`,
}
/** False when somebody else writes it by now. */
export const keep = async (
  t: Tx,
  { merchant_id, id, attempt }: Attempt,
  piece: { readonly number: number; readonly rows: number; readonly bytes: Buffer; readonly until: Date },
): Promise<boolean> =>
  (await t.query(KEEP, [merchant_id, id, attempt, piece.number, piece.rows, piece.bytes, piece.until])).length === 1

const RENEW: Statement = {
  name: 'exports_renew',
  text: `update exports set lease_until = $4 where merchant_id = $1 and id = $2 and attempt = $3 and ${UNFINISHED}`,
}
export const renew = (t: Tx, { merchant_id, id, attempt }: Attempt, until: Date) =>
  t.query(RENEW, [merchant_id, id, attempt, until])

const READY: Statement = {
  name: 'exports_ready',
  text: `update exports set ready_at = $4, lease_until = null, pieces = $5, rows_written = $6
    where merchant_id = $1 and id = $2 and attempt = $3 and ${UNFINISHED} returning ${COLUMNS}`,
}
export const setReady = async (t: Tx, { merchant_id, id, attempt }: Attempt, pieces: number, rows: number) =>
  (await t.query<ExportRow>(READY, [merchant_id, id, attempt, t.now, pieces, rows]))[0] ?? null

const RELEASE: Statement = {
  name: 'exports_release',
  text: `update exports set lease_until = null where merchant_id = $1 and id = $2 and attempt = $3 and ${UNFINISHED}`,
}
export const release = (t: Tx, { merchant_id, id, attempt }: Attempt) => t.query(RELEASE, [merchant_id, id, attempt])

const FAILED: Statement = {
  name: 'exports_failed',
  text: `update exports set failed_at = $4, lease_until = null where merchant_id = $1 and id = $2 and attempt = $3 and ${UNFINISHED}
    returning ${COLUMNS}`,
}
export const setFailed = async (t: Tx, { merchant_id, id, attempt }: Attempt): Promise<ExportRow | null> =>
  (await t.query<ExportRow>(FAILED, [merchant_id, id, attempt, t.now]))[0] ?? null

// ---- taking it, and forgetting it

const PIECE: Statement = {
  name: 'exports_piece',
  text: 'select bytes from export_pieces where merchant_id = $1 and export_id = $2 and attempt = $3 and number = $4',
}
export const findPiece = async (read: Read, { merchant_id, id, attempt }: Attempt, number: number) =>
  (await read.query<Pick<Rows['export_pieces'], 'bytes'>>(PIECE, [merchant_id, id, attempt, number]))[0]?.bytes ?? null

const FORGET: Statement = {
  name: 'exports_forget',
  text: `
-- all merchants: what has been kept long enough, whosever it is
delete from exports where id in (select id from exports where expires_at <= $1 order by expires_at limit 20)`,
}
export const forget = (t: Tx) => t.query(FORGET, [t.now])
