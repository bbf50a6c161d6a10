import { insertInto } from '#core/insert-into.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'
import type { BankRow } from './banks.ts'

export type SubAccountRow = Pick<
  Rows['sub_accounts'],
  'id' | 'code' | 'bank_code' | 'account_number' | 'account_name' | 'email' | 'default_split' | 'default_split_rest'
>
export type Bank = {
  readonly bankCode: string
  readonly accountNumber: string
  readonly accountName: string
  readonly email: string
  /** In millionths of a percent. */
  readonly defaultSplit: bigint
}
export type NewRow = Bank & { readonly id: bigint; readonly code: string }

const COLUMNS = 'id, code, bank_code, account_number, account_name, email, default_split, default_split_rest'

const INSERT: Statement = {
  name: 'sub_accounts_insert',
  text: `insert into sub_accounts (${COLUMNS}, merchant_id, created_at, changed_at, settled_from)
    select ${COLUMNS}, $1, $2, $2, (select $2::timestamptz + m.new_sub_account_wait_hours * interval '1 hour' from merchants m where m.id = $1)
    from unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bigint[], $10::smallint[])
      as x(id, code, bank_code, account_number, account_name, email, default_split, default_split_rest)
    returning ${COLUMNS}`,
}
export async function insert(t: Tx, merchantId: bigint, rows: readonly NewRow[]): Promise<SubAccountRow[]> {
  const made = await t.query<SubAccountRow>(INSERT, [
    merchantId,
    t.now,
    rows.map((row) => row.id),
    rows.map((row) => row.code),
    rows.map((row) => row.bankCode),
    rows.map((row) => row.accountNumber),
    rows.map((row) => row.accountName),
    rows.map((row) => row.email),
    rows.map((row) => row.defaultSplit / 100n),
    rows.map((row) => Number(row.defaultSplit % 100n)),
  ])
  const byId = new Map(made.map((row) => [row.id, row]))
  return rows.map((row) => byId.get(row.id) as SubAccountRow)
}

const LIST: Statement = {
  name: 'sub_accounts_list',
  text: `select ${COLUMNS} from sub_accounts where merchant_id = $1 and deleted_at is null order by id`,
}
export const list = (read: Read, merchantId: bigint): Promise<SubAccountRow[]> => read.query(LIST, [merchantId])

const BY_CODES: Statement = {
  name: 'sub_accounts_by_codes',
  text: `select ${COLUMNS} from sub_accounts where merchant_id = $1 and code = any($2::text[]) and deleted_at is null`,
}
export const listByCodes = (read: Read, merchantId: bigint, codes: readonly string[]): Promise<SubAccountRow[]> =>
  read.query(BY_CODES, [merchantId, codes])

const LOCK: Statement = {
  name: 'sub_accounts_lock',
  text: `select ${COLUMNS}, created_at from sub_accounts where merchant_id = $1 and code = $2 and deleted_at is null for update`,
}
export const lock = async (
  t: Tx,
  merchantId: bigint,
  code: string,
): Promise<(SubAccountRow & { readonly created_at: Date }) | null> =>
  (await t.query<SubAccountRow & Pick<Rows['sub_accounts'], 'created_at'>>(LOCK, [merchantId, code]))[0] ?? null

const BANKS: Statement = {
  name: 'sub_accounts_banks',
  text: `select sub_account_id, bank_code, account_number, account_name, effective_at, created_at from sub_account_banks
    where merchant_id = $1 and sub_account_id = any($2::bigint[]) order by id`,
}
export type KeptBank = BankRow & Readonly<Pick<Rows['sub_account_banks'], 'sub_account_id'>>
/** The accounts of those that got another one, in the order they were asked for. */
export const listKeptBanks = (read: Read, merchantId: bigint, ids: readonly bigint[]): Promise<KeptBank[]> =>
  read.query<KeptBank>(BANKS, [merchantId, ids])

export const insertBank = (
  t: Tx,
  id: bigint,
  merchantId: bigint,
  { sub_account_id, bank_code, account_number, account_name, effective_at, created_at }: KeptBank,
): Promise<unknown> =>
  insertInto('sub_account_banks', t, {
    id,
    sub_account_id,
    merchant_id: merchantId,
    bank_code,
    account_number,
    account_name,
    effective_at,
    created_at,
  })

const CHANGE: Statement = {
  name: 'sub_accounts_change',
  text: `update sub_accounts set bank_code = $3, account_number = $4, account_name = $5, email = $6, default_split = $7,
      default_split_rest = $8, changed_at = $9
    where merchant_id = $1 and code = $2 and deleted_at is null returning ${COLUMNS}`,
}
export const change = async (t: Tx, merchantId: bigint, code: string, to: Bank): Promise<SubAccountRow | null> =>
  (
    await t.query<SubAccountRow>(CHANGE, [
      merchantId,
      code,
      to.bankCode,
      to.accountNumber,
      to.accountName,
      to.email,
      to.defaultSplit / 100n,
      Number(to.defaultSplit % 100n),
      t.now,
    ])
  )[0] ?? null

const REMOVE: Statement = {
  name: 'sub_accounts_remove',
  text: `update sub_accounts set deleted_at = $3 where merchant_id = $1 and code = $2 and deleted_at is null returning id`,
}
export const remove = async (t: Tx, merchantId: bigint, code: string): Promise<boolean> =>
  (await t.query(REMOVE, [merchantId, code, t.now])).length > 0
