// Refunds as a merchant sees them: one, and lists of them.

import { findBank } from '@cowrie/contract/bank/banks'
import { nairaNumber } from '@cowrie/contract/kit/money'
import { pageAsked, toPage } from '@cowrie/contract/kit/paging'
import type { QueryOf, ReplyOf } from '@cowrie/contract/kit/spec'
import type { getRefund, listRefunds } from '@cowrie/contract/payouts/refunds'
import type { Merchant } from '#core/access/merchants.ts'
import { readAs } from '#core/cells/cells.ts'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { MOMENT_FORMS, momentOrNull, slashedText } from '#kit/times.ts'
import * as sql from './refunds.sql.ts'

export type RefundRecord = ReplyOf<typeof getRefund>

export const presentRefund = (row: sql.RefundRow): RefundRecord => ({
  refundReference: row.refund_reference,
  transactionReference: row.transaction_reference,
  refundReason: row.reason,
  customerNote: row.customer_note,
  refundAmount: nairaNumber(row.kobo),
  refundType: row.type,
  refundStatus: row.status,
  refundStrategy: row.strategy,
  ...(row.authorize_by === null
    ? {}
    : { authorization: row.approval === 'PERSON' ? ('APPROVAL' as const) : ('CODE_SENT' as const) }),
  comment: row.comment,
  createdOn: slashedText(row.created_at),
  reference: row.reference,
  ...(row.completed_at === null ? {} : { completedOn: slashedText(row.completed_at) }),
  fee: nairaNumber(row.fee_kobo),
  currencyCode: 'NGN',
  ...presentDestination(row),
})

function presentDestination(row: sql.RefundRow): Partial<RefundRecord> {
  const { bank_code, account_number, account_name, masked_pan } = row
  if (bank_code === null || account_number === null || account_name === null)
    return masked_pan === null ? {} : { maskedPan: masked_pan }
  return {
    destinationAccountNumber: row.strategy === 'MERCHANT_WALLET' ? account_number : `******${account_number.slice(-4)}`,
    destinationAccountName: account_name,
    destinationBankCode: bank_code,
    destinationBankName: findBank(bank_code)?.name ?? bank_code,
  }
}

export const findRefund = async (ctx: Ctx, merchant: Merchant, reference: string): Promise<RefundRecord> =>
  presentRefund(
    (await readAs(ctx, merchant.cell, merchant.id, (r) => sql.find(r, merchant.id, reference))) ??
      fail('REFUND_NOT_FOUND'),
  )

export async function listRefundRecords(
  ctx: Ctx,
  merchant: Merchant,
  query: QueryOf<typeof listRefunds>,
): Promise<ReplyOf<typeof listRefunds>> {
  const cut = pageAsked(query)
  const filter = {
    transactionReference: query.transactionReference ?? null,
    status: query.refundStatus ?? null,
    from: momentOrNull('from', query.from, MOMENT_FORMS),
    to: momentOrNull('to', query.to, MOMENT_FORMS),
  }
  const { rows, total } = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.list(r, merchant.id, filter, cut))
  return toPage(rows.map(presentRefund), cut, total)
}
