// A payout, or an order for a refund or settlement, as its bank knows it: by which connector it went, and
// what the bank said of it beside its outcome (core/routing/details.ts).
import { showPayout } from '@cowrie/contract/bank/connector-routes'
import type { ViewQueryOf, ViewReplyOf } from '@cowrie/contract/kit/act'
import { nairaText } from '@cowrie/contract/kit/money'
import type { Merchant } from '#core/access/merchants.ts'
import { bindView } from '#core/acts/acts.ts'
import { numberIn } from '#core/acts/approved.ts'
import { readAll } from '#core/cells/cells.ts'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import * as sql from './payouts.sql.ts'

const shownPayout = (
  ctx: Ctx,
  merchant: Merchant,
  { kind = 'PAYOUT', reference }: ViewQueryOf<typeof showPayout>,
): Promise<ViewReplyOf<typeof showPayout>> =>
  readAll(ctx, merchant.cell, async (r) => {
    const key = kind === 'PAYOUT' ? reference : (numberIn(reference) ?? fail('WORK_NOT_FOUND'))
    const row = (await sql.findSent(r, merchant.id, kind, String(key))) ?? fail('WORK_NOT_FOUND')
    return {
      reference: row.reference,
      state: row.state,
      amount: nairaText(row.kobo),
      connector: row.session_id === null ? null : row.connector,
      sessionId: row.session_id,
      networkReference: row.network_reference,
      bankFee: row.fee_kobo === null ? null : nairaText(row.fee_kobo),
      reportedAt: row.reported_at?.toISOString() ?? null,
    }
  })

export const payoutView = bindView(showPayout, (ctx, { merchant, query }) =>
  shownPayout(ctx, merchant ?? fail('MERCHANT_UNKNOWN'), query),
)
