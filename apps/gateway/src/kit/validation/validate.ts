// Turns the text of a body, or a query, into what the contract's schema says, or a refusal that names the
// field.
import { numberReader } from '@cowrie/contract/kit/money'
import type { Route } from '@cowrie/contract/kit/spec'
import { Compile } from 'typebox/compile'
import { fail } from '../fail.ts'
import { cardDataGuard } from './card-data.ts'
import { type Judge, refuse, type Schema } from './faults.ts'
import { type JsonValue, jsonFault, readJson, type SourceShape } from './json.ts'

/** Which numbers of a body are read from their source text, and which maps are a merchant's own: found once
 *  per route, from its schema. */
export function sourceShape(schema: Schema): SourceShape | undefined {
  const reader = numberReader(schema)
  if (reader) return reader
  if (schema.properties) {
    const keys: Record<string, SourceShape> = {}
    for (const [key, inner] of Object.entries(schema.properties)) {
      const shape = sourceShape(inner)
      if (shape) keys[key] = shape
    }
    return Object.keys(keys).length > 0 ? { keys } : undefined
  }
  if (schema.patternProperties) return 'exact'
  if (schema.anyOf) return schema.anyOf.map(sourceShape).find((shape) => shape !== undefined)
  const items = schema.items && sourceShape(schema.items)
  return items ? { items } : undefined
}

type Validator = Judge & { Check(value: unknown): boolean }

type Fields = { [key: string]: JsonValue }
type Tidy = (value: JsonValue) => JsonValue

const isFields = (value: JsonValue): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const nullKnown = (property: Schema): boolean => property.anyOf?.some((one) => one.type === 'null') ?? false

/** The items of an array, each tidied; the array itself where nothing changes. */
const tidyItems =
  (inner: Tidy): Tidy =>
  (value) => {
    if (!Array.isArray(value)) return value
    let copy: JsonValue[] | null = null
    for (let at = 0; at < value.length; at += 1) {
      const given = value[at] as JsonValue
      const tidied = inner(given)
      if (tidied === given) continue
      copy ??= [...value]
      copy[at] = tidied
    }
    return copy ?? value
  }

/** An empty text and null are the same as a field left out, also inside objects and the rows of an array;
 *  null is kept where its schema knows it. A map that is sent as an empty list is an empty map: PHP writes it
 *  so. What a map holds is not looked into. A good body is not copied. Null when a schema has nothing of the
 *  kind. */
function tidier(schema: Schema): Tidy | null {
  if (schema.items) {
    const inner = tidier(schema.items)
    return inner && tidyItems(inner)
  }
  if (!schema.properties) return schema.patternProperties ? emptyMap : null
  const properties = Object.entries(schema.properties)
  const nullable = new Set(properties.filter(([, property]) => nullKnown(property)).map(([name]) => name))
  const inside = properties.flatMap(([name, property]): [string, Tidy][] => {
    const inner = tidier(property)
    return inner ? [[name, inner]] : []
  })
  return (value) => {
    if (!isFields(value)) return value
    let copy: Fields | null = null
    for (const key in value) {
      const given = value[key]
      if (given !== '' && (given !== null || nullable.has(key))) continue
      copy ??= { ...value }
      delete copy[key]
    }
    for (const [name, inner] of inside) {
      const given = value[name]
      if (given === undefined || given === null || given === '') continue
      const tidied = inner(given)
      if (tidied === given) continue
      copy ??= { ...value }
      copy[name] = tidied
    }
    return copy ?? value
  }
}

const emptyMap: Tidy = (value) => (Array.isArray(value) && value.length === 0 ? {} : value)

const FORM = /^[\w.[\]%+-]{1,200}=/
const SEND_JSON = 'Send JSON, with Content-Type: application/json.'

/** A body that is not JSON: where it stops being that, unless it was never meant to be. */
function refuseText(text: string, shape: SourceShape | undefined, keysMax: number | undefined): never {
  if (FORM.test(text)) fail('MALFORMED_BODY', {}, undefined, { hint: `The body is a form (name=value). ${SEND_JSON}` })
  if (text.startsWith('--'))
    fail('MALFORMED_BODY', {}, undefined, { hint: `The body is in several parts. ${SEND_JSON}` })
  const { why, position } = jsonFault(text, shape, keysMax)
  const hint = `Line ${position.line}, column ${position.column}: ${why}.`
  return fail('MALFORMED_BODY', {}, undefined, { hint, position })
}

/** A reader for the bodies of one route. An empty body counts as {}: existing clients send a JSON content
 *  type with it. */
export function bodyReader(route: Route): (text: string) => unknown {
  if (!route.body) return () => undefined
  const schema = route.body as Schema
  const validator = Compile(schema) as unknown as Validator
  const tidy: Tidy = tidier(schema) ?? ((value) => value)
  const refuseCardData = cardDataGuard(route)
  const many = schema.type === 'array'
  const one = many ? (schema.items as Schema) : schema
  const shapes = { one: sourceShape(one), whole: sourceShape(schema) }
  return (text) => {
    const alone = many && Boolean(route.oneOrMany) && !text.trimStart().startsWith('[')
    const read = text === '' ? {} : readJson(text, alone ? shapes.one : shapes.whole, route.bodyKeysMax)
    if (read === undefined) refuseText(text, alone ? shapes.one : shapes.whole, route.bodyKeysMax)
    const value = alone ? [read] : read
    if (many ? !(Array.isArray(value) && value.every(isFields)) : !isFields(value))
      fail('FIELD_INVALID', { field: 'body', why: many ? 'must be an array of objects' : 'must be an object' })
    const body = tidy(value)
    if (!validator.Check(body)) refuse(schema, validator, body)
    refuseCardData(text, body)
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
      if (last.includes('\u0000')) fail('FIELD_INVALID', { field: name, why: 'contains an invalid character' })
      value[name] = last
    }
    if (!validator.Check(value)) refuse(schema, validator, value, query as { [key: string]: JsonValue })
    return value
  }
}
