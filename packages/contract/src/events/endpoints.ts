// Where notifications go: one address per activity, and endpoints that take the kinds they choose.
import Type from 'typebox'
import { Text } from '../collections/transactions.ts'
import { Nothing } from '../kit/envelope.ts'
import { Named } from '../kit/fields.ts'
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
    ENABLED: { says: 'Events are sent to it.', waits: 'merchant' },
    DISABLED: {
      says: 'Nothing is sent; its events are kept, in order, until it is enabled or removed.',
      waits: 'merchant',
    },
    REMOVED: { says: 'Removed by the merchant.' },
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

export const Address = Type.String({
  maxLength: 2000,
  pattern: '^https?://[^\\s\\u0000-\\u001f]+$',
  description: 'In live, must be `https` and public',
})
const urls = Object.fromEntries(WEBHOOK_KINDS.map((kind) => [kind, Nullable(Address)])) as Record<
  (typeof WEBHOOK_KINDS)[number],
  ReturnType<typeof Nullable<typeof Address>>
>
export const WebhookUrls = Named('WebhookUrls', urls)
export const NewWebhookUrls = Named('NewWebhookUrls', {
  ...(Type.Partial(WebhookUrls) as typeof WebhookUrls).properties,
  all: Type.Optional(Nullable(Address)),
})

export const getWebhookUrls = route({
  ...common,
  id: 'webhookUrls.get',
  permission: 'webhooks.read',
  method: 'GET',
  path: '/api/v1/webhook-urls',
  summary: 'Get the webhook addresses',
  description: 'One for each activity; null where none is set.',
  reply: WebhookUrls,
  errors: [],
})

export const putWebhookUrls = route({
  ...common,
  id: 'webhookUrls.put',
  permission: 'webhooks.write',
  trail: true,
  method: 'PUT',
  path: '/api/v1/webhook-urls',
  summary: 'Set webhook addresses',
  description:
    'Of one activity, several, or `all`. Pending events of a changed address go to the new one. null removes an address and drops its pending events. Setting a disabled address enables it.',
  body: NewWebhookUrls,
  reply: WebhookUrls,
  errors: ['ADDRESS_NOT_PUBLIC'],
})

export const EVERY_KIND = '*'
const EventTypes = Type.Array(Type.Enum([EVERY_KIND, ...EVENTS.map(({ type }) => type)]), {
  maxItems: 50,
  description: 'Event types; `*` for all, including future ones',
})

export const Endpoint = Named('Endpoint', {
  endpointId: Type.String({ examples: ['ep_01_20417'] }),
  url: Type.String(),
  activities: Type.Array(Type.Enum([...WEBHOOK_KINDS]), {
    description: 'The activities whose webhook address this is',
  }),
  eventTypes: Type.Array(Type.String(), {
    description: 'Event types it receives in addition to those of its activities',
  }),
  description: Type.String(),
  status: Type.Enum(Object.keys(endpointMachine.states)),
  disabledReason: Nullable(Type.Enum([...DISABLED_REASONS])),
  failingSince: Nullable(Type.String({ description: 'The first failure since the last 200. ISO 8601, UTC' })),
  restingUntil: Nullable(
    Type.String({
      description: 'Paused after too many failures, or by Retry-After; one event is tried then. ISO 8601, UTC',
    }),
  ),
  waiting: Type.Integer({ description: 'Number of pending events' }),
  createdAt: Moment,
})

export const createEndpoint = route({
  ...common,
  id: 'endpoints.create',
  permission: 'webhooks.write',
  trail: true,
  method: 'POST',
  path: '/api/v1/webhook-endpoints',
  summary: 'Add a webhook endpoint for chosen event types',
  description:
    'It receives events that happen afterwards, in addition to the addresses of the activities. An event is sent to an address once: if the address already exists, these event types are added to it.',
  body: Type.Object({ url: Address, eventTypes: EventTypes, description: Type.Optional(Text(200)) }),
  reply: Endpoint,
  errors: ['ADDRESS_NOT_PUBLIC', 'ENDPOINTS_TOO_MANY'],
})

export const listEndpoints = route({
  ...common,
  id: 'endpoints.list',
  permission: 'webhooks.read',
  method: 'GET',
  path: '/api/v1/webhook-endpoints',
  summary: 'List webhook endpoints',
  description: 'All of them, including the addresses of activities, each with its health.',
  reply: Type.Array(Endpoint),
  errors: [],
})

const onePath = '/api/v1/webhook-endpoints/{endpointId}'

export const changeEndpoint = route({
  ...common,
  id: 'endpoints.change',
  permission: 'webhooks.write',
  trail: true,
  method: 'PUT',
  path: onePath,
  summary: 'Change a webhook endpoint',
  description:
    'Its address, its event types or its description. Pending events go to the new address. eventTypes are in addition to those of its activities.',
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
  permission: 'webhooks.write',
  trail: true,
  method: 'DELETE',
  path: onePath,
  summary: 'Remove a webhook endpoint',
  description: 'Its pending events are dropped.',
  reply: Nothing,
  errors: ['ENDPOINT_NOT_FOUND'],
})

export const enableEndpoint = route({
  ...common,
  id: 'endpoints.enable',
  permission: 'webhooks.write',
  trail: true,
  method: 'POST',
  path: `${onePath}/enable`,
  summary: 'Enable a webhook endpoint',
  description: 'One that was disabled or paused. Its pending events are sent in order.',
  reply: Endpoint,
  errors: ['ENDPOINT_NOT_FOUND'],
})

export const disableEndpoint = route({
  ...common,
  id: 'endpoints.disable',
  permission: 'webhooks.write',
  trail: true,
  method: 'POST',
  path: `${onePath}/disable`,
  summary: 'Disable a webhook endpoint for now',
  description: 'Nothing is sent to it; its events are kept, in order, until it is enabled.',
  reply: Endpoint,
  errors: ['ENDPOINT_NOT_FOUND'],
})
