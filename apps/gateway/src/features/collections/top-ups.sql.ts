// The statements of money that comes to a wallet's own number.
import type { CreditNotice } from '@cowrie/contract/bank/connector'
import type { Read, Statement, Tx } from '../../kit/ctx.ts'

const WALLET: Statement = {
  name: 'top_ups_wallet',
  text: `
-- all merchants: a notice of the bank names an account, not a merchant
select id from merchants where wallet_number = $1 and wallet_bank_code = $2`,
}
/** Whose wallet has this number. */
export const findWallet = async (read: Read, accountNumber: string, bankCode: string): Promise<bigint | null> =>
  (await read.query<{ id: bigint }>(WALLET, [accountNumber, bankCode]))[0]?.id ?? null

const INSERT: Statement = {
  name: 'top_ups_insert',
  text: `insert into inbound_credits (bank_reference, merchant_id, transaction_id, transfer_id, outcome, kobo, account_number, bank_code,
  sender_name, sender_account_number, sender_bank_code, received_at) values ($1, $2, null, $3, 'TOPPED_UP', $4, $5, $6, $7, $8, $9, $10)
on conflict on constraint inbound_credits_pkey do nothing returning bank_reference`,
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
