// How paycodes can be refused: to a merchant, and to an agent. No message repeats a code.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const PAYCODE_ERRORS = {
  PAYCODE_AMOUNT_TOO_SMALL: {
    status: 400,
    message: 'Field amount must be greater than or equal to 1',
    hint: 'The smallest paycode is 1 naira.',
    retry: 'never',
  },
  PAYCODE_EXPIRY_INVALID: {
    status: 400,
    message: 'Invalid paycode expiry date',
    hint: 'Send `YYYY-MM-DD HH:MM:SS` in West Africa Time, a moment that is still to come.',
    retry: 'never',
  },
  PAYCODE_EXPIRY_TOO_LATE: {
    status: 400,
    message: 'Paycode expiry date is after system limit.',
    hint: 'A paycode is valid for seven days at most.',
    retry: 'never',
  },
  PAYCODE_CLIENT_UNKNOWN: {
    status: 400,
    message: 'Unknown client id {clientId}',
    hint: 'clientId is the API key that you log in with.',
    retry: 'never',
  },
  PAYCODE_REFERENCE_USED: {
    status: 422,
    message: 'Transaction reference already exist.',
    hint: 'After a timeout, get the paycode by the same paycodeReference. For a new one, use a new reference.',
    retry: 'never',
    isThere: true,
  },
  PAYCODE_NOT_FOUND: {
    status: 404,
    message: 'Could not find paycode with the specified paycode reference',
    hint: 'The reference is unknown, or belongs to another merchant.',
    retry: 'never',
  },
  PAYCODE_NOT_PENDING: {
    status: 422,
    message: 'The paycode cannot be cancelled: it is {state}',
    hint: 'Only a paycode that nobody has redeemed can be cancelled.',
    retry: 'never',
  },
  PAYCODE_UNKNOWN: {
    status: 404,
    message: 'No such paycode',
    hint: 'The code is wrong. Wrong codes of an agent are counted.',
    retry: 'never',
  },
  PAYCODE_OVER: {
    status: 422,
    message: 'The paycode is {state}',
    hint: 'Nothing is paid out for a paycode that is redeemed, cancelled or expired.',
    retry: 'never',
  },
  PAYCODE_OTHER_AMOUNT: {
    status: 422,
    message: 'The amount is not that of the paycode',
    hint: 'A paycode is paid out as a whole. Enquire for its amount.',
    retry: 'never',
  },
  PAYCODE_SESSION_USED: {
    status: 409,
    message: 'This sessionId was used for a different redemption',
    hint: 'A redemption has a session of its own, and is repeated under it.',
    retry: 'never',
    isThere: true,
  },
  AGENT_THROTTLED: {
    status: 429,
    message: 'Too many wrong codes. Try again later',
    hint: 'After five wrong codes within fifteen minutes every code of the agent is refused, until the oldest is fifteen minutes old.',
    retry: 'later',
  },
} as const satisfies Record<string, ErrorSpec>
