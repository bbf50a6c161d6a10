// The rows of refunds to cards. One changes only under its own lock; its money and its notices are written in
// the same database transaction. What is due later happens when it is next read, or when its notice is sent.
import type { CardRefundNotice } from '@cowrie/contract/bank/card-refund-connector'
import { nairaText } from '@cowrie/contract/kit/money'
import type pg from 'pg'
import { inTransaction } from '../kit/database.ts'
import type { PayoutNoticeStatus, PayoutStatus, Plan } from '../payouts/payouts.rules.ts'
import { REFUND_CODES, refundPlan, refundText, refusedWith, turnCode } from './refunds.rules.ts'

export type RefundOrder = {
  readonly sessionId: string
  readonly chargeReference: string
  readonly kobo: bigint
  readonly narration: string
}
/** Contents are null when it was barred before the issuer received it. */
export type CardRefund = {
  readonly sessionId: string
  readonly chargeReference: string | null
  readonly kobo: bigint | null
  readonly narration: string | null
  readonly status: PayoutStatus
  readonly code: string
  readonly asked: number
  readonly changedAt: Date
  readonly turnsTo: PayoutNoticeStatus | null
  readonly turnsAt: Date | null
}

const COLUMNS = `session_id as "sessionId", charge_reference as "chargeReference", kobo, narration, status, response_code as code, asked,
  changed_at as "changedAt", turns_to as "turnsTo", turns_at as "turnsAt"`

async function find(db: Pick<pg.Pool, 'query'>, sessionId: string, lock: boolean): Promise<CardRefund | null> {
  const text = `select ${COLUMNS} from card_refunds where session_id = $1 ${lock ? 'for update' : ''}`
  return (await db.query<CardRefund>(text, [sessionId])).rows[0] ?? null
}

const isDue = ({ turnsAt }: CardRefund, now: Date): boolean => turnsAt !== null && turnsAt <= now

/** The refund as it is now; null when the issuer never received it. */
export async function presentRefund(pool: pg.Pool, sessionId: string, now: Date): Promise<CardRefund | null> {
  const refund = await find(pool, sessionId, false)
  if (refund === null || !isDue(refund, now)) return refund
  return inTransaction(pool, async (client) => {
    const locked = await find(client, sessionId, true)
    return locked && turned(client, locked, now)
  })
}

/** Applies what is due; the caller holds the lock. */
async function turned(client: pg.PoolClient, refund: CardRefund, now: Date): Promise<CardRefund> {
  const { turnsTo, turnsAt } = refund
  if (turnsTo === null || turnsAt === null || turnsAt > now) return refund
  const { rows } = await client.query<CardRefund>(
    `update card_refunds set status = $2, response_code = $3, changed_at = $4, turns_to = null, turns_at = null
     where session_id = $1 returning ${COLUMNS}`,
    [refund.sessionId, turnsTo, turnCode(turnsTo), turnsAt],
  )
  const after = rows[0] ?? refund
  await book(client, after, turnsAt)
  return after
}

/** Money follows the status: it goes to the card on the way into SUCCESS and is reversed on the way into
 *  REVERSED. */
async function book(client: pg.PoolClient, after: CardRefund, at: Date): Promise<void> {
  if (after.status !== 'SUCCESS' && after.status !== 'REVERSED') return
  await client.query('insert into card_refund_money (session_id, kind, kobo, booked_at) values ($1, $2, $3, $4)', [
    ...[after.sessionId, after.status === 'SUCCESS' ? 'REFUNDED' : 'RETURNED', after.kobo, at],
  ])
}

/** The refund under an order that came again, counted; null when it came for the first time. */
export async function refundAskedAgain(pool: pg.Pool, sessionId: string, now: Date): Promise<CardRefund | null> {
  const text = `update card_refunds set asked = asked + 1 where session_id = $1 returning ${COLUMNS}`
  const refund = (await pool.query<CardRefund>(text, [sessionId])).rows[0]
  return refund === undefined || !isDue(refund, now) ? (refund ?? null) : presentRefund(pool, sessionId, now)
}

/** By the amount; but the refunds of a charge, under way and done, are never more than was taken for it. The
 *  charge is locked, so that they come one after the other. */
async function planned(client: pg.PoolClient, { chargeReference, kobo }: RefundOrder): Promise<Plan> {
  const { rows } = await client.query<{ kobo: bigint }>(
    `select kobo from card_charges where charge_reference = $1 and state = 'APPROVED' for update`,
    [chargeReference],
  )
  if (rows[0] === undefined) return refusedWith(REFUND_CODES.invalid)
  const { rows: sums } = await client.query<{ kobo: bigint }>(
    `select coalesce(sum(kobo), 0)::int8 as kobo from card_refunds
     where charge_reference = $1 and status in ('SUCCESS', 'PENDING')`,
    [chargeReference],
  )
  return (sums[0]?.kobo ?? 0n) + kobo > rows[0].kobo ? refusedWith(REFUND_CODES.tooMuch) : refundPlan(kobo)
}

export type Owed = { readonly id: bigint; readonly status: PayoutNoticeStatus; readonly now: boolean }
export type Made = { readonly plan: Plan; readonly owed: readonly Owed[] }

/** Makes the refund as its charge and amount say, with its money and its notices. */
export const insertRefund = (
  pool: pg.Pool,
  order: RefundOrder,
  now: Date,
  leaseSeconds: number,
): Promise<Made | 'known' | 'not received'> =>
  inTransaction(pool, async (client) => {
    const later = (ms: number): Date => new Date(now.getTime() + ms)
    const plan = await planned(client, order)
    if (plan.answer === 'not received') return 'not received'
    const { rows } = await client.query<CardRefund>(
      `insert into card_refunds (session_id, charge_reference, status, response_code, kobo, narration, asked, ordered_at, changed_at, turns_to, turns_at)
       values ($1, $2, $3, $4, $5, $6, 1, $7, $7, $8, $9) on conflict (session_id) do nothing returning ${COLUMNS}`,
      [
        ...[order.sessionId, order.chargeReference, plan.status, plan.code, order.kobo, order.narration, now],
        ...[plan.turn?.to ?? null, plan.turn === null ? null : later(plan.turn.afterMs)],
      ],
    )
    const made = rows[0]
    if (made === undefined) return 'known'
    await book(client, made, now)
    const owed: Owed[] = []
    for (const { status, afterMs } of plan.notices) {
      const { rows: notices } = await client.query<{ id: bigint }>(
        `insert into notices (card_refund_session_id, said, due_at, leased_until)
         values ($1, $2, $3, now() + make_interval(secs => $4)) returning id`,
        [order.sessionId, status, later(afterMs), afterMs === 0 ? leaseSeconds : 0],
      )
      for (const { id } of notices) owed.push({ id, status, now: afterMs === 0 })
    }
    return { plan, owed }
  })

/** What was not refunded yet never will be; answers the refund as it is then. */
export const barRefund = (pool: pg.Pool, sessionId: string, now: Date): Promise<CardRefund | null> =>
  inTransaction(pool, async (client) => {
    await client.query(
      `insert into card_refunds (session_id, status, response_code, asked, changed_at, barred_at)
       values ($1, 'FAILED', $2, 0, $3, $3) on conflict (session_id) do nothing`,
      [sessionId, REFUND_CODES.barred, now],
    )
    const found = await find(client, sessionId, true)
    const refund = found && (await turned(client, found, now))
    if (refund?.status !== 'PENDING') return refund
    // The notice that is due later would be wrong now.
    await client.query(`update notices set said = 'FAILED' where card_refund_session_id = $1 and taken_at is null`, [
      sessionId,
    ])
    const { rows } = await client.query<CardRefund>(
      `update card_refunds set status = 'FAILED', response_code = $2, changed_at = $3, barred_at = $3, turns_to = null, turns_at = null
       where session_id = $1 returning ${COLUMNS}`,
      [sessionId, REFUND_CODES.barred, now],
    )
    return rows[0] ?? null
  })

/** What a notice says. It may be out of date: a success that was reversed since was a success all the
 *  same. */
export const refundNoticeOf = (refund: CardRefund, status: PayoutNoticeStatus): CardRefundNotice => {
  const responseCode = status === refund.status ? refund.code : turnCode(status)
  const { sessionId, changedAt } = refund
  return { sessionId, status, responseCode, message: refundText(responseCode), at: changedAt.toISOString() }
}

export type BookedRefund = {
  readonly sessionId: string
  readonly chargeReference: string | null
  readonly amount: string | null
  readonly status: PayoutStatus
  readonly responseCode: string
  /** How often the order was received. */
  readonly asked: number
  /** All that was ever refunded for it, and all that was reversed. */
  readonly refunded: string
  readonly returned: string
}

/** One refund, those of a charge, or the latest. */
export async function listRefunds(
  pool: pg.Pool,
  which: { readonly sessionId: string | null; readonly chargeReference: string | null },
): Promise<BookedRefund[]> {
  const { rows } = await pool.query<CardRefund & { refunded: bigint; returned: bigint }>(
    `select ${COLUMNS},
       (select coalesce(sum(m.kobo), 0)::int8 from card_refund_money m
         where m.session_id = card_refunds.session_id and m.kind = 'REFUNDED') as refunded,
       (select coalesce(sum(m.kobo), 0)::int8 from card_refund_money m
         where m.session_id = card_refunds.session_id and m.kind = 'RETURNED') as "returned"
     from card_refunds where ($1::text is null or session_id = $1) and ($2::text is null or charge_reference = $2)
     order by ordered_at desc nulls last, session_id limit 1000`,
    [which.sessionId, which.chargeReference],
  )
  return rows.map((row) => ({
    sessionId: row.sessionId,
    chargeReference: row.chargeReference,
    amount: row.kobo === null ? null : nairaText(row.kobo),
    status: row.status,
    responseCode: row.code,
    asked: row.asked,
    refunded: nairaText(row.refunded),
    returned: nairaText(row.returned),
  }))
}
