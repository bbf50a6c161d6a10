// The statements of corrections: whose breaks are, what a merchant was credited with under a line of the
// bank, and what is undone.

import { insertInto } from '#core/insert-into.ts'
import { houseAccount } from '#core/ledger/chart.ts'
import { moneyName } from '#core/routing/names.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

const API_KEYS: Statement = {
  name: 'corrections_api_keys',
  text: `
-- all merchants: the operator sees whose breaks they are
select id, api_key from merchants where id = any($1::bigint[])`,
}
export const apiKeys = async (read: Read, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> => {
  const rows = await read.query<Pick<Rows['merchants'], 'id' | 'api_key'>>(API_KEYS, [ids])
  return new Map(rows.map((row) => [row.id, row.api_key]))
}

const PAYER: Statement = {
  name: 'corrections_payer',
  text: `
select w.id, w.account_number, w.bank_code, d.kobo, 0::bigint as fee_kobo from disbursements d join customer_wallets w on w.id = d.wallet_id
where d.session_id = $1 and d.connector = $2::smallint and d.merchant_id = $3 and w.merchant_id = $3`,
}
// What was reversed since is theirs no more; what is held is not theirs yet.
const RECEIVER: Statement = {
  name: 'corrections_receiver',
  text: `
select w.id, w.account_number, w.bank_code, c.kobo, coalesce(e.kobo, 0)::bigint as fee_kobo
from bank_sessions s join inbound_credits c on c.transfer_id = s.transfer_id
left join suspense_items i on i.bank_reference = c.bank_reference and i.status = 'REASSIGNED' and i.merchant_id = $2
left join lateral (select kobo from entries e where e.transfer_id = coalesce(i.reassign_transfer_id, c.transfer_id)
  and e.account_id = ${houseAccount('FEE_INCOME')}) e on true
left join customer_wallets w on c.outcome = 'TOPPED_UP' and w.merchant_id = c.merchant_id and w.bank_code = c.bank_code
  and c.account_number in (w.account_number, w.top_up_number)
where s.bank_reference = $1 and c.merchant_id = $2
  and not exists (select from credit_reversals r where r.bank_reference = c.bank_reference and r.transfer_id is not null)
  and (c.outcome <> 'SUSPENDED' or i.id is not null)`,
}
const DEBITED: Statement = {
  name: 'corrections_debited',
  text: `
select null::bigint as id, null::text as account_number, null::text as bank_code, d.kobo, t.fee_kobo from debits d
join transactions t on t.id = d.id and t.merchant_id = d.merchant_id
where d.session_id = $1 and d.connector = $2::smallint and d.merchant_id = $3 and t.status = 'PAID' and not t.flagged`,
}
/** What a line of the bank credited: a customer's wallet where it names one, else its merchant; with how
 *  much, and the fee that it bore. */
export type CreditedRow = {
  id: bigint | null
  account_number: string | null
  bank_code: string | null
  kobo: bigint
  fee_kobo: bigint
}
type Line = Pick<Rows['recon_breaks'], 'session_id' | 'connector' | 'merchant_id'>
export const findPayer = async (read: Read, line: Line): Promise<CreditedRow | null> =>
  (await read.query<CreditedRow>(PAYER, [line.session_id, line.connector, line.merchant_id]))[0] ?? null
export const findReceiver = async (read: Read, line: Line): Promise<CreditedRow | null> => {
  const name = moneyName(line.connector, line.session_id)
  return (await read.query<CreditedRow>(RECEIVER, [name, line.merchant_id]))[0] ?? null
}
export const findDebited = async (read: Read, line: Line): Promise<CreditedRow | null> =>
  (await read.query<CreditedRow>(DEBITED, [line.session_id, line.connector, line.merchant_id]))[0] ?? null

const PAID_THERE: Statement = {
  name: 'corrections_paid_there',
  text: `
-- all merchants: a line of the statement of a bank, whoever it is about
select exists (select from statement_booked l where l.kind = 'PAYOUT' and l.session_id = $1 and l.connector = $2::smallint) as paid`,
}
/** Whether a statement of the bank has a payout. */
export const isPaidThere = async (read: Read, line: Line): Promise<boolean> =>
  (await read.query<{ paid: boolean }>(PAID_THERE, [line.session_id, line.connector]))[0]?.paid ?? false

const CORRECTION: Statement = {
  name: 'corrections_of_approval',
  text: `
-- all merchants: the operator names a break, not a merchant
select f.id, f.merchant_id, f.accounts, f.amounts from approved_postings p join transfers f on f.id = p.transfer_id
where p.approval_id = $1 and f.kind = 'CORRECTION' and f.object = 'recon_break'`,
}
export type CorrectionRow = Pick<Rows['transfers'], 'id' | 'merchant_id' | 'accounts' | 'amounts'>
/** What was posted under an approval; null where it was no correction, or has left with its month. */
export const findCorrection = async (read: Read, approvalId: bigint): Promise<CorrectionRow | null> =>
  (await read.query<CorrectionRow>(CORRECTION, [approvalId]))[0] ?? null

const WALLET: Statement = {
  name: 'corrections_wallet',
  text: `select id, account_number, bank_code from customer_wallets where id = $1 and merchant_id = $2`,
}
export type CustomerWallet = Pick<Rows['customer_wallets'], 'id' | 'account_number' | 'bank_code'>
export const findCustomerWallet = async (read: Read, id: bigint, merchantId: bigint): Promise<CustomerWallet | null> =>
  (await read.query<CustomerWallet>(WALLET, [id, merchantId]))[0] ?? null

export const insertUndone = (t: Tx, row: Rows['corrections_undone']): Promise<unknown> =>
  insertInto('corrections_undone', t, row)

const LOCK: Statement = {
  name: 'corrections_lock_account',
  text: `
-- all merchants: an account of the house
select id from accounts where id = $1 for no key update`,
}
/** Until the end of the transaction no other correction takes from the account. */
export const lockAccount = (t: Tx, account: bigint): Promise<unknown> => t.query(LOCK, [account])
