// The statements of destinations.
import { insertInto } from '#core/insert-into.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type Kind = 'SETTLEMENT_RULE' | 'SUB_ACCOUNT' | 'SUB_ACCOUNT_BANK'
export type Account = Readonly<Pick<Rows['destinations'], 'bank_code' | 'account_number' | 'account_name'>>

const STANDING: Statement = {
  name: 'destinations_standing',
  text: `
select m.new_sub_account_wait_hours as wait_hours,
  exists (
    select from destinations d where d.merchant_id = m.id and d.bank_code = $2 and d.account_number = $3
      and d.in_force_from <= $4 and (d.confirmed_at is not null or not d.needs_person)
  ) and not exists (
    select from destinations d where d.merchant_id = m.id and d.bank_code = $2 and d.account_number = $3 and d.stopped_at is not null
  ) as trusted
from merchants m where m.id = $1`,
}
/** How long a new account waits, and whether this one is in force already; one that was ever stopped is
 *  not. */
export async function standing(
  t: Tx,
  merchantId: bigint,
  { bank_code, account_number }: Account,
): Promise<{ wait_hours: number; trusted: boolean }> {
  const [row] = await t.query<{ wait_hours: number; trusted: boolean }>(STANDING, [
    ...[merchantId, bank_code, account_number, t.now],
  ])
  return row ?? { wait_hours: 24, trusted: false }
}

export const insert = (
  t: Tx,
  merchantId: bigint,
  row: Account & {
    readonly id: bigint
    readonly kind: Kind
    readonly subject: bigint
    readonly by: string
    readonly inForceFrom: Date
    readonly needsPerson: boolean
  },
): Promise<unknown> =>
  insertInto('destinations', t, {
    id: row.id,
    merchant_id: merchantId,
    kind: row.kind,
    subject: row.subject,
    bank_code: row.bank_code,
    account_number: row.account_number,
    account_name: row.account_name,
    added_by: row.by,
    added_at: t.now,
    in_force_from: row.inForceFrom,
    needs_person: row.needsPerson,
  })

const CONFIRM: Statement = {
  name: 'destinations_confirm',
  text: `update destinations set confirmed_by = $3, confirmed_at = $4
where merchant_id = $1 and id = $2 and stopped_at is null and confirmed_at is null returning in_force_from`,
}
/** Null when it was stopped. */
export const confirm = async (t: Tx, merchantId: bigint, id: bigint, by: string) =>
  (await t.query<Pick<Rows['destinations'], 'in_force_from'>>(CONFIRM, [merchantId, id, by, t.now]))[0] ?? null

const STOP: Statement = {
  name: 'destinations_stop',
  text: `update destinations set stopped_by = $3, stopped_at = $4
where merchant_id = $1 and id = $2 and stopped_at is null returning id`,
}
/** For good; false when it was stopped before. */
export const stop = async (t: Tx, merchantId: bigint, id: bigint, by: string): Promise<boolean> =>
  (await t.query(STOP, [merchantId, id, by, t.now])).length === 1

export type Row = Account &
  Readonly<
    Pick<Rows['destinations'], 'id' | 'merchant_id' | 'added_by' | 'in_force_from' | 'needs_person' | 'stopped_at'>
  >
const COLUMNS =
  'id, merchant_id, bank_code, account_number, account_name, added_by, in_force_from, needs_person, stopped_at'
const SET_DIGEST: Statement = {
  name: 'destinations_set_digest',
  text: `
-- all merchants: its timer has fallen due
update destinations set digest = $2 where id = $1 and mailed_at is null and stopped_at is null returning ${COLUMNS}`,
}
/** Of the token that is about to be mailed; null when there is nothing to be mailed. */
export const setDigest = async (t: Tx, id: bigint, digest: Buffer): Promise<Row | null> =>
  (await t.query<Row>(SET_DIGEST, [id, digest]))[0] ?? null

const SET_MAILED: Statement = {
  name: 'destinations_set_mailed',
  text: 'update destinations set mailed_at = $3 where merchant_id = $1 and id = $2 and mailed_at is null',
}
export const setMailed = (t: Tx, { merchant_id, id }: Row): Promise<unknown> =>
  t.query(SET_MAILED, [merchant_id, id, t.now])

const FIND: Statement = {
  name: 'destinations_find',
  text: `
-- all merchants: the token says whose it is
select d.id, d.merchant_id, d.bank_code, d.account_number, d.account_name, d.added_by, d.in_force_from, d.needs_person, d.stopped_at, m.email
from destinations d join merchants m on m.id = d.merchant_id where d.digest = $1`,
}
export const find = async (
  read: Read,
  digest: Buffer,
): Promise<(Row & Readonly<Pick<Rows['merchants'], 'email'>>) | null> =>
  (await read.query<Row & Pick<Rows['merchants'], 'email'>>(FIND, [digest]))[0] ?? null
