// Refusals of the request itself, whatever it asks.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const REQUEST_ERRORS = {
  CARD_DATA_REFUSED: {
    status: 400,
    message: 'Field {field} contains a card number',
    hint: 'Card numbers belong in cards/charge or on the hosted checkout page only. Names, descriptions and metaData are stored and passed on.',
    retry: 'never',
  },
  MALFORMED_BODY: {
    status: 400,
    message: 'The request could not be completed due to malformed syntax.',
    hint: 'Send a single JSON value: no duplicate keys, at most ten levels of nesting, numbers that a double represents exactly.',
    retry: 'never',
  },
  FIELD_MISSING: {
    status: 400,
    message: 'Field {field} cannot be null',
    hint: 'The field is required; an empty value or null counts as missing.',
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
    hint: 'Write 1500 or 1500.50: no sign, no thousands separator, no third decimal. As a JSON number it may be in any notation; as a text only so.',
    retry: 'never',
  },
  PERCENTAGE_INVALID: {
    status: 400,
    message: 'Field {field} must be a percentage from 0 to 100 with at most six decimals',
    hint: 'Write 20 or 10.5: no sign, no percent sign. As a JSON number it may have more decimals; six are kept.',
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
    hint: 'The limit is 64 kB; for a batch of transfers it is 4 MB.',
    retry: 'never',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    message: 'The request did not arrive in time',
    hint: 'The headers must arrive within 10 seconds of the first byte, the whole request within 15.',
    retry: 'later',
  },
  ROUTE_UNKNOWN: {
    status: 404,
    message: 'No such endpoint: {method} {path}',
    hint: 'Check the method and the path in the reference.',
    retry: 'never',
  },

  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This endpoint accepts {allow}, not {method}',
    hint: 'The Allow header lists the methods that this path accepts.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
