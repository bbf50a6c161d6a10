// Names, words and examples of the interface: what a reader of openapi.json, and a program made from it,
// depend on.
import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import Type, { type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { ROUTES } from '../index.ts'
import { successEnvelope } from '../kit/envelope.ts'
import { Named, publicSchema } from '../kit/fields.ts'
import { EXAMPLES } from './examples.ts'
import { exampleAnswer, openapi, openapiWithFaults } from './openapi.ts'
import { createShapes, pascal } from './schemas.ts'
import { EXPLAINED } from './words.ts'

type Node = { readonly [key: string]: unknown }
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

const options = { apiUrl: 'http://127.0.0.1:4000', sandbox: true }
const document = openapi(options) as Node
const components = document['components'] as Record<string, Record<string, Node>>
const schemas = components['schemas'] ?? {}
const operations = Object.values(document['paths'] as Record<string, Record<string, Node>>).flatMap((path) =>
  Object.values(path),
)

/** Every schema below a place, with where it stands; examples are not schemas. */
function* objectsIn(node: unknown, where: string): Generator<readonly [string, Node]> {
  if (Array.isArray(node)) for (const [index, one] of node.entries()) yield* objectsIn(one, `${where}[${index}]`)
  if (!isNode(node)) return
  yield [where, node]
  for (const [key, value] of Object.entries(node))
    if (!/^examples?$/.test(key)) yield* objectsIn(value, `${where}.${key}`)
}
const isObjectSchema = (node: Node): boolean => node['type'] === 'object' && isNode(node['properties'])

describe('names', () => {
  test('one name has one shape, one shape one name, and nothing is left without a word', () => {
    expect(openapiWithFaults(options).faults).toEqual([])
    expect(openapiWithFaults({ ...options, sandbox: false }).faults).toEqual([])
  })

  test('every object of a request, a response or an event is a schema with a name, and stands nowhere else', () => {
    const inline = [...objectsIn(document, '')]
      .filter(([where, node]) => isObjectSchema(node) && !/^\.components\.schemas\.[A-Za-z0-9]+$/.test(where))
      .map(([where]) => where)
    expect(inline).toEqual([])
    expect(Object.keys(schemas).length).toBeGreaterThan(200)
  })

  test('names are words in a row, and short', () => {
    for (const name of Object.keys(schemas)) {
      expect(name).toMatch(/^[A-Z][A-Za-z0-9]+$/)
      expect(name.length, name).toBeLessThanOrEqual(40)
    }
  })

  test('the rule can fail: two shapes of one name, two names of one shape, a field without a word', () => {
    const one = Named('Coin', { name: Type.String(), code: Type.String() })
    const shapes = createShapes()
    shapes.refer(Type.Object({ one, other: Named('Coin', { name: Type.String() }) }), 'Purse')
    shapes.refer(Named('Shell', { name: Type.String(), code: Type.String() }), 'Shore')
    expect(shapes.faults).toEqual([
      'nothing is said of Purse.one',
      'two shapes are called Coin',
      'nothing is said of Purse.other',
      'one shape is called Coin and Shell',
    ])
  })

  test('names follow from where a shape stands', () => {
    expect([pascal('transactions.init'), pascal('LOW_BALANCE_ALERT'), pascal('webhook-id')]).toEqual([
      'TransactionsInit',
      'LowBalanceAlert',
      'WebhookId',
    ])
    for (const name of ['TransactionsInitRequest', 'TransactionsInitReply', 'TransactionsInitResponse', 'Success'])
      expect(Object.keys(schemas)).toContain(name)
    for (const name of ['InvoiceResponse', 'BankListResponse', 'ChargeResultOtpData', 'LowBalanceAlertEvent'])
      expect(Object.keys(schemas)).toContain(name)
  })
})

describe('words', () => {
  test.each(ROUTES)('$id has a short title and a description', ({ summary, description }) => {
    expect(summary.length).toBeLessThanOrEqual(60)
    expect(summary).not.toMatch(/[.;]/)
    expect(description).toMatch(/^[A-Z`].*[.)]$/s)
  })

  test('every group, operation, parameter and field is described', () => {
    for (const tag of document['tags'] as Node[]) expect(tag['description'], String(tag['name'])).toMatch(/\.$/)
    for (const operation of operations) {
      const id = String(operation['operationId'])
      expect(operation['description'], id).toMatch(/\S/)
      const own = ((operation['parameters'] ?? []) as Node[]).filter((one) => !('$ref' in one))
      for (const one of own) expect(one['description'], `${id} ${String(one['name'])}`).toMatch(/\S/)
    }
    for (const [name, schema] of Object.entries(schemas))
      for (const [field, property] of Object.entries((schema['properties'] ?? {}) as Record<string, Node>))
        expect(property['description'], `${name}.${field}`).toMatch(/\S/)
  })

  test('no word explains a field that is not there', () => {
    const fields = Object.entries(schemas).flatMap(([name, { properties }]) =>
      Object.keys((properties ?? {}) as Node).flatMap((field) => [field, `${name}.${field}`]),
    )
    const parameters = ROUTES.flatMap(({ id, path, query }) => {
      const inQuery = query ? Object.keys(publicSchema(query)['properties'] as Node) : []
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
      return [...names, ...inQuery].flatMap((name) => [name, `${id}.${name}`])
    })
    const there = new Set([...fields, ...parameters])
    expect(EXPLAINED.filter((name) => !there.has(name))).toEqual([])
  })
})

describe('examples', () => {
  const faultsOf = (schema: TSchema, value: unknown): string[] => {
    const validator = Compile(schema)
    return validator.Check(value) ? [] : [...validator.Errors(value)].map((error) => JSON.stringify(error))
  }

  test.each(ROUTES.filter(({ id }) => id in EXAMPLES))('$id: request and answer fit its schemas', (route) => {
    const example = EXAMPLES[route.id] ?? {}
    const { body, query, reply, path } = route
    // As a client sees it: amounts are numbers.
    expect(faultsOf(body ? Type.Unsafe(publicSchema(body)) : Type.Undefined(), example.body)).toEqual([])
    expect(faultsOf(query ?? Type.Object({}), example.query ?? {})).toEqual([])
    expect(Object.keys(example.path ?? {})).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    expect(faultsOf(route.file ? reply : successEnvelope(reply), exampleAnswer(route, example))).toEqual([])
  })

  test('the document shows them', () => {
    const json = 'application/json'
    const shown = (node: unknown, ...keys: readonly string[]): unknown =>
      keys.reduce<unknown>((inner, key) => (isNode(inner) ? inner[key] : undefined), node)
    for (const operation of operations) {
      const example = EXAMPLES[String(operation['operationId'])]
      if (!example) continue
      expect(shown(operation, 'requestBody', 'content', json, 'example')).toEqual(example.body)
      const content = shown(operation, 'responses', '200', 'content') as Node
      expect(Object.values(content).every((one) => isNode(one) && 'example' in one)).toBe(true)
    }
  })
})

test('it is OpenAPI 3.1, of the sandbox and of live; a document without its title is not', async () => {
  const faultsIn = async (value: object): Promise<unknown> => (await new Validator().validate({ ...value })).errors
  expect(await faultsIn(document)).toBeUndefined()
  expect(await faultsIn(openapi({ apiUrl: 'https://api.example', sandbox: false }))).toBeUndefined()
  const { info: _info, ...broken } = document
  expect(await faultsIn(broken)).toBeDefined()
})

test('the document that is committed is smaller than half of what it was without names', () => {
  const bytes = readFileSync(new URL('../../../../docs/reference/openapi.json', import.meta.url)).length
  expect(bytes).toBeLessThan(3_437_230 / 2)
})
