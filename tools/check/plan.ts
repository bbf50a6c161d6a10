// Which stages and tests a change needs, and why: pure, from the paths that changed and the tables.
import { isTestFile } from './changes.ts'
import { GROUPS, type Group, OF_ALL_TESTS } from './groups.ts'
import { STAGES, type Stage, TESTS } from './stages.ts'
import { DEPENDENCIES, isSubject, lies } from './subjects.ts'

export type Tables = { readonly stages: readonly Stage[]; readonly groups: readonly Group[] }
export const TABLES: Tables = { stages: STAGES, groups: GROUPS }

export type Size = 'short' | 'full'
/** `null`: nobody knows what changed, so that everything may have. */
export type Changes = readonly string[] | null
export type Chosen<What> = { readonly what: What; readonly because: string }
export type Plan = { readonly stages: readonly Chosen<Stage>[]; readonly groups: readonly Chosen<Group>[] }

const COMPILER = 'types'
/** They read the sources, and start nothing that was built. */
const SOURCES_ONLY = new Set([COMPILER, 'lint', 'docs', 'generated'])
const EVERY_CHANGE = 'every change'
const EVERYTHING = 'everything is checked'

/** The first change that is about it, or nothing. */
export function reason(subjects: readonly string[] | 'always', changes: Changes): string | undefined {
  if (subjects === 'always') return EVERY_CHANGE
  if (changes === null) return EVERYTHING
  return changes.find((path) => [...DEPENDENCIES, ...subjects].some((subject) => isSubject(subject, path)))
}

const chosen = <What>(all: readonly What[], because: (one: What) => string | undefined): Chosen<What>[] =>
  all.flatMap((what) => {
    const why = because(what)
    return why === undefined ? [] : [{ what, because: why }]
  })

const ofGroup = ({ subjects, tests }: Group): readonly string[] | 'always' =>
  subjects === 'always' ? subjects : [...OF_ALL_TESTS, ...tests, ...subjects]

/** No programme runs a test; the compiler reads them. */
const forStage = ({ name }: Stage, changes: Changes): Changes =>
  changes === null || name === COMPILER ? changes : changes.filter((path) => !isTestFile(path))

export function planOf(changes: Changes, size: Size, { stages, groups }: Tables = TABLES): Plan {
  if (size === 'full') return { stages: chosen(stages, () => EVERYTHING), groups: chosen(groups, () => EVERYTHING) }
  const possible = stages.filter(({ onlyFull }) => onlyFull !== true)
  return {
    stages: chosen(possible, (stage) => reason(stage.subjects, forStage(stage, changes))),
    groups: chosen(groups, (group) => reason(ofGroup(group), changes)),
  }
}

/** One stage or one group of tests by its name, with the build that it is started from. */
export function planOne(name: string, { stages, groups }: Tables = TABLES): Plan {
  const because = 'asked for by name'
  const one = <What extends { readonly name: string }>(all: readonly What[], names: readonly string[]) =>
    chosen(all, (what) => (names.includes(what.name) ? because : undefined))
  const plan =
    name === TESTS
      ? { stages: one(stages, ['build']), groups: chosen(groups, () => because) }
      : { stages: one(stages, SOURCES_ONLY.has(name) ? [name] : ['build', name]), groups: one(groups, [name]) }
  if (plan.groups.length === 0 && !plan.stages.some(({ what }) => what.name === name))
    throw new Error(`There is no stage "${name}". There are: ${namesIn({ stages, groups }).join(', ')}`)
  return plan
}

export const namesIn = ({ stages, groups }: Tables): string[] => [
  ...stages.map(({ name }) => name),
  TESTS,
  ...groups.map(({ name }) => name),
]

/** The group of a test file: the one that names the longest part of its path. Two that name the same part
 *  share it. */
export function groupsWith(file: string, groups: readonly Group[]): Group[] {
  const lengths = groups.map(({ tests }) =>
    Math.max(0, ...tests.filter((part) => lies(file, part)).map((p) => p.length)),
  )
  const longest = Math.max(0, ...lengths)
  return longest === 0 ? [] : groups.filter((_, at) => lengths[at] === longest)
}

export function filesFor(
  chosen: readonly Chosen<Group>[],
  files: readonly string[],
  groups: readonly Group[],
): string[] {
  const names = new Set(chosen.map(({ what }) => what.name))
  return files.filter((file) => groupsWith(file, groups).some(({ name }) => names.has(name)))
}
