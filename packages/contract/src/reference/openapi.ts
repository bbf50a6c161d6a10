// The OpenAPI document: computed from the routes, events and errors of the contract, so it cannot differ from
// them.
import type { TSchema } from 'typebox'
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from '../bank/connector.ts'
import type { ErrorCode } from '../errors/errors.ts'
import { DELIVERY_HEADERS, toEventBody } from '../events/delivery.ts'
import { EVENTS, ROUTES } from '../index.ts'
import { cardGuard } from '../kit/card-data.ts'
import { Refusal } from '../kit/envelope.ts'
import { FEATURES, featureError } from '../kit/features.ts'
import { type JsonSchema, listFields, publicSchema } from '../kit/fields.ts'
import { AGENT_SCOPE, KEY_SCOPES, type MerchantPermission, permissionsOfScope } from '../kit/permissions.ts'
import { type Auth, EVERY_KEY, type EventSpec, type Route } from '../kit/spec.ts'
import { type Example, examplesAt } from './examples.ts'
import { describeRefusals, header, refusalExamples, sharedResponses } from './refusals.ts'
import { createShapes, pascal, type Shapes } from './schemas.ts'
import { describeTag, EVENTS_TAG } from './tags.ts'
import { wordsFor } from './words.ts'

export type OpenapiOptions = { readonly apiUrl: string; readonly sandbox: boolean }

export const API_VERSION = '0.1.0'

/** Whether requests of the route may carry Idempotency-Key. */
export const takesIdempotencyKey = (route: Route): boolean =>
  route.auth === 'bearer' && (route.method === 'POST' || route.method === 'PUT') && !route.noIdempotencyKey

const takes = (schema: TSchema, wire: 'number' | 'percent'): boolean =>
  JSON.stringify(schema).includes(`"x-wire":"${wire}"`)

/** What an API key must be allowed to for this route; null where every key, or none, may call it. */
const routePermission = ({ permission }: Route): MerchantPermission | null =>
  permission === undefined || permission === EVERY_KEY ? null : permission

/** Every code a route can answer: its own, and those that come with how it is called. */
export function listErrors(route: Route): readonly ErrorCode[] {
  const codes: ErrorCode[] = [...route.errors]
  if (route.body) codes.push('MALFORMED_BODY', 'BODY_TOO_LARGE', 'FIELD_MISSING', 'FIELD_INVALID')
  if (route.body && route.auth !== 'bank' && cardGuard(route.body)) codes.push('CARD_DATA_REFUSED')
  if (route.body && takes(route.body, 'number')) codes.push('AMOUNT_INVALID')
  if (route.body && takes(route.body, 'percent')) codes.push('PERCENTAGE_INVALID')
  if (route.query) codes.push('FIELD_INVALID')
  if (route.query && listFields(route.query).some(({ required }) => required)) codes.push('FIELD_MISSING')
  if (takesIdempotencyKey(route)) codes.push('IDEMPOTENCY_KEY_INVALID', 'IDEMPOTENCY_IN_FLIGHT', 'IDEMPOTENCY_MISMATCH')
  if (route.auth === 'bearer') {
    codes.push('TOKEN_MISSING', 'TOKEN_INVALID', 'TOKEN_EXPIRED')
    codes.push(route.addressErrorCode ?? 'ADDRESS_NOT_ALLOWED', 'MERCHANT_SUSPENDED')
  }
  if (routePermission(route)) codes.push('PERMISSION_DENIED')
  if (route.feature) codes.push(featureError(route.feature))
  codes.push('RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE')
  return [...new Set(codes)]
}

/** The routes that exist in an environment. */
export const listRoutes = (sandbox: boolean): readonly Route[] => ROUTES.filter((route) => sandbox || !route.sandbox)

/** What an operation is rendered with. */
type Making = {
  readonly shapes: Shapes
  readonly examples: Readonly<Record<string, Example>>
  readonly faults: string[]
}

const exampleOf = (
  values: Readonly<Record<string, string>> | undefined,
  name: string,
  type?: unknown,
): { example?: string | number } => {
  const value = values?.[name]
  if (value === undefined) return {}
  return { example: type === 'integer' || type === 'number' ? Number(value) : value }
}

function parametersOf(route: Route, { faults, examples }: Making): readonly object[] {
  const example = examples[route.id]
  const said = (name: string, own: unknown): string => {
    const words = typeof own === 'string' ? own : wordsFor(route.id, name)
    if (words === undefined) faults.push(`nothing is said of ${route.id}.${name}`)
    return words ?? ''
  }
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: `${said(name, undefined)}. Percent-encoded: a \`|\` is written %7C`,
    schema: { type: 'string' },
    ...exampleOf(example?.path, name),
  }))
  const query: JsonSchema = route.query ? publicSchema(route.query) : {}
  const required = (query['required'] ?? []) as readonly string[]
  const inQuery = Object.entries((query['properties'] ?? {}) as Record<string, JsonSchema>).map(([name, schema]) => {
    const { description, ...rest } = schema
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description: said(name, description),
      schema: rest,
      ...exampleOf(example?.query, name, rest['type']),
    }
  })
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
  const permission = routePermission(route)
  if (permission === null) return null
  const scopes = Object.keys(KEY_SCOPES).filter((scope) => permissionsOfScope(scope).has(permission))
  const keys = scopes.length === 0 ? 'no limited API key' : `limited API keys of ${scopes.join(', ')}`
  const proposing = route.proposable
    ? ` Keys of ${AGENT_SCOPE} propose it: it waits for one of the merchant's people.`
    : ''
  return `Permission ${permission}: ${keys}.${proposing}`
}

const SUCCESS = { requestSuccessful: true, responseMessage: 'success', responseCode: '0' }

/** The whole answer of an example. */
export const exampleAnswer = ({ file }: Route, example: Example): unknown =>
  file ? example.reply : { ...SUCCESS, ...('reply' in example ? { responseBody: example.reply } : {}) }

const withExample = (value: unknown): { example?: unknown } => (value === undefined ? {} : { example: value })

function operationOf(route: Route, making: Making): object {
  const parameters = parametersOf(route, making)
  const { shapes, examples } = making
  const example = examples[route.id]
  const description = [route.description, featureWords(route), permissionWords(route)].filter(Boolean).join(' ')
  const answer = {
    schema: shapes.response(route),
    ...withExample(example ? exampleAnswer(route, example) : undefined),
  }
  return {
    operationId: route.id,
    tags: [route.group],
    summary: route.summary,
    description,
    ...(route.feature ? { 'x-feature': route.feature } : {}),
    ...(routePermission(route) ? { 'x-permission': routePermission(route) } : {}),
    security: SECURITY[route.auth],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: shapes.request(route), ...withExample(example?.body) } },
          },
        }
      : {}),
    responses: {
      '200': {
        description: 'Success',
        ...(takesIdempotencyKey(route)
          ? { headers: { 'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' } } }
          : {}),
        content: { [route.file ?? 'application/json']: answer },
      },
      ...describeRefusals(listErrors(route), route.status422As),
    },
  }
}

function pathsOf(routes: readonly Route[], making: Making): object {
  const byPath = Object.groupBy(routes, (route) => route.path)
  return Object.fromEntries(
    Object.entries(byPath).map(([path, those = []]) => [
      path,
      Object.fromEntries(those.map((route) => [route.method.toLowerCase(), operationOf(route, making)])),
    ]),
  )
}

/** `webhook-id` → `WebhookId`; the headers that every notification has. */
const headerName = (name: string): string => pascal(name)

function webhookOf(event: EventSpec, shapes: Shapes): object {
  return {
    post: {
      operationId: `event.${event.type}`,
      tags: [EVENTS_TAG],
      summary: event.type,
      description: `${event.summary} ${
        event.goesTo
          ? `Sent to the merchant's webhook address for ${event.goesTo}.`
          : 'Sent to webhook endpoints that chose this event type.'
      }`,
      security: [],
      parameters: Object.keys(DELIVERY_HEADERS).map((name) => ({
        $ref: `#/components/parameters/${headerName(name)}`,
      })),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: shapes.event(event),
            examples: Object.fromEntries(
              event.samples.map((sample, at) => [String(at + 1), { value: toEventBody(event, sample) }]),
            ),
          },
        },
      },
      responses: { '200': { description: 'Delivered. Any other response, or none, is retried.' } },
    },
  }
}

const PARAMETERS = {
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
  ...Object.fromEntries(
    Object.entries(DELIVERY_HEADERS).map(([name, description]) => [
      headerName(name),
      { name, in: 'header', required: true, description, schema: { type: 'string' } },
    ]),
  ),
}

const SECURITY_SCHEMES = {
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
}

function componentsOf(routes: readonly Route[], shapes: Shapes, apiUrl: string): object {
  const codes = [...new Set(routes.flatMap(listErrors))].toSorted()
  return {
    schemas: shapes.schemas(),
    responses: sharedResponses(),
    parameters: PARAMETERS,
    examples: refusalExamples(codes, apiUrl),
    headers: {
      IdempotentReplayed: header('`true` when the response is that of an earlier request with the same key'),
    },
    securitySchemes: SECURITY_SCHEMES,
  }
}

/** The document, and what is wrong with its names and words: nothing, or a test fails. */
export function openapiWithFaults(options: OpenapiOptions): { document: object; faults: readonly string[] } {
  const routes = listRoutes(options.sandbox)
  const groups = [...new Set(routes.map((route) => route.group)), EVENTS_TAG]
  const shapes = createShapes()
  const making: Making = { shapes, examples: examplesAt(options.apiUrl), faults: [] }
  shapes.refer(Refusal, 'Refusal')
  const paths = pathsOf(routes, making)
  const webhooks = Object.fromEntries(EVENTS.map((event) => [event.type, webhookOf(event, shapes)]))
  const document = {
    openapi: '3.1.1',
    info: {
      title: 'Cowrie',
      version: API_VERSION,
      summary: 'A payment gateway that anyone can run',
      description: `Every response has the same envelope. The human-readable reference is at ${options.apiUrl}/docs.`,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.apiUrl, description: options.sandbox ? 'Sandbox' : 'Live' }],
    tags: groups.map(describeTag),
    paths,
    webhooks,
    components: componentsOf(routes, shapes, options.apiUrl),
  }
  return { document, faults: [...shapes.faults, ...making.faults] }
}

export const openapi = (options: OpenapiOptions): object => openapiWithFaults(options).document
