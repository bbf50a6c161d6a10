// Credits that are returned. A credit is returned once, because the key says so.
import type pg from 'pg'

type Credit = { kobo: bigint; bank_code: string; sender_account_number: string }

export async function findCredit(pool: pg.Pool, sessionId: string): Promise<Credit | null> {
  const { rows } = await pool.query<Credit>(
    'select kobo, bank_code, sender_account_number from transfers where session_id = $1',
    [sessionId],
  )
  return rows[0] ?? null
}

/** A credit that the bank has reversed cannot be returned as well; one that is returned first is not reversed
 *  any more. */
export async function isReversed(pool: pg.Pool, sessionId: string, now: Date): Promise<boolean> {
  await pool.query(
    `with kept as (delete from credit_reversals where session_id = $1 and reversed_at > $2 returning session_id)
     delete from notices using kept where notices.session_id = kept.session_id and notices.reversal`,
    [sessionId, now],
  )
  const { rows } = await pool.query('select from credit_reversals where session_id = $1', [sessionId])
  return rows.length > 0
}

/** Answers with the session of the return: this one, or that of the first. */
export async function insertReturn(
  pool: pg.Pool,
  made: { readonly sessionId: string; readonly returnSessionId: string; readonly reason: string; readonly at: Date },
): Promise<string> {
  await pool.query(
    `insert into returns (session_id, return_session_id, reason, returned_at) values ($1, $2, $3, $4)
     on conflict (session_id) do nothing`,
    [made.sessionId, made.returnSessionId, made.reason, made.at],
  )
  const { rows } = await pool.query<{ return_session_id: string }>(
    'select return_session_id from returns where session_id = $1',
    [made.sessionId],
  )
  return rows[0]?.return_session_id ?? ''
}

type Return = { kobo: bigint; return_session_id: string | null; reason: string | null }

/** A transfer and its return, if it has one. */
export async function findReturn(pool: pg.Pool, sessionId: string): Promise<Return | null> {
  const { rows } = await pool.query<Return>(
    `select t.kobo, r.return_session_id, r.reason from transfers t left join returns r using (session_id)
     where t.session_id = $1`,
    [sessionId],
  )
  return rows[0] ?? null
}
