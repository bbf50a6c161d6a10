// Every statement of customers' wallets. Those that find one by its number are in wallets/holders.sql.ts.
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type Row = {
  id: bigint
  merchant_id: bigint
  reference: string
  name: string
  customer_name: string
  customer_email: string
  birth_date: string | null
  bvn_tail: string
  fee_owner: bigint | null
  account_number: string
  top_up_number: string
  bank_code: string
  created_at: Date
}
const SHOWN = `id, merchant_id, reference, name, customer_name, customer_email, birth_date::text as birth_date, bvn_tail, fee_owner, account_number,
  top_up_number, bank_code, created_at`

const IS_USED: Statement = {
  name: 'customer_wallets_is_used',
  text: 'select 1 from customer_wallets where merchant_id = $1 and reference = $2',
}
export const isUsed = async (read: Read, merchantId: bigint, reference: string): Promise<boolean> =>
  (await read.query(IS_USED, [merchantId, reference])).length > 0

// Its numbers are taken for ever: the wallet stands where a reserved account would.
const INSERT: Statement = {
  name: 'customer_wallets_insert',
  text: `
with made as (
  insert into customer_wallets (id, merchant_id, reference, name, customer_name, customer_email, birth_date, bvn_sealed, bvn_digest, bvn_tail,
    fee_owner, account_number, top_up_number, bank_code, created_at)
  values ($1, $2, $3, $4, $5, $6, $7::date, $8, $9, $10, $11, $12, $13, $14, $15)
  on conflict on constraint customer_wallets_reference_key do nothing
  returning id, merchant_id, account_number, top_up_number, bank_code, created_at
)
insert into virtual_accounts (account_number, bank_code, merchant_id, reserved_id, opened_at, expires_at, connector)
select n.account_number, m.bank_code, m.merchant_id, m.id, m.created_at, 'infinity', $16::smallint
from made m cross join lateral (values (m.account_number), (m.top_up_number)) as n(account_number)
returning account_number`,
}
/** False when the reference is taken: then nothing is written. `connector`: whose bank has its numbers. */
export const insert = async (
  t: Tx,
  row: Row,
  bvn: { readonly sealed: string; readonly digest: Buffer; readonly tail: string },
  connector: number,
): Promise<boolean> => {
  const rows = await t.query(INSERT, [
    row.id,
    row.merchant_id,
    row.reference,
    row.name,
    row.customer_name,
    row.customer_email,
    row.birth_date,
    bvn.sealed,
    bvn.digest,
    bvn.tail,
    row.fee_owner,
    row.account_number,
    row.top_up_number,
    row.bank_code,
    row.created_at,
    connector,
  ])
  return rows.length > 0
}

export type Filter = { readonly reference: string | null; readonly email: string | null }
/** One text for each way to ask, so that each has a plan of its own. */
const statementsOf = (name: string, ...conditions: readonly string[]) => {
  const found = `from customer_wallets where ${['merchant_id = $1', ...conditions].join(' and ')}`
  const next = conditions.length + 2
  return {
    count: { name: `customer_wallets_count_${name}`, text: `select count(*)::int as total ${found}` },
    page: {
      name: `customer_wallets_list_${name}`,
      text: `select ${SHOWN} ${found} order by id desc offset $${next} limit $${next + 1}`,
    },
  } satisfies Record<string, Statement>
}
const email = (place: string): string => `lower(customer_email) = lower(${place})`
const ALL = statementsOf('all')
const BY_REFERENCE = statementsOf('by_reference', 'reference = $2')
const BY_EMAIL = statementsOf('by_email', email('$2'))
const BY_BOTH = statementsOf('by_both', 'reference = $2', email('$3'))

/** Newest first. */
export async function list(
  read: Read,
  merchantId: bigint,
  filter: Filter,
  { offset, size }: { readonly offset: number; readonly size: number },
): Promise<{ rows: Row[]; total: number }> {
  const given = [filter.reference, filter.email].filter((one) => one !== null)
  const one = filter.reference === null ? BY_EMAIL : BY_REFERENCE
  const { count, page } = given.length === 0 ? ALL : given.length === 2 ? BY_BOTH : one
  const asked = [merchantId, ...given]
  const [counted] = await read.query<{ total: number }>(count, asked)
  return { rows: await read.query<Row>(page, [...asked, offset, size]), total: counted?.total ?? 0 }
}
