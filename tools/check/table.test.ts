// The tables of stages and tests are complete: held against the tree as it is, and proved by a fault for each
// promise.
import { expect, test } from 'vitest'
import { listFiles } from './changes.ts'
import { missing, type Tree } from './complete.ts'
import { GROUPS } from './groups.ts'
import type { Tables } from './plan.ts'
import { PROGRAMMES } from './programmes.ts'
import { SLOW } from './slow.ts'
import { BY_HAND, STAGES } from './stages.ts'
import { feature } from './subjects.ts'

const TREE: Tree = { files: listFiles(), programmes: PROGRAMMES, byHand: BY_HAND }
const TABLES: Tables = { stages: STAGES, groups: GROUPS }

test('every trial has a subject, every subject is there, every test has a group, every programme is run', () => {
  expect(TREE.files.length).toBeGreaterThan(1_000)
  expect(missing(TABLES, TREE)).toEqual([])
})

test('what is slow is there', () => {
  expect(SLOW.filter((file) => !TREE.files.includes(file))).toEqual([])
})

test('a feature is found by its name, and one that is not there is written as it would be', () => {
  expect(TREE.files).toContain(`${feature('refunds')}/refunds.feature.ts`)
  expect(TREE.files).toContain(`${feature('settlements')}/settlements.feature.ts`)
  expect(feature('teleports')).toBe('apps/gateway/src/features/teleports')
})

const stage = (over: Partial<(typeof STAGES)[number]>): Tables => ({
  ...TABLES,
  stages: [...STAGES, { name: 'planted', short: 'true', seconds: 1, subjects: ['apps/gateway/src'], ...over }],
})
const group = (over: Partial<(typeof GROUPS)[number]>): Tables => ({
  ...TABLES,
  groups: [...GROUPS, { name: 'planted', tests: ['tools/tidy'], seconds: 1, subjects: 'always', ...over }],
})
const without = (name: string): Tables => ({
  stages: STAGES.filter((one) => one.name !== name),
  groups: GROUPS.filter((one) => one.name !== name),
})
const tree = (over: Partial<Tree>): Tree => ({ ...TREE, ...over })
const more = (...files: string[]): Tree => tree({ files: [...TREE.files, ...files] })

test.each<[string, Tables, Tree, string]>([
  ['a trial without a subject', stage({ subjects: [] }), TREE, 'planted has no subject'],
  ['a group without a subject', group({ subjects: [], tests: ['tools/tidy/tidy.test.ts'] }), TREE, 'has no subject'],
  ['a subject that is not there', stage({ subjects: ['apps/teller'] }), TREE, 'planted: its subject apps/teller'],
  ['a feature that is not there', stage({ subjects: [feature('teleports')] }), TREE, 'features/teleports is not there'],
  [
    'a folder that moved',
    TABLES,
    tree({ files: TREE.files.filter((file) => !file.startsWith('trials/chaos/keys/')) }),
    'keys',
  ],
  ['two of one name', stage({ name: 'keys' }), TREE, 'two stages are named keys'],
  ['a stage with the name of all tests', stage({ name: 'tests' }), TREE, 'two stages are named tests'],
  ['a test of no group', TABLES, more('apps/teller/src/till.test.ts'), 'till.test.ts belongs to no group'],
  ['a test of two groups', group({}), TREE, 'tidy.test.ts belongs to more than one group: repository, planted'],
  [
    'tests that are not there',
    group({ tests: ['trials/stories/teller'] }),
    TREE,
    'there are no tests at trials/stories/teller',
  ],
  ['a trial that is no stage', without('keys'), TREE, 'npm run trial -- keys is run by no stage'],
  ['a benchmark nobody named', TABLES, tree({ byHand: {} }), 'npm run bench -- hot is run by no stage'],
  [
    'a programme without a name',
    TABLES,
    more('trials/chaos/flood/run.ts'),
    'trials/chaos/flood/run.ts stands in no line',
  ],
  [
    'a benchmark that is gone',
    TABLES,
    tree({ byHand: { ...BY_HAND, 'trials/bench/old': 'x' } }),
    'trials/bench/old, which is run by',
  ],
  ['a folder of no stage', TABLES, more('apps/teller/src/till.ts'), 'a change in apps/teller would run no trial'],
  ['a folder of no stage, below another', TABLES, more('packages/money/src/a.ts'), 'a change in packages/money'],
])('%s is found', (_, tables, files, message) => {
  expect(missing(tables, files).join('\n')).toContain(message)
})
