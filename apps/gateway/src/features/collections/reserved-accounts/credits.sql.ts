// The statements of money that comes to reserved accounts.

import type { CreditNotice } from '@cowrie/contract/bank/connector'
import { connectorOfMoneyIn } from '#core/routing/names.ts'
import type { Rows } from '#core/rows.ts'
import { texts } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'
import type { Sources } from './sources.ts'

export type HolderRow = Sources &
  Pick<
    Rows['reserved_accounts'],
    | 'id'
    | 'merchant_id'
    | 'reference'
    | 'type'
    | 'status'
    | 'name'
    | 'contract_code'
    | 'customer_email'
    | 'customer_name'
    | 'split'
    | 'limit_profile_id'
  > & {
    at: bigint
    known: boolean
  }

// Shared locks: who may pay in, and whether the account is still held, do not change between the verdict and
// the commit.
const LOCK_HOLDERS: Statement = {
  name: 'reserved_lock_holders',
  text: `
-- all merchants: a notice of the bank names an account, not a merchant
select x.at, r.id, r.merchant_id, r.reference, r.type, r.status, r.name, r.contract_code, r.customer_email, r.customer_name, r.split,
  r.limit_profile_id,
  r.restricted, r.allowed_bvns, r.allowed_accounts, r.allowed_names,
  exists (select from bank_sessions c where c.bank_reference = x.session_id) as known
from unnest($1::text[], $2::text[], $3::text[]) with ordinality as x(account_number, bank_code, session_id, at)
join virtual_accounts v on v.account_number = x.account_number and v.bank_code = x.bank_code and v.connector = ${connectorOfMoneyIn('x.session_id')}
join reserved_accounts r on r.id = v.reserved_id and r.merchant_id = v.merchant_id
order by x.at for share of r`,
}

/** Whose each notice is; nothing for numbers that are no reserved account's. */
export async function lockHolders(t: Tx, notices: readonly CreditNotice[]): Promise<(HolderRow | undefined)[]> {
  const rows = await t.query<HolderRow>(LOCK_HOLDERS, [
    texts(notices.map((notice) => notice.accountNumber)),
    texts(notices.map((notice) => notice.bankCode)),
    texts(notices.map((notice) => notice.sessionId)),
  ])
  const byPlace = new Map(rows.map((row) => [Number(row.at), row]))
  return notices.map((_, index) => byPlace.get(index + 1))
}

const FIND_HOLDER: Statement = {
  name: 'reserved_find_holder',
  text: `
-- all merchants: the bank asks who has a number
select r.merchant_id, r.name, r.type, r.status, t.status as invoice_status, t.paid_kobo, t.kobo, t.expires_at, t.closed_at
from virtual_accounts v join reserved_accounts r on r.id = v.reserved_id and r.merchant_id = v.merchant_id
left join transactions t on t.id = r.invoice_id and t.merchant_id = r.merchant_id
where v.account_number = $1 and v.bank_code = $2`,
}
export type Holder = Pick<Rows['reserved_accounts'], 'merchant_id' | 'name' | 'type' | 'status'> &
  Pick<Rows['transactions'], 'paid_kobo' | 'kobo' | 'expires_at' | 'closed_at'> & {
    /** Of the invoice it was attached to last. */
    invoice_status: string | null
  }
export const findHolder = async (read: Read, accountNumber: string, bankCode: string): Promise<Holder | null> =>
  (await read.query<Holder>(FIND_HOLDER, [accountNumber, bankCode]))[0] ?? null
