// The statement of verification.

import type { VerificationProduct } from '@cowrie/contract/collections/verification'
import { insertInto } from '#core/insert-into.ts'
import type { Tx } from '#kit/ctx.ts'

export type NewVerification = {
  readonly id: bigint
  readonly merchantId: bigint
  readonly product: VerificationProduct
  readonly outcome: 'ANSWERED' | 'NOT_FOUND'
  readonly subjectDigest: Buffer
  readonly consentReference: string | null
  readonly matches: string | null
  readonly feeKobo: bigint
}

export const insert = (t: Tx, row: NewVerification): Promise<unknown> =>
  insertInto('verifications', t, {
    id: row.id,
    merchant_id: row.merchantId,
    product: row.product,
    outcome: row.outcome,
    subject_digest: row.subjectDigest,
    consent_reference: row.consentReference,
    matches: row.matches,
    fee_kobo: row.feeKobo,
    created_at: t.now,
  })
