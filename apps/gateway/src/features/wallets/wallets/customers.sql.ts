// The statement that makes a customer's wallet.
import type { Rows } from '#core/rows.ts'
import type { Statement, Tx } from '#kit/ctx.ts'

export type CustomerWalletRow = Pick<
  Rows['customer_wallets'],
  | 'id'
  | 'merchant_id'
  | 'reference'
  | 'name'
  | 'customer_name'
  | 'customer_email'
  | 'bvn_tail'
  | 'fee_owner'
  | 'account_number'
  | 'top_up_number'
  | 'bank_code'
  | 'created_at'
> & {
  birth_date: string | null
}
export type KeptBvn = { readonly sealed: string; readonly digest: Buffer; readonly tail: string }

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
export const insert = async (t: Tx, row: CustomerWalletRow, bvn: KeptBvn, connector: number): Promise<boolean> => {
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
