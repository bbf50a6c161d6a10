// The statements of money that comes to a wallet's own number.
import type { CreditNotice } from '@cowrie/contract/bank/connector'
import type { Statement, Tx } from '#kit/ctx.ts'

const INSERT: Statement = {
  name: 'top_ups_insert',
  text: `
with named as (
  insert into bank_sessions (bank_reference, merchant_id, transfer_id) values ($1, $2, $3) on conflict do nothing returning transfer_id
)
insert into inbound_credits (bank_reference, merchant_id, transaction_id, transfer_id, outcome, kobo, account_number, bank_code,
  sender_name, sender_account_number, sender_bank_code, received_at)
select $1, $2, null, transfer_id, 'TOPPED_UP', $4::bigint, $5, $6, $7, $8, $9, $10::timestamptz from named
returning bank_reference`,
}
/** False when the session is known: then nothing is written. Waits for whoever writes the same one. */
export const insert = async (
  t: Tx,
  merchantId: bigint,
  transferId: bigint,
  notice: CreditNotice,
  kobo: bigint,
): Promise<boolean> => {
  const rows = await t.query(INSERT, [
    notice.sessionId,
    merchantId,
    transferId,
    kobo,
    notice.accountNumber,
    notice.bankCode,
    notice.senderName,
    notice.senderAccountNumber,
    notice.senderBankCode,
    t.now,
  ])
  return rows.length === 1
}
