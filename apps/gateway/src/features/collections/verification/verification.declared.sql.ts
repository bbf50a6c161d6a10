// What others are told of verification.
import type { Declarations } from '#core/declarations.ts'
import { kept, REFERENCE } from '#core/personal/judging.ts'

export const declared = {
  personal: {
    verifications: {
      columns: {
        ...kept('a keyed digest: whose consent a question was asked with must be provable', 'subject_digest'),
        ...kept(REFERENCE, 'consent_reference'),
      },
    },
  },
  notPersonal: {
    verifications: 'product outcome matches',
  },
} satisfies Declarations
