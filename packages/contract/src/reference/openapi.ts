// The OpenAPI document: computed from the routes, events and errors of the contract, so it cannot differ from them.
import type { TSchema } from 'typebox'
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from '../bank/connector.ts'
import { type ErrorCode, errorSpec, statusOf } from '../errors/errors.ts'
import { bodyOf, DELIVERY_HEADERS } from '../events/delivery.ts'
import { EVENTS, ROUTES } from '../index.ts'
import { cardGuard } from '../kit/card-data.ts'
import { Problem, Refusal, successOf } from '../kit/envelope.ts'
import { FEATURES, featureError } from '../kit/features.ts'
import { fieldsOf, type JsonSchema, publicSchema } from '../kit/fields.ts'
import { KEY_SCOPES, type MerchantPermission, permissionsOfScope } from '../kit/permissions.ts'
import { type Auth, EVERY_KEY, type EventSpec, type Route } from '../kit/spec.ts'

export type OpenapiOptions = { readonly apiUrl: string; readonly sandbox: boolean }

export const API_VERSION = '0.1.0'
const EVENTS_TAG = 'Events'

/** Whether requests of the route may carry Idempotency-Key. */
export const takesIdempotencyKey = (route: Route): boolean =>
  route.auth === 'bearer' && (route.method === 'POST' || route.method === 'PUT') && !route.noIdempotencyKey

const takes = (schema: TSchema, wire: 'number' | 'percent'): boolean =>
  JSON.stringify(schema).includes(`"x-wire":"${wire}"`)

/** What an API key must be allowed to for this route; null where every key, or none, may call it. */
export const permissionOf = ({ permission }: Route): MerchantPermission | null =>
  permission === undefined || permission === EVERY_KEY ? null : permission

/** Every code a route can answer: its own, and those that come with how it is called. */
export function errorsOf(route: Route): readonly ErrorCode[] {
  const codes: ErrorCode[] = [...route.errors]
  if (route.body) codes.push('MALFORMED_BODY', 'BODY_TOO_LARGE', 'FIELD_MISSING', 'FIELD_INVALID')
  if (route.body && route.auth !== 'bank' && cardGuard(route.body)) codes.push('CARD_DATA_REFUSED')
  if (route.body && takes(route.body, 'number')) codes.push('AMOUNT_INVALID')
  if (route.body && takes(route.body, 'percent')) codes.push('PERCENTAGE_INVALID')
  if (route.query) codes.push('FIELD_INVALID')
  if (route.query && fieldsOf(route.query).some(({ required }) => required)) codes.push('FIELD_MISSING')
  if (takesIdempotencyKey(route)) codes.push('IDEMPOTENCY_KEY_INVALID', 'IDEMPOTENCY_IN_FLIGHT', 'IDEMPOTENCY_MISMATCH')
  if (route.auth === 'bearer') {
    codes.push('TOKEN_MISSING', 'TOKEN_INVALID', 'TOKEN_EXPIRED')
    codes.push(route.addressErrorCode ?? 'ADDRESS_NOT_ALLOWED', 'MERCHANT_SUSPENDED')
  }
  if (permissionOf(route)) codes.push('PERMISSION_DENIED')
  if (route.feature) codes.push(featureError(route.feature))
  codes.push('RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE')
  return [...new Set(codes)]
}

/** The routes that exist in an environment. */
export const routesOf = (sandbox: boolean): readonly Route[] => ROUTES.filter((route) => sandbox || !route.sandbox)

const SAMPLE_WORDS: Readonly<Record<string, string>> = {
  field: 'amount',
  why: 'it does not match the format',
  method: 'CARD',
  code: 'CWRY_SUB_010000000001',
  state: 'EXPIRED',
  fields: 'amount, paymentReference',
  accountNumber: '0123456789',
  feature: FEATURES.BILLS,
  amount: '1500.00',
  left: '250.00',
  permission: 'payouts.send',
}

function refusalExample(code: ErrorCode, apiUrl: string): object {
  const spec = errorSpec(code)
  const message = spec.message.replace(/\{(\w+)\}/g, (whole, name: string) => SAMPLE_WORDS[name] ?? whole)
  const field = spec.message.includes('{field}') ? { field: SAMPLE_WORDS['field'] } : {}
  return {
    requestSuccessful: false,
    responseMessage: message,
    responseCode: spec.responseCode ?? '99',
    ...(spec.oauth ? { error: spec.oauth, error_description: message } : {}),
    problem: {
      code,
      hint: spec.hint,
      ...field,
      docUrl: `${apiUrl}/docs#error-${code}`,
      requestId: '01K7ZD3W9QXN4T5V6B8C0E1F2G',
    },
  }
}

const header = (description: string, type = 'string'): object => ({ description, schema: { type } })
const RATE_HEADERS = {
  'RateLimit-Limit': header('Requests allowed in the window', 'integer'),
  'RateLimit-Remaining': header('Requests left in the window', 'integer'),
  'RateLimit-Reset': header('Seconds until the window ends', 'integer'),
  'Retry-After': header('Seconds to wait', 'integer'),
}

function refusalsOf(route: Route, apiUrl: string): Record<string, object> {
  const byStatus = Object.groupBy(errorsOf(route), (code) => String(statusOf(code, route.status422As)))
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes = []]) => [
      status,
      {
        description: codes.join(', '),
        ...(status === '429' ? { headers: RATE_HEADERS } : {}),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Refusal' },
            examples: Object.fromEntries(
              codes.map((code) => [code, { summary: errorSpec(code).hint, value: refusalExample(code, apiUrl) }]),
            ),
          },
        },
      },
    ]),
  )
}

function parametersOf(route: Route): readonly object[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => ({
    name: match[1],
    in: 'path',
    required: true,
    description: 'Percent-encoded: a `|` is written %7C',
    schema: { type: 'string' },
  }))
  const query: JsonSchema = route.query ? publicSchema(route.query) : {}
  const required = (query['required'] ?? []) as readonly string[]
  const inQuery = Object.entries((query['properties'] ?? {}) as JsonSchema).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
  const key = takesIdempotencyKey(route) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []
  const timestamp = route.auth === 'bank' ? [{ $ref: '#/components/parameters/BankTimestamp' }] : []
  return [...inPath, ...inQuery, ...key, ...timestamp]
}

const SECURITY: Readonly<Record<Auth, readonly object[]>> = {
  basic: [{ basic: [] }],
  bearer: [{ bearer: [] }],
  bank: [{ bankSignature: [] }],
  none: [],
}

/** What the reference says of a route's feature. */
export const featureWords = (route: Route): string | null =>
  route.feature ? `Needs the feature ${route.feature} (${FEATURES[route.feature]}), which the operator grants.` : null

/** What the reference says of who may call a route with a limited API key. */
export function permissionWords(route: Route): string | null {
  const permission = permissionOf(route)
  if (permission === null) return null
  const scopes = Object.keys(KEY_SCOPES).filter((scope) => permissionsOfScope(scope).has(permission))
  const keys = scopes.length === 0 ? 'no limited API key' : `limited API keys of ${scopes.join(', ')}`
  return `Permission ${permission}: ${keys}.`
}

function operationOf(route: Route, apiUrl: string): object {
  const parameters = parametersOf(route)
  const description = [route.description, featureWords(route), permissionWords(route)].filter(Boolean).join(' ')
  const replayed = {
    'Idempotent-Replayed': header('`true` when the response is that of an earlier request with the same key'),
  }
  return {
    operationId: route.id,
    tags: [route.group],
    summary: route.summary,
    ...(description === '' ? {} : { description }),
    ...(route.feature ? { 'x-feature': route.feature } : {}),
    ...(permissionOf(route) ? { 'x-permission': permissionOf(route) } : {}),
    security: SECURITY[route.auth],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body
      ? { requestBody: { required: true, content: { 'application/json': { schema: publicSchema(route.body) } } } }
      : {}),
    responses: {
      '200': {
        description: 'Success',
        ...(takesIdempotencyKey(route) ? { headers: replayed } : {}),
        content: route.file
          ? { [route.file]: { schema: publicSchema(route.reply) } }
          : { 'application/json': { schema: publicSchema(successOf(route.reply)) } },
      },
      ...refusalsOf(route, apiUrl),
    },
  }
}

function pathsOf(routes: readonly Route[], apiUrl: string): object {
  const byPath = Object.groupBy(routes, (route) => route.path)
  return Object.fromEntries(
    Object.entries(byPath).map(([path, those = []]) => [
      path,
      Object.fromEntries(those.map((route) => [route.method.toLowerCase(), operationOf(route, apiUrl)])),
    ]),
  )
}

function webhookOf(event: EventSpec): object {
  return {
    post: {
      operationId: `event.${event.type}`,
      tags: [EVENTS_TAG],
      summary: event.summary,
      description: event.goesTo
        ? `Sent to the merchant's webhook address for ${event.goesTo}.`
        : 'Sent to webhook endpoints that chose this event type.',
      security: [],
      parameters: Object.entries(DELIVERY_HEADERS).map(([name, description]) => ({
        name,
        in: 'header',
        required: true,
        description,
        schema: { type: 'string' },
      })),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['eventData', 'eventType', ...(event.metaData ? ['metaData'] : [])],
              properties: {
                eventData: publicSchema(event.data),
                eventType: { type: 'string', const: event.type },
                ...(event.metaData ? { metaData: publicSchema(event.metaData) } : {}),
              },
            },
            examples: Object.fromEntries(
              event.samples.map((sample, at) => [String(at + 1), { value: bodyOf(event, sample) }]),
            ),
          },
        },
      },
      responses: { '200': { description: 'Delivered. Any other response, or none, is retried.' } },
    },
  }
}

const COMPONENTS = {
  schemas: {
    Refusal: {
      ...publicSchema(Refusal),
      properties: {
        ...(publicSchema(Refusal)['properties'] as JsonSchema),
        problem: { $ref: '#/components/schemas/Problem' },
      },
    },
    Problem: publicSchema(Problem),
  },
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'A request with a key is processed once; a repeat within 30 days gets the same response.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    },
    BankTimestamp: {
      name: TIMESTAMP_HEADER,
      in: 'header',
      required: true,
      description: 'Unix seconds; part of what is signed.',
      schema: { type: 'string', pattern: '^\\d+$' },
    },
  },
  securitySchemes: {
    basic: {
      type: 'http',
      scheme: 'basic',
      description:
        'API key as user name, secret key as password. For login, secret key rotation and settings that protect money.',
    },
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The accessToken of a login.' },
    bankSignature: {
      type: 'apiKey',
      in: 'header',
      name: SIGNATURE_HEADER,
      description:
        '`v1=` and the hex of HMAC-SHA256 over timestamp, method, path and body; see the bank connector protocol.',
    },
  },
}

export function openapi(options: OpenapiOptions): object {
  const routes = routesOf(options.sandbox)
  const groups = [...new Set(routes.map((route) => route.group)), EVENTS_TAG]
  return {
    openapi: '3.1.1',
    info: {
      title: 'Cowrie',
      version: API_VERSION,
      summary: 'A payment gateway that anyone can run',
      description: `Every response has the same envelope. The human-readable reference is at ${options.apiUrl}/docs.`,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.apiUrl, description: options.sandbox ? 'Sandbox' : 'Live' }],
    tags: groups.map((name) => ({ name })),
    paths: pathsOf(routes, options.apiUrl),
    webhooks: Object.fromEntries(EVENTS.map((event) => [event.type, webhookOf(event)])),
    components: COMPONENTS,
  }
}
