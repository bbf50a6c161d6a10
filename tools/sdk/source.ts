// The generated part of the SDK: a method for each route that a merchant calls, the types of what goes in and
// comes out, and the events.
//   types.ts    types alone, which no bundle carries
//   routes.ts   what a call needs while it runs, and the methods as an editor shows them
//   events.ts   the bodies of notifications
import { login } from '../../packages/contract/src/access/auth.ts'
import {
  ATTEMPT_HEADER,
  EVENT_NUMBER_HEADER,
  NEXT_SIGNATURE_HEADER,
  OBJECT_VERSION_HEADER,
  SERVICE_SIGNATURE_HEADER,
  WEBHOOK_ID_HEADER,
  WEBHOOK_SIGNATURE_HEADER,
  WEBHOOK_TIMESTAMP_HEADER,
} from '../../packages/contract/src/events/delivery.ts'
import { EVENTS, ROUTES } from '../../packages/contract/src/index.ts'
import type { JsonSchema } from '../../packages/contract/src/kit/fields.ts'
import type { Route } from '../../packages/contract/src/kit/spec.ts'
import { listErrors, takesIdempotencyKey } from '../../packages/contract/src/reference/openapi.ts'
import type { RouteEntry } from '../../packages/sdk/src/route.ts'
import { amountPaths, comment, fieldLines, isSchema, type Named, typeOf } from './types.ts'

const FOLDER = 'packages/sdk/src/generated'
const HEAD = '// Generated from the contract by `npm run generate`; do not edit.\n'

/** Those of banks are not a merchant's, and logging in is what the SDK does for its user. */
const SDK_ROUTES: readonly Route[] = ROUTES.filter(({ auth, id }) => auth !== 'bank' && id !== 'auth.login')

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
const typeName = (id: string, what: string): string => id.split('.').map(capital).join('') + what
export const propertiesOf = (schema: unknown): JsonSchema =>
  isSchema(schema) && isSchema(schema['properties']) ? schema['properties'] : {}
export const pathNames = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')

/** How the pages of a listing follow each other: the field of the query that moves on. */
function pagesBy({ id, query, reply }: Route): string | null {
  const [asked, shown] = [propertiesOf(query), propertiesOf(reply)]
  if ('events' in shown && 'after' in asked) return 'after'
  if (!('content' in shown)) return null
  const by = ['pageNo', 'page', 'before'].find((name) => name in asked)
  if (by === undefined || (by === 'before') !== 'next' in shown)
    throw new Error(`${id}: the SDK cannot follow its pages`)
  return by
}

// ---- types

export const isArrayBody = ({ body }: Route): boolean => isSchema(body) && body['type'] === 'array'

type Input = { readonly text: string; readonly optional: boolean } | null

/** One flat object: the names of the path, and the fields of the query or the body. A body that is an array
 *  is the input itself, or `items` where the path has names too. */
function inputOf(route: Route, named: Named): Input {
  const { id, path, query, body } = route
  const inPath = pathNames(path)
  const schema: unknown = body ?? query
  if (body && query) throw new Error(`${id} has a body and a query; the SDK takes one object for both`)
  if (isArrayBody(route)) {
    if (inPath.length === 0) return { text: typeOf(schema, named), optional: false }
    const names = inPath.map((name) => `  ${name}: string\n`).join('')
    return { text: `{\n${names}  items: ${typeOf(schema, named, '  ')}\n}`, optional: false }
  }
  const both = inPath.filter((name) => name in propertiesOf(schema))
  if (both.length > 0) throw new Error(`${id}: ${both.join(', ')} is both in the path and in the body`)
  const lines =
    inPath.map((name) => `  ${name}: string\n`).join('') + (isSchema(schema) ? fieldLines(schema, named, '  ') : '')
  if (lines === '') return null
  return { text: `{\n${lines}}`, optional: !/^ {2}[\w'-]+: /m.test(lines) }
}

const itemOf = ({ reply }: Route, named: Named): string => {
  const list = propertiesOf(reply)['content'] ?? propertiesOf(reply)['events']
  return typeOf(isSchema(list) ? list['items'] : undefined, named)
}

function methodOf(route: Route, named: Named, types: Map<string, string>): string {
  const input = inputOf(route, named)
  const [asked, answered] = [typeName(route.id, 'Input'), typeName(route.id, 'Reply')]
  if (input) types.set(asked, input.text)
  const reply = route.file ? 'string' : typeOf(route.reply, named)
  const isVoid = reply === 'undefined'
  if (!isVoid) types.set(answered, reply)
  if (pagesBy(route)) types.set(typeName(route.id, 'Item'), itemOf(route, named))
  const gives = isVoid
    ? 'Promise<void>'
    : pagesBy(route)
      ? `Listing<${answered}, ${typeName(route.id, 'Item')}>`
      : `Promise<${answered}>`
  const [, name = ''] = route.id.split('.')
  const takes = input ? `input${input.optional ? '?' : ''}: ${asked}` : 'input?: NoInput'
  const words = [route.summary, route.description].filter((text) => text !== undefined).join('. ')
  return `${comment(words, '    ')}    ${name}(${takes}, options?: CallOptions): ${gives}\n`
}

// ---- what a call needs while it runs

/** The same for the clients in other languages. */
export function entryOf(route: Route): RouteEntry {
  return {
    method: route.method,
    path: route.path,
    ...(route.auth === 'bearer' ? {} : { auth: route.auth }),
    ...(takesIdempotencyKey(route) ? { keyed: true } : {}),
    ...(route.outcome ? { outcome: route.outcome } : {}),
    ...(pagesBy(route) ? { pages: pagesBy(route) } : {}),
    ...(route.body ? { body: true } : {}),
    ...(isArrayBody(route) && pathNames(route.path).length > 0 ? { items: true } : {}),
    ...(route.file ? { file: true } : {}),
    ...(amountPaths(route.reply).length > 0 ? { amounts: amountPaths(route.reply).join(' ') } : {}),
  }
}

export const byGroup = (): readonly (readonly [string, readonly Route[]])[] => [
  ...Map.groupBy(SDK_ROUTES, ({ id }) => id.split('.')[0] ?? ''),
]

function routesFile(methods: ReadonlyMap<Route, string>, names: readonly string[]): string {
  const table = byGroup().map(([group, routes]) => {
    const lines = routes.map((route) => `    ${route.id.split('.')[1]}: ${JSON.stringify(entryOf(route))},\n`)
    return `  ${group}: {\n${lines.join('')}  },\n`
  })
  const shown = byGroup().map(([group, routes]) => {
    return `  readonly ${group}: {\n${routes.map((route) => methods.get(route)).join('')}  }\n`
  })
  return `${HEAD}import type { CallOptions, Listing, NoInput, RouteEntry } from '../route.ts'
import type {
${names.map((name) => `  ${name},\n`).join('')}} from './types.ts'

export const LOG_IN = '${login.path}'

export const ROUTES: Readonly<Record<string, Readonly<Record<string, RouteEntry>>>> = {
${table.join('')}}

export interface Methods {
${shown.join('')}}
`
}

const exported = (name: string, type: string): string =>
  /^\{\n[\s\S]*\n\}$/.test(type) ? `export interface ${name} ${type}\n` : `export type ${name} = ${type}\n`

function typesFile(named: Named, types: ReadonlyMap<string, string>): string {
  const twice = [...named.keys()].filter((name) => types.has(name))
  if (twice.length > 0) throw new Error(`two types of the SDK are called ${twice.join(', ')}`)
  const codes = [...new Set(SDK_ROUTES.flatMap(listErrors))].toSorted()
  return `${HEAD}import type { Amount, Page } from '../route.ts'

/** What \`code\` of an error can be; a newer gateway may know more. */
export type ErrorCode =
${codes.map((code) => `  | '${code}'\n`).join('')}
${[...named, ...types].map(([name, type]) => exported(name, type)).join('\n')}`
}

// ---- events

export const HEADERS = {
  id: WEBHOOK_ID_HEADER,
  timestamp: WEBHOOK_TIMESTAMP_HEADER,
  signature: WEBHOOK_SIGNATURE_HEADER,
  service: SERVICE_SIGNATURE_HEADER,
  serviceNext: NEXT_SIGNATURE_HEADER,
  number: EVENT_NUMBER_HEADER,
  objectVersion: OBJECT_VERSION_HEADER,
  attempt: ATTEMPT_HEADER,
}

/** Where a notification has amounts as numbers. */
export const eventAmounts = ({ data, metaData }: Pick<(typeof EVENTS)[number], 'data' | 'metaData'>): string =>
  [...amountPaths(data, 'eventData'), ...(metaData ? amountPaths(metaData, 'metaData') : [])].join(' ')

function eventsFile(named: Named): string {
  const bodies = EVENTS.map(({ type, summary, data, metaData }) => {
    const meta = metaData ? `    metaData: ${typeOf(metaData, named, '    ')}\n` : ''
    return `${comment(summary, '  ')}  ${type}: {\n    eventData: ${typeOf(data, named, '    ')}\n${meta}  }\n`
  })
  const amounts = EVENTS.map((event) => `  ${event.type}: ${JSON.stringify(eventAmounts(event))},\n`)
  const used = [...named.keys()].filter((name) => new RegExp(`\\b${name}\\b`).test(bodies.join('')))
  const names = used.length > 0 ? `import type { ${used.toSorted().join(', ')} } from './types.ts'\n` : ''
  return `${HEAD}import type { Amount } from '../route.ts'
${names}
/** What each kind of notification says. */
export interface EventBodies {
${bodies.join('')}}

/** The headers of a notification. */
export const HEADERS = {
${Object.entries(HEADERS)
  .map(([name, header]) => `  ${name}: '${header}',\n`)
  .join('')}} as const

/** Where a body has amounts as numbers, by kind. */
export const EVENT_AMOUNTS: Readonly<Record<keyof EventBodies, string>> = {
${amounts.join('')}}
`
}

/** By path from the root of the repository. */
export function sdkSources(): Readonly<Record<string, string>> {
  const named: Named = new Map()
  const types = new Map<string, string>()
  const methods = new Map(SDK_ROUTES.map((route) => [route, methodOf(route, named, types)]))
  const events = eventsFile(named)
  return {
    [`${FOLDER}/types.ts`]: typesFile(named, types),
    [`${FOLDER}/routes.ts`]: routesFile(methods, [...types.keys()]),
    [`${FOLDER}/events.ts`]: events,
  }
}
