// What is left to refund of a payment, by the rules that a refund itself is judged by.
import { REFUND_MINIMUM_KOBO } from '@cowrie/contract/payouts/refunds'
import type { Read } from '#kit/ctx.ts'
import { Failure, fail } from '#kit/fail.ts'
import * as sql from './refunds.sql.ts'
import { judge } from './refunds.ts'

export type LeftToRefund = { readonly kobo: bigint } | { readonly why: string }

/** How much can still be refunded, or what a refund would be refused with. */
export async function leftToRefund(read: Read, merchantId: bigint, reference: string): Promise<LeftToRefund> {
  try {
    const { paid_kobo, reversed_kobo, refunded_kobo } = judge(await sql.findRefundable(read, merchantId, reference), 0n)
    const kobo = paid_kobo - reversed_kobo - refunded_kobo
    return kobo < REFUND_MINIMUM_KOBO ? fail('REFUND_TOO_SMALL') : { kobo }
  } catch (error) {
    if (error instanceof Failure) return { why: error.message }
    throw error
  }
}
