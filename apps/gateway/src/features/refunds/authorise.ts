// A refund that waits for its code: authorised, mailed another code, or ended by its timer.
//   CODE_SENT → [right code] ordered at the bank        CODE_SENT → [24 hours] FAILED
// Locks: the wallet, then the refund, as whoever accepts; so a code and the timer come one after the other.

import type { ReplyOf } from '@cowrie/contract/kit/spec'
import type { authoriseRefund, getRefund, resendRefundCode } from '@cowrie/contract/payouts/refunds'
import type { Merchant, Merchants } from '../../core/access/merchants.ts'
import type { Call } from '../../core/bind.ts'
import { engineTx, readAll } from '../../core/cells/cells.ts'
import type { StoreResponse } from '../../core/idempotency.ts'
import { accountId } from '../../core/ledger/chart.ts'
import { lockWallets } from '../../core/ledger/ledger.ts'
import type { Ctx, Tx } from '../../kit/ctx.ts'
import { fail } from '../../kit/fail.ts'
import type { CellId } from '../../kit/ids.ts'
import { issueCode, RESENT, replaceCode, type Subject, tryCode } from '../authorisation/codes.ts'
import { placeOrders } from '../bank-orders/bank-orders.ts'
import { owes, walletAndReceivable } from '../receivables/gate.ts'
import { limitToday } from '../wallets/day-limit.ts'
import { failUnauthorised, moveRefunds } from './outcome.ts'
import * as sql from './refunds.sql.ts'
import { IN_PROGRESS, mailRefundCode, orderOf, recordOf, subjectOf } from './refunds.ts'

type Shown = ReplyOf<typeof getRefund>
const subjectOfRow = (row: sql.RefundRow): Subject => subjectOf({ ...row, refundReference: row.refund_reference })

/** One that waits for its code, held together with its wallet. */
async function waiting(t: Tx, merchant: Merchant, reference: string): Promise<sql.RefundRow> {
  const locked = await lockWallets(t, walletAndReceivable(merchant.id))
  const row = (await sql.lock(t, merchant.id, reference)) ?? fail('REFUND_NOT_FOUND')
  if (row.authorize_by === null) fail('TRANSFER_NOT_WAITING', { state: row.status })
  return owes(locked, merchant.id) ? fail('RECEIVABLE_OPEN') : row
}

/** The code was right: from here on it is a refund like any other. */
async function authorised(ctx: Ctx, t: Tx, row: sql.RefundRow): Promise<sql.RefundRow> {
  const set = { comment: IN_PROGRESS, completed_at: null, authorize_by: null }
  const { id, merchant_id: merchantId, version } = row
  const moved = await moveRefunds(t, [{ on: 'authorise', id, merchantId, from: 'PENDING', version, set }])
  if (moved.size !== 1) fail('INTERNAL', {}, `refund ${id}: state changed despite row lock`)
  await placeOrders(ctx, t, [orderOf(row)])
  return { ...row, ...set, version: version + 1 }
}

export const createRefundCodes = (ctx: Ctx) => ({
  authorise: async (
    { merchant, params, body }: Call<typeof authoriseRefund>,
    store: StoreResponse<Shown>,
  ): Promise<Shown> => {
    const verdict = await engineTx(ctx, merchant.cell, async (t) => {
      const row = await waiting(t, merchant, params['refundReference'] ?? '')
      const count = await limitToday(t, merchant, row.created_at, row.kobo)
      const wrong = await tryCode(ctx, t, merchant, row.id, subjectOfRow(row), body.authorizationCode)
      if (wrong) return wrong
      await count()
      const record = recordOf(await authorised(ctx, t, row))
      await store(t, record)
      return record
    })
    ctx.wake(merchant.cell)
    if (verdict instanceof Error) throw verdict
    return verdict
  },

  resend: async (
    { merchant, params }: Call<typeof resendRefundCode>,
    store: StoreResponse<typeof RESENT>,
  ): Promise<typeof RESENT> => {
    const { row, issued } = await engineTx(ctx, merchant.cell, async (t) => {
      const found = await waiting(t, merchant, params['refundReference'] ?? '')
      const another = issueCode(ctx, merchant, subjectOfRow(found))
      await replaceCode(t, merchant.id, found.id, another)
      await store(t, RESENT)
      return { row: found, issued: another }
    })
    await mailRefundCode(ctx, merchant, row.refund_reference, issued)
    return RESENT
  },
})

/** What was not authorised in time. */
export async function expireRefunds(
  ctx: Ctx,
  merchants: Merchants,
  cell: CellId,
  ids: readonly bigint[],
): Promise<void> {
  for (const { merchant_id, refund_reference } of await readAll(ctx, cell, (r) => sql.byIds(r, ids))) {
    const merchant = await merchants.must(cell, merchant_id)
    await engineTx(ctx, cell, async (t) => {
      await lockWallets(t, [accountId(merchant_id, 'WALLET')])
      const row = await sql.lock(t, merchant_id, refund_reference)
      if (row && row.authorize_by !== null) await failUnauthorised(ctx, t, merchant, row)
    })
  }
  ctx.wake(cell)
}
