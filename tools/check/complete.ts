// What must hold of the tables, as a list of what does not: a folder that moved, a trial that nothing starts,
// a test that no stage runs.
import { posix } from 'node:path'
import { isTestFile } from './changes.ts'
import { groupsWith, type Tables } from './plan.ts'
import type { PROGRAMMES } from './programmes.ts'
import { type BY_HAND, type Stage, TESTS } from './stages.ts'
import { DEPENDENCIES, isPage, isSubject, lies, PROGRAM } from './subjects.ts'

export type Tree = {
  readonly files: readonly string[]
  readonly programmes: typeof PROGRAMMES
  readonly byHand: typeof BY_HAND
}

/** Where programmes lie: each folder with a run of its own. */
const HOMES = ['trials/bench', 'trials/chaos']

const duplicates = (names: readonly string[]): string[] => names.filter((name, at) => names.indexOf(name) !== at)

/** A stage's command names it. */
const isRunBy = (stage: Stage, kind: string, name: string): boolean =>
  [stage.short, stage.full ?? ''].some((command) => `${command} `.includes(` ${kind} -- ${name} `))

export function missing({ stages, groups }: Tables, { files, programmes, byHand }: Tree): string[] {
  const both = [...stages, ...groups]
  const exists = (path: string) => files.some((file) => lies(file, path))
  const found: string[] = []
  for (const name of duplicates([TESTS, ...both.map((one) => one.name)])) found.push(`two stages are named ${name}`)
  for (const { name, subjects } of both) {
    if (subjects === 'always') continue
    if (subjects.length === 0) found.push(`${name} has no subject, so no change would run it`)
    for (const subject of subjects) if (!exists(subject)) found.push(`${name}: its subject ${subject} is not there`)
  }
  for (const { name, tests } of groups)
    for (const part of tests) if (!exists(part)) found.push(`${name}: there are no tests at ${part}`)
  for (const file of files.filter(isTestFile)) {
    const names = groupsWith(file, groups).map(({ name }) => name)
    if (names.length === 0) found.push(`${file} belongs to no group of tests`)
    if (names.length > 1) found.push(`${file} belongs to more than one group: ${names.join(', ')}`)
  }
  return [
    ...found,
    ...idleProgrammes(stages, files, programmes, byHand),
    ...withoutStage({ stages, groups }, files, byHand),
  ]
}

function idleProgrammes(
  stages: readonly Stage[],
  files: readonly string[],
  programmes: Tree['programmes'],
  byHand: Tree['byHand'],
): string[] {
  const found: string[] = []
  const started = new Set<string>()
  for (const [kind, all] of Object.entries(programmes))
    for (const { name, file } of all) {
      started.add(file)
      if (!files.includes(file)) found.push(`${kind} ${name}: ${file} is not there`)
      const isRun = stages.some((stage) => isRunBy(stage, kind, name))
      // A folder may hold one programme that a stage runs and one that is run by hand; it is named for the
      // second.
      if (!isRun && byHand[posix.dirname(file)] === undefined)
        found.push(`npm run ${kind} -- ${name} is run by no stage, and not by hand`)
    }
  for (const file of files)
    if (HOMES.some((home) => lies(file, home)) && file.endsWith('/run.ts') && !started.has(file))
      found.push(`${file} stands in no line of tools/check/programmes.ts`)
  for (const folder of Object.keys(byHand))
    if (!files.some((file) => lies(file, folder))) found.push(`${folder}, which is run by hand, is not there`)
  return found
}

/** Sources that only the compiler and the rules of the tree would look at after a change. */
function withoutStage({ stages, groups }: Tables, files: readonly string[], byHand: Tree['byHand']): string[] {
  const general = new Set<readonly string[] | string>([PROGRAM])
  const subjects = [...stages, ...groups].flatMap((one) =>
    one.subjects === 'always' || general.has(one.subjects) ? [] : one.subjects,
  )
  const tests = groups.flatMap((group) => group.tests)
  const known = [...subjects, ...DEPENDENCIES, ...Object.keys(byHand)]
  const lost = files.filter(
    (file) =>
      file.includes('/') &&
      !file.startsWith('.') &&
      !isPage(file) &&
      !known.some((subject) => isSubject(subject, file)) &&
      !tests.some((part) => lies(file, part)),
  )
  const folders = new Set(lost.map((file) => file.split('/').slice(0, -1).slice(0, 2).join('/')))
  return [...folders].map((folder) => {
    const inside = lost.filter((file) => lies(file, folder))
    return `a change in ${folder} would run no trial and no test: ${inside.slice(0, 3).join(', ')}`
  })
}
