// The rows of the agents: a redemption is there before the gateway is asked, and gets its outcome once.
import type pg from 'pg'

export type Redemption = {
  readonly sessionId: string
  readonly agentId: string
  readonly codeTail: string
  readonly kobo: bigint
}
export type RedemptionStatus = 'UNKNOWN' | 'PAID' | 'REFUSED'
export type RedemptionRow = Redemption & {
  readonly status: RedemptionStatus
  readonly reason: string | null
  readonly beneficiaryName: string | null
  readonly asked: number
}

const COLUMNS = `session_id as "sessionId", agent_id as "agentId", code_tail as "codeTail", kobo, status, reason,
  beneficiary_name as "beneficiaryName", asked`

/** Null when the session belongs to another redemption. */
export async function beginRedemption(pool: pg.Pool, redemption: Redemption, now: Date): Promise<RedemptionRow | null> {
  const { sessionId, agentId, codeTail, kobo } = redemption
  await pool.query(
    `insert into agent_redemptions (session_id, agent_id, code_tail, kobo, status, begun_at, changed_at)
     values ($1, $2, $3, $4, 'UNKNOWN', $5, $5) on conflict (session_id) do nothing`,
    [sessionId, agentId, codeTail, kobo, now],
  )
  const { rows } = await pool.query<RedemptionRow>(
    `update agent_redemptions set asked = asked + 1
     where session_id = $1 and agent_id = $2 and code_tail = $3 and kobo = $4 returning ${COLUMNS}`,
    [sessionId, agentId, codeTail, kobo],
  )
  return rows[0] ?? null
}

/** The outcome, if it has none yet. */
export async function endRedemption(
  pool: pg.Pool,
  sessionId: string,
  outcome: Pick<RedemptionRow, 'status' | 'reason' | 'beneficiaryName'>,
  now: Date,
): Promise<RedemptionRow | null> {
  const { status, reason, beneficiaryName } = outcome
  await pool.query(
    `update agent_redemptions set status = $2, reason = $3, beneficiary_name = $4, changed_at = $5
     where session_id = $1 and status = 'UNKNOWN'`,
    [sessionId, status, reason, beneficiaryName, now],
  )
  return findRedemption(pool, sessionId)
}

export async function findRedemption(pool: pg.Pool, sessionId: string): Promise<RedemptionRow | null> {
  const { rows } = await pool.query<RedemptionRow>(`select ${COLUMNS} from agent_redemptions where session_id = $1`, [
    sessionId,
  ])
  return rows[0] ?? null
}

/** The latest first. */
export async function listRedemptions(pool: pg.Pool, limit: number): Promise<RedemptionRow[]> {
  const { rows } = await pool.query<RedemptionRow>(
    `select ${COLUMNS} from agent_redemptions order by begun_at desc, session_id desc limit $1`,
    [limit],
  )
  return rows
}
