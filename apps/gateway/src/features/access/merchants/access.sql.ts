import type { FeatureName } from '@cowrie/contract/kit/features'
import { insertInto } from '#core/insert-into.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export const insert = (
  t: Tx,
  merchantId: bigint,
  given: { feature: FeatureName; granted: boolean; by: string; why: string },
): Promise<unknown> =>
  insertInto('feature_grants', t, {
    merchant_id: merchantId,
    feature: given.feature,
    granted: given.granted,
    granted_by: given.by,
    reason: given.why,
    granted_at: t.now,
  })

const APPROVE: Statement = {
  name: 'disbursement_settings_approve',
  text: 'update disbursement_settings set approved = $2 where merchant_id = $1',
}
export const approveTransfers = (t: Tx, merchantId: bigint, approved: boolean): Promise<unknown> =>
  t.query(APPROVE, [merchantId, approved])

const APPROVED: Statement = {
  name: 'disbursement_settings_approved',
  text: 'select approved from disbursement_settings where merchant_id = $1',
}
export const transfersApproved = async (read: Read, merchantId: bigint): Promise<boolean> =>
  (await read.query<Pick<Rows['disbursement_settings'], 'approved'>>(APPROVED, [merchantId]))[0]?.approved ?? false

type GrantRow = Pick<Rows['feature_grants'], 'granted' | 'granted_by' | 'reason' | 'granted_at'> & {
  feature: FeatureName
}
const LAST: Statement = {
  name: 'feature_grants_last',
  text: `select distinct on (feature) feature, granted, granted_by, reason, granted_at from feature_grants
    where merchant_id = $1 order by feature, id desc`,
}
export const listLast = (read: Read, merchantId: bigint): Promise<GrantRow[]> =>
  read.query<GrantRow>(LAST, [merchantId])
