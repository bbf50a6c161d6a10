// Receipts: a customer is mailed what was paid or refunded, and a merchant what it sent out, each once.
//   event numbered → [worker, in batches] receipt due → mailed | refused by its server | too old
// Nothing is done in the transaction of a payment: a worker follows the events of each merchant who wants
// receipts, up to a place that moves with the rows it makes, in one transaction. So whoever dies leaves
// either both or neither. What stands on a receipt is read from the event when it is sent; of a payer who was
// erased meanwhile nothing is left to send. Books: none. Who waits: the customer.

import { successfulTransaction } from '@cowrie/contract/events/collections'
import { successfulDisbursement, successfulRefund } from '@cowrie/contract/events/payouts'
import type { Brand } from '@cowrie/contract/kit/brand'
import { DAY_MS } from '@cowrie/contract/kit/durations'
import type { EventData } from '@cowrie/contract/kit/spec'
import type { Merchants } from '#core/access/merchants.ts'
import { scheduleAll } from '#core/agenda.ts'
import { commitOne, engineTx, readAll } from '#core/cells/cells.ts'
import { type Letter, sendLetters } from '#features/events/mails/mails.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { paymentReceipt, payoutReceipt, type Receipt, refundReceipt } from './papers.ts'
import * as sql from './receipts.sql.ts'

export const SEND_RECEIPT = 'receipts.send'

const BATCH = 500
const MERCHANTS_AT_ONCE = 200
/** A receipt that comes days later helps nobody. */
const TOO_OLD_MS = 3 * DAY_MS
const KEPT_MS = 7 * DAY_MS

const PAYMENT = successfulTransaction.type
const REFUND = successfulRefund.type
const PAYOUT = successfulDisbursement.type

/** Customers of a live merchant get receipts unless it says otherwise; in the sandbox a merchant asks for
 *  them. */
export async function onJoin({ environment }: Ctx, t: Tx, merchantId: bigint): Promise<void> {
  if (environment === 'live') await sql.insertSettings(t, merchantId)
}

const typesOf = ({ payments, refunds, payouts }: sql.Place): string[] => [
  ...(payments ? [PAYMENT] : []),
  ...(refunds ? [REFUND] : []),
  ...(payouts ? [PAYOUT] : []),
]

/** Makes receipts of the events of one merchant that nobody has looked at; answers how many events that
 *  were. */
const follow = (ctx: Ctx, cell: CellId, merchantId: bigint): Promise<number> =>
  engineTx(ctx, cell, async (t) => {
    const place = await sql.lockPlace(t, merchantId)
    if (!place) return 0
    const events = await sql.listNext(t, merchantId, place.looked_at, BATCH, typesOf(place), PAYOUT)
    const last = events.at(-1)
    if (!last) return 0
    const wanted = events.filter((event) => event.wanted).map((event) => event.event_id)
    const fresh = wanted.length === 0 ? [] : await sql.insert(t, merchantId, wanted)
    await scheduleAll(
      t,
      fresh.map((subject) => ({ kind: SEND_RECEIPT, merchantId, subject, dueAt: t.now })),
    )
    await sql.advance(t, merchantId, last.number)
    return events.length
  })

/** Makes the receipts of a cell; every merchant is come to, however many events another has. */
export async function followEvents(ctx: Ctx, cell: CellId): Promise<void> {
  for (;;) {
    const behind = await readAll(ctx, cell, (r) => sql.listBehind(r, MERCHANTS_AT_ONCE))
    let done = 0
    for (const merchantId of behind) done += await follow(ctx, cell, merchantId)
    if (done > 0) ctx.wake(cell)
    if (done === 0) return
  }
}

/** Deletes those of more than a week ago; they were sent, refused or too old long since. */
export const forgetOld = (ctx: Ctx, cell: CellId): Promise<unknown> =>
  commitOne(ctx, cell, (t) => sql.forget(t, new Date(t.now.getTime() - KEPT_MS), 5_000))

function receiptOf(
  ctx: Ctx,
  row: sql.Unsent,
  merchant: { readonly email: string; readonly brand: Brand },
): Receipt | null {
  if (row.body === '' || ctx.clock.now().getTime() - row.created_at.getTime() > TOO_OLD_MS) return null
  const { eventData } = JSON.parse(row.body) as { eventData: unknown }
  if (row.type === PAYMENT)
    return paymentReceipt(ctx, merchant.brand, eventData as EventData<typeof successfulTransaction>, row.at)
  if (row.type === REFUND) return refundReceipt(merchant.brand, eventData as EventData<typeof successfulRefund>, row)
  return payoutReceipt(merchant.email, eventData as EventData<typeof successfulDisbursement>, row.at)
}

/** Nobody is reached at these: addresses that stand for one that was erased, or that cannot exist. */
const isNobody = (address: string): boolean => !address.includes('@') || /\.invalid$/i.test(address)

/** Sends those that are not sent yet. */
export async function sendReceipts(
  ctx: Ctx,
  merchants: Merchants,
  cell: CellId,
  eventIds: readonly bigint[],
): Promise<void> {
  const rows = await readAll(ctx, cell, (r) => sql.listUnsent(r, eventIds, REFUND))
  const letters: Letter[] = []
  for (const row of rows) {
    const merchant = await merchants.must(cell, row.merchant_id)
    const receipt = receiptOf(ctx, row, merchant)
    if (receipt && !isNobody(receipt.to)) letters.push({ id: row.event_id, merchantId: row.merchant_id, ...receipt })
    else await commitOne(ctx, cell, (t) => sql.setRefused(t, row.event_id))
  }
  await sendLetters(ctx, merchants, cell, letters, { sent: sql.setSent, refused: sql.setRefused })
}
