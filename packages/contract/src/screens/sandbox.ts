// The calls that drive the sandbox: its clock, its mails, its notification addresses, its log of events.
import Type from 'typebox'
import { NewWebhookUrls, WebhookUrls } from '../events/endpoints.ts'
import { Named } from '../kit/fields.ts'
import { EVERY_KEY, route } from '../kit/spec.ts'

const common = { auth: 'bearer', group: 'Sandbox', sandbox: true } as const
const Moment = Type.String({ description: 'ISO 8601, UTC' })

export const getClock = route({
  ...common,
  id: 'sandbox.clock',
  permission: EVERY_KEY,
  method: 'GET',
  path: '/sandbox/clock',
  summary: 'Get the clock of the sandbox',
  description: 'The sandbox lives by its own clock, which can be moved forward.',
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
  summary: 'Move the clock forward',
  description:
    'Every deadline on the way takes effect at its own time, in order: transactions expire, timers run, settlements are paid. Give `seconds` or `to`.',
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
  summary: 'List emails that were sent',
  description: 'Those to the owner of the merchant and to its customers, newest first. In the sandbox no email leaves.',
  query: Type.Object({ to: Type.Optional(Type.String()) }),
  reply: Type.Array(
    Named('SandboxMail', {
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
  summary: 'Get the webhook addresses of the sandbox',
  description: 'As `GET /api/v1/webhook-urls`.',
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
  summary: 'Set the webhook addresses of the sandbox',
  description: 'As `PUT /api/v1/webhook-urls`; in the sandbox an address may be on this machine.',
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
  summary: 'List events with their delivery attempts',
  description: 'Numbered, oldest first, with the body as it was sent.',
  query: Type.Object({ after: Type.Optional(Type.String({ pattern: '^\\d{1,15}$' })) }),
  reply: Type.Array(
    Named('SandboxEvent', {
      number: Type.Integer(),
      eventType: Type.String(),
      object: Type.String(),
      objectVersion: Type.Integer(),
      createdAt: Moment,
      body: Type.Unknown(),
      attempts: Type.Array(
        Named('SandboxAttempt', {
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
