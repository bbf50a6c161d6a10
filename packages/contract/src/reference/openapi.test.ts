import { describe, expect, test } from 'vitest'
import { ERRORS, httpStatus } from '../errors/errors.ts'
import { EVENTS, ROUTES } from '../index.ts'
import { type FeatureName, featureError } from '../kit/features.ts'
import { listErrors, openapi } from './openapi.ts'

type Node = { readonly [key: string]: unknown }
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

const sandbox = openapi({ apiUrl: 'http://127.0.0.1:4000', sandbox: true }) as Node
const live = openapi({ apiUrl: 'https://api.example', sandbox: false }) as Node

/** A reference stands for what it names. */
function resolved(node: unknown): unknown {
  if (!isNode(node) || typeof node['$ref'] !== 'string') return node
  return node['$ref']
    .slice(2)
    .split('/')
    .reduce<unknown>((inner, key) => (isNode(inner) ? inner[key] : undefined), sandbox)
}
const at = (root: unknown, ...path: readonly string[]): unknown =>
  resolved(
    path.reduce<unknown>((node, key) => {
      const inner = resolved(node)
      return isNode(inner) ? inner[key] : undefined
    }, root),
  )

/** Every pair of key and value, at any depth. */
function* entriesOf(node: unknown): Generator<readonly [string, unknown]> {
  if (!isNode(node)) return
  for (const [key, value] of Object.entries(node)) {
    yield [key, value]
    yield* entriesOf(value)
  }
}
const operationsOf = (document: Node): readonly Node[] =>
  Object.values(document['paths'] as Node).flatMap((path) => Object.values(path as Node) as Node[])

describe('openapi', () => {
  test.each(ROUTES)('$id is in the document of the sandbox with its errors', (route) => {
    const operation = at(sandbox, 'paths', route.path, route.method.toLowerCase())
    expect(at(operation, 'operationId')).toBe(route.id)
    expect(at(operation, 'tags')).toEqual([route.group])
    for (const code of listErrors(route)) {
      const status = String(httpStatus(code, route.status422As))
      const example = at(operation, 'responses', status, 'content', 'application/json', 'examples', code, 'value')
      expect(at(example, 'problem', 'docUrl')).toBe(`http://127.0.0.1:4000/docs#error-${code}`)
    }
  })

  test.each(ROUTES.filter(({ feature }) => feature))(
    '$id shows its feature, and how it is refused without it',
    (route) => {
      const feature = route.feature as FeatureName
      const operation = at(sandbox, 'paths', route.path, route.method.toLowerCase())
      expect(at(operation, 'x-feature')).toBe(feature)
      expect(at(operation, 'description')).toContain(`Needs the feature ${feature}`)
      const code = featureError(feature)
      expect(at(operation, 'responses', String(httpStatus(code)), 'description')).toContain(code)
    },
  )

  test('every code that a route declares exists', () => {
    for (const route of ROUTES) for (const code of listErrors(route)) expect(Object.keys(ERRORS)).toContain(code)
  })

  test('live leaves out what only the sandbox has, and nothing else', () => {
    const ids = operationsOf(live).map((operation) => operation['operationId'])
    expect(ids).toEqual(ROUTES.filter((route) => !route.sandbox).map((route) => route.id))
    expect((at(live, 'tags') as Node[]).map(({ name }) => name)).not.toContain('Sandbox')
    expect(at(live, 'servers')).toEqual([{ url: 'https://api.example', description: 'Live' }])
  })

  test('operation ids are unique and path parameters are exactly those of the path', () => {
    const ids = operationsOf(sandbox).map((operation) => operation['operationId'])
    expect(new Set(ids).size).toBe(ids.length)
    for (const route of ROUTES) {
      const parameters = (at(sandbox, 'paths', route.path, route.method.toLowerCase(), 'parameters') ?? []) as Node[]
      const inPath = parameters.filter((parameter) => parameter['in'] === 'path').map((parameter) => parameter['name'])
      expect(inPath).toEqual([...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))
    }
  })

  test('every $ref resolves and every security scheme is declared', () => {
    for (const [key, value] of entriesOf(sandbox)) {
      if (key !== '$ref') continue
      expect(String(value)).toMatch(/^#\//)
      expect(at(sandbox, ...String(value).slice(2).split('/'))).toBeDefined()
    }
    for (const operation of operationsOf(sandbox)) {
      const schemes = (operation['security'] as Node[]).flatMap((one) => Object.keys(one))
      for (const scheme of schemes) expect(at(sandbox, 'components', 'securitySchemes', scheme)).toBeDefined()
    }
  })

  test('amounts that arrive are numbers, and nothing internal leaks', () => {
    const init = at(sandbox, 'paths', '/api/v1/merchant/transactions/init-transaction', 'post', 'requestBody')
    const amount = at(init, 'content', 'application/json', 'schema', 'properties', 'amount')
    expect(amount).toEqual({ type: 'number', description: 'Naira, at most two decimals' })
    expect([...entriesOf(sandbox)].map(([key]) => key).filter((key) => /^(x-wire|~)/.test(key))).toEqual([])
    const withoutSamples = JSON.parse(
      JSON.stringify(sandbox, (key, value) => (/^examples?$/.test(key) ? undefined : value)),
    )
    const types = [...entriesOf(withoutSamples)].flatMap(([key, value]) =>
      key === 'type' && typeof value === 'string' ? [value] : [],
    )
    const known = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null', 'http', 'apiKey']
    expect(types.filter((type) => !known.includes(type))).toEqual([])
    expect(JSON.parse(JSON.stringify(sandbox))).toEqual(sandbox)
  })

  test('the answer stands in the envelope', () => {
    const answer = at(sandbox, 'paths', '/api/v1/auth/login', 'post', 'responses', '200', 'content', 'application/json')
    expect(at(answer, 'schema', 'required')).toEqual([
      'requestSuccessful',
      'responseMessage',
      'responseCode',
      'responseBody',
    ])
    expect(at(answer, 'schema', 'properties', 'responseBody', 'required')).toEqual(['accessToken', 'expiresIn'])
  })

  test('every event is a webhook with its headers and a sample', () => {
    expect(Object.keys(sandbox['webhooks'] as Node)).toEqual(EVENTS.map((event) => event.type))
    for (const event of EVENTS) {
      const post = at(sandbox, 'webhooks', event.type, 'post')
      expect((at(post, 'parameters') as Node[]).map((parameter) => at(parameter, 'name'))).toEqual([
        'service-signature',
        'monnify-signature',
        'webhook-id',
        'webhook-timestamp',
        'webhook-signature',
        'cowrie-event-number',
        'cowrie-object-version',
        'cowrie-attempt',
      ])
      const content = at(post, 'requestBody', 'content', 'application/json')
      expect(at(content, 'schema', 'required')).toEqual(
        event.metaData ? ['eventData', 'eventType', 'metaData'] : ['eventData', 'eventType'],
      )
      expect(at(content, 'examples', '1', 'value', 'eventType')).toBe(event.type)
    }
  })
})
