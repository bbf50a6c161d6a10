// A schema of the contract as a type of another language. What it cannot say stops the generation, as in
// `types.ts`.
import { AMOUNT_TEXT, alternatives, isAmount, isSchema } from '../types.ts'

export type Field = { readonly name: string; readonly type: string; readonly required: boolean }
export type Dialect = {
  readonly text: string
  readonly integer: string
  readonly number: string
  readonly boolean: string
  readonly nothing: string
  readonly any: string
  readonly literal: (value: string | number | boolean) => string
  readonly list: (item: string) => string
  readonly map: (value: string) => string
  /** `name` is for languages where an object needs one. */
  readonly object: (name: string, fields: readonly Field[]) => string
}

const isLiteral = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

function scalar(schema: Readonly<Record<string, unknown>>, dialect: Dialect): string | null {
  const { type } = schema
  const fixed = 'const' in schema ? [schema['const']] : Array.isArray(schema['enum']) ? schema['enum'] : []
  if (fixed.length > 0)
    return fixed.map((value) => (isLiteral(value) ? dialect.literal(value) : dialect.nothing)).join(' | ')
  if (isAmount(schema) || schema['pattern'] === AMOUNT_TEXT['pattern'] || type === 'string') return dialect.text
  if (type === 'integer') return dialect.integer
  if (type === 'number') return dialect.number
  if (type === 'boolean') return dialect.boolean
  return type === 'null' ? dialect.nothing : null
}

/** `name` names the object, and those below it: `SettlementData`, `SettlementDataTransactions`. */
export function shapeIn(dialect: Dialect, schema: unknown, name: string): string {
  if (!isSchema(schema)) throw new Error(`${name} is not a schema`)
  const simple = scalar(schema, dialect)
  if (simple !== null) return simple
  if (Array.isArray(schema['anyOf']))
    return [...new Set(alternatives(schema).map((one, at) => shapeIn(dialect, one, name + (at || ''))))].join(' | ')
  if (schema['type'] === 'array') return dialect.list(shapeIn(dialect, schema['items'], name))
  if (isSchema(schema['patternProperties'])) {
    const [any] = Object.values(schema['patternProperties'])
    return dialect.map(shapeIn(dialect, any, name))
  }
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  if (schema['type'] === 'object') {
    const fields = Object.entries(isSchema(schema['properties']) ? schema['properties'] : {}).map(([field, one]) => ({
      name: field,
      type: shapeIn(dialect, one, name + field.charAt(0).toUpperCase() + field.slice(1)),
      required: required.includes(field),
    }))
    return fields.length > 0 ? dialect.object(name, fields) : dialect.map(dialect.any)
  }
  if (schema['type'] === undefined) return dialect.any
  throw new Error(`${name}: no type for ${JSON.stringify(schema).slice(0, 200)}`)
}
