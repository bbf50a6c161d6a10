// Schemas as a reader sees them: the published JSON Schema, and a flat list of fields for tables.
import Type, { type TObject, type TObjectOptions, type TProperties, type TSchema } from 'typebox'
import { patternWords } from './patterns.ts'

export type JsonSchema = { readonly [keyword: string]: unknown }

/** An object that has a name of its own wherever a route or an event has it: in openapi.json and in the SDK.
 *  Names last; a test holds that one name has one shape, and one shape one name. An object without one is
 *  named after where it stands (reference/schemas.ts). */
export const Named = <Properties extends TProperties>(
  name: string,
  properties: Properties,
  options: TObjectOptions = {},
): TObject<Properties> => Type.Object(properties, { ...options, title: name })
export const schemaName = (schema: TSchema): string | undefined => {
  const { title } = schema as { title?: unknown }
  return typeof title === 'string' ? title : undefined
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mapSchemas = (schemas: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, isSchema(schema) ? publish(schema) : schema]),
  )

function publishKeyword(keyword: string, value: unknown): readonly [string, unknown] {
  if (keyword === 'properties' && isSchema(value)) return [keyword, mapSchemas(value)]
  // A record arrives as a pattern for every name; tools that read OpenAPI know that as additionalProperties.
  if (keyword === 'patternProperties' && isSchema(value) && isSchema(value['^.*$'])) {
    return ['additionalProperties', publish(value['^.*$'])]
  }
  if (Array.isArray(value)) return [keyword, value.map((one: unknown) => (isSchema(one) ? publish(one) : one))]
  return [keyword, keyword === 'items' && isSchema(value) ? publish(value) : value]
}

function publish(schema: JsonSchema): JsonSchema {
  if ('x-wire' in schema) {
    // Inside, the validator sees the source text of the number; a client sends a number.
    const { 'x-wire': wire, pattern: _pattern, ...rest } = schema
    return { ...rest, type: wire === 'integer' ? 'integer' : 'number' }
  }
  const published = Object.fromEntries(Object.entries(schema).map(([keyword, value]) => publishKeyword(keyword, value)))
  const values = published['enum']
  const plainWords = Array.isArray(values) && values.every((value) => typeof value === 'string')
  return plainWords && !('type' in published) ? { type: 'string', ...published } : published
}

/** Pure JSON Schema without what is ours or TypeBox's own. */
export const publicSchema = (schema: TSchema): JsonSchema => publish(JSON.parse(JSON.stringify(schema)) as JsonSchema)

export type Field = {
  /** `customer.email`, `accountPayments[].amountPaid` */
  readonly path: string
  readonly type: string
  readonly required: boolean
  /** Sentences; code stands between back-ticks. */
  readonly notes: string
}

const alternatives = (schema: JsonSchema): readonly JsonSchema[] =>
  Array.isArray(schema['anyOf']) ? schema['anyOf'].filter(isSchema) : [schema]
const meaning = (schema: JsonSchema): JsonSchema => alternatives(schema).find((one) => one['type'] !== 'null') ?? schema

function typeWords(schema: JsonSchema): string {
  if ('anyOf' in schema) return alternatives(schema).map(typeWords).join(' or ')
  if (schema['type'] === 'array') {
    const item = isSchema(schema['items']) ? typeWords(schema['items']) : 'any'
    return item === 'any' ? 'array' : `array of ${item}`
  }
  return typeof schema['type'] === 'string' ? schema['type'] : 'any'
}

function rangeWords(least: unknown, most: unknown, unit: string): string | null {
  if (typeof least === 'number' && least === most) return `${least}${unit}`
  if (typeof most === 'number')
    return typeof least === 'number' ? `${least} to ${most}${unit}` : `at most ${most}${unit}`
  return typeof least === 'number' ? `at least ${least}${unit}` : null
}

const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
const codes = (values: unknown): string => (Array.isArray(values) ? values.map(code).join(', ') : '')
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** One that has no words is shown as it is, so changing a pattern cannot make this lie. */
const patternNote = (pattern: string): string => patternWords(pattern)?.note ?? `pattern ${code(pattern)}`

function notesOf(schema: JsonSchema, otherwise?: string): string {
  const inner = meaning(schema)
  const item = isSchema(inner['items']) ? meaning(inner['items']) : {}
  const given = schema['description'] ?? inner['description'] ?? otherwise
  const description = typeof given === 'string' ? given : null
  const pattern = typeof inner['pattern'] === 'string' ? inner['pattern'] : null
  const notes = [
    description,
    'const' in inner ? `always ${code(inner['const'])}` : null,
    'enum' in inner ? `one of ${codes(inner['enum'])}` : null,
    'enum' in item ? `each one of ${codes(item['enum'])}` : null,
    rangeWords(inner['minLength'], inner['maxLength'], ' characters'),
    rangeWords(inner['minimum'], inner['maximum'], ''),
    rangeWords(inner['minItems'], inner['maxItems'], ' items'),
    pattern === null || description?.includes(patternNote(pattern)) ? null : patternNote(pattern),
    'examples' in inner ? `example: ${codes(inner['examples'])}` : null,
  ]
  return notes
    .filter((note) => note !== null)
    .map((note) => sentence(note.replace(/\.$/, '')))
    .join('. ')
}

/** What a field means that says nothing of itself, by the name of the object it stands in. */
export type Explained = {
  /** What the object is called that has no name of its own; those below it are named after it
   *  (reference/schemas.ts). */
  readonly place: string
  readonly words: (place: string, field: string) => string | undefined
}
const NOT_EXPLAINED: Explained = { place: '', words: () => undefined }

function collect(schema: JsonSchema, prefix: string, { place, words }: Explained): readonly Field[] {
  const inner = meaning(schema)
  if (inner['type'] === 'array' && isSchema(inner['items']))
    return collect(inner['items'], `${prefix}[]`, { place: `${place}Item`, words })
  if (!isSchema(inner['properties'])) return []
  const required = Array.isArray(inner['required']) ? inner['required'] : []
  const own = typeof inner['title'] === 'string' ? inner['title'] : place
  return Object.entries(inner['properties']).flatMap(([name, property]) => {
    if (!isSchema(property)) return []
    const path = prefix === '' ? name : `${prefix}.${name}`
    const field = {
      path,
      type: typeWords(property),
      required: required.includes(name),
      notes: notesOf(property, words(own, name)),
    }
    return [field, ...collect(property, path, { place: own + sentence(name), words })]
  })
}

/** Every field of an object, or of the objects in an array, in the order of the contract; nested ones follow
 *  theirs. */
export const listFields = (schema: TSchema, explained = NOT_EXPLAINED): readonly Field[] =>
  collect(publicSchema(schema), '', explained)
