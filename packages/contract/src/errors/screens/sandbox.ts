// How requests to the sandbox itself can be refused.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const SANDBOX_ERRORS = {
  CLOCK_BACKWARDS: {
    status: 400,
    message: 'The clock can only move forward',
    hint: 'Send {"seconds": n} with n of 0 or more, or {"to": "<ISO time>"} with a time later than the clock.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
