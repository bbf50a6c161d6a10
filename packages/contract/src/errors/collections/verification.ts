// How verification of identities can be refused.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const VERIFICATION_ERRORS = {
  VERIFICATION_BVN_INVALID: {
    status: 400,
    message: 'Unable to process request. Invalid BVN provided',
    hint: 'The number does not have eleven digits, or the register has nobody with this number. Nothing was charged.',
    retry: 'never',
  },
  VERIFICATION_NIN_NOT_FOUND: {
    status: 400,
    message: 'NIN not found. Please check and try again.',
    hint: 'The number does not have eleven digits, or the register has nobody with this number. Nothing was charged.',
    retry: 'never',
  },
  VERIFICATION_FUNDS: {
    status: 400,
    message: 'You do not have sufficient balance to process this request. Please fund your account and try again.',
    hint: 'The wallet must cover the fee of the verification. Nothing was charged.',
    retry: 'later',
  },
} as const satisfies Record<string, ErrorSpec>
