// The shapes of the interface under their names: every object that a request, a response or an event has is
// one schema of openapi.json, and is referred to wherever it stands.
//
// A name is declared beside the schema (`Named('Invoice', …)`) where a shape is used more than once or is
// worth one. Otherwise it follows from where the shape stands:
//   TransactionsInitRequest     the body of `transactions.init`
//   TransactionsInitReply       its `responseBody`
//   TransactionsInitResponse    the whole answer; that of a named shape is InvoiceResponse, of a list of them
//     InvoiceListResponse
//   ChargeResultOtpData         the field `otpData` of ChargeResult; the objects of a list end in `Item`
//   LowBalanceAlertEvent        the notification of that type; LowBalanceAlertData is its `eventData`
import type { TSchema } from 'typebox'
import { successEnvelope } from '../kit/envelope.ts'
import { type Explained, type JsonSchema, publicSchema } from '../kit/fields.ts'
import type { EventSpec, Route } from '../kit/spec.ts'
import { wordsFor } from './words.ts'

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const alternativesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  Array.isArray(schema['anyOf']) ? schema['anyOf'].filter(isSchema) : []
const isNull = (schema: JsonSchema): boolean => schema['type'] === 'null'

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
/** `transactions.init` → `TransactionsInit`; `LOW_BALANCE_ALERT` → `LowBalanceAlert`. */
export const pascal = (text: string): string =>
  /^[A-Z0-9_]+$/.test(text)
    ? text.toLowerCase().split('_').map(capital).join('')
    : text
        .split(/[^A-Za-z0-9]+/)
        .map(capital)
        .join('')

/** What the fields of a route or an event mean that say nothing of themselves, wherever they are shown as a
 *  table. */
const explaining = (place: string): Explained => ({ place, words: wordsFor })
export const WORDS = {
  query: ({ id }: Route) => explaining(id),
  request: ({ id }: Route) => explaining(`${pascal(id)}Request`),
  reply: ({ id }: Route) => explaining(`${pascal(id)}Reply`),
  data: ({ type }: EventSpec) => explaining(`${pascal(type)}Data`),
  metaData: ({ type }: EventSpec) => explaining(`${pascal(type)}MetaData`),
} as const

/** The same shape has the same key, whatever it is called and whatever is said of it where it is used. */
const keyOf = ({ title: _title, description: _description, ...schema }: JsonSchema): string =>
  JSON.stringify(schema, (key, value: unknown) => (key === 'title' && typeof value === 'string' ? undefined : value))

const descriptionOf = (schema: JsonSchema): string | undefined => {
  const said = [schema, ...alternativesOf(schema)].map((one) => one['description'])
  return said.find((one) => typeof one === 'string')
}

export type Shapes = {
  /** By name, in alphabetical order. */
  schemas(): Readonly<Record<string, JsonSchema>>
  /** What stands in the place of a schema: a reference, where it is an object or has one in it. */
  refer(schema: TSchema, name: string): JsonSchema
  request(route: Route): JsonSchema
  response(route: Route): JsonSchema
  event(spec: EventSpec): JsonSchema
  /** Names of two shapes, shapes of two names, and fields that nothing is said of. */
  readonly faults: readonly string[]
}

type Registry = {
  readonly schemas: Map<string, JsonSchema>
  readonly keys: Map<string, string>
  readonly names: Map<string, string>
  readonly faults: string[]
}

function described(property: JsonSchema, shown: JsonSchema, where: string, faults: string[]): JsonSchema {
  const [name = '', field = ''] = where.split('.')
  const text = descriptionOf(property) ?? wordsFor(name, field)
  if (text === undefined) faults.push(`nothing is said of ${where}`)
  return text === undefined ? shown : { ...shown, description: text }
}

function registered(schema: JsonSchema, name: string, registry: Registry): JsonSchema {
  const key = keyOf(schema)
  const known = registry.names.get(key)
  if (known !== undefined && known !== name) registry.faults.push(`one shape is called ${known} and ${name}`)
  const other = registry.keys.get(name)
  if (other !== undefined && other !== key) registry.faults.push(`two shapes are called ${name}`)
  if (other === undefined) {
    registry.keys.set(name, key)
    registry.names.set(key, registry.names.get(key) ?? name)
    const properties = Object.entries(schema['properties'] as JsonSchema).map(([field, property]) => {
      const inner = property as JsonSchema
      return [
        field,
        described(inner, placed(inner, name + capital(field), registry), `${name}.${field}`, registry.faults),
      ]
    })
    const { title: _title, ...rest } = schema
    registry.schemas.set(name, { ...rest, properties: Object.fromEntries(properties) })
  }
  return { $ref: `#/components/schemas/${name}` }
}

/** A schema with references in the place of its objects. */
function placed(schema: JsonSchema, derived: string, registry: Registry): JsonSchema {
  if (isSchema(schema['properties']))
    return registered(schema, typeof schema['title'] === 'string' ? schema['title'] : derived, registry)
  const { items, additionalProperties, anyOf } = schema
  return {
    ...schema,
    ...(isSchema(items) ? { items: placed(items, `${derived}Item`, registry) } : {}),
    ...(isSchema(additionalProperties)
      ? { additionalProperties: placed(additionalProperties, `${derived}Value`, registry) }
      : {}),
    ...(Array.isArray(anyOf)
      ? { anyOf: alternativesOf(schema).map((one) => (isNull(one) ? one : placed(one, derived, registry))) }
      : {}),
  }
}

/** What the answer with this body is called. */
function responseName(body: JsonSchema, fallback: string): string {
  const [single, items] = [body['$ref'], isSchema(body['items']) ? body['items']['$ref'] : undefined]
  const last = (ref: unknown): string => String(ref).split('/').at(-1) ?? ''
  if (typeof items === 'string') return `${last(items).replace(/ReplyItem$/, '')}ListResponse`
  return typeof single === 'string' ? `${last(single).replace(/Reply$/, '')}Response` : fallback
}

export function createShapes(): Shapes {
  const registry: Registry = { schemas: new Map(), keys: new Map(), names: new Map(), faults: [] }
  const refer = (schema: TSchema, name: string): JsonSchema => placed(publicSchema(schema), name, registry)
  return {
    faults: registry.faults,
    refer,
    schemas: () =>
      Object.fromEntries([...registry.schemas].toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))),
    request: ({ id, body }) => (body ? refer(body, `${pascal(id)}Request`) : {}),
    response: ({ id, reply, file }) => {
      const body = refer(reply, `${pascal(id)}Reply`)
      if (file) return body
      const envelope = publicSchema(successEnvelope(reply))
      const properties = envelope['properties'] as JsonSchema
      if (!('responseBody' in properties)) return placed(envelope, 'Success', registry)
      const whole = { ...envelope, properties: { ...properties, responseBody: body } }
      return placed(whole, responseName(body, `${pascal(id)}Response`), registry)
    },
    event: ({ type, data, metaData }) => {
      const name = pascal(type)
      const whole = {
        type: 'object',
        required: ['eventData', 'eventType', ...(metaData ? ['metaData'] : [])],
        properties: {
          eventData: refer(data, `${name}Data`),
          eventType: { type: 'string', const: type },
          ...(metaData ? { metaData: refer(metaData, `${name}MetaData`) } : {}),
        },
      }
      return placed(whole, `${name}Event`, registry)
    },
  }
}
