// The rows of the debits. One changes only under its own lock; its money and its notices are written in the
// same database transaction. What is due later happens when it is next read, or when its notice is sent.
import { type DebitNotice, debitText } from '@cowrie/contract/bank/mandate-connector'
import { nairaText } from '@cowrie/contract/kit/money'
import type pg from 'pg'
import { inTransaction } from '../kit/database.ts'
import type { Faults } from '../kit/faults.ts'
import {
  CODES,
  codeOf,
  type PayoutNoticeStatus,
  type PayoutStatus,
  type Plan,
  planOf,
} from '../payouts/payouts.rules.ts'
import { findMandate } from './mandates.sql.ts'

export type DebitNoticeStatus = PayoutNoticeStatus
export type Order = {
  readonly sessionId: string
  readonly mandateCode: string
  readonly kobo: bigint
  readonly narration: string
}
/** Contents are null when it was barred before the bank received it. */
export type Debit = {
  readonly sessionId: string
  readonly mandateCode: string | null
  readonly kobo: bigint | null
  readonly narration: string | null
  readonly status: PayoutStatus
  readonly code: string
  readonly asked: number
  readonly changedAt: Date
  readonly turnsTo: DebitNoticeStatus | null
  readonly turnsAt: Date | null
}

/** The mandate is not one that may be debited. */
const NOT_ALLOWED = '57'
const COLUMNS = `session_id as "sessionId", mandate_code as "mandateCode", kobo, narration, status, response_code as code, asked,
  changed_at as "changedAt", turns_to as "turnsTo", turns_at as "turnsAt"`

async function find(db: Pick<pg.Pool, 'query'>, sessionId: string, lock: boolean): Promise<Debit | null> {
  const text = `select ${COLUMNS} from debits where session_id = $1 ${lock ? 'for update' : ''}`
  return (await db.query<Debit>(text, [sessionId])).rows[0] ?? null
}

const isDue = ({ turnsAt }: Debit, now: Date): boolean => turnsAt !== null && turnsAt <= now

/** The debit as it is now; null when the bank never received it. */
export async function presentDebit(pool: pg.Pool, sessionId: string, now: Date): Promise<Debit | null> {
  const debit = await find(pool, sessionId, false)
  if (debit === null || !isDue(debit, now)) return debit
  return inTransaction(pool, async (client) => {
    const locked = await find(client, sessionId, true)
    return locked && turned(client, locked, now)
  })
}

/** Applies what is due; the caller holds the lock. */
async function turned(client: pg.PoolClient, debit: Debit, now: Date): Promise<Debit> {
  const { turnsTo, turnsAt } = debit
  if (turnsTo === null || turnsAt === null || turnsAt > now) return debit
  const { rows } = await client.query<Debit>(
    `update debits set status = $2, response_code = $3, changed_at = $4, turns_to = null, turns_at = null
     where session_id = $1 returning ${COLUMNS}`,
    [debit.sessionId, turnsTo, codeOf(turnsTo), turnsAt],
  )
  const after = rows[0] ?? debit
  await book(client, after, turnsAt)
  return after
}

/** Money follows the status: it is taken on the way into SUCCESS and returned on the way into REVERSED. */
async function book(client: pg.PoolClient, after: Debit, at: Date): Promise<void> {
  if (after.status !== 'SUCCESS' && after.status !== 'REVERSED') return
  await client.query('insert into debit_money (session_id, kind, kobo, booked_at) values ($1, $2, $3, $4)', [
    ...[after.sessionId, after.status === 'SUCCESS' ? 'TAKEN' : 'RETURNED', after.kobo, at],
  ])
}

/** The debit under an order that came again, counted; null when it came for the first time. */
export async function debitAskedAgain(pool: pg.Pool, sessionId: string, now: Date): Promise<Debit | null> {
  const text = `update debits set asked = asked + 1 where session_id = $1 returning ${COLUMNS}`
  const debit = (await pool.query<Debit>(text, [sessionId])).rows[0]
  return debit === undefined || !isDue(debit, now) ? (debit ?? null) : presentDebit(pool, sessionId, now)
}

export type Owed = { readonly id: bigint; readonly status: DebitNoticeStatus; readonly now: boolean }
export type Made = { readonly plan: Plan; readonly owed: readonly Owed[] }

/** What becomes of a debit, by the account of its mandate; it fails where the customer does not allow it. */
async function planned(db: Pick<pg.Pool, 'query'>, order: Order, faults: Faults | null): Promise<Plan | null> {
  const mandate = await findMandate(db, order.mandateCode, 'for share')
  if (mandate === null) return null
  const { status, terms } = mandate
  const plan = planOf(
    {
      sessionId: order.sessionId,
      destinationBankCode: terms?.bankCode ?? '',
      destinationAccountNumber: terms?.accountNumber ?? '',
    },
    faults,
  )
  const refused: Plan = { ...plan, status: 'FAILED', code: NOT_ALLOWED, turn: null, notices: [], noticesFirst: false }
  return status === 'ACTIVE' ? plan : refused
}

/** Makes the debit as its mandate says, with its money and its notices. Null when its session was known
 *  already, or when the mandate is unknown; 'not received' when the order was lost. */
export const insertDebit = (
  pool: pg.Pool,
  order: Order,
  faults: Faults | null,
  now: Date,
  leaseSeconds: number,
): Promise<Made | 'known' | 'no mandate' | 'not received'> =>
  inTransaction(pool, async (client) => {
    const later = (ms: number): Date => new Date(now.getTime() + ms)
    const plan = await planned(client, order, faults)
    if (plan === null) return 'no mandate'
    if (plan.answer === 'not received') return 'not received'
    const { rows } = await client.query<Debit>(
      `insert into debits (session_id, mandate_code, status, response_code, kobo, narration, asked, ordered_at, changed_at, turns_to, turns_at)
       values ($1, $2, $3, $4, $5, $6, 1, $7, $7, $8, $9) on conflict (session_id) do nothing returning ${COLUMNS}`,
      [
        ...[order.sessionId, order.mandateCode, plan.status, plan.code, order.kobo, order.narration, now],
        ...[plan.turn?.to ?? null, plan.turn === null ? null : later(plan.turn.afterMs)],
      ],
    )
    const made = rows[0]
    if (made === undefined) return 'known'
    await book(client, made, now)
    await turned(client, made, now)
    const owed: Owed[] = []
    for (const { status, afterMs } of plan.notices) {
      const { rows: notices } = await client.query<{ id: bigint }>(
        `insert into notices (debit_session_id, said, due_at, leased_until)
         values ($1, $2, $3, now() + make_interval(secs => $4)) returning id`,
        [order.sessionId, status, later(afterMs), afterMs === 0 ? leaseSeconds : 0],
      )
      for (const { id } of notices) owed.push({ id, status, now: afterMs === 0 })
    }
    return { plan, owed }
  })

/** What was not taken yet never will be; answers the debit as it is then. */
export const barDebit = (pool: pg.Pool, sessionId: string, now: Date): Promise<Debit | null> =>
  inTransaction(pool, async (client) => {
    await client.query(
      `insert into debits (session_id, status, response_code, asked, changed_at, barred_at)
       values ($1, 'FAILED', $2, 0, $3, $3) on conflict (session_id) do nothing`,
      [sessionId, CODES.barred, now],
    )
    const found = await find(client, sessionId, true)
    const debit = found && (await turned(client, found, now))
    if (debit?.status !== 'PENDING') return debit
    // The notice that is due later would be wrong now.
    await client.query(`update notices set said = 'FAILED' where debit_session_id = $1 and taken_at is null`, [
      sessionId,
    ])
    const { rows } = await client.query<Debit>(
      `update debits set status = 'FAILED', response_code = $2, changed_at = $3, barred_at = $3, turns_to = null, turns_at = null
       where session_id = $1 returning ${COLUMNS}`,
      [sessionId, CODES.barred, now],
    )
    return rows[0] ?? null
  })

/** What a notice says. It may be out of date: a success that was reversed since was a success all the
 *  same. */
export const debitNoticeOf = (debit: Debit, status: DebitNoticeStatus): DebitNotice => {
  const responseCode = status === debit.status ? debit.code : codeOf(status)
  const { sessionId, changedAt } = debit
  return { sessionId, status, responseCode, message: debitText(responseCode), at: changedAt.toISOString() }
}

export type BookedDebit = {
  readonly sessionId: string
  readonly mandateCode: string | null
  readonly amount: string | null
  readonly narration: string | null
  readonly status: PayoutStatus
  readonly responseCode: string
  /** How often the order was received. */
  readonly asked: number
  /** All that was ever taken for it, and all that was returned. */
  readonly taken: string
  readonly returned: string
}

/** One debit, those of a mandate, the latest, or all. */
export async function listDebits(
  pool: pg.Pool,
  which: { readonly sessionId: string | null; readonly mandateCode: string | null; readonly limit: number | null },
): Promise<BookedDebit[]> {
  const { rows } = await pool.query<Debit & { taken: bigint; returned: bigint }>(
    `select ${COLUMNS},
       (select coalesce(sum(m.kobo), 0)::int8 from debit_money m
         where m.session_id = debits.session_id and m.kind = 'TAKEN') as taken,
       (select coalesce(sum(m.kobo), 0)::int8 from debit_money m
         where m.session_id = debits.session_id and m.kind = 'RETURNED') as returned
     from debits where ($1::text is null or session_id = $1) and ($2::text is null or mandate_code = $2)
     order by ordered_at desc nulls last, session_id limit $3`,
    [which.sessionId, which.mandateCode, which.limit],
  )
  return rows.map((row) => ({
    sessionId: row.sessionId,
    mandateCode: row.mandateCode,
    amount: row.kobo === null ? null : nairaText(row.kobo),
    narration: row.narration,
    status: row.status,
    responseCode: row.code,
    asked: row.asked,
    taken: nairaText(row.taken),
    returned: nairaText(row.returned),
  }))
}

export async function loadDebitFaults(pool: pg.Pool): Promise<Faults | null> {
  const { rows } = await pool.query<{ debit_faults: Faults | null }>('select debit_faults from state')
  return rows[0]?.debit_faults ?? null
}
export async function saveDebitFaults(pool: pg.Pool, faults: Faults | null): Promise<void> {
  await pool.query('update state set debit_faults = $1', [faults === null ? null : JSON.stringify(faults)])
}
