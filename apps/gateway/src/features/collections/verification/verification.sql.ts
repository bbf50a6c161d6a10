// The statement of verification.
import type { VerificationProduct } from '@cowrie/contract/collections/verification'
import type { Statement, Tx } from '#kit/ctx.ts'

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

const INSERT: Statement = {
  name: 'verifications_insert',
  text: `
insert into verifications (id, merchant_id, product, outcome, subject_digest, consent_reference, matches, fee_kobo, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
}
export const insert = (t: Tx, row: NewVerification): Promise<unknown> =>
  t.query(INSERT, [
    row.id,
    row.merchantId,
    row.product,
    row.outcome,
    row.subjectDigest,
    row.consentReference,
    row.matches,
    row.feeKobo,
    t.now,
  ])
