// What a limit refuses: asking for more than the operator lets a merchant collect. Money that has come is
// never refused for it.
import { nairaText } from '@cowrie/contract/kit/money'
import type { Merchant } from '#core/access/merchants.ts'
import { readAs } from '#core/cells/cells.ts'
import type { Ctx, Read } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { dayStart } from '#kit/times.ts'
import * as sql from './limits.sql.ts'

/** Holds an amount against the limit of one payment. */
export function checkPaymentLimit({ collects }: Merchant, kobo: bigint, field: string): void {
  const { perPaymentKobo: limit } = collects
  if (limit !== null && kobo > limit) fail('PAYMENT_LIMIT', { limit: nairaText(limit), field })
}

/** Holds it against the limit of a day, for merchants that have one: what was asked for today and is paid, or
 *  can still be (from a payment link or a page only what is paid), leaves so much. Requests of the same
 *  instant may pass together. */
export async function checkDayLimit(ctx: Ctx, merchant: Merchant, kobo: bigint): Promise<void> {
  if (merchant.collects.perDayKobo !== null)
    await readAs(ctx, merchant.cell, merchant.id, (r) => checkDayLimitIn(r, merchant, kobo))
}

/** The same, as the caller's transaction sees it. */
export async function checkDayLimitIn(read: Read, { id, collects }: Merchant, kobo: bigint): Promise<void> {
  const { perDayKobo: limit } = collects
  if (limit === null) return
  const left = limit - (await sql.askedSince(read, id, dayStart(read.now)))
  if (kobo > left) fail('PAYMENT_DAY_LIMIT', { left: nairaText(left > 0n ? left : 0n), field: 'amount' })
}
