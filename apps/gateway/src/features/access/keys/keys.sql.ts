import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type Row = Pick<
  Rows['api_keys'],
  'api_key' | 'name' | 'scope' | 'contracts' | 'addresses' | 'created_at' | 'created_by' | 'ended_at'
>
export type NewRow = Omit<Row, 'created_at' | 'ended_at'> &
  Readonly<Pick<Rows['api_keys'], 'id' | 'secret_digest' | 'approved_by'>>

const LOCK: Statement = { name: 'keys_lock_merchant', text: 'select id from merchants where id = $1 for no key update' }
const COUNT: Statement = {
  name: 'keys_count',
  text: `select count(*) filter (where ended_at is null)::integer as in_force, coalesce(max(number), 0) as newest
from api_keys where merchant_id = $1`,
}
/** How many are in force, and the number of the newest; the merchant stays locked, so nobody else counts
 *  meanwhile. */
export async function count(t: Tx, merchantId: bigint): Promise<{ in_force: number; newest: number }> {
  await t.query(LOCK, [merchantId])
  const [row] = await t.query<{ in_force: number; newest: number }>(COUNT, [merchantId])
  return row ?? { in_force: 0, newest: 0 }
}

const INSERT: Statement = {
  name: 'keys_insert',
  text: `insert into api_keys (id, merchant_id, number, api_key, secret_digest, name, scope, contracts, addresses, created_at, created_by, approved_by)
select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
where not exists (select from merchants m where m.api_key = $4) returning id`,
}
/** False when a merchant's own pair has that API key. */
export const insert = async (t: Tx, merchantId: bigint, number: number, row: NewRow): Promise<boolean> =>
  (
    await t.query(INSERT, [
      ...[row.id, merchantId, number, row.api_key, row.secret_digest, row.name, row.scope],
      ...[row.contracts, row.addresses, t.now, row.created_by, row.approved_by],
    ])
  ).length === 1

const COLUMNS = 'api_key, name, scope, contracts, addresses, created_at, created_by, ended_at'
const END: Statement = {
  name: 'keys_end',
  text: `update api_keys set ended_at = $3, ended_by = $4 where merchant_id = $1 and api_key = $2 and ended_at is null
returning ${COLUMNS}`,
}
/** Null when the merchant has no such key in force. */
export const end = async (t: Tx, merchantId: bigint, apiKey: string, by: string): Promise<Row | null> =>
  (await t.query<Row>(END, [merchantId, apiKey, t.now, by]))[0] ?? null

const END_OTHERS: Statement = {
  name: 'keys_end_others',
  text: `update api_keys set ended_at = $3, ended_by = $4
where merchant_id = $1 and ended_at is null and api_key <> all($2::text[]) returning api_key`,
}
export const endOthers = async (t: Tx, merchantId: bigint, kept: readonly string[], by: string): Promise<string[]> =>
  (await t.query<Pick<Rows['api_keys'], 'api_key'>>(END_OTHERS, [merchantId, kept, t.now, by])).map(
    (row) => row.api_key,
  )

const LIST: Statement = {
  name: 'keys_list',
  text: `select ${COLUMNS} from (
  select k.*, row_number() over (partition by ended_at is null order by number desc) as place from api_keys k where merchant_id = $1
) k where ended_at is null or place <= 50 order by number desc`,
}
const LIST_MADE_BY: Statement = {
  name: 'keys_list_made_by',
  text: `select api_key, name, scope from api_keys
where merchant_id = $1 and ended_at is null and $2 in (lower(created_by), lower(approved_by)) order by number`,
}
/** Those in force that somebody made or approved. */
export const listMadeBy = (read: Read, merchantId: bigint, email: string) =>
  read.query<Pick<Rows['api_keys'], 'api_key' | 'name' | 'scope'>>(LIST_MADE_BY, [merchantId, email.toLowerCase()])
export const list = (read: Read, merchantId: bigint): Promise<Row[]> => read.query<Row>(LIST, [merchantId])
