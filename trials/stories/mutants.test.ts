// The mutants, without a test that should see them: each that was made by hand fits its file, and those of
// the operators change code and nothing else.
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ANSWERS_ALONE } from '../chaos/failover/plant.ts'
import { planted } from '../chaos/kit/plants.ts'
import { changesOf, spread, TARGETS } from '../mutants/make.ts'
import { OLD } from '../mutants/old.ts'
import { explained, SURVIVORS } from '../mutants/survivors.ts'
import { startTests } from '../mutants/tests.ts'

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

test('there are hundreds, and the same seed chooses the same of every file', () => {
  const lists = TARGETS.flatMap(({ files, tests }) => files.map((file) => changesOf(file, read(file), tests)))
  const all = lists.flat()
  expect(all.length).toBeGreaterThan(300)
  expect(spread(lists, 20, 7)).toEqual(spread(lists, 20, 7))
  expect(spread(lists, 20, 7)).not.toEqual(spread(lists, 20, 8))
  expect(new Set(spread(lists, lists.length, 7).map(({ file }) => file)).size).toBe(lists.length)
  expect(new Set(spread(lists, 100, 7)).size).toBe(100)
  expect(new Set(spread(lists, 10_000, 7))).toEqual(new Set(all))
  for (const { tests } of TARGETS) expect(tests.length).toBeGreaterThan(0)
})

/** Two files, `one` and `two`, each with a test that wants its number. */
async function smallTree(): Promise<string> {
  const tree = await mkdtemp(join(tmpdir(), 'cowrie-small-tree-'))
  onTestFinished(() => rm(tree, { recursive: true, force: true }))
  const config = `export default { test: { include: ['*.test.ts'], pool: 'forks', isolate: false } }`
  await writeFile(join(tree, 'vitest.config.ts'), config)
  await writeFile(join(tree, 'package.json'), '{ "type": "module" }')
  await symlink(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
  for (const [name, number] of [
    ['one', 1],
    ['two', 2],
  ] as const) {
    const text = `import { expect, test } from 'vitest'\nimport { is } from './${name}.ts'\ntest('is ${number}', () => { expect(is()).toBe(${number}) })\n`
    await writeFile(join(tree, `${name}.test.ts`), text)
    await writeFile(join(tree, `${name}.ts`), `export const is = () => ${number}\n`)
  }
  return tree
}

test('a fault is seen by the test of its file, and is gone when the next is tried', async () => {
  const tree = await smallTree()
  const files = ['one.test.ts', 'two.test.ts']
  const tests = startTests(tree, {}, join(tree, 'log'))
  onTestFinished(() => tests.end())
  expect(await tests.run(files, [])).toEqual({ by: null, hung: false, tests: 2 })
  for (let round = 0; round < 2; round += 1)
    for (const [name, number] of [
      ['one', 1],
      ['two', 2],
    ] as const) {
      await writeFile(join(tree, `${name}.ts`), 'export const is = () => 7\n')
      const { by } = await tests.run(files, [`${name}.ts`])
      expect(by).toContain(`${name}.test.ts: is ${number}`)
      await writeFile(join(tree, `${name}.ts`), `export const is = () => ${number}\n`)
    }
  expect(await tests.run(files, [])).toEqual({ by: null, hung: false, tests: 2 })
})

test('what never ends is ended, and counts as hung', async () => {
  const tree = await smallTree()
  const tests = startTests(tree, {}, join(tree, 'log'), 3_000)
  onTestFinished(() => tests.end())
  await writeFile(join(tree, 'one.ts'), 'export const is = () => { for (;;); }\n')
  expect(await tests.run(['one.test.ts'], ['one.ts'])).toEqual({ by: null, hung: true, tests: 0 })
})

test.each(SURVIVORS.map((one) => [one.part, one] as const))(
  'what survives with a reason is one fault of its file: %s',
  (_, { file, part, why }) => {
    const tests = TARGETS.find(({ files }) => files.includes(file))?.tests ?? []
    const found = changesOf(file, read(file), tests).filter(({ says }) => says.includes(part))
    expect(found.map(({ says }) => says)).toHaveLength(1)
    expect(explained(file, `${file}:1 ${found[0]?.says}`)).toBe(why)
    expect(explained(file, 'something else')).toBeNull()
  },
)

test('the plant of the failovers fits its file', () => {
  expect(planted(ANSWERS_ALONE)).toContain(ANSWERS_ALONE.to)
})
