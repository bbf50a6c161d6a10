// The short check runs the tests nearest to a change: those of its feature, of its package, of the helper
// that changed.
import { expect, test } from 'vitest'
import { named } from './check.ts'
import { ALWAYS, chooseTests, type Tree } from './choice.ts'

const CARDS = 'apps/gateway/src/features/cards'
const FILES = [
  `${CARDS}/cards.feature.ts`,
  `${CARDS}/cards.test.ts`,
  `${CARDS}/saved/saved.ts`,
  `${CARDS}/saved/saved.test.ts`,
  'apps/gateway/src/features/payouts/refunds/refunds.feature.ts',
  'apps/gateway/src/features/payouts/refunds/refunds.test.ts',
  'apps/gateway/src/core/agenda.test.ts',
  'apps/gateway/src/core/events.test.ts',
  'apps/gateway/src/core/cells/cells.test.ts',
  'apps/gateway/test/kit/harness.ts',
  'apps/gateway/test/kit/waiting.ts',
  'packages/contract/src/index.test.ts',
  'packages/sdk/src/money.test.ts',
  'connectors/paystack/exam.test.ts',
  'connectors/paystack/page.test.ts',
  'tools/docs/decisions.test.ts',
  'tools/tidy/tidy.test.ts',
  'tools/check/plan.test.ts',
]
const IMPORTS: Readonly<Record<string, string[]>> = {
  [`${CARDS}/cards.test.ts`]: ['apps/gateway/test/kit/harness.ts'],
  'apps/gateway/test/kit/harness.ts': ['apps/gateway/test/kit/waiting.ts'],
  'apps/gateway/test/kit/waiting.ts': ['apps/gateway/test/kit/harness.ts'],
}
const tree = (over: Partial<Tree> = {}): Tree => ({
  files: FILES,
  imports: (path) => IMPORTS[path] ?? [],
  slow: new Set(),
  ...over,
})
const near = (path: string, over: Partial<Tree> = {}) =>
  [...chooseTests([path], tree(over)).tests.keys()].filter((test) => !ALWAYS.some((one) => test.startsWith(one)))

test.each([
  [`${CARDS}/charge.ts`, [`${CARDS}/cards.test.ts`, `${CARDS}/saved/saved.test.ts`]],
  [`${CARDS}/saved/saved.ts`, [`${CARDS}/cards.test.ts`, `${CARDS}/saved/saved.test.ts`]],
  [`${CARDS}/cards.test.ts`, [`${CARDS}/cards.test.ts`]],
  [
    'apps/gateway/src/features/payouts/refunds/refunds.sql.ts',
    ['apps/gateway/src/features/payouts/refunds/refunds.test.ts'],
  ],
  ['apps/gateway/src/core/agenda.ts', ['apps/gateway/src/core/agenda.test.ts']],
  ['apps/gateway/src/core/bind.ts', ['apps/gateway/src/core/agenda.test.ts', 'apps/gateway/src/core/events.test.ts']],
  ['apps/gateway/src/core/cells/stamps.ts', ['apps/gateway/src/core/cells/cells.test.ts']],
  ['apps/gateway/test/kit/waiting.ts', [`${CARDS}/cards.test.ts`]],
  [
    'packages/contract/src/payouts/refunds.ts',
    ['packages/contract/src/index.test.ts', 'apps/gateway/src/features/payouts/refunds/refunds.test.ts'],
  ],
  ['connectors/paystack/src/mapping.ts', ['connectors/paystack/exam.test.ts', 'connectors/paystack/page.test.ts']],
  ['docs/cli.md', ['tools/docs/decisions.test.ts']],
  ['trials/chaos/keys/run.ts', []],
])('%s: %j', (path, tests) => {
  expect(near(path).toSorted()).toEqual(tests.toSorted())
})

test('the rules of the tree and of the tables always', () => {
  expect([...chooseTests([], tree()).tests.keys()]).toEqual(['tools/tidy/tidy.test.ts', 'tools/check/plan.test.ts'])
})

test('a slow one only when itself has changed, and it is said what was left out', () => {
  const slow = new Set(['connectors/paystack/exam.test.ts'])
  expect(near('connectors/paystack/src/mapping.ts', { slow })).toEqual(['connectors/paystack/page.test.ts'])
  expect(near('connectors/paystack/exam.test.ts', { slow })).toEqual(['connectors/paystack/exam.test.ts'])
  expect(chooseTests(['connectors/paystack/src/mapping.ts'], tree({ slow })).left).toEqual([
    'connectors/paystack/src/mapping.ts: 1 of 2 test files',
  ])
})

test('of very many a few, from everywhere', () => {
  const many = Array.from({ length: 40 }, (_, at) => `packages/sdk/src/part-${String(at).padStart(2, '0')}.test.ts`)
  const found = near('packages/sdk/src/call.ts', { files: many })
  expect(found).toHaveLength(4)
  expect(found).not.toEqual(many.slice(0, 4))
})

test('half of the tree: thirty test files and the rules of the tree', () => {
  const changes = Array.from({ length: 80 }, (_, at) => `packages/p${at}/src/a.ts`)
  const files = [...changes.map((path) => path.replace('a.ts', 'a.test.ts')), 'tools/tidy/tidy.test.ts']
  const { tests, left } = chooseTests(changes, tree({ files }))
  expect(tests.size).toBe(31)
  expect(left).toEqual(['so much has changed that 50 of 80 test files are left out'])
})

test('a test that was removed is not run', () => {
  expect(near('packages/sdk/src/gone.test.ts')).toEqual([])
})

test('by hand: a feature, a folder or a file; a name of neither is refused before anything runs', () => {
  const refunds = 'apps/gateway/src/features/payouts/refunds'
  expect(named(['refunds', 'tools/check/', './connectors/paystack/page.test.ts'], FILES)).toEqual([
    refunds,
    'tools/check/',
    'connectors/paystack/page.test.ts',
  ])
  expect(() => named(['refunds', 'refundz'], FILES)).toThrow('No feature is called refundz')
  expect(() => named(['apps/gateway/src/features/refunds'], FILES)).toThrow('no test has it in its path')
})
