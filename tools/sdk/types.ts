// A schema of the contract as a type of TypeScript. What it cannot say stops the generation: a type that is
// silently `unknown` helps nobody.
import type { JsonSchema } from '../../packages/contract/src/kit/fields.ts'
import { AmountText } from '../../packages/contract/src/kit/money.ts'
import { wordsFor } from '../../packages/contract/src/reference/words.ts'

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** What the contract calls an object: `Named('Invoice', …)` is `Invoice` in the SDK. */
const nameOf = ({ title }: JsonSchema): string | undefined => (typeof title === 'string' ? title : undefined)

/** Types by the name they get in the SDK. */
export type Named = Map<string, string>

const commentText = (text: string): string => text.replaceAll('*/', '* /')
/** A comment for editors to show; long texts are not broken, because nobody reads the file itself. */
export const comment = (text: string | undefined, indent: string): string =>
  text === undefined || text === '' ? '' : `${indent}/** ${commentText(text)} */\n`

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : JSON.stringify(value)
const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name))

/** Amounts as they leave the gateway as numbers; the SDK hands them out as text. */
export const isAmount = ({ type, description }: JsonSchema): boolean =>
  type === 'number' && typeof description === 'string' && /\bnaira\b/i.test(description)
/** The names of numbers that are not money. Any other number says that it is naira, or stops the
 *  generation. */
const NOT_MONEY = /percentage|quantity|volume|seconds$/i

/** Amounts that leave as text already. */
export const AMOUNT_TEXT: JsonSchema = { ...AmountText }

const WIRE: Readonly<Record<string, string>> = {
  number: 'Amount',
  quantity: 'Amount',
  percent: 'number | string',
  integer: 'number',
}

function scalar(schema: JsonSchema): string | null {
  const { type, 'x-wire': wire } = schema
  if (typeof wire === 'string') return WIRE[wire] ?? null
  if ('const' in schema) return literal(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map(literal).join(' | ')
  if (isAmount(schema)) return 'Amount'
  if (type === 'string') return schema['pattern'] === AMOUNT_TEXT['pattern'] ? 'Amount' : 'string'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean' || type === 'null' || type === 'undefined') return type
  return null
}

const noteOf = (schema: JsonSchema, words: string | undefined): string | undefined => {
  const own = [schema, ...alternatives(schema)].map((one) => one['description']).find((one) => typeof one === 'string')
  const said = own ?? words
  const examples = schema['examples']
  const example = Array.isArray(examples) && examples.length > 0 ? `Example: \`${String(examples[0])}\`` : undefined
  return [said, example].filter((one) => typeof one === 'string').join('. ')
}
export const alternatives = (schema: JsonSchema): readonly JsonSchema[] =>
  Array.isArray(schema['anyOf']) ? schema['anyOf'].filter(isSchema) : []

/** The fields of an object, one per line. */
export function fieldLines(schema: JsonSchema, named: Named, indent: string): string {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(isSchema(schema['properties']) ? schema['properties'] : {})
    .map(([name, property]) => {
      if (!isSchema(property)) throw new Error(`${name} is not a schema`)
      const mark = required.includes(name) ? '' : '?'
      return `${comment(noteOf(property, wordsFor(nameOf(schema) ?? '', name)), indent)}${indent}${propertyName(name)}${mark}: ${typeOf(property, named, indent)}\n`
    })
    .join('')
}

function objectType(schema: JsonSchema, named: Named, indent: string): string {
  const { content, pageable } = (schema['properties'] ?? {}) as JsonSchema
  if (isSchema(content) && pageable !== undefined) return `Page<${typeOf(content['items'], named, indent)}>`
  const known = nameOf(schema)
  if (known !== undefined) {
    if (!named.has(known)) {
      named.set(known, '') // its place, before the types that it names
      named.set(known, `{\n${fieldLines(schema, named, '  ')}}`)
    }
    return known
  }
  const lines = fieldLines(schema, named, `${indent}  `)
  return lines === '' ? 'Record<string, never>' : `{\n${lines}${indent}}`
}

export function typeOf(schema: unknown, named: Named, indent = ''): string {
  if (!isSchema(schema)) throw new Error(`not a schema: ${JSON.stringify(schema)}`)
  const simple = scalar(schema)
  if (simple !== null) return simple
  if (Array.isArray(schema['anyOf']))
    return alternatives(schema)
      .map((one) => typeOf(one, named, indent))
      .join(' | ')
  if (schema['type'] === 'array') {
    const item = typeOf(schema['items'], named, indent)
    return /^(?:[\w.]+|\{[\s\S]*\}|[\w]+<[\w]+>)$/.test(item) ? `${item}[]` : `(${item})[]`
  }
  if (isSchema(schema['patternProperties'])) {
    const [any] = Object.values(schema['patternProperties'])
    return `Record<string, ${typeOf(any, named, indent)}>`
  }
  if (schema['type'] === 'object') return objectType(schema, named, indent)
  if (schema['type'] === undefined && !('properties' in schema)) return 'unknown'
  throw new Error(`the SDK has no type for ${JSON.stringify(schema).slice(0, 200)}`)
}

/** Where amounts are that leave the gateway as numbers: `content.amount`, through arrays as well. */
export function amountPaths(schema: unknown, prefix = ''): readonly string[] {
  if (!isSchema(schema)) return []
  if (isAmount(schema)) return [prefix]
  if (schema['type'] === 'number' && !NOT_MONEY.test(prefix))
    throw new Error(`${prefix}: a number whose description says neither naira nor anything that the SDK knows`)
  if (
    isSchema(schema['patternProperties']) &&
    Object.values(schema['patternProperties']).some((one) => amountPaths(one, 'x').length > 0)
  )
    throw new Error(`${prefix}: the SDK finds no amounts below names that the contract does not give`)
  const properties = isSchema(schema['properties']) ? Object.entries(schema['properties']) : []
  const below = properties.flatMap(([name, one]) => amountPaths(one, prefix === '' ? name : `${prefix}.${name}`))
  return [
    ...new Set([
      ...below,
      ...alternatives(schema).flatMap((one) => amountPaths(one, prefix)),
      ...amountPaths(schema['items'], prefix),
    ]),
  ]
}
