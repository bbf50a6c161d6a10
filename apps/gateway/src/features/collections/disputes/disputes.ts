// Disputes: an acquirer reports that the payer of a card charge, or the payer's bank, wants the money back,
// and the operator's people see it.
//   OPENED → ANSWERED → WON | LOST | CLOSED, as the connector says; of two notices the one that happened
//     later counts
// Books: none. A notice moves no money: what a lost dispute costs is in the acquirer's settlement. Who waits:
// a person, until the day an answer is due.
import type { DisputeNotice } from '@cowrie/contract/bank/v2/disputes'
import type { ViewQueryOf, ViewReplyOf } from '@cowrie/contract/kit/act'
import { nairaText, parseNaira } from '@cowrie/contract/kit/money'
import type { listDisputes } from '@cowrie/contract/screens/work'
import { engineTx, readAll } from '#core/cells/cells.ts'
import { findCharge } from '#features/collections/cards/inquiry.ts'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import * as sql from './disputes.sql.ts'

const LISTED_MAX = 500

const momentOf = (text: string | undefined): Date | null => {
  const moment = new Date(text ?? '')
  return Number.isNaN(moment.getTime()) ? null : moment
}

/** False: the charge does not exist, or the connector that speaks did not make it. */
export async function onDispute(ctx: Ctx, notice: DisputeNotice, from: string): Promise<boolean> {
  const found = await findCharge(ctx, notice.chargeReference, from)
  if (!found) return false
  const { cell, charge } = found
  const { disputeReference: reference, state } = notice
  const kept = await engineTx(ctx, cell, (t) =>
    sql.keep(t, {
      connector: charge.connector,
      reference,
      merchantId: charge.merchant_id,
      transactionId: charge.transaction_id,
      chargeReference: notice.chargeReference,
      kobo: parseNaira(notice.amount) ?? fail('AMOUNT_INVALID', { field: 'amount' }),
      state,
      reasonCode: notice.reasonCode ?? null,
      reason: notice.reason ?? null,
      dueAt: momentOf(notice.dueAt),
      saidAt: momentOf(notice.at) ?? t.now,
    }),
  )
  if (kept)
    ctx.log.warn('a card charge is disputed, or a dispute has changed', { cell, detail: `${reference} ${state}` })
  return true
}

export const presentDisputes = (
  ctx: Ctx,
  cell: CellId,
  { all }: ViewQueryOf<typeof listDisputes>,
): Promise<ViewReplyOf<typeof listDisputes>> =>
  readAll(ctx, cell, async (r) => ({
    content: (await sql.list(r, all === 'true', LISTED_MAX)).map((row) => ({
      reference: row.reference,
      connector: row.connector,
      merchant: row.api_key,
      chargeReference: row.charge_reference,
      transactionReference: row.transaction_reference,
      amount: nairaText(row.kobo),
      state: row.state,
      reasonCode: row.reason_code,
      reason: row.reason,
      dueAt: row.due_at?.toISOString() ?? null,
      since: row.reported_at.toISOString(),
      changedAt: row.changed_at.toISOString(),
    })),
  }))
