// How creating and changing a payment link can be refused.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const PAYMENT_LINK_ERRORS = {
  PAYMENT_LINK_NOT_FOUND: {
    status: 404,
    message: 'Cannot find payment link',
    hint: 'The code is unknown, or belongs to another merchant.',
    retry: 'never',
  },
  PAYMENT_LINK_AMOUNTS_INVALID: {
    status: 422,
    message: 'The amounts of the payment link are not valid: {why}',
    hint: 'Give amount, or let the payer choose between minimumAmount and maximumAmount.',
    retry: 'never',
  },
  PAYMENT_LINK_EXPIRY_INVALID: {
    status: 422,
    message: 'Invalid payment link expiry date.',
    hint: 'Use the format 2026-05-31 18:00:00 for expiryDate, in West Africa Time, and a moment in the future.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
