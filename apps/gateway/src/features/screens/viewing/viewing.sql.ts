// The statements of view-as.
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type GrantRow = Pick<Rows['view_grants'], 'id' | 'role' | 'expires_at' | 'views'>
const COLUMNS = 'id, role, expires_at, views'
/** The newest that has neither ended nor expired. */
const OPEN = `select id from view_grants
  where merchant_id = $1 and person_id = $2 and ended_at is null and expires_at > $3 order by id desc limit 1`

const INSERT: Statement = {
  name: 'view_grants_insert',
  text: `insert into view_grants (id, merchant_id, person_id, role, created_at, expires_at) values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
}
export const insert = async (
  t: Tx,
  id: bigint,
  merchantId: bigint,
  personId: bigint,
  role: string,
  expiresAt: Date,
): Promise<GrantRow> =>
  (await t.query<GrantRow>(INSERT, [id, merchantId, personId, role, t.now, expiresAt]))[0] as GrantRow

const END: Statement = {
  name: 'view_grants_end',
  text: `update view_grants set ended_at = $3 where merchant_id = $1 and person_id = $2 and ended_at is null and expires_at > $3 returning ${COLUMNS}`,
}
/** All of a person at a merchant. */
export const end = (t: Tx, merchantId: bigint, personId: bigint): Promise<GrantRow[]> =>
  t.query(END, [merchantId, personId, t.now])

const FIND: Statement = {
  name: 'view_grants_find',
  text: `select ${COLUMNS} from view_grants where merchant_id = $1 and id = (${OPEN})`,
}
export const find = async (read: Read, merchantId: bigint, personId: bigint): Promise<GrantRow | null> =>
  (await read.query<GrantRow>(FIND, [merchantId, personId, read.now]))[0] ?? null

const COUNT: Statement = {
  name: 'view_grants_count',
  text: `update view_grants set views = views + 1 where merchant_id = $1 and id = (${OPEN}) returning ${COLUMNS}`,
}
/** Finds it and counts a look, in one statement. */
export const count = async (t: Tx, merchantId: bigint, personId: bigint): Promise<GrantRow | null> =>
  (await t.query<GrantRow>(COUNT, [merchantId, personId, t.now]))[0] ?? null
