// The mutants, without a test that should see them: each that was made by hand fits its file, and those of
// the operators change code and nothing else.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ANSWERS_ALONE } from '../chaos/failover/plant.ts'
import { planted } from '../chaos/kit/plants.ts'
import { changesOf, chosen, TARGETS } from '../mutants/make.ts'
import { OLD } from '../mutants/old.ts'
import { explained, SURVIVORS } from '../mutants/survivors.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

test('thirty-one were made by hand', () => {
  expect(OLD).toHaveLength(31)
})

test.each(OLD.map((mutant) => [mutant.name, mutant] as const))(
  'it fits its file, and has tests: %s',
  (_, { file, from, to, tests }) => {
    expect(read(file).split(from)).toHaveLength(2)
    expect(from).not.toBe(to)
    expect(tests).not.toEqual([])
    expect(tests.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  },
)

const changed = (text: string): string[] =>
  changesOf('a.ts', text, []).map(({ at, from, to }) => text.slice(0, at) + to + text.slice(at + from.length))

test.each([
  ['  if (a < b) return', ['  if (a <= b) return', '  if (false as boolean) return']],
  ['const short = kobo - before', ['const short = kobo + before']],
  ['  await post(t, [posting])', ['  await undefined']],
  ['const all = a && !b', ['const all = a || !b']],
  ['const none = 0n', ['const none = 1n']],
  ['const is = status === other', ['const is = status !== other']],
])('%s has its mutants', (text, expected) => {
  expect(changed(text).toSorted()).toEqual(expected.toSorted())
})

test.each([
  '// a < b && true',
  "const says = 'a - b && c'",
  'const text = `select a from b where c < d and e === 0n`',
  "import { a } from './b.ts'",
  '/** Above 0n: a < b. */',
])('%s is no code', (text) => {
  expect(changed(text)).toEqual([])
})

test('there are hundreds, and the same seed chooses the same', () => {
  const all = TARGETS.flatMap(({ files, tests }) => files.flatMap((file) => changesOf(file, read(file), tests)))
  expect(all.length).toBeGreaterThan(300)
  expect(chosen(all, 20, 7)).toEqual(chosen(all, 20, 7))
  expect(new Set(chosen(all, 100, 7)).size).toBe(100)
  for (const { tests } of TARGETS) expect(tests.length).toBeGreaterThan(0)
})

test('what survives with a reason is of a file that is changed', () => {
  const files = TARGETS.flatMap((target) => target.files)
  expect(SURVIVORS.filter(({ file }) => !files.includes(file))).toEqual([])
  expect(explained('apps/gateway/src/core/ledger/ledger.ts', 'nothing')).toBeNull()
})

test('the plant of the failovers fits its file', () => {
  expect(planted(ANSWERS_ALONE)).toContain(ANSWERS_ALONE.to)
})
