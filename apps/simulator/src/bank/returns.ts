// A credit is returned to its sender, by order of the gateway.
//   the credit is known, the amount is its own, the sender's account is open → one return, whatever is repeated
import { nairaText } from '@cowrie/contract/kit/money'
import type pg from 'pg'
import type { Clock } from '../kit/clock.ts'
import { refusesReturns } from '../kit/names.ts'
import { newSessionId } from './transfers.ts'

export type Order = { readonly sessionId: string; readonly kobo: bigint; readonly reason: string }
export type Returned =
  | { readonly returnSessionId: string }
  | { readonly refusal: 'no such credit' | 'other amount' | 'account closed' | 'reversed' }

export async function returnCredit(pool: pg.Pool, clock: Clock, order: Order): Promise<Returned> {
  const { sessionId, kobo, reason } = order
  const { rows } = await pool.query<{ kobo: bigint; bank_code: string; sender_account_number: string }>(
    'select kobo, bank_code, sender_account_number from transfers where session_id = $1',
    [sessionId],
  )
  const credit = rows[0]
  if (credit === undefined) return { refusal: 'no such credit' }
  if (credit.kobo !== kobo) return { refusal: 'other amount' }
  if (refusesReturns(credit.sender_account_number)) return { refusal: 'account closed' }
  if (await isReversed(pool, clock, sessionId)) return { refusal: 'reversed' }
  await pool.query(
    `insert into returns (session_id, return_session_id, reason, returned_at) values ($1, $2, $3, $4)
     on conflict (session_id) do nothing`,
    [sessionId, newSessionId(credit.bank_code, clock.now()), reason, clock.now()],
  )
  const { rows: returns } = await pool.query<{ return_session_id: string }>(
    'select return_session_id from returns where session_id = $1',
    [sessionId],
  )
  return { returnSessionId: returns[0]?.return_session_id ?? '' }
}

/** A credit that the bank has reversed cannot be returned as well; one that is returned first is not reversed any more. */
async function isReversed(pool: pg.Pool, clock: Clock, sessionId: string): Promise<boolean> {
  await pool.query(
    `with kept as (delete from credit_reversals where session_id = $1 and reversed_at > $2 returning session_id)
     delete from notices using kept where notices.session_id = kept.session_id and notices.reversal`,
    [sessionId, clock.now()],
  )
  const { rows } = await pool.query('select from credit_reversals where session_id = $1', [sessionId])
  return rows.length > 0
}

export type ShownTransfer = {
  readonly sessionId: string
  readonly amount: string
  readonly returned: boolean
  readonly returnSessionId?: string
  /** What the sender reads. */
  readonly reason?: string
}

/** What the sender sees of a transfer; null when there is none. */
export async function showTransfer(pool: pg.Pool, sessionId: string): Promise<ShownTransfer | null> {
  const { rows } = await pool.query<{ kobo: bigint; return_session_id: string | null; reason: string | null }>(
    `select t.kobo, r.return_session_id, r.reason from transfers t left join returns r using (session_id)
     where t.session_id = $1`,
    [sessionId],
  )
  const row = rows[0]
  if (row === undefined) return null
  const { return_session_id: returnSessionId, reason } = row
  return {
    ...{ sessionId, amount: nairaText(row.kobo), returned: returnSessionId !== null },
    ...(returnSessionId !== null && reason !== null && { returnSessionId, reason }),
  }
}
