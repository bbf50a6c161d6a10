// Faults for the invariant of verification, and an answer that was charged for them to be planted in.
import { ADA, BVN_DETAILS, verify } from '../../features/collections/verification.ts'
import type { Harness } from '../../kit/harness.ts'

export type VerificationScene = { verification: bigint }

export async function verificationScene(h: Harness): Promise<VerificationScene> {
  await verify(h, h.merchants.main, BVN_DETAILS, { ...ADA, consentReference: 'planted' })
  const [row] = await h.sql('01', `select id from verifications where consent_reference = 'planted'`)
  return { verification: BigInt(row.id) }
}

export const VERIFICATION_PLANTS: Readonly<
  Record<string, readonly (readonly [what: string, sql: (scene: VerificationScene) => string])[]>
> = {
  'what was posted for a verification is its fee, once': [
    ['less than was posted', (s) => `update verifications set fee_kobo = fee_kobo - 1 where id = ${s.verification}`],
    ['nobody asked', (s) => `delete from verifications where id = ${s.verification}`],
    [
      'another paid',
      (
        s,
      ) => `update verifications v set merchant_id = (select m.id from merchants m where m.id <> v.merchant_id limit 1)
        where id = ${s.verification}`,
    ],
    [
      'it was never posted',
      (s) => `insert into verifications (id, merchant_id, product, outcome, subject_digest, fee_kobo, created_at)
        select id + 1, merchant_id, product, outcome, subject_digest, fee_kobo, created_at from verifications where id = ${s.verification}`,
    ],
  ],
}
