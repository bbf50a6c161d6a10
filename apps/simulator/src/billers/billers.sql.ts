// The rows of the vends. One changes only under its own lock; what it costs is written in the same database
// transaction. What is due later happens when it is next read.
import { nairaText } from '@cowrie/contract/kit/money'
import type pg from 'pg'
import { inTransaction } from '../kit/database.ts'
import { CODES, codeOf, type Plan, type VendStatus } from './billers.rules.ts'

/** What is compared when an order comes again. */
export type Contents = {
  readonly productCode: string
  readonly customerId: string
  readonly kobo: bigint
  readonly payableKobo: bigint
}
export type Order = Contents & { readonly sessionId: string; readonly validationReference: string | null }

/** Contents are null when it was barred before the biller received it. */
export type Vend = { readonly [Name in keyof Contents]: Contents[Name] | null } & {
  readonly sessionId: string
  readonly status: VendStatus
  readonly code: string
  readonly asked: number
  readonly turnsTo: 'SUCCESS' | 'FAILED' | null
  readonly turnsAt: Date | null
}

const COLUMNS = `session_id as "sessionId", status, response_code as code, product_code as "productCode", customer_id as "customerId",
  kobo, payable_kobo as "payableKobo", asked, turns_to as "turnsTo", turns_at as "turnsAt"`

/** The vend as it is now; null when the biller never received it. */
export const present = (pool: pg.Pool, sessionId: string, now: Date): Promise<Vend | null> =>
  inTransaction(pool, (client) => locked(client, sessionId, now))

async function locked(client: pg.PoolClient, sessionId: string, now: Date): Promise<Vend | null> {
  const text = `select ${COLUMNS} from vends where session_id = $1 for update`
  const vend = (await client.query<Vend>(text, [sessionId])).rows[0]
  return vend === undefined ? null : turned(client, vend, now)
}

/** Applies what is due; the caller holds the lock. */
async function turned(client: pg.PoolClient, vend: Vend, now: Date): Promise<Vend> {
  const { turnsTo, turnsAt } = vend
  if (turnsTo === null || turnsAt === null || turnsAt > now) return vend
  const { rows } = await client.query<Vend>(
    `update vends set status = $2, response_code = $3, turns_to = null, turns_at = null where session_id = $1
     returning ${COLUMNS}`,
    [vend.sessionId, turnsTo, codeOf(turnsTo)],
  )
  const after = rows[0] ?? vend
  await charge(client, after, turnsAt)
  return after
}

/** Money follows the status: it is owed on the way into SUCCESS. */
async function charge(client: pg.PoolClient, vend: Vend, at: Date): Promise<void> {
  if (vend.status !== 'SUCCESS') return
  await client.query('insert into vend_charges (session_id, kobo, charged_at) values ($1, $2, $3)', [
    ...[vend.sessionId, vend.payableKobo, at],
  ])
}

/** The vend under an order that came again, counted; null when it came for the first time. */
export const askedAgain = (pool: pg.Pool, sessionId: string, now: Date): Promise<Vend | null> =>
  inTransaction(pool, async (client) => {
    await client.query('update vends set asked = asked + 1 where session_id = $1', [sessionId])
    return locked(client, sessionId, now)
  })

/** Makes the vend as planned, with its charge. False when its session was known already. */
export const insertVend = (pool: pg.Pool, order: Order, plan: Plan, now: Date): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const { rows } = await client.query<Vend>(
      `insert into vends (session_id, status, response_code, product_code, customer_id, kobo, payable_kobo, asked, ordered_at,
         turns_to, turns_at)
       values ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9, $10) on conflict (session_id) do nothing returning ${COLUMNS}`,
      [
        ...[order.sessionId, plan.status, plan.code, order.productCode, order.customerId, order.kobo],
        ...[order.payableKobo, now, plan.turn?.to ?? null],
        plan.turn === null ? null : new Date(now.getTime() + plan.turn.afterMs),
      ],
    )
    const made = rows[0]
    if (made === undefined) return false
    await charge(client, made, now)
    return true
  })

/** What was not delivered yet never will be; answers the vend as it is then. */
export const barVend = (pool: pg.Pool, sessionId: string, now: Date): Promise<Vend | null> =>
  inTransaction(pool, async (client) => {
    await client.query(
      `insert into vends (session_id, status, response_code, asked, barred_at) values ($1, 'FAILED', $2, 0, $3)
       on conflict (session_id) do nothing`,
      [sessionId, CODES.barred, now],
    )
    const vend = await locked(client, sessionId, now)
    if (vend?.status !== 'PENDING') return vend
    const { rows } = await client.query<Vend>(
      `update vends set status = 'FAILED', response_code = $2, barred_at = $3, turns_to = null, turns_at = null
       where session_id = $1 returning ${COLUMNS}`,
      [sessionId, CODES.barred, now],
    )
    return rows[0] ?? null
  })

export type BookedVend = {
  readonly sessionId: string
  readonly productCode: string | null
  readonly customerId: string | null
  readonly amount: string | null
  readonly status: VendStatus
  readonly responseCode: string
  /** How often the order was received. */
  readonly asked: number
  /** What we owe for it. */
  readonly charged: string
}

export async function listVends(
  pool: pg.Pool,
  which: { readonly sessionId: string | null; readonly customerId: string | null },
): Promise<BookedVend[]> {
  const { rows } = await pool.query<Vend & { charged: bigint }>(
    `select ${COLUMNS}, coalesce((select c.kobo from vend_charges c where c.session_id = vends.session_id), 0)::int8 as charged
     from vends where ($1::text is null or session_id = $1) and ($2::text is null or customer_id = $2)
     order by ordered_at desc nulls last, session_id`,
    [which.sessionId, which.customerId],
  )
  return rows.map((row) => ({
    sessionId: row.sessionId,
    productCode: row.productCode,
    customerId: row.customerId,
    amount: row.kobo === null ? null : nairaText(row.kobo),
    status: row.status,
    responseCode: row.code,
    asked: row.asked,
    charged: nairaText(row.charged),
  }))
}
