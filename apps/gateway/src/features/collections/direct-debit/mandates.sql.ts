// The statements of mandates.
import type { Rows } from '#core/rows.ts'
import { numbers, texts } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type Status = 'INITIATED' | 'ACTIVE' | 'FAILED' | 'EXPIRED' | 'CANCELLED'

export type Row = Pick<
  Rows['mandates'],
  | 'id'
  | 'merchant_id'
  | 'code'
  | 'reference'
  | 'contract_code'
  | 'version'
  | 'customer_name'
  | 'customer_email'
  | 'customer_phone'
  | 'customer_address'
  | 'account_number'
  | 'bank_code'
  | 'account_name'
  | 'description'
  | 'starts_at'
  | 'ends_at'
  | 'kobo'
  | 'debit_kobo'
  | 'debited_kobo'
  | 'auto_renew'
  | 'customer_cancels'
  | 'authorize_by'
  | 'authorization_message'
  | 'authorization_link'
  | 'cancel_asked_at'
  | 'created_at'
> & {
  status: Status
  /** The number of the connector of its scheme. */
  connector: Rows['mandates']['connector']
}

const COLUMNS = `id, merchant_id, code, reference, contract_code, status, version, customer_name, customer_email, customer_phone, customer_address,
  account_number, bank_code, account_name, description, starts_at, ends_at, kobo, debit_kobo, debited_kobo, auto_renew, customer_cancels,
  authorize_by, authorization_message, authorization_link, cancel_asked_at, connector, created_at`

const INSERT: Statement = {
  name: 'mandates_insert',
  text: `insert into mandates (id, merchant_id, code, reference, contract_code, status, customer_name, customer_email, customer_phone,
    customer_address, account_number, bank_code, account_name, description, starts_at, ends_at, kobo, debit_kobo, auto_renew,
    customer_cancels, authorize_by, created_at, connector)
  values ($1, $2, $3, $4, $5, 'INITIATED', $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
  on conflict on constraint mandates_reference_key do nothing returning ${COLUMNS}`,
}
export type NewMandate = Pick<
  Row,
  | 'id'
  | 'merchant_id'
  | 'code'
  | 'reference'
  | 'contract_code'
  | 'customer_name'
  | 'customer_email'
  | 'customer_phone'
  | 'customer_address'
  | 'account_number'
  | 'bank_code'
  | 'account_name'
  | 'description'
  | 'starts_at'
  | 'ends_at'
  | 'kobo'
  | 'debit_kobo'
  | 'auto_renew'
  | 'customer_cancels'
  | 'authorize_by'
  | 'connector'
>
/** Null when the merchant has used the reference before. */
export const insert = async (t: Tx, row: NewMandate): Promise<Row | null> =>
  (
    await t.query<Row>(INSERT, [
      ...[row.id, row.merchant_id, row.code, row.reference, row.contract_code, row.customer_name, row.customer_email],
      ...[row.customer_phone, row.customer_address, row.account_number, row.bank_code, row.account_name],
      ...[row.description, row.starts_at, row.ends_at, row.kobo, row.debit_kobo, row.auto_renew, row.customer_cancels],
      ...[row.authorize_by, t.now, row.connector],
    ])
  )[0] ?? null

const FIND: Statement = {
  name: 'mandates_find',
  text: `select ${COLUMNS} from mandates where merchant_id = $1 and code = $2`,
}
export const find = async (read: Read, merchantId: bigint, code: string): Promise<Row | null> =>
  (await read.query<Row>(FIND, [merchantId, code]))[0] ?? null

const LOCK: Statement = {
  name: 'mandates_lock',
  text: `select ${COLUMNS} from mandates where merchant_id = $1 and code = $2 for update`,
}
export const lock = async (t: Tx, merchantId: bigint, code: string): Promise<Row | null> =>
  (await t.query<Row>(LOCK, [merchantId, code]))[0] ?? null

const BY_IDS: Statement = {
  name: 'mandates_by_ids',
  text: `
-- all merchants: their timers have fallen due
select ${COLUMNS} from mandates where id = any($1::bigint[])`,
}
export const byIds = (read: Read, ids: readonly bigint[]): Promise<Row[]> => read.query<Row>(BY_IDS, [numbers(ids)])

const LOCK_BY_CODE: Statement = {
  name: 'mandates_lock_by_code',
  text: `
-- all merchants: a timer or the scheme names a mandate by its code, which belongs to one of them
select ${COLUMNS} from mandates where code = $1 for update`,
}
export const lockByCode = async (t: Tx, code: string): Promise<Row | null> =>
  (await t.query<Row>(LOCK_BY_CODE, [code]))[0] ?? null

const INSTRUCT: Statement = {
  name: 'mandates_instruct',
  text: 'update mandates set authorization_message = $3, authorization_link = $4 where merchant_id = $1 and id = $2',
}
export const setInstruction = (
  t: Tx,
  row: Pick<Row, 'id' | 'merchant_id'>,
  said: { readonly authorizationMessage: string; readonly authorizationLink: string },
): Promise<unknown> => t.query(INSTRUCT, [row.merchant_id, row.id, said.authorizationMessage, said.authorizationLink])

const COUNT_DEBIT: Statement = {
  name: 'mandates_count_debit',
  text: 'update mandates set debited_kobo = debited_kobo + $3 where merchant_id = $1 and id = $2',
}
/** Below zero for a debit that failed. */
export const countDebit = (t: Tx, merchantId: bigint, id: bigint, kobo: bigint): Promise<unknown> =>
  t.query(COUNT_DEBIT, [merchantId, id, kobo])

const BY_REFERENCES: Statement = {
  name: 'mandates_by_references',
  text: `select ${COLUMNS} from mandates where merchant_id = $1 and reference = any($2::text[]) order by created_at, id`,
}
export const byReferences = (read: Read, merchantId: bigint, references: readonly string[]): Promise<Row[]> =>
  read.query<Row>(BY_REFERENCES, [merchantId, texts(references)])

export type Filter = {
  readonly from: Date | null
  readonly until: Date | null
  readonly email: string | null
  readonly status: Status | null
}
const FILTERED = `from mandates where merchant_id = $1 and ($2::timestamptz is null or created_at >= $2) and ($3::timestamptz is null or created_at <= $3)
  and ($4::text is null or lower(customer_email) = lower($4)) and ($5::text is null or status = $5)`
const COUNT: Statement = { name: 'mandates_count', text: `select count(*) as total ${FILTERED}` }
const LIST: Statement = {
  name: 'mandates_list',
  text: `select ${COLUMNS} ${FILTERED} order by created_at desc, id desc limit $6 offset $7`,
}
/** A page, the newest first, and how many there are in all. */
export async function list(
  read: Read,
  merchantId: bigint,
  filter: Filter,
  page: { readonly size: number; readonly offset: number },
): Promise<{ rows: Row[]; total: number }> {
  const values = [merchantId, filter.from, filter.until, filter.email, filter.status]
  const [counted] = await read.query<{ total: bigint }>(COUNT, values)
  const rows = await read.query<Row>(LIST, [...values, page.size, page.offset])
  return { rows, total: Number(counted?.total ?? 0n) }
}
