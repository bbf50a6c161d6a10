// A day at the bank in a test: the night after it, statements that are wrong on purpose, and the breaks that
// are left.
import pg from 'pg'
import { expect } from 'vitest'
import { createOrders } from '#features/bank/bank-orders/bank-orders.ts'
import { createCredits } from '#features/collections/credits/credits.ts'
import { createDebitBank } from '#features/collections/direct-debit/bank.ts'
import { createReservedCredits } from '#features/collections/reserved-accounts/credits.ts'
import { createPayouts } from '#features/payouts/disbursements/bank.ts'
import { refundEnds } from '#features/payouts/refunds/outcome.ts'
import type { Handlers } from '#features/settlements/reconciliation/follow.ts'
import { settlementEnds } from '#features/settlements/settlements/paying.ts'
import { localDay } from '#kit/times.ts'
import { advance, type CellName, type Harness } from '../../kit/harness.ts'

/** Moves the clock to a quarter to one, West Africa Time, of the next day: the statement of the day before is
 *  compared by then. */
export async function night(h: Harness, nights = 1): Promise<string> {
  const day = localDay(h.gateway.ctx.clock.now())
  const at = Date.parse(`${day}T23:45:00Z`) + (nights - 1) * 86_400_000
  await advance(h, Math.ceil((at - h.gateway.ctx.clock.now().getTime()) / 1000))
  return day
}

/** To the early afternoon of the next day: what a test does then is far from both midnights. */
export async function noon(h: Harness): Promise<void> {
  await night(h)
  await advance(h, 12 * 3600)
}

export async function fault(h: Harness, body: Record<string, unknown>): Promise<void> {
  const answer = await fetch(`${h.simulatorUrl}/api/statement-faults`, { method: 'POST', body: JSON.stringify(body) })
  expect(answer.status, await answer.text()).toBe(200)
}

export async function heal(h: Harness): Promise<void> {
  await fault(h, {})
}

/** Something in the bank's own database, that no message of it says. */
export const bankDatabase = async <T>(h: Harness, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: (h.databases as Record<string, string>)['simulator'] })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** What reconciliation calls to follow the bank, as the worker wires it. */
export const handlersOf = ({ ctx, merchants }: Harness['gateway']): Handlers => ({
  credits: createCredits(ctx, merchants, createReservedCredits(ctx, merchants)),
  payouts: createPayouts(ctx, merchants),
  orders: createOrders(ctx, merchants, { REFUND: refundEnds, SETTLEMENT: settlementEnds }),
  debits: createDebitBank(ctx, merchants),
})

export type ShownBreak = {
  class: string
  kind: string
  status: string
  session_id: string
  merchant_id: string
  bank_kobo: string | null
  our_kobo: string | null
  done: string | null
  day: string
}
/** All breaks of a cell, or those of one session, in the order they were opened. */
export const breaks = (h: Harness, sessionId: string | null = null, cell: CellName = '01'): Promise<ShownBreak[]> =>
  h.sql(
    cell,
    `select class, kind, status, session_id, merchant_id::text, bank_kobo::text, our_kobo::text, done, to_char(day, 'YYYY-MM-DD') as day
     from recon_breaks where $1::text is null or session_id = $1 order by opened_at, id`,
    [sessionId],
  )
export const brief = (found: readonly ShownBreak[]): string[] => found.map((b) => `${b.class} ${b.kind} ${b.status}`)
