// How asking for a customer can be refused.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const CUSTOMER_ERRORS = {
  CUSTOMER_NOT_FOUND: {
    status: 404,
    message: 'Cannot find customer',
    hint: 'Nobody with this e-mail address has a transaction, a stored card, a reserved account or a mandate with you.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
