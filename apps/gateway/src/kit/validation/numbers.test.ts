// Every amount, percentage and quantity of the contract, in the notations that serialisers write.
import { ROUTES } from '@cowrie/contract/index'
import { numberReader } from '@cowrie/contract/kit/money'
import type { Route } from '@cowrie/contract/kit/spec'
import { expect, test } from 'vitest'
import { meaning, type Schema } from './faults.ts'
import { readJson } from './json.ts'
import { sourceShape } from './validate.ts'

/** Where a number stands in a body: `transactionList.0.amount`. */
type Place = { readonly route: Route; readonly path: readonly string[]; readonly schema: Schema }

function numbersIn(route: Route, given: Schema, path: readonly string[] = []): Place[] {
  const schema = meaning(given) as Schema
  if (numberReader(schema)) return [{ route, path, schema }]
  if (schema.items) return numbersIn(route, schema.items, [...path, '0'])
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => numbersIn(route, inner, [...path, name]))
}

const places = ROUTES.flatMap((route) => (route.body ? numbersIn(route, route.body as Schema) : []))

/** A body with one number in it, written exactly like that, as its reader hands it to the schema. */
function read({ route, path }: Place, written: string): unknown {
  const body = path.reduceRight(
    (inner, key) => (key === '0' ? `[${inner}]` : `{${JSON.stringify(key)}:${inner}}`),
    written,
  )
  const value = readJson(body, sourceShape(route.body as Schema))
  return path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], value)
}
const fits = ({ schema }: Place, value: unknown): boolean =>
  typeof value === 'string' && (schema.pattern === undefined || new RegExp(schema.pattern).test(value))

const cases = places.map((place) => [`${place.route.id} ${place.path.join('.')}`, place] as const)

test('amounts, shares and quantities stand in the bodies of every part of the interface', () => {
  const areas = [
    'transactions',
    'disbursements',
    'batches',
    'refunds',
    'subAccounts',
    'reservedAccounts',
    'mandates',
    'invoices',
    'limits',
    'bills',
  ]
  const ids = cases.map(([name]) => name.toLowerCase()).join('\n')
  expect(cases.length).toBeGreaterThan(30)
  expect(areas.filter((area) => !ids.includes(area.toLowerCase().replace(/s$/, '')))).toEqual([])
})

test.each(cases)('%s: a number is taken in every notation of JSON', (_, place) => {
  const kind = place.schema['x-wire']
  for (const written of ['50', '5e1', '5.0E1', '5E+1', '500e-1', '50.0000000000']) {
    const value = read(place, written)
    expect({ written, value, fits: fits(place, value) }).toEqual({ written, value: '50', fits: true })
  }
  if (kind === 'integer') return
  for (const [written, meant] of [
    ['50.00000000000001', '50'],
    ['49.99999999999999', '50'],
    ['12.300000000000001', '12.3'],
  ] as const) {
    const value = read(place, written)
    expect({ written, value, fits: fits(place, value) }).toEqual({ written, value: meant, fits: true })
  }
})

test.each(cases)('%s: text is not a number, and is not read as one', (_, place) => {
  for (const written of ['"5e1"', '"50.00000000000001"']) {
    const value = read(place, written)
    expect(value).toBe(JSON.parse(written))
    expect(place.schema.pattern !== undefined && fits(place, value)).toBe(false)
  }
})

test.each(cases.filter(([, { schema }]) => schema['x-wire'] === 'number'))('%s: 10.005 is refused', (_, place) => {
  expect(fits(place, read(place, '10.005'))).toBe(false)
  expect(fits(place, read(place, '1e-3'))).toBe(false)
})
