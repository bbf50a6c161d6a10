// What the clients in other languages are generated from: the operations of the SDK with the same names, and
// the kinds of events.
import { login } from '../../../packages/contract/src/access/auth.ts'
import { EVENTS } from '../../../packages/contract/src/index.ts'
import type { JsonSchema } from '../../../packages/contract/src/kit/fields.ts'
import type { Route } from '../../../packages/contract/src/kit/spec.ts'
import type { RouteEntry } from '../../../packages/sdk/src/route.ts'
import { byGroup, capital, entryOf, eventAmounts, isArrayBody, pathNames, propertiesOf } from '../source.ts'
import { AMOUNT_TEXT, alternatives, isSchema } from '../types.ts'

export const HEAD = 'Generated from the contract by `npm run generate`; do not edit.'
export const LOG_IN: string = login.path

export type Operation = {
  /** `transfers.initiate` */
  readonly id: string
  readonly group: string
  readonly name: string
  readonly entry: RouteEntry
  /** Where the input has amounts: they must be text. */
  readonly takes: string
  readonly input: 'none' | 'optional' | 'required' | 'list'
  readonly gives: 'nothing' | 'pages' | 'text' | 'array' | 'any'
  /** What it does, and the fields that it takes. */
  readonly words: string
}

function isAmountTaken({ 'x-wire': wire, pattern, description }: JsonSchema, path: string): boolean {
  if (wire === undefined) return pattern === AMOUNT_TEXT['pattern']
  if (wire !== 'number') return false
  if (/\bnaira\b/i.test(String(description))) return true
  throw new Error(`${path}: is it an amount? Its description does not say naira`)
}

/** As `amountPaths`, of what goes in. */
function amountsTaken(schema: unknown, prefix = ''): readonly string[] {
  if (!isSchema(schema)) return []
  if (isAmountTaken(schema, prefix)) return [prefix]
  const below = Object.entries(propertiesOf(schema)).flatMap(([name, one]) =>
    amountsTaken(one, prefix === '' ? name : `${prefix}.${name}`),
  )
  const others = [...alternatives(schema), schema['items']].flatMap((one) => amountsTaken(one, prefix))
  return [...new Set([...below, ...others])]
}

const requiredOf = (schema: unknown): readonly unknown[] =>
  isSchema(schema) && Array.isArray(schema['required']) ? schema['required'] : []

function inputOf(route: Route): Operation['input'] {
  const inPath = pathNames(route.path)
  if (isArrayBody(route)) return inPath.length === 0 ? 'list' : 'required'
  const schema: unknown = route.body ?? route.query
  if (inPath.length > 0 || requiredOf(schema).length > 0) return 'required'
  return Object.keys(propertiesOf(schema)).length === 0 ? 'none' : 'optional'
}

function givesOf({ reply, file }: Route, { pages }: RouteEntry): Operation['gives'] {
  if (file) return 'text'
  if (pages) return 'pages'
  const type = isSchema(reply) ? reply['type'] : undefined
  if (type === 'undefined') return 'nothing'
  return type === 'object' || type === 'array' ? 'array' : 'any'
}

function wordsOf(route: Route): string {
  const schema: unknown = route.body ?? route.query
  const list = isArrayBody(route)
  const fields = propertiesOf(list && isSchema(schema) ? schema['items'] : schema)
  const required = requiredOf(list && isSchema(schema) ? schema['items'] : schema)
  const inPath = pathNames(route.path)
  const named = Object.keys(fields).map((name) => (required.includes(name) ? name : `[${name}]`))
  const taken = list && inPath.length > 0 ? [...inPath, `items: ${named.join(', ')}`] : [...inPath, ...named]
  const said = [route.summary, route.description].filter((text) => text !== undefined && text !== '')
  const text = said.map((one) => String(one).replace(/\.$/, '')).join('. ')
  return `${text}.${taken.length > 0 ? ` Takes ${list && inPath.length === 0 ? 'a list of ' : ''}${taken.join(', ')}.` : ''}`
}

const operationOf = (route: Route): Operation => {
  const [group = '', name = ''] = route.id.split('.')
  const entry = entryOf(route)
  return {
    id: route.id,
    group,
    name,
    entry,
    takes: amountsTaken(route.body ?? route.query).join(' '),
    input: inputOf(route),
    gives: givesOf(route, entry),
    words: wordsOf(route),
  }
}

export const OPERATIONS: readonly (readonly [string, readonly Operation[]])[] = byGroup().map(([group, routes]) => [
  group,
  routes.map(operationOf),
])

export type EventKind = {
  readonly type: string
  /** `SuccessfulTransaction` */
  readonly name: string
  readonly summary: string
  readonly data: unknown
  readonly amounts: string
}

export const KINDS: readonly EventKind[] = EVENTS.map((event) => ({
  type: event.type,
  name: event.type
    .split('_')
    .map((word) => capital(word.toLowerCase()))
    .join(''),
  summary: event.summary,
  data: event.data,
  amounts: eventAmounts(event),
}))

const classes = [...OPERATIONS.map(([group]) => capital(group)), ...KINDS.map(({ name }) => name)]
const twice = classes.filter((name, at) => classes.indexOf(name) !== at)
if (twice.length > 0) throw new Error(`two classes of the clients would be called ${twice.join(', ')}`)

/** `validateAccount` is `validate_account`. */
export const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter, at: number) => `${at === 0 ? '' : '_'}${letter.toLowerCase()}`)
