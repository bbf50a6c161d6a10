// What the bank or the issuer says of a refund's order, applied in the same transaction: paid, not paid, or
// reversed.
// Books: paid: clearing → bank and fee income (REFUND). Not paid: clearing → wallet (REFUND_RELEASE).
// Reversed: bank and fee income → wallet (REFUND_REVERSAL). To a card it is what the acquirer of its charge
// owes us, in place of the bank: it keeps back what it refunds. The refund is FAILED then, and its amount can
// be refunded again.
import { failedRefund, successfulRefund } from '@cowrie/contract/events/payouts'
import { nairaNumber } from '@cowrie/contract/kit/money'
import { refundMachine } from '@cowrie/contract/payouts/refunds'
import type { Merchant } from '#core/access/merchants.ts'
import { cellById } from '#core/cells/cells.ts'
import { withIds } from '#core/cells/with-ids.ts'
import { announceAll, eventBody } from '#core/events.ts'
import type { EndedOrder, OrderEnds } from '#core/feature.ts'
import { accountId, bankAccount, cardReceivable, houseAccount } from '#core/ledger/chart.ts'
import { type Entry, lockWallets } from '#core/ledger/ledger.ts'
import { mover } from '#core/ledger/move.ts'
import { toActivity } from '#features/wallets/wallets/wallets.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { FIRST_CONNECTOR_ID } from '#kit/ids.ts'
import { unpaddedText } from '#kit/times.ts'
import * as sql from './refunds.sql.ts'
import { activityWords } from './refunds.ts'

export const moveRefunds = mover(refundMachine, {
  name: 'refund',
  set: { comment: 'text', completed_at: 'timestamptz', authorize_by: 'timestamptz', approval: 'text' },
  versioned: true,
})

const COMPLETED = 'Transaction refund completed successfully.'
export const NOT_AUTHORISED = 'The refund was not authorised in time.'
export const NOT_APPROVED_IN_TIME = 'The refund was not approved in time.'

type On = 'complete' | 'fail' | 'reverse'
const FROM = { complete: 'PENDING', fail: 'PENDING', reverse: 'COMPLETED' } as const
const KINDS = { complete: 'REFUND', fail: 'REFUND_RELEASE', reverse: 'REFUND_REVERSAL' } as const

function entriesOf(row: sql.RefundRow, on: On, connector: number): Entry[] {
  const [wallet, clearing] = [accountId(row.merchant_id, 'WALLET'), accountId(row.merchant_id, 'CLEARING')]
  const [bank, fees] = [
    row.charge_reference === null ? bankAccount(connector) : cardReceivable(connector),
    houseAccount('FEE_INCOME'),
  ]
  const whole = row.kobo + row.fee_kobo
  switch (on) {
    case 'complete':
      return [
        { account: clearing, kobo: -whole },
        { account: bank, kobo: row.kobo },
        { account: fees, kobo: row.fee_kobo },
      ]
    case 'fail':
      return [
        { account: clearing, kobo: -whole },
        { account: wallet, kobo: whole },
      ]
    case 'reverse':
      return [
        { account: bank, kobo: -row.kobo },
        { account: fees, kobo: -row.fee_kobo },
        { account: wallet, kobo: whole },
      ]
  }
}

/** The body of the event of the outcome. */
function bodyOf(row: sql.RefundRow, on: On, now: Date): { type: string; body: string } {
  const shared = {
    merchantReason: row.reason,
    transactionReference: row.transaction_reference,
    completedOn: unpaddedText(now),
    customerNote: row.customer_note,
    createdOn: unpaddedText(row.created_at),
    refundReference: row.refund_reference,
    refundAmount: nairaNumber(row.kobo),
  }
  return on === 'complete'
    ? { type: successfulRefund.type, body: eventBody(successfulRefund, { ...shared, refundStatus: 'COMPLETED' }) }
    : { type: failedRefund.type, body: eventBody(failedRefund, { ...shared, refundStatus: 'FAILED' }) }
}

type MoveIds = { readonly posting: bigint; readonly event: bigint }
function moveOf(row: sql.RefundRow, on: On, comment: string, ids: MoveIds, now: Date, connector = FIRST_CONNECTOR_ID) {
  return {
    on,
    id: row.id,
    merchantId: row.merchant_id,
    from: FROM[on],
    version: row.version,
    set: { comment, completed_at: now, authorize_by: null, approval: row.approval },
    post: {
      id: ids.posting,
      merchantId: row.merchant_id,
      kind: KINDS[on],
      object: 'refund',
      objectId: row.id,
      feeScheduleId: row.fee_schedule_id,
      entries: entriesOf(row, on, connector),
    },
    event: { id: ids.event, object: row.refund_reference, ...bodyOf(row, on, now) },
  }
}

/** What was returned to wallets, reported with the balance before and after; the wallets are locked
 *  already. */
type Returned = { readonly row: sql.RefundRow; readonly merchant: Merchant; readonly id: bigint }
async function announceReturns(t: Tx, balances: Map<bigint, bigint>, returned: readonly Returned[]): Promise<void> {
  await announceAll(
    t,
    returned.map(({ row, merchant, id }) => {
      const wallet = accountId(row.merchant_id, 'WALLET')
      const before = balances.get(wallet) ?? fail('INTERNAL', {}, `wallet ${wallet} not found`)
      const after = before + row.kobo + row.fee_kobo
      balances.set(wallet, after)
      const movement = { id, objectId: row.id, version: row.version + 1, before, after }
      return toActivity(merchant, { ...movement, ...activityWords(row) }, t.now)
    }),
  )
}

const endWith =
  (on: On) =>
  async (ctx: Ctx, t: Tx, orders: readonly EndedOrder[]): Promise<void> => {
    const subjects = orders.map(({ subject }) => subject)
    const rows = new Map((await sql.byIds(t, subjects)).map((row) => [row.id, row]))
    const ended = (await withIds(ctx, t.cell, orders, 'posting', 'event', 'activity')).map(([order, ids]) => {
      const row = rows.get(order.subject) ?? fail('INTERNAL', {}, `bank order ${order.id} has no refund`)
      return { row, order, ids }
    })
    // Wallets first, in the order of their ids, as whoever accepts refunds does.
    const wallets = [...new Set(orders.map(({ merchant_id }) => accountId(merchant_id, 'WALLET')))]
    const balances = on === 'complete' ? null : await lockWallets(t, wallets)
    const moved = await moveRefunds(
      t,
      ended.map(({ row, order, ids }) =>
        moveOf(row, on, on === 'complete' ? COMPLETED : order.description, ids, t.now, order.connector),
      ),
    )
    if (moved.size !== ended.length)
      fail('INTERNAL', {}, `refunds ${ended.map(({ row }) => row.id).join(', ')}: state does not match the bank order`)
    if (balances)
      await announceReturns(
        t,
        balances,
        ended.map(({ row, order, ids }) => ({ row, merchant: order.merchant, id: ids.activity })),
      )
  }

/** Not authorised in time, or not approved: FAILED, and its money is free again. Under the lock of the wallet
 *  and of its row. */
export async function failUnordered(
  ctx: Ctx,
  t: Tx,
  merchant: Merchant,
  row: sql.RefundRow,
  why: string,
): Promise<void> {
  const [posting, event, id] = (await cellById(ctx, t.cell).takeIds(3)) as [bigint, bigint, bigint]
  const balances = await lockWallets(t, [accountId(row.merchant_id, 'WALLET')])
  const moved = await moveRefunds(t, [moveOf(row, 'fail', why, { posting, event }, t.now)])
  if (moved.size !== 1) fail('INTERNAL', {}, `refund ${row.id}: state changed despite row lock`)
  await announceReturns(t, balances, [{ row, merchant, id }])
}

export const refundEnds: OrderEnds = {
  paid: endWith('complete'),
  failed: endWith('fail'),
  reversed: endWith('reverse'),
}
