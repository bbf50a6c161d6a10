// From the schema of an act's input, or of a view's query, to the options of its command, and back from what
// was typed to the input. A name is written as options are: `validFrom` is --valid-from; a field of an object
// is --limit.per-day; a list is an option that may be repeated; what has no plain form is written as JSON.
import type { Act } from '@cowrie/contract/kit/act'

type Shape = {
  readonly type?: string
  readonly enum?: readonly (string | number)[]
  readonly const?: string | number | boolean
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly examples?: readonly unknown[]
}

export type Kind = 'text' | 'integer' | 'number' | 'boolean' | 'json'
export type Field = {
  /** Without the two hyphens. */
  readonly flag: string
  readonly path: readonly string[]
  readonly kind: Kind
  readonly choices: readonly string[] | null
  readonly repeated: boolean
  readonly nullable: boolean
  readonly required: boolean
  readonly description: string
}

export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** What stands in a union with null, or where all parts are constants, as one shape. */
function meaning(shape: Shape): { readonly shape: Shape; readonly nullable: boolean } {
  const parts = shape.anyOf
  if (!parts) return { shape, nullable: false }
  const rest = parts.filter(({ type }) => type !== 'null')
  const nullable = rest.length < parts.length
  const words = shape.description === undefined ? {} : { description: shape.description }
  if (rest.length === 1) return { shape: { ...rest[0], ...words }, nullable }
  const constants = rest.flatMap((part) => (part.const === undefined ? [] : [part.const as string]))
  return { shape: constants.length === rest.length ? { ...words, enum: constants } : words, nullable }
}

const KINDS: Readonly<Record<string, Kind>> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
}
const valuesOf = ({ enum: values, const: value }: Shape): readonly (string | number | boolean)[] | null =>
  values ?? (value === undefined ? null : [value])
function kindOf(shape: Shape): Kind {
  const values = valuesOf(shape)
  if (values) return typeof values[0] === 'number' ? 'number' : typeof values[0] === 'boolean' ? 'boolean' : 'text'
  return KINDS[shape.type ?? ''] ?? 'json'
}

export function fieldsOf(schema: Act['input'], taken: ReadonlySet<string> = new Set()): readonly Field[] {
  const walk = (object: Shape, above: readonly string[], needed: boolean): Field[] =>
    Object.entries(object.properties ?? {}).flatMap(([name, given]) => {
      const path = [...above, name]
      const { shape, nullable } = meaning(given)
      const required = needed && (object.required ?? []).includes(name)
      if (shape.properties && !nullable) return walk(shape, path, required)
      const repeated = shape.type === 'array' && shape.items !== undefined
      const inner = repeated ? meaning(shape.items as Shape).shape : shape
      const flag = path.map(kebab).join('.')
      const kind = kindOf(inner)
      return {
        flag: taken.has(flag) ? `input.${flag}` : flag,
        path,
        kind,
        choices: kind === 'boolean' ? null : (valuesOf(inner)?.map(String) ?? null),
        repeated,
        nullable,
        required,
        description: describe({ ...inner, ...shape }, kind, repeated),
      }
    })
  return walk(schema as Shape, [], true)
}

function describe({ description, examples }: Shape, kind: Kind, repeated: boolean): string {
  const words = [
    description,
    examples?.length
      ? `such as ${typeof examples[0] === 'string' ? examples[0] : JSON.stringify(examples[0])}`
      : undefined,
    kind === 'json' ? 'as JSON' : undefined,
    repeated ? 'may be repeated' : undefined,
  ]
  return words.filter((part) => part !== undefined).join('; ')
}

export class Unreadable extends Error {}

/** What was typed, as the value that is sent. */
export function readValue(field: Field, text: string): unknown {
  if (field.nullable && text === 'null') return null
  if (field.choices && !field.choices.includes(text))
    throw new Unreadable(`--${field.flag} must be one of ${field.choices.join(', ')}.`)
  switch (field.kind) {
    case 'text':
      return text
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw new Unreadable(`--${field.flag} must be true or false.`)
      return text === 'true'
    case 'json':
      try {
        return JSON.parse(text) as unknown
      } catch {
        throw new Unreadable(`--${field.flag} must be JSON.`)
      }
    case 'integer':
    case 'number': {
      const form = field.kind === 'integer' ? /^-?\d{1,15}$/ : /^-?\d{1,15}(?:\.\d{1,4})?$/
      if (!form.test(text))
        throw new Unreadable(`--${field.flag} must be a ${field.kind === 'integer' ? 'whole number' : 'number'}.`)
      return Number(text)
    }
  }
}

type Tree = { [key: string]: unknown }
function put(tree: Tree, path: readonly string[], value: unknown): void {
  const [first = '', ...rest] = path
  if (rest.length === 0) {
    tree[first] = value
    return
  }
  tree[first] ??= {}
  put(tree[first] as Tree, rest, value)
}

/** The input, of the texts that were given for each field; names every field that is missing. */
export function inputOf(fields: readonly Field[], given: ReadonlyMap<Field, readonly string[]>): Tree {
  const input: Tree = {}
  for (const field of fields) {
    const texts = given.get(field)
    if (texts === undefined) continue
    const values = texts.map((text) => readValue(field, text))
    put(input, field.path, field.repeated ? values : values.at(-1))
  }
  const missing = fields.filter((field) => field.required && !given.has(field)).map(({ flag }) => `--${flag}`)
  if (missing.length > 0) throw new Unreadable(`Give ${missing.join(' and ')}.`)
  return input
}
