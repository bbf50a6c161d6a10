// The log of events as people read it: the newest first, each with what became of its deliveries. Bodies are
// read one by one.
import Type from 'typebox'
import { view } from '../kit/act.ts'

export const LOG_PAGE = 50

const Moment = Type.String({ description: 'ISO 8601, UTC' })
const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const LoggedDelivery = Type.Object({
  endpointId: Type.String(),
  url: Type.String(),
  state: Type.Enum(['PENDING', 'DELIVERED', 'GIVEN_UP']),
  attempts: Type.Integer(),
  nextAttemptAt: Nullable(Moment),
  status: Nullable(Type.Integer({ description: 'Of the last attempt; null when there was no response' })),
  durationMs: Nullable(Type.Integer()),
})
export const LoggedEvent = Type.Object({
  eventId: Type.String(),
  number: Type.Integer(),
  eventType: Type.String(),
  object: Type.String(),
  objectVersion: Type.Integer(),
  createdAt: Moment,
  deliveries: Type.Array(LoggedDelivery),
})

export const eventLog = view({
  id: 'events.log',
  side: 'merchant',
  permission: 'events.read',
  concerns: 'merchant',
  summary: 'List events, newest first, with the state of their deliveries',
  query: Type.Object({
    before: Type.Optional(Type.String({ pattern: '^\\d{1,15}$', description: 'Events with a lower number' })),
    outcome: Type.Optional(Type.Enum(['GIVEN_UP'], { description: 'Only events that an endpoint never took' })),
  }),
  reply: Type.Object({
    content: Type.Array(LoggedEvent),
    next: Nullable(Type.String({ description: '`before` of the next page' })),
    lastNumber: Type.Integer({ description: 'The number of the newest event' }),
  }),
  errors: ['PERMISSION_DENIED', 'FIELD_INVALID'],
})
