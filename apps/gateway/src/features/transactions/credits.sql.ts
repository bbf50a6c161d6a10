// The statements of money that arrives.
import type { CreditNotice } from '@cowrie/contract/bank-connector'
import { texts } from '../../kit/arrays.ts'
import type { Read, Statement, Tx } from '../../kit/ctx.ts'

export type PayableRow = {
  at: bigint
  id: bigint
  merchant_id: bigint
  reference: string
  payment_reference: string
  status: string
  version: number
  kobo: bigint
  customer_name: string
  customer_email: string
  description: string
  meta_data: string
  expires_at: Date
  split: string | null
  known: boolean
}

const PAYABLE: Statement = {
  name: 'credits_payable',
  text: `
-- all merchants: a notice of the bank names an account, not a merchant
select x.at, t.id, t.merchant_id, t.reference, t.payment_reference, t.status, t.version, t.kobo, t.customer_name, t.customer_email,
  t.description, t.meta_data, t.expires_at, t.split, c.bank_reference is not null as known
from unnest($1::text[], $2::text[], $3::text[]) with ordinality as x(account_number, bank_code, session_id, at)
join virtual_accounts v on v.account_number = x.account_number and v.bank_code = x.bank_code
join transactions t on t.id = v.transaction_id and t.merchant_id = v.merchant_id
left join inbound_credits c on c.bank_reference = x.session_id`,
}

/** What each notice would pay; nothing for numbers that were never given out. */
export async function listPayable(read: Read, notices: readonly CreditNotice[]): Promise<(PayableRow | undefined)[]> {
  const rows = await read.query<PayableRow>(PAYABLE, [
    texts(notices.map((notice) => notice.accountNumber)),
    texts(notices.map((notice) => notice.bankCode)),
    texts(notices.map((notice) => notice.sessionId)),
  ])
  const byPlace = new Map(rows.map((row) => [Number(row.at), row]))
  return notices.map((_, index) => byPlace.get(index + 1))
}

/** A counted credit comes with its move; these columns follow the move's `also`. */
export const CREDIT_COLUMNS = {
  bank_reference: 'text',
  kobo: 'bigint',
  account_number: 'text',
  bank_code: 'text',
  sender_name: 'text',
  sender_account_number: 'text',
  sender_bank_code: 'text',
  received_at: 'timestamptz',
} as const

const SUSPEND: Statement = {
  name: 'credits_suspend',
  text: `
with credited as (
  insert into inbound_credits (bank_reference, merchant_id, transaction_id, transfer_id, outcome, kobo, account_number, bank_code,
    sender_name, sender_account_number, sender_bank_code, received_at)
  values ($1, $2, $3, $4, 'SUSPENDED', $5, $6, $7, $8, $9, $10, $11)
)
insert into suspense_items (id, merchant_id, transaction_id, bank_reference, kobo, reason, owner, decide_by, created_at)
values ($12, $2, $3, $1, $5, $13, $14, $15, $11)`,
}

export async function insertSuspended(
  t: Tx,
  row: PayableRow,
  notice: CreditNotice,
  item: { id: bigint; transferId: bigint; kobo: bigint; reason: string; owner: string; decideBy: Date },
): Promise<void> {
  await t.query(SUSPEND, [
    notice.sessionId,
    row.merchant_id,
    row.id,
    item.transferId,
    item.kobo,
    notice.accountNumber,
    notice.bankCode,
    notice.senderName,
    notice.senderAccountNumber,
    notice.senderBankCode,
    t.now,
    item.id,
    item.reason,
    item.owner,
    item.decideBy,
  ])
}
