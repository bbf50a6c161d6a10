// The calls that drive the sandbox: its clock, its mails, its notification addresses, its log of events.
import Type from 'typebox'
import { NewWebhookUrls, WebhookUrls } from '../events/endpoints.ts'
import { EVERY_KEY, route } from '../kit/spec.ts'

const common = { auth: 'bearer', group: 'Sandbox', sandbox: true } as const
const Moment = Type.String({ description: 'ISO 8601, UTC' })

export const getClock = route({
  ...common,
  id: 'sandbox.clock',
  permission: EVERY_KEY,
  method: 'GET',
  path: '/sandbox/clock',
  summary: "Get the sandbox's clock",
  reply: Type.Object({ now: Moment, offsetSeconds: Type.Number() }),
  errors: [],
})

export const advanceClock = route({
  ...common,
  id: 'sandbox.advance',
  permission: 'settings.write',
  noIdempotencyKey: true,
  method: 'POST',
  path: '/sandbox/clock/advance',
  summary: 'Move the clock forward; every deadline on the way takes effect at its own time, in order',
  body: Type.Object({
    seconds: Type.Optional(Type.Number({ maximum: 400 * 86_400 })),
    to: Type.Optional(Type.String({ maxLength: 40 })),
  }),
  reply: Type.Object({ now: Moment, ran: Type.Integer({ description: 'How many deadlines took effect on the way' }) }),
  errors: ['CLOCK_BACKWARDS'],
})

export const getMails = route({
  ...common,
  id: 'sandbox.mails',
  permission: 'personalData.read',
  method: 'GET',
  path: '/sandbox/mails',
  summary: 'List emails sent for the merchant, to its owner and its customers, newest first',
  query: Type.Object({ to: Type.Optional(Type.String()) }),
  reply: Type.Array(
    Type.Object({
      to: Type.String(),
      subject: Type.String(),
      text: Type.String(),
      html: Type.String(),
      sentAt: Moment,
    }),
  ),
  errors: [],
})

export const getWebhookUrls = route({
  ...common,
  id: 'sandbox.webhookUrls',
  permission: 'webhooks.read',
  method: 'GET',
  path: '/sandbox/webhook-urls',
  summary: 'Get the webhook addresses',
  reply: WebhookUrls,
  errors: [],
})

export const putWebhookUrls = route({
  ...common,
  id: 'sandbox.setWebhookUrls',
  permission: 'webhooks.write',
  trail: true,
  method: 'PUT',
  path: '/sandbox/webhook-urls',
  summary: 'Set the webhook address of one activity, several, or `all`',
  body: NewWebhookUrls,
  reply: WebhookUrls,
  errors: [],
})

export const getEvents = route({
  ...common,
  id: 'sandbox.events',
  permission: 'events.read',
  method: 'GET',
  path: '/sandbox/events',
  summary: "The merchant's numbered events with their delivery attempts",
  query: Type.Object({ after: Type.Optional(Type.String({ pattern: '^\\d{1,15}$' })) }),
  reply: Type.Array(
    Type.Object({
      number: Type.Integer(),
      eventType: Type.String(),
      object: Type.String(),
      objectVersion: Type.Integer(),
      createdAt: Moment,
      body: Type.Unknown(),
      attempts: Type.Array(
        Type.Object({
          at: Moment,
          url: Type.String(),
          status: Type.Union([Type.Integer(), Type.Null()]),
          durationMs: Type.Integer(),
          error: Type.Optional(Type.String()),
        }),
      ),
    }),
  ),
  errors: [],
})
