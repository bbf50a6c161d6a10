// Which test files the short check runs: those that a change is most likely to break. The whole of what a
// change needs is run by .ci/run.
import { posix } from 'node:path'
import { isTestFile } from './changes.ts'
import { isPage, lies } from './subjects.ts'

/** More than these for one changed file are a part of the whole check, and only some of them are run here. */
const MOST = 18
const SOME = 4
/** A change of half the tree is for the whole check. */
const MOST_IN_ALL = 30
const FEATURES = 'apps/gateway/src/features'
/** The rules of the tree and of these tables hold for every change, and take seconds. */
export const ALWAYS = ['tools/tidy/tidy.test.ts', 'tools/check']

export type Tree = {
  /** Every file there is. */
  readonly files: readonly string[]
  /** What a file of the tests imports, of files beside it or above. */
  imports(path: string): readonly string[]
  /** Test files that take too long for the short check. */
  readonly slow: ReadonlySet<string>
}
export type Choice = { readonly tests: ReadonlyMap<string, string>; readonly left: readonly string[] }

const isHelper = (path: string): boolean =>
  /\.ts$/.test(path) &&
  !isTestFile(path) &&
  /^(?:trials\/stories\/|apps\/[^/]+\/test\/|packages\/[^/]+\/test\/|connectors\/[^/]+\/(?:test|fake)\/)/.test(path)

/** The folder with the declaration of the feature that a file is of. */
export function folderWithFeature(path: string, files: readonly string[]): string | undefined {
  if (!lies(path, FEATURES)) return undefined
  const declared = new Set(files.filter((file) => file.endsWith('.feature.ts')).map((file) => posix.dirname(file)))
  for (let folder = posix.dirname(path); folder !== FEATURES; folder = posix.dirname(folder))
    if (declared.has(folder)) return folder
  const folder = posix.dirname(path)
  return folder === FEATURES ? undefined : folder
}

const stem = (path: string): string => posix.basename(path).replace(/\..*$/, '')

/** Tests of the helpers that import it, on whatever way. */
function usersOf(path: string, tests: readonly string[], tree: Tree): string[] {
  const known = new Map<string, boolean>()
  const uses = (file: string): boolean => {
    const before = known.get(file)
    if (before !== undefined) return before
    known.set(file, false) // a circle ends here
    const found = tree.imports(file).some((one) => one === path || (isHelper(one) && uses(one)))
    known.set(file, found)
    return found
  }
  return tests.filter(uses)
}

/** Tests in the nearest folder that has any, no higher than the package or the tool. */
function nearest(path: string, tests: readonly string[]): string[] {
  const deepest = lies(path, 'apps/gateway/src') ? 4 : 2
  for (let folder = posix.dirname(path); folder.split('/').length >= deepest; folder = posix.dirname(folder)) {
    const found = tests.filter((test) => lies(test, folder))
    if (found.length > 0) return found
  }
  return []
}

function testsNear(path: string, tests: readonly string[], tree: Tree): string[] {
  const below = (...folders: string[]) => tests.filter((test) => folders.some((folder) => lies(test, folder)))
  if (isTestFile(path)) return [path]
  if (isPage(path)) return below('tools/docs')
  if (isHelper(path)) return usersOf(path, tests, tree)
  if (lies(path, 'apps/gateway/migrations')) return below('tools/schema', 'tools/statements', 'apps/gateway/test/books')
  const feature = folderWithFeature(path, tree.files)
  // What a statement is believed to give is held against the database.
  const statements = /\.(?:sql|books)\.ts$/.test(path) || lies(path, 'apps/gateway/src/core') ? 'tools/statements' : ''
  if (feature !== undefined) return statements === '' ? below(feature) : below(feature, statements)
  const own = path.match(/^(?:packages|connectors)\/[^/]+/)?.[0]
  if (own === 'packages/contract') {
    // A promise of the contract is kept by the feature of the same name.
    const kept = tree.files.find((file) => lies(file, FEATURES) && file.endsWith(`/${stem(path)}.feature.ts`))
    return [...below(own), ...(kept === undefined ? [] : below(posix.dirname(kept)))]
  }
  if (own !== undefined) return below(own)
  if (lies(path, 'apps/dashboard')) {
    const screen = path.match(/^apps\/dashboard\/src\/[^/]+\/([^/.]+)/)?.[1] ?? 'home'
    const story = `trials/stories/dashboard/${screen}.test.ts`
    return below('apps/dashboard', 'tools/dashboard', story)
  }
  const beside = tests.filter((test) => posix.dirname(test) === posix.dirname(path))
  const named = beside.filter((test) => stem(test) === stem(path))
  const close = named.length > 0 ? named : beside.length > 0 ? beside : nearest(path, tests)
  return statements === '' ? close : [...close, ...below(statements)]
}

/** Evenly spread, so that they are not all of one folder. */
const spread = (all: readonly string[], count: number): string[] =>
  all.filter((_, at) => Math.floor((at * count) / all.length) !== Math.floor(((at - 1) * count) / all.length))

export function chooseTests(changes: readonly string[], tree: Tree): Choice {
  const present = new Set(tree.files)
  const tests = tree.files.filter(isTestFile)
  const chosen = new Map<string, string>()
  const left: string[] = []
  for (const path of changes) {
    const near = testsNear(path, tests, tree).filter((test) => present.has(test))
    const quick = near.filter((test) => test === path || !tree.slow.has(test))
    const some = quick.length > MOST ? spread(quick, SOME) : quick
    for (const test of some) if (!chosen.has(test)) chosen.set(test, path)
    if (some.length < near.length) left.push(`${path}: ${near.length - some.length} of ${near.length} test files`)
  }
  if (chosen.size > MOST_IN_ALL) {
    left.push(`so much has changed that ${chosen.size - MOST_IN_ALL} of ${chosen.size} test files are left out`)
    const kept = new Set(spread([...chosen.keys()], MOST_IN_ALL))
    for (const test of chosen.keys()) if (!kept.has(test)) chosen.delete(test)
  }
  for (const test of tests)
    if (ALWAYS.some((always) => lies(test, always)) && !chosen.has(test)) chosen.set(test, 'every change')
  return { tests: chosen, left }
}
