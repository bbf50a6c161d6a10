// How requests about notifications and secret keys can be refused.
import type { ErrorSpec } from './error-spec.ts'

export const NOTIFICATION_ERRORS = {
  EVENT_NOT_FOUND: {
    status: 404,
    message: 'There is no such event',
    hint: 'eventId is that of the feed, or of the header webhook-id.',
    retry: 'never',
  },
  ENDPOINT_NOT_FOUND: {
    status: 404,
    message: 'There is no such endpoint',
    hint: 'List the endpoints to see those that are there.',
    retry: 'never',
  },
  ENDPOINTS_TOO_MANY: {
    status: 400,
    message: 'There are twenty endpoints already',
    hint: 'Remove one, or let one of them take more kinds of event.',
    retry: 'never',
  },
  ENDPOINT_EXISTS: {
    status: 409,
    message: 'Another endpoint has this address already',
    hint: 'An event goes to an address once. Change that endpoint, or remove it.',
    retry: 'never',
  },
  ADDRESS_NOT_PUBLIC: {
    status: 400,
    message: 'Field {field} must be a public https address',
    hint: 'Notifications are sent to addresses on the public internet only, never to private networks, and encrypted.',
    retry: 'never',
  },
  RANGE_INVALID: {
    status: 400,
    message: 'Field {field} is invalid: {why}',
    hint: 'The end must not lie before the beginning, nor too far from it.',
    retry: 'never',
  },
  ROTATION_UNDER_WAY: {
    status: 409,
    message: 'A new secret key has been given already',
    hint: 'Finish with the new key, or wait for the end of the overlap.',
    retry: 'later',
  },
  NO_ROTATION: {
    status: 409,
    message: 'There is no overlap of two secret keys',
    hint: 'Only one secret key is in force; nothing needs to be finished.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
