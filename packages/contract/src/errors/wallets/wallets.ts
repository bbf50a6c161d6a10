// How wallets of customers can be refused.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const WALLET_ERRORS = {
  WALLET_REFERENCE_TAKEN: {
    status: 400,
    responseCode: 'D05',
    message: 'A wallet with this walletReference already exists',
    hint: 'Get it with GET /api/v1/disbursements/wallet?walletReference=…, or use a new reference.',
    retry: 'never',
    isThere: true,
  },
  WALLET_NOT_FOUND: {
    status: 404,
    responseCode: 'D02',
    message: 'Could not find wallet for given reference',
    hint: 'The reference is unknown, or belongs to another merchant.',
    retry: 'never',
  },
  DESTINATION_STOPPED: {
    status: 409,
    message: 'The account was stopped, and never receives',
    hint: 'Whoever has the mail about it stopped it. Reject what waits; set another account if one is wanted.',
    retry: 'never',
  },
  WALLET_FEE_SOURCE_INVALID: {
    status: 400,
    responseCode: 'D01',
    message: 'feeBearer CUSTOM needs your own wallet as feeSourceAccountNumber, and SELF none',
    hint: 'SELF: fees are taken from the wallet itself. CUSTOM: from feeSourceAccountNumber, the number of your own wallet.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
