// From what a method was given to what goes over the wire.
import { CowrieError } from './errors.ts'
import type { RouteEntry } from './route.ts'

export type Input = Readonly<Record<string, unknown>>
export type Addressed = { readonly path: string; readonly body: string | null }

function segment(operation: string, input: Input, name: string): string {
  const value = input[name]
  // `.` and `..` would name another route once the address is put together.
  if ((typeof value !== 'string' && typeof value !== 'number') || /^\.{0,2}$/.test(String(value)))
    throw new CowrieError(
      'INPUT_MISSING',
      `${operation} needs ${name}; it was given ${JSON.stringify(value) ?? 'nothing'}.`,
    )
  return encodeURIComponent(value)
}

/** JSON has no bigint, and kobo would be read as naira. */
const withoutBigints = (name: string, value: unknown): unknown => {
  if (typeof value === 'bigint')
    throw new CowrieError(
      'AMOUNT_NOT_DECIMAL',
      `${name} is a bigint. Amounts are decimal text in naira: naira(${value}n).`,
    )
  return value
}

function queryOf(fields: Input): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
  return query.size > 0 ? `?${query.toString()}` : ''
}

/** The names of the path are taken from the input; what is left is the query, or the body. */
export function addressed(operation: string, route: RouteEntry, input: Input | readonly unknown[]): Addressed {
  if (Array.isArray(input)) return { path: route.path, body: JSON.stringify(input, withoutBigints) }
  const fields = { ...(input as Input) }
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = segment(operation, fields, name)
    delete fields[name]
    return value
  })
  if (!route.body) return { path: path + queryOf(fields), body: null }
  return { path, body: JSON.stringify(route.items ? fields['items'] : fields, withoutBigints) }
}
