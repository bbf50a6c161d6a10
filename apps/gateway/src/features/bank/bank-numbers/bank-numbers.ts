// Numbers of banks: account numbers that a bank issues, kept in stock before a payer needs one.
//   few are left → those that nobody paid to come back after hours, more are ordered (committed) → [bank] →
//     in stock → taken by a process, offered to a payer (core/routing/stock.ts) → quarantine → taken again
// Books: none. An order has a reference of its own and is repeated until it is answered: the bank answers it
// with the same numbers. Who waits: the order, for the bank; a payer is given another bank's number
// meanwhile.
import { NUMBERS_MAX, type NumbersAnswer } from '@cowrie/contract/bank/v2/connectors'
import { engineTx, readAll } from '#core/cells/cells.ts'
import { restedAt } from '#core/cells/numbers.ts'
import { bankFor } from '#core/routing/routing.ts'
import { enrolled } from '#core/routing/statement-days.ts'
import { putBack } from '#core/routing/stock.sql.ts'
import { VALID_MS } from '#core/routing/stock.ts'
import { randomHex } from '#kit/crypto.ts'
import type { Connector, Ctx, Outcome } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import * as sql from './bank-numbers.sql.ts'

const PUT_BACK_BATCH = 2_000

/** Whether so few may be taken that more are needed. */
async function isLow(ctx: Ctx, cell: CellId, connector: number): Promise<boolean> {
  const { closedBefore } = restedAt(ctx.clock.now(), ctx)
  const validUntil = new Date(ctx.clock.now().getTime() + VALID_MS)
  const low = ctx.numbersStock
  return (await readAll(ctx, cell, (r) => sql.countFree(r, connector, closedBefore, validUntil, low))) < low
}

/** Numbers that were given out, that nobody ever paid to, and that have rested: a stranger who opens payments
 *  and leaves them does not make us order without end. */
export async function putUnpaidBack(ctx: Ctx, cell: CellId, connector: number): Promise<void> {
  for (let put = PUT_BACK_BATCH; put === PUT_BACK_BATCH; )
    put = await engineTx(ctx, cell, (t) => putBack(t, connector, restedAt(t.now, ctx), PUT_BACK_BATCH))
}

/** What is to be asked for now: an order that was not answered yet, or a new one; null: there are enough. */
async function orderNow(ctx: Ctx, cell: CellId, connector: number): Promise<sql.OrderRow | null> {
  const open = await readAll(ctx, cell, (r) => sql.openOrder(r, connector))
  if (open !== null || !(await isLow(ctx, cell, connector))) return open
  await putUnpaidBack(ctx, cell, connector)
  if (!(await isLow(ctx, cell, connector))) return null
  const reference = `${cell}-${randomHex(16)}`
  await engineTx(ctx, cell, (t) => sql.insertOrder(t, { reference, connector, count: NUMBERS_MAX }))
  return readAll(ctx, cell, (r) => sql.openOrder(r, connector))
}

/** Answers that say the order will never be taken. Any other refusal (a signature not taken, too many
 *  requests) says nothing of it. */
const REFUSES: ReadonlySet<number> = new Set([400, 409, 422])
const isOver = (order: sql.OrderRow, answer: Outcome<NumbersAnswer>): boolean =>
  (answer.kind === 'no' && REFUSES.has(answer.status)) ||
  (answer.kind === 'yes' && answer.value.numbers.length >= order.count)

/** Answers whether the order was filled, so that another may follow. */
async function orderFrom(ctx: Ctx, cell: CellId, one: Connector, connector: number): Promise<boolean> {
  const order = await orderNow(ctx, cell, connector)
  if (order === null) return false
  const { reference, count } = order
  const bank = await bankFor(ctx, cell, connector)
  const answer = await bank.numbers({ reference, count, accountName: ctx.institution.accountName })
  if (answer.kind === 'no')
    ctx.log.error('a bank refused an order of account numbers', { cell, detail: `${one.name}: ${answer.why}` })
  await engineTx(ctx, cell, async (t) => {
    if (answer.kind === 'yes') await sql.keep(t, connector, answer.value.numbers)
    if (isOver(order, answer)) await sql.endOrder(t, reference)
  })
  return answer.kind === 'yes' && isOver(order, answer)
}

/** A large stock takes several orders. One that is not filled yet is asked for again the next time. */
async function refillFrom(ctx: Ctx, cell: CellId, one: Connector): Promise<void> {
  const connector = await enrolled(ctx, cell, one)
  for (let ordered = 0; ordered <= ctx.numbersStock; ordered += NUMBERS_MAX)
    if (!(await orderFrom(ctx, cell, one, connector))) return
}

/** Orders numbers where few are left. */
export async function refill(ctx: Ctx, cell: CellId): Promise<void> {
  for (const one of ctx.connectors.all) if (one.issues()) await refillFrom(ctx, cell, one)
}
