// Turns the text of a body, or a query, into what the contract's schema says, or a refusal that names the field.
import type { Route } from '@cowrie/contract/kit'
import { wantsSource } from '@cowrie/contract/money'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { fail } from './fail.ts'
import { type JsonValue, readJson, type SourceShape } from './json.ts'

type Schema = TSchema & {
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  type?: string
  required?: string[]
  'x-wire'?: string
}

/** Which numbers of a body are amounts: found once per route, from its schema. */
export function sourceShape(schema: Schema): SourceShape | undefined {
  if (wantsSource(schema)) return true
  if (schema.properties) {
    const keys: Record<string, SourceShape> = {}
    for (const [key, inner] of Object.entries(schema.properties)) {
      const shape = sourceShape(inner)
      if (shape) keys[key] = shape
    }
    return Object.keys(keys).length > 0 ? { keys } : undefined
  }
  if (schema.anyOf) return schema.anyOf.map(sourceShape).find((shape) => shape !== undefined)
  const items = schema.items && sourceShape(schema.items)
  return items ? { items } : undefined
}

type Validator = { Check(value: unknown): boolean; Errors(value: unknown): Iterable<unknown> }
type ValidationError = { keyword: string; instancePath: string; params: Record<string, unknown>; message?: string }

function refuse(schema: Schema, validator: Validator, value: JsonValue): never {
  const errors = [...validator.Errors(value)] as ValidationError[]
  const missing = errors.find((error) => error.keyword === 'required')
  if (missing) {
    const names = missing.params['requiredProperties'] as string[] | undefined
    const parent = missing.instancePath.slice(1).replaceAll('/', '.')
    const field = names?.[0] ?? ''
    fail('FIELD_MISSING', { field: parent ? `${parent}.${field}` : field })
  }
  const first = errors[0]
  const path = first?.instancePath.slice(1).split('/') ?? []
  const field = path.join('.') || 'body'
  const faulty = path.reduce<Schema | undefined>(
    (at, key) => at?.properties?.[key] ?? (/^\d+$/.test(key) ? at?.items : undefined),
    schema,
  )
  const wire = faulty?.['x-wire'] ?? faulty?.anyOf?.find(wantsSource)?.['x-wire']
  if (wire === 'percent') fail('PERCENTAGE_INVALID', { field })
  if (wire === 'number') fail('AMOUNT_INVALID', { field })
  fail('FIELD_INVALID', { field, why: first?.message ?? 'wrong type' })
}

type Fields = { [key: string]: JsonValue }
type Tidy = (value: JsonValue) => JsonValue

const isFields = (value: JsonValue): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A null field is the same as one left out, unless its schema knows null; so is an empty text in a required field. The
 *  same holds inside the objects of an array. Null when a schema has nothing of the kind. */
function tidier(schema: Schema): Tidy | null {
  if (schema.items) {
    const inner = tidier(schema.items)
    return inner && ((value) => (Array.isArray(value) ? value.map(inner) : value))
  }
  if (!schema.properties) return null
  const required = new Set(schema.required ?? [])
  const nullable = new Set<string>()
  const inside: [string, Tidy][] = []
  for (const [name, property] of Object.entries(schema.properties)) {
    if (property.anyOf?.some((one) => one.type === 'null')) nullable.add(name)
    const inner = tidier(property)
    if (inner) inside.push([name, inner])
  }
  return (value) => {
    if (!isFields(value)) return value
    let copy: Fields | null = null
    for (const key in value) {
      if ((value[key] === null && !nullable.has(key)) || (value[key] === '' && required.has(key))) {
        copy ??= { ...value }
        delete copy[key]
      }
    }
    for (const [name, inner] of inside) {
      const given = value[name]
      if (given === undefined || given === null) continue
      copy ??= { ...value }
      copy[name] = inner(given)
    }
    return copy ?? value
  }
}

/** A reader for the bodies of one route. An empty body counts as {}: existing clients send a JSON content type with it. */
export function bodyReader(route: Route): (text: string) => unknown {
  if (!route.body) return () => undefined
  const schema = route.body as Schema
  const validator = Compile(schema) as unknown as Validator
  const tidy: Tidy = tidier(schema) ?? ((value) => value)
  const many = schema.type === 'array'
  const one = many ? (schema.items as Schema) : schema
  const shapes = { one: sourceShape(one), whole: sourceShape(schema) }
  return (text) => {
    const alone = many && Boolean(route.oneOrMany) && !text.trimStart().startsWith('[')
    const read = text === '' ? {} : readJson(text, alone ? shapes.one : shapes.whole, route.membersMax)
    if (read === undefined) fail('MALFORMED_BODY')
    const value = alone ? [read] : read
    if (many ? !(Array.isArray(value) && value.every(isFields)) : !isFields(value))
      fail('FIELD_INVALID', { field: 'body', why: many ? 'must be an array of objects' : 'must be an object' })
    const body = tidy(value)
    if (!validator.Check(body)) refuse(schema, validator, body)
    return body
  }
}

/** Query parameters: stray keys are ignored, a repeated key counts once (its last value). */
export function queryReader(route: Route): (query: Record<string, unknown>) => unknown {
  if (!route.query) return () => undefined
  const schema = route.query as Schema
  const validator = Compile(schema) as unknown as Validator
  const names = Object.keys(schema.properties ?? {})
  return (query) => {
    const value: { [key: string]: JsonValue } = {}
    for (const name of names) {
      const given = query[name]
      const last = Array.isArray(given) ? given.at(-1) : given
      if (typeof last !== 'string' || last === '') continue
      // PostgreSQL's text cannot hold U+0000: refused here, or it would be a fault of ours there.
      if (last.includes('\u0000')) fail('FIELD_INVALID', { field: name, why: 'holds a character that is no text' })
      value[name] = last
    }
    if (!validator.Check(value)) refuse(schema, validator, value)
    return value
  }
}
