// Failures that are ours and not of the request.
import type { ErrorSpec } from './kit/error-spec.ts'

export const SERVICE_ERRORS = {
  UNAVAILABLE: {
    status: 503,
    message: 'The service is temporarily unavailable',
    hint: 'The outcome is unknown. Check the status by the same reference, then retry.',
    retry: 'later',
  },
  INTERNAL: {
    status: 500,
    message: 'Something went wrong on our side',
    hint: 'Quote the requestId to support. Check the status by the same reference before you retry.',
    retry: 'later',
  },
} as const satisfies Record<string, ErrorSpec>
