// How a payment policy can be refused.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const PAYMENT_POLICY_ERRORS = {
  TOLERANCE_TOO_LARGE: {
    status: 422,
    message: 'The tolerance must not exceed 1,000.00',
    hint: 'A tolerance is meant for rounding and for charges deducted by a bank. For larger differences, set `less` and `more`.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
