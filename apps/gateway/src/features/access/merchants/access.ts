// Access: what a merchant may use. The operator grants a feature or withdraws it, with a name and a reason.
//   none → granted → withdrawn → granted …
// The rows of feature_grants are never edited; the newest of a feature is in force, within five seconds in
// every process (core/access/merchants.ts). TRANSFERS is in force by disbursement_settings.approved, the gate
// of all money that leaves: granting sets it, and the row here says who did.
import { FEATURE_NAMES, FEATURES, type FeatureName } from '@cowrie/contract/kit/features'
import type { Read, Tx } from '#kit/ctx.ts'
import * as sql from './access.sql.ts'

export type Grant = {
  readonly feature: FeatureName
  readonly granted: boolean
  /** The person at the operator's. */
  readonly by: string
  readonly why: string
}

export async function grant(t: Tx, merchantId: bigint, given: Grant): Promise<void> {
  await sql.insert(t, merchantId, given)
  if (given.feature === 'TRANSFERS') await sql.approveTransfers(t, merchantId, given.granted)
}

/** Grants those of which nothing was ever said: what was withdrawn stays withdrawn. */
export async function grantNew(
  t: Tx,
  merchantId: bigint,
  features: readonly FeatureName[],
  why: string,
): Promise<void> {
  const said = new Set((await sql.listLast(t, merchantId)).map(({ feature }) => feature))
  for (const feature of features)
    if (!said.has(feature)) await grant(t, merchantId, { feature, granted: true, by: 'joining', why })
}

/** Every feature, with what was last said about it. */
export async function listAccess(read: Read, merchantId: bigint) {
  const last = new Map((await sql.listLast(read, merchantId)).map((row) => [row.feature, row]))
  const approved = await sql.transfersApproved(read, merchantId)
  return FEATURE_NAMES.map((feature) => {
    const row = last.get(feature) ?? null
    return {
      feature,
      says: FEATURES[feature],
      on: feature === 'TRANSFERS' ? approved : (row?.granted ?? false),
      last: row,
    }
  })
}
