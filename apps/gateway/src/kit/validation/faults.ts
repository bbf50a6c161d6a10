// What is wrong with a body or a query that its schema refuses: every fault at once, in words. It runs on
// refused ones only. The words come from the schema and name no value that was sent: a card's number must not
// stand in an answer. Where a name or a value is nearly a known one, they say which was probably meant.
import { errorSpec } from '@cowrie/contract/errors/errors'
import { FAULTS_MAX } from '@cowrie/contract/kit/envelope'
import { patternWords } from '@cowrie/contract/kit/patterns'
import type { TSchema } from 'typebox'
import { Settings } from 'typebox/system'
import { Failure, type Fault, type Specifics } from '../fail.ts'
import type { JsonValue } from './json.ts'
import { mayBeShown, nearest } from './near.ts'

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

/** `; did you mean CARD?` for a `card`. */
function meantValue(known: readonly (string | number)[], value: JsonValue | undefined): string {
  const meant = typeof value === 'string' ? nearest(value, known.map(String)) : null
  return meant === null ? '' : `; did you mean ${meant}?`
}

/** Why a value is invalid, by the first rule of its schema that it breaks. */
function why(schema: Schema, value: JsonValue | undefined): string {
  if (schema.enum) return `must be one of ${schema.enum.join(', ')}${meantValue(schema.enum, value)}`
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

export const meaning = (schema: Schema | undefined): Schema | undefined =>
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
  const wire = faulty?.['x-wire']
  if (wire === 'number') return new Failure('AMOUNT_INVALID', { field })
  if (wire === 'percent') return new Failure('PERCENTAGE_INVALID', { field })
  return new Failure('FIELD_INVALID', {
    field,
    why: faulty ? why(faulty, valueAt(value, path)) : 'has the wrong format',
  })
}

/** Of each object; whoever invents more names than that has not misspelt them. */
const GUESSES_MAX = 10

/** The names of a place within a body that its schema does not know, and which one each was probably meant
 *  for: one that was not sent. */
export function meantNames(schema: Schema | undefined, sent: JsonValue | undefined): Map<string, string> {
  const meant = new Map<string, string>()
  const known = meaning(schema)?.properties
  if (!known || typeof sent !== 'object' || sent === null || Array.isArray(sent)) return meant
  const free = Object.keys(known).filter((name) => !Object.hasOwn(sent, name))
  const strange = Object.keys(sent).filter((name) => !Object.hasOwn(known, name) && mayBeShown(name))
  for (const name of strange.slice(0, GUESSES_MAX)) {
    const near = nearest(name, free)
    if (near !== null) meant.set(near, name)
  }
  return meant
}

export const meantHint = (sent: string, known: string): string => `You sent ${sent}; did you mean ${known}?`

const moreWords = (more: number): string =>
  more <= 0 ? '' : more === 1 ? ' 1 more fault is listed in errors.' : ` ${more} more faults are listed in errors.`

/** A required field that is missing, and the one that was sent in its place. */
function missingFault(path: readonly string[], name: string, meant: ReadonlyMap<string, string>): Failure {
  const sent = meant.get(name)
  const hint = sent === undefined ? {} : { hint: meantHint(sent, name) }
  return new Failure('FIELD_MISSING', { field: [...path, name].join('.') }, undefined, hint)
}

const hintOf = ({ hint }: Specifics): { hint?: string } => (hint === undefined ? {} : { hint })

/** Refuses with the first fault, and tells the others beside it: what is missing comes before what is wrong.
 *  `sent` is what the names are looked for in, where `value` is only what the schema knows of it. */
export function refuse(schema: Schema, judge: Judge, value: JsonValue, sent = value): never {
  const missing = new Map<string, Failure>()
  const others = new Map<string, Failure>()
  for (const { keyword, instancePath, params } of judge.Errors(value) as Iterable<ValidationError>) {
    const path = instancePath === '' ? [] : instancePath.slice(1).split('/')
    if (keyword === 'required') {
      const meant = meantNames(schemaAt(schema, path), valueAt(sent, path))
      for (const name of params['requiredProperties'] as string[])
        missing.set([...path, name].join('.'), missingFault(path, name, meant))
    } else if (!others.has(instancePath)) others.set(instancePath, wrong(schema, value, path))
  }
  const all = [...missing.values(), ...others.values()].slice(0, FAULTS_MAX)
  const faults = all.map(
    ({ code, params, message, specifics }): Fault => ({
      field: params['field'] ?? 'body',
      code,
      message,
      ...hintOf(specifics),
    }),
  )
  const first = all[0] ?? new Failure('FIELD_INVALID', { field: 'body', why: 'has the wrong format' })
  const hint = (first.specifics.hint ?? errorSpec(first.code).hint) + moreWords(all.length - 1)
  throw new Failure(first.code, first.params, undefined, { faults, hint })
}
