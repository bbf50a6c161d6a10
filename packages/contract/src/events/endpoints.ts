// Where notifications go: one address per activity, and endpoints that take the kinds they choose.
import Type from 'typebox'
import { Text } from '../collections/transactions.ts'
import { Nothing } from '../kit/envelope.ts'
import { type EventSpec, machine, route, WEBHOOK_KINDS } from '../kit/spec.ts'
import {
  accountActivity,
  DISABLED_REASONS,
  endpointDisabled,
  lowBalanceAlert,
  mandateUpdate,
  receivableUpdate,
} from './accounts.ts'
import { rejectedPayment, reversedTransaction, successfulTransaction } from './collections.ts'
import {
  batchProgress,
  failedDisbursement,
  failedRefund,
  reversedDisbursement,
  settlement,
  successfulDisbursement,
  successfulRefund,
} from './payouts.ts'

export const EVENTS: readonly EventSpec[] = [
  successfulTransaction,
  rejectedPayment,
  reversedTransaction,
  successfulDisbursement,
  failedDisbursement,
  reversedDisbursement,
  batchProgress,
  successfulRefund,
  failedRefund,
  settlement,
  mandateUpdate,
  accountActivity,
  lowBalanceAlert,
  receivableUpdate,
  endpointDisabled,
]

/** An endpoint is given up after this long of nothing but failures. */
export const FAILING_DAYS_MAX = 5
export const ENDPOINTS_MAX = 20

export const endpointMachine = machine({
  name: 'endpoint',
  table: 'endpoints',
  start: 'ENABLED',
  states: {
    ENABLED: { says: 'Events are sent there.', waits: 'merchant' },
    DISABLED: {
      says: 'Nothing is sent there; what happens is kept for it, in order, until it is enabled or removed.',
      waits: 'merchant',
    },
    REMOVED: { says: 'The merchant took it away.' },
  },
  moves: [
    { on: 'disable', from: ['ENABLED'], to: 'DISABLED', emits: 'ENDPOINT_DISABLED' },
    { on: 'pause', from: ['ENABLED'], to: 'DISABLED' },
    { on: 'enable', from: ['DISABLED'], to: 'ENABLED' },
    { on: 'remove', from: ['ENABLED', 'DISABLED'], to: 'REMOVED' },
  ],
})

const common = { auth: 'bearer', group: 'Notifications' } as const
const Moment = Type.String({ description: 'ISO 8601, UTC' })
const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const Address = Type.String({
  maxLength: 2000,
  pattern: '^https?://[^\\s\\u0000-\\u001f]+$',
  description: 'In live `https` and public',
})
const urls = Object.fromEntries(WEBHOOK_KINDS.map((kind) => [kind, Nullable(Address)])) as Record<
  (typeof WEBHOOK_KINDS)[number],
  ReturnType<typeof Nullable<typeof Address>>
>
export const WebhookUrls = Type.Object(urls)
export const NewWebhookUrls = Type.Object({
  ...(Type.Partial(WebhookUrls) as typeof WebhookUrls).properties,
  all: Type.Optional(Nullable(Address)),
})

export const getWebhookUrls = route({
  ...common,
  id: 'webhookUrls.get',
  method: 'GET',
  path: '/api/v1/webhook-urls',
  summary: 'The address of each activity',
  reply: WebhookUrls,
  errors: [],
})

export const putWebhookUrls = route({
  ...common,
  id: 'webhookUrls.put',
  method: 'PUT',
  path: '/api/v1/webhook-urls',
  summary: 'Set the address of one activity, several, or `all`',
  description:
    'What waits for an address that is changed goes to the new one. null takes an address away, and what waits for it is given up. An address that was disabled is enabled by setting it.',
  body: NewWebhookUrls,
  reply: WebhookUrls,
  errors: ['ADDRESS_NOT_PUBLIC'],
})

export const EVERY_KIND = '*'
const EventTypes = Type.Array(Type.Enum([EVERY_KIND, ...EVENTS.map(({ type }) => type)]), {
  maxItems: 50,
  description: 'Kinds of event; `*` for all, also those to come',
})

export const Endpoint = Type.Object({
  endpointId: Type.String({ examples: ['ep_01_20417'] }),
  url: Type.String(),
  activities: Type.Array(Type.Enum([...WEBHOOK_KINDS]), { description: 'Whose address it is' }),
  eventTypes: Type.Array(Type.String(), { description: 'Kinds it takes beside those of its activities' }),
  description: Type.String(),
  status: Type.Enum(Object.keys(endpointMachine.states)),
  disabledReason: Nullable(Type.Enum([...DISABLED_REASONS])),
  failingSince: Nullable(Type.String({ description: 'The first failure since the last 200. ISO 8601, UTC' })),
  restingUntil: Nullable(
    Type.String({ description: 'Too many failures, or Retry-After: one event is tried then. ISO 8601, UTC' }),
  ),
  waiting: Type.Integer({ description: 'Events on their way to it' }),
  createdAt: Moment,
})

export const createEndpoint = route({
  ...common,
  id: 'endpoints.create',
  method: 'POST',
  path: '/api/v1/webhook-endpoints',
  summary: 'Add an endpoint for chosen kinds of event',
  description:
    'It is told of what happens from then on, beside the addresses of the activities. An event goes to an address once: an address that is known already takes these kinds beside its own.',
  body: Type.Object({ url: Address, eventTypes: EventTypes, description: Type.Optional(Text(200)) }),
  reply: Endpoint,
  errors: ['ADDRESS_NOT_PUBLIC', 'ENDPOINTS_TOO_MANY'],
})

export const listEndpoints = route({
  ...common,
  id: 'endpoints.list',
  method: 'GET',
  path: '/api/v1/webhook-endpoints',
  summary: 'All endpoints, those of the activities too, with how they are doing',
  reply: Type.Array(Endpoint),
  errors: [],
})

const onePath = '/api/v1/webhook-endpoints/{endpointId}'

export const changeEndpoint = route({
  ...common,
  id: 'endpoints.change',
  method: 'PUT',
  path: onePath,
  summary: 'Change the address, the kinds or the description of an endpoint',
  description: 'What waits for it goes to the new address. eventTypes are the kinds beside those of its activities.',
  body: Type.Object({
    url: Type.Optional(Address),
    eventTypes: Type.Optional(EventTypes),
    description: Type.Optional(Text(200)),
  }),
  reply: Endpoint,
  errors: ['ENDPOINT_NOT_FOUND', 'ADDRESS_NOT_PUBLIC', 'ENDPOINT_EXISTS'],
})

export const removeEndpoint = route({
  ...common,
  id: 'endpoints.remove',
  method: 'DELETE',
  path: onePath,
  summary: 'Take an endpoint away; what waits for it is given up',
  reply: Nothing,
  errors: ['ENDPOINT_NOT_FOUND'],
})

export const enableEndpoint = route({
  ...common,
  id: 'endpoints.enable',
  method: 'POST',
  path: `${onePath}/enable`,
  summary: 'Send again to an endpoint that was disabled or rests; what waited for it goes out in order',
  reply: Endpoint,
  errors: ['ENDPOINT_NOT_FOUND'],
})

export const disableEndpoint = route({
  ...common,
  id: 'endpoints.disable',
  method: 'POST',
  path: `${onePath}/disable`,
  summary: 'Send nothing to an endpoint for now; what happens is kept for it',
  reply: Endpoint,
  errors: ['ENDPOINT_NOT_FOUND'],
})
