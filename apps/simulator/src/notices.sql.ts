// The rows of notices: claimed under a lease, sent by notice-sender.ts, and marked.
import type { ReversalNotice } from '@cowrie/contract/bank/connector'
import { nairaText } from '@cowrie/contract/kit/money'
import type pg from 'pg'
import { type CreditRow, messageOf } from './bank/transfers.sql.ts'
import { LEASE_SECONDS, type Notice } from './kit/notices.ts'
import type { DebitNoticeStatus } from './mandates/debits.sql.ts'
import type { MandateNoticeStatus } from './mandates/mandates.sql.ts'
import type { PayoutNoticeStatus } from './payouts/payouts.rules.ts'

type ReversalRow = { reversal: boolean; reversal_session_id: string; reason: string; reversed_at: Date }
type Row = { id: bigint; due_at: Date } & CreditRow & {
    payout_session_id: string | null
    payout_status: PayoutNoticeStatus
    debit_session_id: string | null
    mandate_code: string | null
    card_refund_session_id: string | null
    charge_reference: string | null
    said: string
  } & ReversalRow

function noticeOfRow(row: Row): Notice {
  const { id, payout_session_id, debit_session_id, mandate_code, card_refund_session_id, said } = row
  if (row.charge_reference !== null) return { id, charge: { chargeReference: row.charge_reference } }
  if (card_refund_session_id !== null)
    return { id, refund: { sessionId: card_refund_session_id, status: said as PayoutNoticeStatus } }
  if (payout_session_id !== null) return { id, payout: { sessionId: payout_session_id, status: row.payout_status } }
  if (debit_session_id !== null)
    return { id, debit: { sessionId: debit_session_id, status: said as DebitNoticeStatus } }
  if (mandate_code !== null)
    return { id, mandate: { mandateCode: mandate_code, status: said as MandateNoticeStatus, at: row.due_at } }
  return row.reversal ? { id, reversal: reversalOf(row) } : { id, message: messageOf(row) }
}

const reversalOf = (row: CreditRow & ReversalRow): ReversalNotice => ({
  sessionId: row.session_id,
  reversalSessionId: row.reversal_session_id,
  bankCode: row.bank_code,
  accountNumber: row.account_number,
  amount: nairaText(row.kobo),
  reason: row.reason,
  at: row.reversed_at.toISOString(),
})

/** `filter` says which of the due rows may be tried now. */
const claimStatement = (filter: string): string => `
  with mine as (
    select id from notices
    where taken_at is null and due_at <= $1 and leased_until <= now() and ${filter}
    order by due_at, id limit $2
    for update skip locked
  ), leased as (
    update notices set leased_until = now() + interval '${LEASE_SECONDS} seconds'
    from mine where notices.id = mine.id
    returning notices.id, notices.due_at, notices.session_id, notices.payout_session_id, notices.payout_status,
      notices.debit_session_id, notices.mandate_code, notices.card_refund_session_id, notices.charge_reference, notices.said, notices.reversal
  )
  select leased.id, leased.due_at, leased.payout_session_id, leased.payout_status, leased.debit_session_id, leased.mandate_code,
    leased.card_refund_session_id, leased.charge_reference, leased.said, t.session_id, t.bank_code, t.account_number, t.kobo, t.sender_name, t.sender_account_number,
    t.sender_bank_code, t.sender_bvn, t.narration, t.paid_at, t.channel, leased.reversal, r.reversal_session_id, r.reason, r.reversed_at
  from leased left join transfers t using (session_id) left join credit_reversals r using (session_id)
  order by leased.due_at, leased.id`

const CLAIM_AFTER_PAUSE = claimStatement('next_try_at <= now()')
/** A move of the clock tries each row once, whether or not its pause is over. */
const CLAIM_NOT_TRIED_SINCE = claimStatement('(tried_at is null or tried_at < $3)')

async function claim(pool: pg.Pool, statement: string, values: readonly unknown[]): Promise<Notice[]> {
  const { rows } = await pool.query<Row>(statement, [...values])
  return rows.map(noticeOfRow)
}

export async function release(pool: pg.Pool, notice: Notice): Promise<void> {
  await pool.query(`update notices set leased_until = now(), next_try_at = now() + interval '1 second' where id = $1`, [
    notice.id,
  ])
}

export async function noteAttempt(pool: pg.Pool, notice: Notice, taken: boolean): Promise<void> {
  await pool.query(
    `update notices set attempts = attempts + 1, tried_at = now(), leased_until = now(),
       next_try_at = now() + interval '1 second', taken_at = coalesce(taken_at, case when $2 then now() end)
     where id = $1`,
    [notice.id, taken],
  )
}

/** Due notices whose pause is over, leased to the caller. */
export const claimDue = (pool: pg.Pool, now: Date, most: number): Promise<Notice[]> =>
  claim(pool, CLAIM_AFTER_PAUSE, [now, most])

/** The first due notice that was not tried since then, leased to the caller. */
export const claimUntried = async (pool: pg.Pool, now: Date, since: Date): Promise<Notice | null> =>
  (await claim(pool, CLAIM_NOT_TRIED_SINCE, [now, 1, since]))[0] ?? null

/** Real time, by the database's clock. */
export async function realNow(pool: pg.Pool): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>('select now() as now')
  if (rows[0] === undefined) throw new Error('select now() returned no row')
  return rows[0].now
}

/** One that fell due since the clock was set and was not tried yet is still ahead; the clock runs on between
 *  two calls. */
export async function findNextDue(pool: pg.Pool, now: Date): Promise<Date | null> {
  const { rows } = await pool.query<{ due_at: Date | null }>(
    'select min(due_at) as due_at from notices where taken_at is null and (due_at > $1 or tried_at is null)',
    [now],
  )
  return rows[0]?.due_at ?? null
}
