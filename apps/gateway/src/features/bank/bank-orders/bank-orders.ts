// Bank orders: money that leaves to a bank account or back to a card because of something else, a refund or a
// settlement.
//   placed by its owner → AWAITING → [worker] SENT → PAID | FAILED        PAID → REVERSED, when the bank
//     takes it back
// Books and events are the owner's: it is called inside the transaction that moves the order, once for each
// end. Who waits: the bank, or a card's issuer. Locks: orders by id, then whatever the owner locks (wallets
// by id); whoever places an order locks no other order.

import { bankOrderMachine, type OrderPurpose } from '@cowrie/contract/bank/bank-orders'
import { nairaText } from '@cowrie/contract/kit/money'
import { INQUIRE_ORDER, SEND_ORDER } from '@cowrie/contract/kit/timers'
import type { Merchant, Merchants } from '#core/access/merchants.ts'
import { scheduleAll } from '#core/agenda.ts'
import { cellById, engineTx, readAll } from '#core/cells/cells.ts'
import { type Coalesced, coalesce, perCell } from '#core/coalesce.ts'
import { merged } from '#core/declarations.ts'
import { type OrderEnds, onePerProcess } from '#core/feature.ts'
import { mover } from '#core/ledger/move.ts'
import {
  type Answer,
  type BankNotice,
  createOutgoing,
  type End,
  keepUnsuspended,
  type Outgoing,
  toEnds,
} from '#core/outgoing.ts'
import { keepDetails } from '#core/routing/details.ts'
import { bankFor, routePayouts } from '#core/routing/routing.ts'
import { contradicted, holdReversal } from '#features/bank/breaks/breaks.ts'
import type { Ctx, Outcome, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { type CellId, payoutSessionId } from '#kit/ids.ts'
import * as sql from './bank-orders.sql.ts'

export type { NewOrder, OrderRow } from './bank-orders.sql.ts'

/** What an end means for those who ordered. */
export type Ends = Partial<Readonly<Record<OrderPurpose, OrderEnds>>>

/** Part of the transaction that holds the money; a worker sends them as soon as it is committed. Answers
 *  their ids. */
export async function placeOrders(ctx: Ctx, t: Tx, orders: readonly sql.NewOrder[]): Promise<bigint[]> {
  const ids = await cellById(ctx, t.cell).takeIds(orders.length)
  if (orders.length === 0) return ids
  await sql.insert(t, ids, orders, 'Transaction processing in progress')
  await scheduleAll(
    t,
    orders.map(({ merchantId }, at) => ({ kind: SEND_ORDER, merchantId, subject: ids[at] as bigint, dueAt: t.now })),
  )
  return ids
}

const moveOrders = mover(bankOrderMachine, {
  name: 'bank_order',
  set: {
    description: 'text',
    session_id: 'text',
    connector: 'smallint',
    question_at: 'timestamptz',
    completed_at: 'timestamptz',
  },
})

// ---- ends

const idsOf = (rows: readonly { readonly id: bigint }[]): string => rows.map(({ id }) => id).join(', ')

type Ending = { readonly id: bigint; readonly merchant: Merchant; readonly ends: readonly End[] }

const ACTIONS = {
  succeed: { on: 'pay', from: 'SENT', to: 'PAID', tells: 'paid' },
  fail: { on: 'fail', from: 'SENT', to: 'FAILED', tells: 'failed' },
  reverse: { on: 'reverse', from: 'PAID', to: 'REVERSED', tells: 'reversed' },
} as const

/** Several orders come to their ends in one transaction. What does not fit the state of an order changes
 *  nothing. */
async function endAll(ctx: Ctx, t: Tx, ends: Ends, endings: readonly Ending[]): Promise<void> {
  const ids = endings.map(({ id }) => id)
  const rows = new Map((await sql.lock(t, ids)).map((row) => [row.id, row]))
  for (const name of ['succeed', 'fail', 'reverse'] as const) {
    const { on, from, to, tells } = ACTIONS[name]
    const now = endings.flatMap(({ id, merchant, ends: said }) => {
      const [row, end] = [rows.get(id), said.find((one) => one.on === name)]
      if (row?.status !== from || !end) return []
      const after = { status: to, version: row.version + 1, question_at: null, completed_at: t.now }
      return [{ ...row, ...after, description: end.description, merchant }]
    })
    if (now.length === 0) continue
    const moved = await moveOrders(
      t,
      now.map(({ id, merchant_id, description, session_id, connector, question_at, completed_at }) => {
        const set = { description, session_id, connector, question_at, completed_at }
        return { on, id, merchantId: merchant_id, from, set }
      }),
    )
    if (moved.size !== now.length) fail('INTERNAL', {}, `bank orders ${idsOf(now)}: state changed despite row locks`)
    for (const row of now) rows.set(row.id, row)
    for (const [purpose, own] of Map.groupBy(now, (row) => row.purpose)) {
      const owner = ends[purpose] ?? fail('INTERNAL', {}, `nobody places orders for ${purpose}`)
      await owner[tells](ctx, t, own)
    }
  }
}

/** Each kind of end has a transaction of its own: an owner that books payments touches clearing accounts
 *  only, one that gives money back takes the wallet first, and both in one would lock against each other. A
 *  reversal that overtakes its success is the exception, because nobody would remember the second half. */
const kindOf = ({ ends }: Ending): string => ends.at(-1)?.on ?? 'none'
async function endTogether(ctx: Ctx, cell: CellId, ends: Ends, endings: readonly Ending[]): Promise<undefined[]> {
  for (const sameKind of Map.groupBy(endings, kindOf).values())
    await engineTx(ctx, cell, (t) => endAll(ctx, t, ends, sameKind))
  ctx.wake(cell)
  return endings.map(() => undefined)
}

/** Applies, in the caller's transaction, an outcome that was confirmed in another way than by the
 *  connector. */
export async function endOrder(ctx: Ctx, t: Tx, ends: Ends, merchant: Merchant, id: bigint, end: End): Promise<void> {
  const [row] = await sql.lock(t, [id])
  if (row?.merchant_id !== merchant.id || row.status !== 'SENT')
    fail('WRONG_STATE', {}, `bank order ${id} is not under way`)
  await endAll(ctx, t, ends, [{ id, merchant, ends: [end] }])
}

// ---- sending and asking

/** What orders are sent and ended with in one process: ends of a cell that come together share its queue. */
type Sender = {
  readonly ctx: Ctx
  readonly merchants: Merchants
  readonly queue: (cell: CellId, ending: Ending) => Promise<void>
}

export type Orders = Outgoing & { readonly ends: Ends }

export function createOrders(ctx: Ctx, merchants: Merchants, ends: Ends): Orders {
  const queue = perCell(
    ctx.cells.keys(),
    (cell): Coalesced<Ending, void> =>
      coalesce({
        name: 'order-outcomes',
        key: ({ id }) => String(id),
        run: (endings) => endTogether(ctx, cell, ends, endings),
      }),
  )
  const sender = { ctx, merchants, queue }
  const outgoing = createOutgoing<sql.OrderRow>(ctx, {
    inquiry: INQUIRE_ORDER,
    rows: sql.rows,
    ask: (bank, question, row) => (isToCard(row) ? bank.inquireCardRefund(question) : bank.inquirePayout(question)),
    bar: (bank, question, row) => (isToCard(row) ? bank.barCardRefund(question) : bank.barPayout(question)),
    isPending: ({ status }) => status === 'SENT',
    claim: (cell, ids, questionAt) => claim(ctx, cell, ids, questionAt),
    sendOne: (cell, row) => send(sender, cell, row),
    conclude: (cell, row, outcome) => conclude(sender, cell, row, outcome),
    onNotice: (cell, row, notice, shown) => takeNotice(sender, cell, row, notice, shown),
  })
  return { ...outgoing, ends }
}

export const sharedOrders = onePerProcess(({ ctx, merchants, features }) =>
  createOrders(
    ctx,
    merchants,
    merged(
      'the purpose of bank orders',
      features.map((feature) => feature.orderEnds ?? {}),
    ),
  ),
)

const isToCard = ({ charge_reference }: sql.OrderRow): boolean => charge_reference !== null

/** A refund to a card goes where its charge was made. */
async function routeAll(ctx: Ctx, t: Tx, rows: readonly sql.OrderRow[]): Promise<number[]> {
  const payouts = rows.filter((row) => !isToCard(row))
  const routed = await routePayouts(
    ctx,
    t,
    payouts.map(({ bank_code, kobo }) => ({ bankCode: bank_code ?? '', kobo })),
  )
  const byId = new Map(payouts.map(({ id }, at) => [id, routed[at]]))
  return rows.map(({ id, connector }) => byId.get(id) ?? connector)
}

async function claim(
  ctx: Ctx,
  cell: CellId,
  ids: readonly bigint[],
  questionAt: (now: Date) => Date,
): Promise<sql.OrderRow[]> {
  return engineTx(ctx, cell, async (t) => {
    const question_at = questionAt(t.now)
    const awaiting = (await sql.lock(t, ids)).filter((row) => row.status === 'AWAITING')
    const waiting = await keepUnsuspended(t, awaiting, SEND_ORDER)
    const connectors = await routeAll(ctx, t, waiting)
    const rows = waiting.map((row, at) => ({
      ...row,
      connector: connectors[at] ?? row.connector,
      session_id: payoutSessionId(t.institution, cell, t.now, row.id),
      question_at,
    }))
    if (rows.length === 0) return []
    const moved = await moveOrders(
      t,
      rows.map(({ id, merchant_id, description, session_id, connector }) => {
        const set = { description, session_id, connector, question_at, completed_at: null }
        return { on: 'send' as const, id, merchantId: merchant_id, from: 'AWAITING' as const, set }
      }),
    )
    if (moved.size !== rows.length) fail('INTERNAL', {}, `bank orders ${idsOf(rows)}: state changed despite row locks`)
    await scheduleAll(
      t,
      rows.map(({ id, merchant_id }) => ({
        kind: INQUIRE_ORDER,
        merchantId: merchant_id,
        subject: id,
        dueAt: question_at,
      })),
    )
    return rows
  })
}

async function send(sender: Sender, cell: CellId, row: sql.OrderRow): Promise<unknown> {
  const { ctx, merchants } = sender
  const merchant = await merchants.must(cell, row.merchant_id)
  const sessionId = row.session_id ?? fail('INTERNAL', {}, `bank order ${row.id} has no session id`)
  const shared = { sessionId, amount: nairaText(row.kobo), narration: row.narration }
  const { charge_reference: chargeReference } = row
  const bank = await bankFor(ctx, cell, row.connector)
  const outcome = await (chargeReference === null
    ? bank.sendPayout({
        ...shared,
        destinationBankCode: row.bank_code ?? '',
        destinationAccountNumber: row.account_number ?? '',
        destinationAccountName: row.account_name ?? '',
        senderName: merchant.name,
        senderAccountNumber: merchant.wallet.accountNumber,
      })
    : bank.sendCardRefund({ ...shared, chargeReference, merchantName: merchant.name }))
  return conclude(sender, cell, row, outcome)
}

async function conclude(
  { ctx, merchants, queue }: Sender,
  cell: CellId,
  row: sql.OrderRow,
  outcome: Outcome<Answer>,
): Promise<boolean> {
  if (!isToCard(row)) await keepDetails(ctx, cell, row, outcome)
  const ends = toEnds(outcome)
  if (ends.length > 0) await queue(cell, { id: row.id, merchant: await merchants.must(cell, row.merchant_id), ends })
  return ends.length > 0
}

async function takeNotice(
  sender: Sender,
  cell: CellId,
  row: sql.OrderRow,
  notice: BankNotice,
  shown: boolean,
): Promise<void> {
  const { sessionId, status } = notice
  const about = {
    merchantId: row.merchant_id,
    connector: row.connector,
    object: row.purpose.toLowerCase(),
    reference: String(row.subject),
    kind: isToCard(row) ? 'CARD_REFUND' : 'PAYOUT',
    sessionId,
    kobo: row.kobo,
  }
  // What goes back to a card is on no statement of a bank.
  const isReversal = row.status === 'PAID' && status === 'REVERSED' && !isToCard(row)
  if (isReversal && !shown && (await holdReversal(sender.ctx, cell, about))) return
  await conclude(sender, cell, row, { kind: 'yes', value: notice })
  await contradicted(sender.ctx, cell, { ...about, ours: row.status, said: status })
}

/** Of a merchant's order under way; null when there is none. */
export async function findSentOrder(
  ctx: Ctx,
  cell: CellId,
  merchantId: bigint,
  id: bigint,
): Promise<sql.OrderRow | null> {
  const [row] = await readAll(ctx, cell, (r) => sql.rows.byIds(r, [id]))
  return row?.merchant_id === merchantId && row.status === 'SENT' ? row : null
}
