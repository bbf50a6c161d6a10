// The rows of the payouts. One changes only under its own lock; its money and its notices are written in the
// same database transaction. What is due later happens when it is next read, or when its notice is sent.
import type { PayoutNotice } from '@cowrie/contract/bank/connector'
import { nairaText } from '@cowrie/contract/kit/money'
import { payoutText } from '@cowrie/contract/payouts/payout-codes'
import type pg from 'pg'
import { inTransaction } from '../kit/database.ts'
import type { Faults } from '../kit/faults.ts'
import { CODES, codeOf, type PayoutNoticeStatus, type PayoutStatus, type Plan } from './payouts.rules.ts'

/** What is compared when an order comes again. */
export type Contents = {
  readonly kobo: bigint
  readonly destinationBankCode: string
  readonly destinationAccountNumber: string
  readonly destinationAccountName: string
  readonly narration: string
  readonly senderName: string
  readonly senderAccountNumber: string
}
export type Order = Contents & { readonly sessionId: string }

/** Contents are null when it was barred before the bank received it. */
export type Payout = { readonly [Name in keyof Contents]: Contents[Name] | null } & {
  readonly sessionId: string
  readonly status: PayoutStatus
  readonly code: string
  readonly asked: number
  readonly changedAt: Date
  readonly paidAt: Date | null
  readonly reversedAt: Date | null
  readonly turnsTo: PayoutNoticeStatus | null
  readonly turnsAt: Date | null
}

const COLUMNS = `session_id as "sessionId", status, response_code as code, kobo, narration, asked,
  destination_bank_code as "destinationBankCode", destination_account_number as "destinationAccountNumber",
  destination_account_name as "destinationAccountName", sender_name as "senderName",
  sender_account_number as "senderAccountNumber", changed_at as "changedAt", paid_at as "paidAt",
  reversed_at as "reversedAt", turns_to as "turnsTo", turns_at as "turnsAt"`

type Queryable = Pick<pg.Pool, 'query'>

async function find(db: Queryable, sessionId: string, lock: boolean): Promise<Payout | null> {
  const text = `select ${COLUMNS} from payouts where session_id = $1 ${lock ? 'for update' : ''}`
  return (await db.query<Payout>(text, [sessionId])).rows[0] ?? null
}

const isDue = ({ turnsAt }: Payout, now: Date): boolean => turnsAt !== null && turnsAt <= now

/** The payout as it is now; null when the bank never received it. */
export async function present(pool: pg.Pool, sessionId: string, now: Date): Promise<Payout | null> {
  const payout = await find(pool, sessionId, false)
  return payout === null || !isDue(payout, now)
    ? payout
    : inTransaction(pool, (client) => locked(client, sessionId, now))
}

async function locked(client: pg.PoolClient, sessionId: string, now: Date): Promise<Payout | null> {
  const payout = await find(client, sessionId, true)
  return payout === null ? null : turned(client, payout, now)
}

/** Applies what is due; the caller holds the lock. */
async function turned(client: pg.PoolClient, payout: Payout, now: Date): Promise<Payout> {
  const { turnsTo, turnsAt } = payout
  if (turnsTo === null || turnsAt === null || turnsAt > now) return payout
  const paidAt = turnsTo === 'SUCCESS' ? turnsAt : payout.paidAt
  const reversedAt = turnsTo === 'REVERSED' ? turnsAt : null
  const { rows } = await client.query<Payout>(
    `update payouts set status = $2, response_code = $3, paid_at = $4, reversed_at = $5, changed_at = $6,
       turns_to = null, turns_at = null
     where session_id = $1 returning ${COLUMNS}`,
    [payout.sessionId, turnsTo, codeOf(turnsTo), paidAt, reversedAt, turnsAt],
  )
  const after = rows[0] ?? payout
  await book(client, payout.status, after, turnsAt)
  return after
}

/** Money follows the status: it leaves on the way into SUCCESS and is returned on the way into REVERSED. */
async function book(client: pg.PoolClient, before: PayoutStatus | null, after: Payout, at: Date): Promise<void> {
  if (before === after.status || (after.status !== 'SUCCESS' && after.status !== 'REVERSED')) return
  await client.query('insert into payout_money (session_id, kind, kobo, booked_at) values ($1, $2, $3, $4)', [
    ...[after.sessionId, after.status === 'SUCCESS' ? 'PAID' : 'RETURNED', after.kobo, at],
  ])
}

/** The payout under an order that came again, counted; null when it came for the first time. */
export async function askedAgain(pool: pg.Pool, sessionId: string, now: Date): Promise<Payout | null> {
  const text = `update payouts set asked = asked + 1 where session_id = $1 returning ${COLUMNS}`
  const payout = (await pool.query<Payout>(text, [sessionId])).rows[0]
  return payout === undefined || !isDue(payout, now) ? (payout ?? null) : present(pool, sessionId, now)
}

/** A notice that a payout came with. One that is due now is inserted with a lease for the caller. */
export type Owed = {
  readonly id: bigint
  readonly sessionId: string
  readonly status: PayoutNoticeStatus
  readonly now: boolean
}

/** Makes the payout as planned, with its money and its notices. Null when its session was known already. */
export const insertPayout = (
  pool: pg.Pool,
  order: Order,
  plan: Plan,
  now: Date,
  leaseSeconds: number,
): Promise<readonly Owed[] | null> =>
  inTransaction(pool, async (client) => {
    const later = (ms: number): Date => new Date(now.getTime() + ms)
    const { rows } = await client.query<Payout>(
      `insert into payouts (session_id, status, response_code, kobo, destination_bank_code, destination_account_number,
         destination_account_name, narration, sender_name, sender_account_number, asked, ordered_at, changed_at, paid_at,
         turns_to, turns_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1, $11, $11, $12, $13, $14)
       on conflict (session_id) do nothing returning ${COLUMNS}`,
      [
        ...[order.sessionId, plan.status, plan.code, order.kobo, order.destinationBankCode],
        ...[order.destinationAccountNumber, order.destinationAccountName, order.narration],
        ...[order.senderName, order.senderAccountNumber, now, plan.status === 'SUCCESS' ? now : null],
        ...[plan.turn?.to ?? null, plan.turn === null ? null : later(plan.turn.afterMs)],
      ],
    )
    const made = rows[0]
    if (made === undefined) return null
    await book(client, null, made, now)
    await turned(client, made, now)
    const owed: Owed[] = []
    for (const { status, afterMs } of plan.notices) {
      const { rows: notices } = await client.query<{ id: bigint }>(
        `insert into notices (payout_session_id, payout_status, due_at, leased_until)
         values ($1, $2, $3, now() + make_interval(secs => $4)) returning id`,
        [order.sessionId, status, later(afterMs), afterMs === 0 ? leaseSeconds : 0],
      )
      for (const { id } of notices) owed.push({ id, sessionId: order.sessionId, status, now: afterMs === 0 })
    }
    return owed
  })

/** What was not paid yet never will be; answers the payout as it is then. */
export const barPayout = (pool: pg.Pool, sessionId: string, now: Date): Promise<Payout | null> =>
  inTransaction(pool, async (client) => {
    await client.query(
      `insert into payouts (session_id, status, response_code, asked, changed_at, barred_at)
       values ($1, 'FAILED', $2, 0, $3, $3) on conflict (session_id) do nothing`,
      [sessionId, CODES.barred, now],
    )
    const payout = await locked(client, sessionId, now)
    if (payout?.status !== 'PENDING') return payout
    // The notice that is due later would be wrong now.
    await client.query(
      `update notices set payout_status = 'FAILED' where payout_session_id = $1 and taken_at is null`,
      [sessionId],
    )
    const { rows } = await client.query<Payout>(
      `update payouts set status = 'FAILED', response_code = $2, changed_at = $3, barred_at = $3, turns_to = null,
         turns_at = null
       where session_id = $1 returning ${COLUMNS}`,
      [sessionId, CODES.barred, now],
    )
    return rows[0] ?? null
  })

/** What a notice says. It may be out of date: a success that was reversed since was a success all the
 *  same. */
export const noticeOf = (payout: Payout, status: PayoutNoticeStatus): PayoutNotice => {
  const responseCode = status === payout.status ? payout.code : codeOf(status)
  const at =
    (status === 'SUCCESS' ? payout.paidAt : status === 'REVERSED' ? payout.reversedAt : null) ?? payout.changedAt
  const { sessionId } = payout
  return { sessionId, status, responseCode, message: payoutText(responseCode), at: at.toISOString() }
}

export type BookedPayout = {
  readonly sessionId: string
  readonly amount: string | null
  readonly destinationBankCode: string | null
  readonly destinationAccountNumber: string | null
  readonly destinationAccountName: string | null
  readonly narration: string | null
  readonly status: PayoutStatus
  readonly responseCode: string
  /** How often the order was received. */
  readonly asked: number
  /** All that was ever paid for it, and all that was returned. */
  readonly paid: string
  readonly returned: string
  readonly paidAt: string | null
  readonly reversedAt: string | null
}

/** One payout, or the latest, or all. */
export async function listPayouts(
  pool: pg.Pool,
  which: { readonly sessionId: string | null; readonly limit: number | null },
): Promise<BookedPayout[]> {
  const { rows } = await pool.query<Payout & { paid: bigint; returned: bigint }>(
    `select ${COLUMNS},
       (select coalesce(sum(m.kobo), 0)::int8 from payout_money m
         where m.session_id = payouts.session_id and m.kind = 'PAID') as paid,
       (select coalesce(sum(m.kobo), 0)::int8 from payout_money m
         where m.session_id = payouts.session_id and m.kind = 'RETURNED') as returned
     from payouts where $1::text is null or session_id = $1
     order by ordered_at desc nulls last, session_id limit $2`,
    [which.sessionId, which.limit],
  )
  return rows.map((row) => ({
    sessionId: row.sessionId,
    amount: row.kobo === null ? null : nairaText(row.kobo),
    destinationBankCode: row.destinationBankCode,
    destinationAccountNumber: row.destinationAccountNumber,
    destinationAccountName: row.destinationAccountName,
    narration: row.narration,
    status: row.status,
    responseCode: row.code,
    asked: row.asked,
    paid: nairaText(row.paid),
    returned: nairaText(row.returned),
    paidAt: row.paidAt?.toISOString() ?? null,
    reversedAt: row.reversedAt?.toISOString() ?? null,
  }))
}

export async function loadFaults(pool: pg.Pool): Promise<Faults | null> {
  const { rows } = await pool.query<{ payout_faults: Faults | null }>('select payout_faults from state')
  return rows[0]?.payout_faults ?? null
}

export async function saveFaults(pool: pg.Pool, faults: Faults | null): Promise<void> {
  await pool.query('update state set payout_faults = $1', [faults === null ? null : JSON.stringify(faults)])
}
