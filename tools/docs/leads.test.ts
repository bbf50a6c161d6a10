// Nothing leads money or data anywhere without saying what holds it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ACTS } from '@cowrie/contract/acts'
import { ROUTES } from '@cowrie/contract/index'
import type { Act } from '@cowrie/contract/kit/act'
import type { Route } from '@cowrie/contract/kit/spec'
import { expect, test } from 'vitest'
import { candidates, gone, leadsPage, rows, unplaced } from './leads.ts'

const ROOT = join(import.meta.dirname, '../..')

test('every act and route is in the matrix, or says why it leads nowhere, and never both', () => {
  expect(unplaced()).toEqual([])
  expect(gone()).toEqual([])
})

test('a new act, a new route and a new file are found', () => {
  const act = { ...(ACTS[0] as Act), id: 'wallets.empty' }
  const sends = { ...(ROUTES.find(({ method }) => method === 'POST') as Route), id: 'wallets.empty' }
  const file = { ...(ROUTES.find(({ method }) => method === 'GET') as Route), id: 'wallets.csv', file: 'text/csv' }
  expect(unplaced(candidates([act, sends, file]))).toEqual([
    `${act.side} wallets.empty`,
    'route wallets.empty',
    'route wallets.csv',
  ])
})

test('no cell is empty, and none is without a test that is there', () => {
  expect(rows().length).toBeGreaterThan(50)
  for (const { name, tests, ...cells } of rows()) {
    for (const cell of Object.values(cells)) expect(cell, name).toMatch(/\S/)
    expect(tests, name).not.toEqual([])
    expect(
      tests.filter((file) => !existsSync(join(ROOT, file))),
      name,
    ).toEqual([])
  }
})

test('a cell of role or key follows the permissions', () => {
  const cells = new Map(rows().map(({ name, role, key }) => [name, [role, key]]))
  expect(cells.get('route transfers.initiate')).toEqual([
    'owner, finance; with a fresh proof',
    'the own key pair, PAYOUTS; AGENT proposes, and a person decides',
  ])
  expect(cells.get('merchant keys.create')).toEqual([
    'owner, developer; with a fresh proof; sometimes a second person of owner',
    'no key',
  ])
  expect(cells.get('route exports.payments')?.[1]).toBe('no key')
  expect(leadsPage()).toContain('| `route settlements.setRule` |')
})
