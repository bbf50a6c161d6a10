// The limit of a day: how much may leave a wallet by transfers, by refunds to other accounts and for bills,
// until midnight in Lagos. Whoever asks has the lock of the wallet, so that two that fit alone do not pass
// together.
import type { Merchant } from '#core/access/merchants.ts'
import type { Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { localDay } from '#kit/times.ts'
import * as sql from './day-limit.sql.ts'

/** What left the wallets of these merchants today. */
export const spentToday = (t: Tx, merchantIds: readonly bigint[]): Promise<Map<bigint, bigint>> =>
  sql.spentToday(t, merchantIds, localDay(t.now))

/** Counts what leaves today, by merchant, where the limit was looked at. */
export const spend = (t: Tx, sums: ReadonlyMap<bigint, bigint>): Promise<unknown> => sql.spend(t, sums, localDay(t.now))

/** Counts money that leaves today, if the limit of the day allows it; under the lock of the wallet. */
export async function countDay(t: Tx, merchant: Merchant, kobo: bigint, field?: string): Promise<void> {
  await checkDay(t, merchant, kobo, field)
  await spend(t, new Map([[merchant.id, kobo]]))
}
async function checkDay(t: Tx, { id, transfers }: Merchant, kobo: bigint, field?: string): Promise<void> {
  const spent = (await spentToday(t, [id])).get(id) ?? 0n
  if (spent + kobo > transfers.perDayKobo) fail('DAILY_LIMIT', field ? { field } : {})
}

/** Checks today's limit for what was accepted on an earlier day and is authorised now: the limit is for the
 *  day the money leaves. Under the lock of the wallet, before the code is tried; answers what counts it, once
 *  the code was right. */
export async function limitToday(
  t: Tx,
  merchant: Merchant,
  acceptedAt: Date,
  kobo: bigint,
): Promise<() => Promise<void>> {
  if (localDay(acceptedAt) === localDay(t.now)) return async () => undefined
  await checkDay(t, merchant, kobo)
  return () => countDay(t, merchant, kobo)
}
