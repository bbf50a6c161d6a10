import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type Key = Readonly<Pick<Rows['saved_views'], 'merchant_id' | 'owner_id' | 'list' | 'title'>>
type Saved = Readonly<Pick<Rows['saved_views'], 'filter' | 'saved_by_id' | 'saved_by'>>
export type Row = Key & Saved
const COLUMNS = 'merchant_id, owner_id, list, title, filter, saved_by_id, saved_by'
const KEY = 'owner_id = $2 and list = $3 and title = $4'
const valuesOf = ({ merchant_id, owner_id, list, title }: Key) => [merchant_id, owner_id, list, title]

const LIST: Statement = {
  name: 'saved_views_list',
  text: `select ${COLUMNS} from saved_views where merchant_id = $1 and owner_id = any($2::bigint[]) order by list, owner_id desc, lower(title), title`,
}
export const list = (read: Read, merchantId: bigint, owners: readonly bigint[]): Promise<Row[]> =>
  read.query<Row>(LIST, [merchantId, owners])

const LOCK: Statement = {
  name: 'saved_views_lock',
  text: `select ${COLUMNS} from saved_views where merchant_id = $1 and ${KEY} for update`,
}
export const lock = async (t: Tx, key: Key): Promise<Row | null> => (await t.query<Row>(LOCK, valuesOf(key)))[0] ?? null

const COUNT: Statement = {
  name: 'saved_views_count',
  text: 'select count(*)::int as count from saved_views where merchant_id = $1 and owner_id = $2',
}
export const count = async (t: Tx, merchantId: bigint, ownerId: bigint): Promise<number> =>
  (await t.query<{ count: number }>(COUNT, [merchantId, ownerId]))[0]?.count ?? 0

const PUT: Statement = {
  name: 'saved_views_put',
  text: `insert into saved_views (${COLUMNS}, saved_at) values ($1, $2, $3, $4, $5, $6, $7, $8)
    on conflict (merchant_id, owner_id, list, title) do update set filter = excluded.filter, saved_by_id = excluded.saved_by_id,
      saved_by = excluded.saved_by, saved_at = excluded.saved_at
    returning ${COLUMNS}`,
}
export const put = async (t: Tx, key: Key, { filter, saved_by_id, saved_by }: Saved): Promise<Row> =>
  (await t.query<Row>(PUT, [...valuesOf(key), filter, saved_by_id, saved_by, t.now]))[0] as Row

const RENAME: Statement = {
  name: 'saved_views_rename',
  text: `update saved_views set title = $5 where merchant_id = $1 and ${KEY} returning ${COLUMNS}`,
}
export const rename = async (t: Tx, key: Key, title: string): Promise<Row> =>
  (await t.query<Row>(RENAME, [...valuesOf(key), title]))[0] as Row

const REMOVE: Statement = {
  name: 'saved_views_remove',
  text: `delete from saved_views where merchant_id = $1 and ${KEY}`,
}
export const remove = (t: Tx, key: Key) => t.query(REMOVE, valuesOf(key))
