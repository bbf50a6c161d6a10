// Holds answers against the contract: the whole body of a success, the form of a refusal, and whether the
// route may answer with that code at all. The harness does it for every answer, so no test can pass on a body
// nobody declared.

import { ROUTES } from '@cowrie/contract'
import { ERRORS, type ErrorCode, httpStatus } from '@cowrie/contract/errors/errors'
import { Refusal, successEnvelope } from '@cowrie/contract/kit/envelope'
import type { Route } from '@cowrie/contract/kit/spec'
import { listErrors } from '@cowrie/contract/reference/openapi'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { expect } from 'vitest'

export type Held = { readonly status: number; readonly headers: Headers; readonly text: string }

type Schema = TSchema & {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}
type Validator = { Check(value: unknown): boolean; Errors(value: unknown): Iterable<unknown> }

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .split(/\{\w+\}/)
      .map(escaped)
      .join('[^/]+')}/?$`,
  )
const patterns = ROUTES.map((route) => ({ route, pattern: patternOf(route.path) }))

/** The route of the contract that a request goes to, if there is one. */
export function routeOf(method: string, target: string): Route | null {
  const path = target.split('?')[0] ?? ''
  return patterns.find(({ route, pattern }) => route.method === method && pattern.test(path))?.route ?? null
}

/** Fields that no schema names, at any depth. Maps and unknowns hold what they like. */
export function undeclared(schema: Schema, value: unknown, path: string): string[] {
  if (schema.anyOf) {
    const fitting = schema.anyOf.filter((one) => (one.type === 'null') === (value === null))
    const found = fitting.map((one) => undeclared(one, value, path))
    return found.some((fields) => fields.length === 0) ? [] : (found[0] ?? [])
  }
  if (Array.isArray(value)) {
    const { items } = schema
    return items ? value.flatMap((item, at) => undeclared(items, item, `${path}[${at}]`)) : []
  }
  const { properties } = schema
  if (typeof value !== 'object' || value === null || !properties) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined
    return declared ? undeclared(declared, inner, `${path}.${name}`) : [`${path}.${name}`]
  })
}

const validators = new Map<TSchema, Validator>()
function faults(schema: TSchema, body: unknown): string[] {
  const validator = validators.get(schema) ?? (Compile(schema) as unknown as Validator)
  validators.set(schema, validator)
  const wrong = validator.Check(body) ? [] : [...validator.Errors(body)].map((error) => JSON.stringify(error))
  return [...wrong, ...undeclared(schema as Schema, body, '').map((field) => `undeclared ${field}`)]
}

const successes = new Map(ROUTES.map((route) => [route.id, successEnvelope(route.reply)]))

/** Everything in which an answer differs from what the contract says of its route. */
export function differences(route: Route, answer: Held): string[] {
  const body: unknown = JSON.parse(answer.text)
  const requestId = answer.headers.get('x-request-id')
  const missing = requestId ? [] : ['no x-request-id']
  if (answer.status === 200)
    return [...missing, ...faults(successes.get(route.id) ?? successEnvelope(route.reply), body)]
  const wrong = [...missing, ...faults(Refusal, body)]
  const problem = (body as { problem?: { code?: string; requestId?: string } }).problem
  const code = problem?.code ?? ''
  if (!Object.hasOwn(ERRORS, code)) return [...wrong, `${code} is not in the table of errors`]
  if (!listErrors(route).includes(code as ErrorCode)) wrong.push(`${route.id} may not answer ${code}`)
  if (httpStatus(code as ErrorCode, route.status422As) !== answer.status)
    wrong.push(`${code} came with ${answer.status}`)
  // A replayed refusal is the bytes of the first one, its id included.
  const replayed = answer.headers.get('idempotent-replayed') === 'true'
  if (!replayed && problem?.requestId !== requestId) wrong.push('problem.requestId is not x-request-id')
  return wrong
}

/** Fails the test when an answer is not one that the route promises. */
export function conforms(route: Route, answer: Held): void {
  if (route.file && answer.status === 200) {
    expect(answer.headers.get('content-type'), route.id).toBe(`${route.file}; charset=utf-8`)
    return
  }
  expect(answer.headers.get('content-type'), route.id).toBe('application/json; charset=utf-8')
  expect(differences(route, answer), `${route.id} answered ${answer.status} ${answer.text.slice(0, 500)}`).toEqual([])
}
