// Transfers to virtual accounts, each committed with the notices of it.
import type { CreditNotice } from '@cowrie/contract/bank/connector'
import { nairaText } from '@cowrie/contract/kit/money'
import type pg from 'pg'
import { LEASE_SECONDS, type Notice } from '../kit/notices.ts'
import type { Plan, Scenario } from './transfers.scenarios.ts'

export type Transfer = {
  readonly bankCode: string
  readonly accountNumber: string
  readonly kobo: bigint
  readonly senderName: string
  readonly senderAccountNumber: string
  readonly senderBankCode: string
  readonly senderBvn: string | null
  readonly narration: string | null
  readonly scenario: Scenario
  /** Set where the customer did not use the app. */
  readonly channel: 'USSD' | null
}

const REVERSAL_REASON = 'Reported by the sender as a mistake'

export type CreditRow = {
  session_id: string
  bank_code: string
  account_number: string
  kobo: bigint
  sender_name: string
  sender_account_number: string
  sender_bank_code: string
  sender_bvn: string | null
  narration: string | null
  paid_at: Date
  channel: 'USSD' | null
}

/** The notice of a transfer. */
export const messageOf = (row: CreditRow): CreditNotice => ({
  sessionId: row.session_id,
  bankCode: row.bank_code,
  accountNumber: row.account_number,
  amount: nairaText(row.kobo),
  senderName: row.sender_name,
  senderAccountNumber: row.sender_account_number,
  senderBankCode: row.sender_bank_code,
  ...(row.sender_bvn === null ? {} : { senderBvn: row.sender_bvn }),
  ...(row.narration === null ? {} : { narration: row.narration }),
  ...(row.channel === null ? {} : { channel: row.channel }),
  paidAt: row.paid_at.toISOString(),
})

/** One statement, so transfer and notices commit together. A notice that is due now is inserted with a lease
 *  for us. */
export async function insertTransfer(
  pool: pg.Pool,
  sessionId: string,
  reversalSessionId: string,
  transfer: Transfer,
  plan: Plan,
  leased: boolean,
): Promise<Notice[]> {
  const { bankCode, accountNumber, kobo, senderName, senderAccountNumber, senderBankCode, senderBvn, narration } =
    transfer
  const { rows } = await pool.query<{ id: bigint }>(
    `with paid as (
       insert into transfers (session_id, bank_code, account_number, kobo, sender_name, sender_account_number,
         sender_bank_code, narration, paid_at, sender_bvn, channel)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $15, $16) returning session_id
     ), reversal as (
       insert into credit_reversals (session_id, reversal_session_id, reason, reversed_at)
       select session_id, $13, '${REVERSAL_REASON}', $14 from paid where $14::timestamptz is not null returning session_id, reversed_at
     ), reversal_notice as (
       insert into notices (session_id, reversal, due_at, leased_until) select session_id, true, reversed_at, now() from reversal
     )
     insert into notices (session_id, due_at, leased_until)
     select session_id, $10, case when $11 then now() + interval '${LEASE_SECONDS} seconds' else now() end
     from paid, generate_series(1, $12::int) returning id`,
    [
      ...[sessionId, bankCode, accountNumber, kobo, senderName, senderAccountNumber, senderBankCode, narration],
      ...[plan.paidAt, plan.dueAt, leased, plan.copies],
      ...[reversalSessionId, plan.reversedAt ?? null, senderBvn, transfer.channel],
    ],
  )
  const message = messageOf({
    session_id: sessionId,
    bank_code: bankCode,
    account_number: accountNumber,
    kobo,
    sender_name: senderName,
    ...{
      sender_account_number: senderAccountNumber,
      sender_bank_code: senderBankCode,
      sender_bvn: senderBvn,
      narration,
      paid_at: plan.paidAt,
      channel: transfer.channel,
    },
  })
  return rows.map(({ id }) => ({ id, message }))
}
