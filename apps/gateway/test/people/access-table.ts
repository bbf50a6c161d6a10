// What the contract promises to whoever asks, route by route: the requests of the table over roles, and the
// answer each must get. Nothing of it is listed twice: a new act, view, role or route of people is in the
// table because it is in the contract.

import { createOidcRoutes } from '@cowrie/contract/access/oidc'
import { createPasskeyRoutes } from '@cowrie/contract/access/passkeys'
import { PEOPLE_ROUTES } from '@cowrie/contract/access/people'
import { ACTS, PREFIX, VIEWS } from '@cowrie/contract/acts'
import { type ErrorCode, httpStatus } from '@cowrie/contract/errors/errors'
import type { Act, View } from '@cowrie/contract/kit/act'
import { MERCHANT_ROLES, OPERATOR_ROLES, rolePermissions, type Side } from '@cowrie/contract/kit/permissions'
import type { Method, Route } from '@cowrie/contract/kit/spec'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

export const SIDES: readonly Side[] = ['merchant', 'operator']
/** And one that no contract knows. */
export const ROLES: Readonly<Record<Side, readonly string[]>> = {
  merchant: [...Object.keys(MERCHANT_ROLES), 'nobody'],
  operator: [...Object.keys(OPERATOR_ROLES), 'nobody'],
}
export const actsOf = (side: Side): readonly Act[] => ACTS.filter((spec) => spec.side === side)
export const viewsOf = (side: Side): readonly View[] => VIEWS.filter((spec) => spec.side === side)
export const peopleRoutesOf = (side: Side): readonly Route[] =>
  [PEOPLE_ROUTES[side], createPasskeyRoutes(side), createOidcRoutes(side)].flatMap((routes) =>
    Object.values<Route>(routes),
  )

export type Request = { readonly method: Method; readonly path: string; readonly body?: object }

// ---- values that fit

const CANDIDATES: readonly unknown[] = [
  ...['abc', 'somebody@people.example', '01', '2031-01-06', '1', 'a'.repeat(43), 'a'.repeat(64), '1234567890'],
  ...['https://shop.example', 100, '100.00', 1, true, null],
]
/** Of what names nothing: the first value that a schema takes. */
export function sampleOf(schema: TSchema): unknown {
  const { properties, items, minItems = 0, enum: words } = schema as Shape
  if (properties)
    return Object.fromEntries(requiredOf(schema).map((name) => [name, sampleOf(properties[name] as TSchema)]))
  if (items) return Array.from({ length: minItems }, () => sampleOf(items))
  const check = Compile(schema)
  const found = [...(words ?? []), ...CANDIDATES].find((value) => check.Check(value))
  if (found === undefined) throw new Error(`no candidate fits ${JSON.stringify(schema)}`)
  return found
}
/** Names of the fields that must be given. */
export const requiredOf = (schema: TSchema | undefined): readonly string[] =>
  (schema as { readonly required?: readonly string[] } | undefined)?.required ?? []
type Shape = {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
  readonly minItems?: number
  readonly enum?: readonly unknown[]
}

// ---- acts and views

/** Whom a request of the operator's names; a merchant's people are about their own, whomever they name. */
export type Whose = { readonly merchant?: string; readonly known: boolean }
const DECISIONS: ReadonlySet<string> = new Set(['approvals.approve', 'approvals.reject'])

export const requestOf = (spec: Act | View, { merchant }: Pick<Whose, 'merchant'>, given: object = {}): Request => {
  const place = { ...(merchant === undefined ? {} : { merchant }), cell: '01' }
  if ('query' in spec) {
    const query = { ...place, ...(sampleOf(spec.query) as object), ...given }
    return { method: 'GET', path: `${PREFIX[spec.side]}/views/${spec.id}?${new URLSearchParams(query).toString()}` }
  }
  const input = { ...(sampleOf(spec.input) as object), ...given }
  // What needs no proof is only tried: the table changes nothing.
  const body = { ...place, input, reason: 'a test wants it', ...(spec.stepUp ? {} : { dryRun: true }) }
  return { method: 'POST', path: `${PREFIX[spec.side]}/acts/${spec.id}`, body }
}

const answer = (code: ErrorCode): string => `${httpStatus(code)} ${code}`
export const DENIED = answer('PERMISSION_DENIED')
export const may = (spec: Act | View, role: string): boolean => rolePermissions(spec.side, role).has(spec.permission)

/** What somebody gets whose proof of identity is too old for an act, with a sample in every field that names
 *  something. */
export function expectedOf(spec: Act | View, role: string, whose: Whose): string {
  if (!may(spec, role)) return DENIED
  const decides = DECISIONS.has(spec.id) && 'input' in spec
  if (decides) return answer('APPROVAL_UNKNOWN')
  if (spec.side === 'operator' && !whose.known) {
    if (whose.merchant !== undefined) return answer('MERCHANT_UNKNOWN')
    if (spec.concerns === 'merchant') return answer('FIELD_MISSING')
  }
  if ('input' in spec) return answer(spec.stepUp ? 'STEP_UP_REQUIRED' : 'FIELD_INVALID')
  if (requiredOf(spec.query).length === 0) return '200'
  const [unknown, ...others] = spec.errors.filter((code) => httpStatus(code) === 404 && code !== 'MERCHANT_UNKNOWN')
  if (unknown === undefined || others.length > 0) throw new Error(`${spec.id} declares no single code for the unknown`)
  return answer(unknown)
}

// ---- what people do with their own account

/** Bodies without which a route tells nothing of who asked. */
const BODIES: Readonly<Record<string, object>> = { 'passkeys.options': { purpose: 'act', digest: 'A'.repeat(43) } }
const nameOf = ({ id }: Route): string => id.replace(/^\w+\./, '')
export const peopleRequest = (route: Route, id = '1'): Request => ({
  method: route.method,
  path: route.path.replace('{id}', id),
  ...(route.method === 'GET' ? {} : { body: BODIES[nameOf(route)] ?? {} }),
})
export type Caller = 'nobody' | 'of the other side' | 'without the code' | 'from another site' | 'in'
export const needsSession = ({ errors }: Route): boolean => errors.includes('SESSION_MISSING')
/** After these the session is over: each gets one of its own. */
export const endsSession = (route: Route): boolean => ['people.logOut', 'people.endSessions'].includes(nameOf(route))

const WITHOUT_SESSION: Partial<Record<Caller, ErrorCode>> = {
  nobody: 'SESSION_MISSING',
  'of the other side': 'SESSION_ENDED',
}
export function expectedOfPeople(route: Route, caller: Caller): string {
  const { errors, method, body } = route
  if (errors.includes('OIDC_OFF')) return answer('OIDC_OFF')
  const outside = WITHOUT_SESSION[caller]
  if (outside && needsSession(route)) return answer(outside)
  if (caller === 'from another site' && method !== 'GET' && errors.includes('CROSS_SITE')) return answer('CROSS_SITE')
  if (caller === 'without the code' && errors.includes('SESSION_HALF')) return answer('SESSION_HALF')
  if (method === 'DELETE' && errors.includes('PASSKEY_UNKNOWN')) return answer('PASSKEY_UNKNOWN')
  return requiredOf(body).every((name) => name in (BODIES[nameOf(route)] ?? {})) ? '200' : answer('FIELD_MISSING')
}
/** What acts and views answer to whoever is not wholly in. */
export const expectedOutside = (method: Method, caller: Exclude<Caller, 'in'>): string => {
  if (caller === 'without the code') return answer('SESSION_HALF')
  if (caller === 'from another site') return method === 'GET' ? '' : answer('CROSS_SITE')
  return answer(WITHOUT_SESSION[caller] ?? 'INTERNAL')
}
