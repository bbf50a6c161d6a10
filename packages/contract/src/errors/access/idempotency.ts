// How an Idempotency-Key, or a question about one, can be refused.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const IDEMPOTENCY_ERRORS = {
  IDEMPOTENCY_KEY_INVALID: {
    status: 400,
    message: 'The Idempotency-Key header must have 1 to 255 printable characters',
    hint: 'Use a UUID, for example.',
    retry: 'never',
  },
  IDEMPOTENCY_IN_FLIGHT: {
    status: 409,
    message: 'A request with this Idempotency-Key is still in progress',
    hint: 'Retry in a moment; the stored response will be replayed.',
    retry: 'later',
  },
  IDEMPOTENCY_MISMATCH: {
    status: 422,
    message: 'This Idempotency-Key was used for a different request; it differs in: {fields}',
    hint: 'Send the original request unchanged, or use a new key.',
    retry: 'never',
  },
  IDEMPOTENCY_KEY_UNKNOWN: {
    status: 404,
    message: 'No request found for this Idempotency-Key',
    hint: 'Keys are kept for 30 days.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
