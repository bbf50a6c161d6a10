// What is wrong with a body or a query that its schema refuses: every fault at once, in words. It runs on refused ones only.
// The words come from the schema and name no value that was sent: a card's number must not stand in an answer.
import { FAULTS_MAX } from '@cowrie/contract/kit/envelope'
import { wantsSource } from '@cowrie/contract/kit/money'
import { patternWords } from '@cowrie/contract/kit/patterns'
import type { TSchema } from 'typebox'
import { Settings } from 'typebox/system'
import { Failure, type Fault } from '../fail.ts'
import type { JsonValue } from './json.ts'

export type Schema = TSchema & {
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  enum?: readonly (string | number)[]
  const?: string | number | boolean
  type?: string
  required?: string[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  'x-wire'?: string
}

export type Judge = { Errors(value: unknown): Iterable<unknown> }
type ValidationError = { keyword: string; instancePath: string; params: Record<string, unknown> }

// The library stops at eight; a field of a union has an error for each of its branches.
Settings.Set({ maxErrors: FAULTS_MAX * 4 })

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
}

const isType = (type: string, value: JsonValue | undefined): boolean => {
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return type === 'integer' ? Number.isInteger(value) : typeof value === type
}

/** `at most 5`, `at least 1`, `1 to 5`; null where a schema sets no bound. */
function range(least: number | undefined, most: number | undefined): string | null {
  if (least === undefined) return most === undefined ? null : `at most ${most}`
  return most === undefined ? `at least ${least}` : `${least} to ${most}`
}

function outside(size: number, least: number | undefined, most: number | undefined): string | null {
  return size < (least ?? 0) || size > (most ?? Number.POSITIVE_INFINITY) ? range(least, most) : null
}

/** Why a value is invalid, by the first rule of its schema that it breaks. */
function why(schema: Schema, value: JsonValue | undefined): string {
  if (schema.enum) return `must be one of ${schema.enum.join(', ')}`
  if (schema.const !== undefined) return `must be ${String(schema.const)}`
  if (schema.type !== undefined && !isType(schema.type, value)) return `must be ${TYPES[schema.type] ?? schema.type}`
  if (typeof value === 'string') {
    const length = outside(Array.from(value).length, schema.minLength, schema.maxLength)
    if (length) return `must have ${length} characters`
    if (schema.pattern) return patternWords(schema.pattern)?.must ?? 'has the wrong format'
  }
  if (Array.isArray(value)) {
    const count = outside(value.length, schema.minItems, schema.maxItems)
    if (count) return `must have ${count} items`
  }
  const bounds = range(schema.minimum, schema.maximum)
  return typeof value === 'number' && bounds ? `must be ${bounds}` : 'has the wrong format'
}

const meaning = (schema: Schema | undefined): Schema | undefined =>
  schema?.anyOf?.find((one) => one.type !== 'null') ?? schema

/** The schema of a place within a body. */
const schemaAt = (schema: Schema, path: readonly string[]): Schema | undefined =>
  path.reduce<Schema | undefined>((at, key) => {
    const inner = meaning(at)
    return inner?.properties?.[key] ?? (/^\d+$/.test(key) ? inner?.items : undefined)
  }, schema)

const valueAt = (value: JsonValue, path: readonly string[]): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as { [key: string]: JsonValue })[key] : undefined),
    value,
  )

function wrong(schema: Schema, value: JsonValue, path: readonly string[]): Failure {
  const field = path.join('.') || 'body'
  const faulty = meaning(schemaAt(schema, path))
  if (faulty && wantsSource(faulty) && faulty['x-wire'] !== 'integer')
    return new Failure(faulty['x-wire'] === 'percent' ? 'PERCENTAGE_INVALID' : 'AMOUNT_INVALID', { field })
  return new Failure('FIELD_INVALID', {
    field,
    why: faulty ? why(faulty, valueAt(value, path)) : 'has the wrong format',
  })
}

/** Refuses with the first fault, and tells the others beside it: what is missing comes before what is wrong. */
export function refuse(schema: Schema, judge: Judge, value: JsonValue): never {
  const missing = new Map<string, Failure>()
  const others = new Map<string, Failure>()
  for (const { keyword, instancePath, params } of judge.Errors(value) as Iterable<ValidationError>) {
    const path = instancePath === '' ? [] : instancePath.slice(1).split('/')
    if (keyword === 'required') {
      for (const name of params['requiredProperties'] as string[]) {
        const field = [...path, name].join('.')
        missing.set(field, new Failure('FIELD_MISSING', { field }))
      }
    } else if (!others.has(instancePath)) others.set(instancePath, wrong(schema, value, path))
  }
  const all = [...missing.values(), ...others.values()].slice(0, FAULTS_MAX)
  const faults = all.map(({ code, params, message }): Fault => ({ field: params['field'] ?? 'body', code, message }))
  const first = all[0] ?? new Failure('FIELD_INVALID', { field: 'body', why: 'has the wrong format' })
  throw new Failure(first.code, first.params, undefined, faults)
}
