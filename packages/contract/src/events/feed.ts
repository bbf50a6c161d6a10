// The merchant's own log of events: numbered without gaps, to be read from any place and sent again at will.
import Type from 'typebox'
import { Named } from '../kit/fields.ts'
import { route } from '../kit/spec.ts'
import { EVENTS } from './endpoints.ts'

export const FEED_PAGE_MAX = 500
export const FEED_WAIT_MAX_SECONDS = 30
export const RESEND_MAX = 10_000

const common = { auth: 'bearer', group: 'Notifications' } as const
const Moment = Type.String({ description: 'ISO 8601, UTC' })
const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const event = {
  eventId: Type.String({ description: 'Same as the header `webhook-id`', examples: ['evt_01_30112'] }),
  number: Type.Integer({ description: '1, 2, 3 … without gaps, per merchant' }),
  eventType: Type.String(),
  object: Type.String({ description: 'The reference of the object it is about' }),
  objectVersion: Type.Integer({ description: 'Increases with every change of the object' }),
  createdAt: Moment,
  body: Type.Unknown({
    description:
      'As sent; serialised as JSON without spaces, these are the bytes that were signed, unless personal data in it was erased since. Null when it has been deleted',
  }),
}

export const listEvents = route({
  ...common,
  id: 'events.list',
  permission: 'events.read',
  method: 'GET',
  path: '/api/v1/events',
  summary: 'List events after a number, oldest first',
  description:
    'Continue with `after` set to the last number seen: nothing is skipped or repeated. With `wait` the request stays open until there is an event, at most that many seconds.',
  query: Type.Object({
    after: Type.Optional(Type.String({ pattern: '^\\d{1,15}$', description: 'The last number seen; 0 for all' })),
    limit: Type.Optional(Type.String({ pattern: '^\\d{1,3}$', description: `1 to ${FEED_PAGE_MAX}; default 100` })),
    wait: Type.Optional(Type.String({ pattern: '^\\d{1,2}$', description: `Seconds, 0 to ${FEED_WAIT_MAX_SECONDS}` })),
  }),
  reply: Type.Object({
    events: Type.Array(Named('EventRecord', event)),
    lastNumber: Type.Integer({ description: 'The number of the newest event' }),
  }),
  errors: [],
})

const Delivery = Named('EventDelivery', {
  endpointId: Type.String(),
  url: Type.String(),
  state: Type.Enum(['PENDING', 'DELIVERED', 'GIVEN_UP']),
  nextAttemptAt: Nullable(Moment),
  attempts: Type.Array(
    Named('DeliveryAttempt', {
      at: Moment,
      url: Type.String(),
      status: Nullable(Type.Integer({ description: 'Null when there was no response' })),
      durationMs: Type.Integer(),
      error: Type.Optional(Type.String()),
      answer: Nullable(Type.String({ description: 'The first kilobyte of the response' })),
    }),
  ),
})

export const getEvent = route({
  ...common,
  id: 'events.get',
  permission: 'events.read',
  method: 'GET',
  path: '/api/v1/events/{eventId}',
  summary: 'Get an event with its deliveries',
  description: 'Every attempt to deliver it, with the response it got.',
  reply: Type.Object({ ...event, deliveries: Type.Array(Delivery) }),
  errors: ['EVENT_NOT_FOUND'],
})

const Found = Named('ResendResult', { recordsFound: Type.Integer({ description: 'How many events are resent' }) })
const endpointId = Type.Optional(
  Type.String({
    maxLength: 40,
    description: 'Only to this endpoint, even one that did not exist when the event happened',
  }),
)

export const resendEvent = route({
  ...common,
  id: 'events.resend',
  permission: 'events.resend',
  method: 'POST',
  path: '/api/v1/events/{eventId}/resend',
  summary: 'Resend an event',
  description: 'It is sent now, with the full retry schedule.',
  body: Type.Object({ endpointId }),
  reply: Found,
  errors: ['EVENT_NOT_FOUND', 'ENDPOINT_NOT_FOUND', 'EVENT_BODY_GONE'],
})

export const resendRange = route({
  ...common,
  id: 'events.resendRange',
  permission: 'events.resend',
  method: 'POST',
  path: '/api/v1/events/resend',
  summary: 'Resend a range of events',
  description: 'In the order of their numbers, also what was delivered before, unless `onlyFailed`.',
  body: Type.Object({
    from: Type.Integer({ minimum: 1, description: 'The first number' }),
    to: Type.Integer({ minimum: 1, description: `The last number; at most ${RESEND_MAX.toLocaleString('en')} events` }),
    endpointId,
    eventTypes: Type.Optional(Type.Array(Type.Enum(EVENTS.map(({ type }) => type)), { maxItems: 50 })),
    onlyFailed: Type.Optional(Type.Boolean({ description: 'Only events that have not been delivered' })),
  }),
  reply: Found,
  errors: ['ENDPOINT_NOT_FOUND', 'RANGE_INVALID', 'EVENT_BODY_GONE'],
})

export const resendFailed = route({
  ...common,
  id: 'notifications.resendFailed',
  permission: 'events.resend',
  method: 'POST',
  path: '/api/v1/transaction-notification/resend-failed-notifications',
  summary: 'Resend the notifications that failed in a period',
  description: `Everything that was due and has not been delivered, oldest first, at most ${RESEND_MAX.toLocaleString('en')} events.`,
  body: Type.Object({
    startDate: Type.String({ maxLength: 40, examples: ['2026-05-01T00:00:00.000'] }),
    endDate: Type.String({ maxLength: 40, examples: ['2026-05-02T00:00:00.000'] }),
  }),
  reply: Found,
  errors: ['RANGE_INVALID'],
})
