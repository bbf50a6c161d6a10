// Refusals of the request itself, whatever it asks.
import type { ErrorSpec } from './error-spec.ts'

export const REQUEST_ERRORS = {
  CARD_DATA_REFUSED: {
    status: 400,
    message: 'Field {field} holds a card number',
    hint: 'Send card numbers to cards/charge or the hosted page only: names, descriptions and metaData are kept and sent on.',
    retry: 'never',
  },
  MALFORMED_BODY: {
    status: 400,
    message: 'The request could not be completed due to malformed syntax.',
    hint: 'Send one JSON value: no repeated keys, at most ten levels deep, numbers that a double can hold exactly.',
    retry: 'never',
  },
  FIELD_MISSING: {
    status: 400,
    message: 'Field {field} cannot be null',
    hint: 'The field is required; an empty value and null count as missing.',
    retry: 'never',
  },
  FIELD_INVALID: {
    status: 400,
    message: 'Field {field} is invalid: {why}',
    hint: 'See the type and format of the field in the reference.',
    retry: 'never',
  },
  AMOUNT_INVALID: {
    status: 400,
    message: 'Field {field} must be an amount in naira with at most two decimals',
    hint: 'Write 1500 or 1500.50: no exponent, no sign, no thousands separator, no third decimal.',
    retry: 'never',
  },
  PERCENTAGE_INVALID: {
    status: 400,
    message: 'Field {field} must be a percentage from 0 to 100 with at most four decimals',
    hint: 'Write 20 or 10.5: no exponent, no sign, no percent sign.',
    retry: 'never',
  },
  AMOUNT_TOO_SMALL: {
    status: 400,
    message: 'Amount must not be less than 20.00',
    hint: 'The smallest transaction is 20 naira.',
    retry: 'never',
  },
  BODY_TOO_LARGE: {
    status: 413,
    message: 'The request body is too large',
    hint: 'Bodies may hold 64 kB.',
    retry: 'never',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    message: 'The request did not arrive in time',
    hint: 'Headers are to be here within 10 seconds of the first byte, the whole request within 15.',
    retry: 'later',
  },
  ROUTE_UNKNOWN: {
    status: 404,
    message: 'There is no such endpoint: {method} {path}',
    hint: 'Check method and path against the reference.',
    retry: 'never',
  },

  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This endpoint takes {allow}, not {method}',
    hint: 'The header Allow names the methods of the path.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
