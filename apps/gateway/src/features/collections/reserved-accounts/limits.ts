// Accounts under a limit profile (limit-profiles/limit-profiles.ts): reserved with one, or put under one
// later. What the account has taken today counts from the first moment.
import type { changeAccountLimit } from '@cowrie/contract/collections/reserved-accounts'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import type { Merchant } from '#core/access/merchants.ts'
import { readAs } from '#core/cells/cells.ts'
import type { Call } from '#core/serving.ts'
import { findProfile, type Profile, startCounting } from '#features/collections/limit-profiles/limit-profiles.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { type AccountRecord, flatView, lockedRow } from './account.ts'
import * as sql from './reserved-accounts.sql.ts'

export const readProfile = (ctx: Ctx, merchant: Merchant, code: string): Promise<Profile> =>
  readAs(ctx, merchant.cell, merchant.id, (r) => findProfile(r, merchant.id, code))

/** Puts an account under a profile that the caller holds, or has made in this transaction. */
export async function limit(
  t: Tx,
  account: { readonly id: bigint; readonly merchantId: bigint; readonly reference: string },
  profile: Profile,
): Promise<void> {
  await sql.setLimitProfile(t, account.merchantId, account.id, profile.id)
  await startCounting(t, account)
}

export const limitedView = (
  row: AccountRecord,
  now: Date,
  { config }: Profile,
): ReplyOf<typeof changeAccountLimit> => ({
  ...flatView(row, now),
  limitProfileConfig: config,
})

export async function changeLimit(
  t: Tx,
  { merchant, body }: Call<typeof changeAccountLimit>,
): Promise<ReplyOf<typeof changeAccountLimit>> {
  const { accountReference: reference } = body
  const row = (await lockedRow(t, merchant.id, reference)) ?? fail('RESERVED_ACCOUNT_UNKNOWN')
  if (row.type === 'INVOICE') fail('LIMIT_NOT_FOR_INVOICES', { field: 'accountReference' })
  const profile = await findProfile(t, merchant.id, body.limitProfileCode)
  await limit(t, { id: row.id, merchantId: merchant.id, reference }, profile)
  return limitedView(row, t.now, profile)
}
