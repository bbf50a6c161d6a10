// How requests about notifications can be refused.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const WEBHOOK_ERRORS = {
  EVENT_NOT_FOUND: {
    status: 404,
    message: 'Event not found',
    hint: 'Use an eventId from the event log or from the webhook-id header.',
    retry: 'never',
  },
  EVENT_BODY_GONE: {
    status: 410,
    message: 'Event {number} cannot be resent: its body has been deleted',
    hint: 'Bodies of events are kept for a limited time. Read the object itself for its state.',
    retry: 'never',
  },
  ENDPOINT_NOT_FOUND: {
    status: 404,
    message: 'Webhook endpoint not found',
    hint: 'List the endpoints to see which exist.',
    retry: 'never',
  },
  ENDPOINTS_TOO_MANY: {
    status: 400,
    message: 'The limit of 20 webhook endpoints is reached',
    hint: 'Remove one, or add event types to an existing endpoint.',
    retry: 'never',
  },
  ENDPOINT_EXISTS: {
    status: 409,
    message: 'Another endpoint already has this address',
    hint: 'An event is sent to an address once. Change or remove the other endpoint.',
    retry: 'never',
    isThere: true,
  },
  ADDRESS_NOT_PUBLIC: {
    status: 400,
    message: 'Field {field} must be a public https address',
    hint: 'Notifications are sent over https, to addresses on the public internet only.',
    retry: 'never',
  },
  RANGE_INVALID: {
    status: 400,
    message: 'Field {field} is invalid: {why}',
    hint: 'The end must not be before the start, nor too far after it.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
