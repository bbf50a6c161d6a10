// What is declared is published: a route that the index does not list would be served and stand in no
// reference.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ACTS, VIEWS } from './acts.ts'
import { httpStatus } from './errors/errors.ts'
import { ROUTES } from './index.ts'
import { listFields } from './kit/fields.ts'
import { PEOPLE_HOME } from './kit/people-routes.ts'
import {
  AGENT_SCOPE,
  KEY_SCOPES,
  MERCHANT_PERMISSIONS,
  MERCHANT_ROLES,
  OPERATOR_PERMISSIONS,
  OPERATOR_ROLES,
  permissionsOfScope,
  rolePermissions,
} from './kit/permissions.ts'
import { CONTRACT_FIELDS, EVERY_KEY, type Route } from './kit/spec.ts'
import { VIEW_AS_HOME } from './screens/view-as.ts'

/** A public one: those for people alone are held against what is served (access-table.test.ts), and a shop's
 *  page asks its door by the script alone (the guide to the in-page checkout). */
const isRoute = (value: unknown): value is { id: string } =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'method' in value &&
  'path' in value &&
  'reply' in value &&
  !String(value.path).startsWith(PEOPLE_HOME) &&
  !String(value.path).startsWith(VIEW_AS_HOME) &&
  !String(value.path).startsWith('/plugin/')

test('every route of every file is in the index, once', async () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  const declared = new Set<string>()
  for (const file of files) {
    const exported: Record<string, unknown> = await import(join(import.meta.dirname, file))
    for (const value of Object.values(exported).filter(isRoute)) declared.add(value.id)
  }
  const listed = ROUTES.map(({ id }) => id)
  expect([...declared].filter((id) => !listed.includes(id))).toEqual([])
  expect(new Set(ROUTES.map(({ method, path }) => `${method} ${path}`)).size).toBe(ROUTES.length)
})

/** Names of the fields that a request may have, wherever they stand. */
const fieldNames = ({ path, query, body }: Route): readonly string[] => [
  ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''),
  ...[query, body].flatMap((schema) => (schema ? listFields(schema).map((field) => field.path) : [])),
]

test('a route that names none of the permissions fails here: every route of a merchant names one, and no other does', () => {
  const known: readonly string[] = [...Object.keys(MERCHANT_PERMISSIONS), EVERY_KEY]
  const wrong = ROUTES.filter(({ auth, permission }) =>
    auth === 'bearer' || auth === 'basic' ? !known.includes(permission ?? '') : permission !== undefined,
  )
  expect(wrong.map(({ id }) => id)).toEqual([])
  // What every key may is listed here, so that nothing joins it unseen.
  expect(ROUTES.filter(({ permission }) => permission === EVERY_KEY).map(({ id }) => id)).toEqual([
    'auth.login',
    'banks.list',
    'banks.listUssd',
    'sandbox.clock',
  ])
})

test('an act or a view names a permission of its own side, and an id of two words once per side', () => {
  const sides = { merchant: Object.keys(MERCHANT_PERMISSIONS), operator: Object.keys(OPERATOR_PERMISSIONS) }
  for (const { id, side, permission } of [...ACTS, ...VIEWS]) {
    expect(sides[side], `${side} ${id}`).toContain(permission)
    expect(id).toMatch(/^[a-zA-Z]+\.[a-zA-Z]+$/)
  }
  for (const all of [ACTS, VIEWS])
    expect(new Set(all.map(({ side, id }) => `${side} ${id}`)).size, 'ids are unique').toBe(all.length)
})

test('no limited key makes keys, changes settings, sends notifications elsewhere or decides where money is settled', () => {
  const never = ['keys.manage', 'settings.write', 'webhooks.write', 'settlements.write', 'subAccounts.write'] as const
  for (const scope of Object.keys(KEY_SCOPES))
    for (const permission of [...never, 'team.manage', 'payouts.approve', 'suspense.decide'] as const)
      expect(permissionsOfScope(scope).has(permission), `${scope} ${permission}`).toBe(false)
  // What is changed with the secret key in hand is among what no limited key may.
  const withSecret = ROUTES.filter(
    ({ auth, method, permission }) => auth === 'basic' && method !== 'GET' && permission !== EVERY_KEY,
  )
  for (const { id, permission } of withSecret) expect(never as readonly string[], id).toContain(permission)
})

test('a key for agents reads what READ reads, and only a refund and a single transfer can be proposed with it', () => {
  expect(KEY_SCOPES[AGENT_SCOPE]).toEqual(KEY_SCOPES.READ)
  expect(ROUTES.filter(({ proposable }) => proposable).map(({ id }) => id)).toEqual([
    'transfers.initiate',
    'refunds.initiate',
  ])
})

test('an unknown role or scope may nothing, also one that every object has by name', () => {
  for (const name of ['', 'nobody', 'constructor', '__proto__', 'toString', 'OWNER']) {
    expect([
      ...rolePermissions('merchant', name),
      ...rolePermissions('operator', name),
      ...permissionsOfScope(name),
    ]).toEqual([])
  }
  // The roles of one side are unknown on the other, but for the words both have.
  expect(rolePermissions('operator', 'owner').size).toBe(0)
  expect(rolePermissions('merchant', 'admin').size).toBe(0)
  for (const role of Object.keys(MERCHANT_ROLES))
    for (const permission of rolePermissions('merchant', role))
      expect(MERCHANT_PERMISSIONS).toHaveProperty([permission])
  for (const role of Object.keys(OPERATOR_ROLES))
    for (const permission of rolePermissions('operator', role))
      expect(OPERATOR_PERMISSIONS).toHaveProperty([permission])
})

test('a route holds contract-bound keys by fields that its requests have, and by the contract code wherever there is one', () => {
  for (const route of ROUTES.filter(({ auth }) => auth === 'bearer')) {
    const names = fieldNames(route)
    for (const field of route.contractFields ?? []) expect(names, route.id).toContain(field)
    expect(route.contractFields?.includes('contractCode') ?? false, route.id).toBe(names.includes('contractCode'))
    for (const field of route.contractFields ?? []) expect(CONTRACT_FIELDS).toContain(field)
  }
  expect(ROUTES.filter(({ auth, contractFields }) => auth !== 'bearer' && contractFields)).toEqual([])
})

test('whatever sends money, or charges somebody, names the route that tells what became of it', () => {
  const byId = new Map(ROUTES.map((route) => [route.id, route]))
  for (const { outcome, ...route } of ROUTES.filter((one) => one.outcome !== undefined)) {
    const asked = byId.get(outcome?.ask ?? '')
    expect(asked?.method, route.id).toBe('GET')
    expect(fieldNames(asked as Route), route.id).toContain(outcome?.by)
    expect(fieldNames(route as Route), route.id).toContain(outcome?.from ?? outcome?.by)
    expect(
      asked?.errors.some((code) => httpStatus(code) === 404),
      `${asked?.id} answers 404`,
    ).toBe(true)
  }
  const moves = ROUTES.filter(
    ({ id, method, permission }) =>
      method === 'POST' &&
      !id.endsWith('.resendCode') &&
      (permission === 'payouts.send' || permission === 'refunds.send' || /^cards\.|^mandates\.debit$/.test(id)),
  )
  expect(moves.length).toBeGreaterThan(10)
  expect(moves.filter(({ outcome }) => outcome === undefined).map(({ id }) => id)).toEqual([])
})
