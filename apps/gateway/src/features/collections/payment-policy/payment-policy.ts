// Payment policy: what a merchant wants done with mismatched payments, and the verdict on each credit.
//   exact, or within the tolerance → counted      less, more → counted, sent back or held      twice, late,
//     barred → sent back or held
// A policy is a dated row; the newest is in force, and is remembered with the merchant. Who waits: nobody.

import {
  DEFAULT_POLICY,
  type getPaymentPolicy,
  isBankCode,
  type PaymentPolicy,
  payerKey,
  type putPaymentPolicy,
  TOLERANCE_MAX_KOBO,
  toleranceFor,
} from '@cowrie/contract/collections/payment-policy'
import type { RejectionReason } from '@cowrie/contract/events/collections'
import { nairaNumber, parseNaira } from '@cowrie/contract/kit/money'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import { payableKobo, type Quoted } from '#core/access/fees.ts'
import type { Merchant, Merchants } from '#core/access/merchants.ts'
import { cellById, readAs, tx } from '#core/cells/cells.ts'
import type { StoreResponse } from '#core/idempotency.ts'
import type { Call } from '#core/serving.ts'
import { isOpen, type Payable } from '#features/collections/transactions/status.ts'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import * as sql from './payment-policy.sql.ts'

// ---- the verdict

export type Counted = {
  readonly on: 'pay' | 'payLess' | 'payMore' | 'topUp' | 'topUpAll' | 'topUpMore'
  /** Whether no further money is taken. */
  readonly closes: boolean
  /** The tolerance by which a difference was forgiven; 0 where there was none. */
  readonly toleranceKobo: bigint
}
export type Suspended = { readonly reason: RejectionReason; readonly next: PaymentPolicy['extra'] }

const COMPLETED: ReadonlySet<string> = new Set(['PAID', 'PARTIALLY_PAID', 'OVERPAID'])

/** A transaction that took what it could get until its time was over has expired, for the sender of more. */
function whyClosed(row: Payable): RejectionReason {
  if (row.status === 'CANCELLED') return 'TRANSACTION_CANCELLED'
  const partly = row.status === 'PARTIALLY_PAID'
  const ranOut = partly && (row.closed_at === null || row.closed_at >= row.expires_at)
  // A part never closes an invoice: before its time somebody has cancelled it.
  if (partly && row.product_type === 'INVOICE' && !row.flagged && !ranOut) return 'TRANSACTION_CANCELLED'
  return COMPLETED.has(row.status) && !ranOut ? 'TRANSACTION_COMPLETED' : 'TRANSACTION_EXPIRED'
}

const counted = (on: Counted['on'], closes = true, toleranceKobo = 0n): Counted => ({ on, closes, toleranceKobo })

/** What is done with a transfer. */
export function judge(
  row: Payable & Pick<Quoted, 'quoted_fee_kobo'>,
  payer: { readonly bankCode: string; readonly accountNumber: string },
  paid: bigint,
  { policy, barred, suspended = false }: Pick<Merchant, 'policy' | 'barred'> & Partial<Pick<Merchant, 'suspended'>>,
  now: Date,
): Counted | Suspended {
  if (suspended) return { reason: 'MERCHANT_SUSPENDED', next: 'RETURN' }
  if (barred.size > 0 && barred.has(payerKey(payer))) return { reason: 'PAYER_BARRED', next: policy.extra }
  if (!isOpen(row, now)) return { reason: whyClosed(row), next: policy.extra }
  const first = row.status === 'PENDING'
  const over = row.paid_kobo + paid - payableKobo(row)
  if (over === 0n) return counted(first ? 'pay' : 'topUpAll')
  const tolerance = toleranceFor(policy, row.kobo)
  if ((over < 0n ? -over : over) <= tolerance) return counted(first ? 'pay' : 'topUpAll', true, tolerance)
  if (over > 0n) {
    if (policy.more !== 'COMPLETE') return { reason: 'OVER_PAYMENT', next: policy.more }
    return counted(first ? 'payMore' : 'topUpMore')
  }
  // A transaction that has begun to take parts goes on, whatever the policy became since.
  if (!first) return counted('topUp', false)
  if (policy.less === 'RETURN' || policy.less === 'HOLD') return { reason: 'UNDER_PAYMENT', next: policy.less }
  // An invoice has no state for a part, and a merchant who looks at it must not deliver: it waits for the
  // rest.
  return counted('payLess', policy.less === 'COMPLETE' && row.product_type !== 'INVOICE')
}

// ---- the policy itself

export async function getPolicy(ctx: Ctx, merchant: Merchant): Promise<ReplyOf<typeof getPaymentPolicy>> {
  const policy = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.find(r, merchant.id))
  return view(policy ?? DEFAULT_POLICY)
}

export async function putPolicy(
  ctx: Ctx,
  merchants: Merchants,
  { merchant, body }: Call<typeof putPaymentPolicy>,
  store: StoreResponse<ReplyOf<typeof putPaymentPolicy>>,
): Promise<ReplyOf<typeof putPaymentPolicy>> {
  const { less, more, extra, barredPayers } = body
  const toleranceKobo = parseNaira(body.tolerance) ?? fail('AMOUNT_INVALID', { field: 'tolerance' })
  if (toleranceKobo > TOLERANCE_MAX_KOBO) fail('TOLERANCE_TOO_LARGE', { field: 'tolerance' })
  for (const { bankCode } of barredPayers) if (!isBankCode(bankCode)) fail('BANK_UNKNOWN', { field: 'barredPayers' })
  const policy: PaymentPolicy = { less, more, extra, toleranceKobo, barredPayers }
  const [id] = (await cellById(ctx, merchant.cell).takeIds(1)) as [bigint]
  const reply = await tx(ctx, merchant.cell, merchant.id, async (t) => {
    await sql.insert(t, id, merchant.id, policy)
    await store(t, view(policy))
    return view(policy)
  })
  merchants.forget(merchant.cell) // in force here at once; elsewhere when the revision is seen
  return reply
}

const view = (policy: PaymentPolicy): ReplyOf<typeof getPaymentPolicy> => ({
  less: policy.less,
  more: policy.more,
  extra: policy.extra,
  tolerance: nairaNumber(policy.toleranceKobo),
  barredPayers: policy.barredPayers.map(({ bankCode, accountNumber }) => ({ bankCode, accountNumber })),
})
