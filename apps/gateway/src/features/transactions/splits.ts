// Income splits: whose a part of the money is, settled when the transaction is made.
import type { IncomeSplit } from '@cowrie/contract/transactions'
import type { Static } from 'typebox'
import type { Merchant } from '../../core/merchants.ts'
import type { Ctx } from '../../kit/ctx.ts'
import { fail } from '../../kit/fail.ts'

export type SplitConfig = readonly Static<typeof IncomeSplit>[]

/** The text a transaction keeps of its split; null where there is none. Refuses what names an unknown sub account. */
export async function resolveSplit(
  _ctx: Ctx,
  _merchant: Merchant,
  config: SplitConfig | undefined,
  _kobo: bigint,
): Promise<string | null> {
  const first = config?.[0]
  if (first) fail('SUB_ACCOUNT_UNKNOWN', { code: first.subAccountCode, field: 'incomeSplitConfig' }) // nobody has any yet
  return null
}
