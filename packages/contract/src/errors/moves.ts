// How a move of state or money can be refused, whatever it belongs to.
import type { ErrorSpec } from './kit/error-spec.ts'

export const MOVE_ERRORS = {
  INSUFFICIENT_FUNDS: {
    status: 400,
    responseCode: 'D04',
    message: 'You do not have sufficient balance to process this request. Please fund your account and try again.',
    hint: 'The wallet must cover the amount and the fee.',
    retry: 'later',
  },
  WRONG_STATE: {
    status: 409,
    message: 'The current state does not allow this action',
    hint: 'The state has changed. Fetch the object again.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
