// Fields that no schema knows. They are ignored, as existing clients need it; in the sandbox the answer names
// them in a header, because a misspelt optional field shows itself in nothing else. Names only, never what
// they hold.
import type { Route } from '@cowrie/contract/kit/spec'
import { meaning, meantHint, meantNames, type Schema } from './faults.ts'
import type { JsonValue } from './json.ts'
import { mayBeShown } from './near.ts'

const NAMED_MAX = 10

type Fields = { [key: string]: JsonValue }
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Adds what the schema does not know of a value. What a map holds is the merchant's own and not looked
 *  into. */
function collect(given: Schema, value: JsonValue, path: string, found: string[]): void {
  const schema = meaning(given) as Schema
  if (Array.isArray(value)) {
    const { items } = schema
    if (items) for (const [at, item] of value.entries()) collect(items, item, `${path}${at}.`, found)
    return
  }
  const { properties } = schema
  if (!properties || !isFields(value)) return
  let meant: Map<string, string> | null = null
  for (const name in value) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    const held = value[name]
    if (known) {
      if (typeof held === 'object') collect(known, held, `${path}${name}.`, found)
      continue
    }
    if (found.length >= NAMED_MAX) return
    if (!mayBeShown(name)) continue
    meant ??= meantNames(schema, value)
    const near = [...meant].find(([, sent]) => sent === name)?.[0]
    found.push(near === undefined ? path + name : `${path}${name} (did you mean ${near}?)`)
  }
}

/** What a header says of the fields and query parameters of a request that the route does not know; empty
 *  when it knows all. */
export function strayWords(route: Route): (body: unknown, query: unknown) => string {
  const body = route.body as Schema | undefined
  const query = route.query as Schema | undefined
  return (sentBody, sentQuery) => {
    const found: string[] = []
    if (body) collect(body, sentBody as JsonValue, '', found)
    if (query) collect(query, sentQuery as JsonValue, '', found)
    return found.length === 0 ? '' : found.join(', ')
  }
}

/** What to say to a query that was refused for what it lacks, when one of its names is nearly one that the
 *  route knows. */
export function queryHint({ query }: Route, sent: unknown): string | null {
  if (!query || !isFields(sent)) return null
  const [first] = meantNames(query as Schema, sent)
  return first ? meantHint(first[1], first[0]) : null
}
