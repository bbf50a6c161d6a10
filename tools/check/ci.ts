// What .ci/run is to do, one line for each thing, fields apart by tabs: it reads them and runs the stages.
//   node tools/check/ci.ts [--full] [--only STAGE] [--list]
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { wrap } from '../../packages/cli/src/words.ts'
import { findBase, findChanges, isTestFile, listFiles } from './changes.ts'
import { GROUPS } from './groups.ts'
import { type Chosen, filesFor, namesIn, type Plan, planOf, planOne, type Size, TABLES } from './plan.ts'
import { INSTALL, PACKAGES, STAGES, type Stage, TESTS } from './stages.ts'

/** A change's check ends before this; one of everything may take as long as four of them. */
const LIMITS = { change: 1_180, everything: 4_500, full: 5_000 }
/** A plan that is expected to take longer than this is no usual change. */
const USUAL_SECONDS = 950

export type Line = readonly [kind: 'note' | 'limit' | 'need' | 'stage' | 'left-out', ...fields: (string | number)[]]

const commandOf = (stage: Stage, size: Size): string => (size === 'full' && stage.full ? stage.full : stage.short)

export function testsCommand(groups: Plan['groups'], files: readonly string[], size: Size): string {
  const settings = size === 'full' ? Object.assign({}, ...groups.map(({ what }) => what.full ?? {})) : {}
  const env = Object.entries<string>(settings).map(([name, value]) => `${name}=${value}`)
  const some = groups.length === GROUPS.length ? '' : ` ${filesFor(groups, files, GROUPS).join(' ')}`
  if (size === 'short') return `npx --no-install node tools/check/tests.ts${some}`
  return `${env.length > 0 ? `env ${env.join(' ')} ` : ''}npm test${some === '' ? '' : ` --${some}`}`
}

const whyOf = <What extends { readonly name: string }>(all: readonly Chosen<What>[]): Line[] =>
  [...Map.groupBy(all, ({ because }) => because)].map(([because, of]) => [
    'note',
    `  ${of.map(({ what }) => what.name).join(', ')}: ${because}`,
  ])

export function linesFor(plan: Plan, size: Size, files: readonly string[], isThere = existsSync): Line[] {
  const here = plan.stages.filter(({ what }) => what.unless === undefined || isThere(what.unless.missing))
  const needs = new Set([...plan.stages, ...plan.groups].flatMap(({ what }) => what.needs ?? []))
  const seconds = INSTALL.seconds + [...plan.stages, ...plan.groups].reduce((sum, { what }) => sum + what.seconds, 0)
  const limit = size === 'full' ? LIMITS.full : seconds > USUAL_SECONDS ? LIMITS.everything : LIMITS.change
  const stages = here.map(
    ({ what }): Line => [
      'stage',
      what.name,
      what.maySkip ? 'may-skip' : '-',
      what.counts ?? '-',
      commandOf(what, size),
    ],
  )
  const tests: Line[] =
    plan.groups.length === 0 ? [] : [['stage', TESTS, '-', '^ *Tests ', testsCommand(plan.groups, files, size)]]
  return [
    ['note', 'stages, and why:'],
    ...whyOf(plan.stages),
    ['note', 'groups of tests, and why:'],
    ...whyOf(plan.groups),
    ['note', size === 'full' ? 'the full sizes' : `about ${Math.ceil(seconds / 60)} minutes on two cores`],
    ['limit', limit],
    ...plan.stages
      .filter((one) => !here.includes(one))
      .map(({ what }): Line => ['left-out', what.name, `there is no ${what.unless?.missing}`]),
    ...[...needs].map((name): Line => ['need', name, PACKAGES[name].program, ...PACKAGES[name].packages]),
    ...stages,
    ...tests,
  ]
}

function listText(): string {
  const subjects = (of: readonly string[] | 'always') => (of === 'always' ? 'anything' : [...new Set(of)].join(' '))
  const stages = STAGES.flatMap(({ name, short, full, seconds, subjects: of }) => [
    `\n${name}, about ${seconds} s\n  ${short}`,
    ...(full === undefined ? [] : [`  with --full: ${full}`]),
    ...wrap(`runs after a change of ${subjects(of)}`, 2),
  ])
  const groups = GROUPS.flatMap(({ name, tests, seconds, subjects: of }) => [
    `\ntests/${name}, about ${seconds} s`,
    ...wrap(`tests in ${tests.join(' ')}`, 2),
    ...wrap(`runs after a change of ${subjects(of)}`, 2),
  ])
  return ['.ci/run --only <name> runs one of these.', ...stages, ...groups].join('\n')
}

function main(): void {
  const { values } = parseArgs({
    options: {
      full: { type: 'boolean' },
      'keep-going': { type: 'boolean' }, // .ci/run's own
      only: { type: 'string' },
      list: { type: 'boolean' },
    },
  })
  if (values.list) {
    console.log(listText())
    return
  }
  const size: Size = values.full ? 'full' : 'short'
  const notes: Line[] = []
  let plan: Plan
  if (values.only !== undefined) {
    if (!namesIn(TABLES).includes(values.only)) {
      console.error(`There is no stage "${values.only}". There are: ${namesIn(TABLES).join(', ')}`)
      process.exit(2)
    }
    plan = planOne(values.only)
  } else {
    const base = findBase()
    const changes = findChanges(base)
    plan = planOf(changes, size)
    if (size === 'short')
      notes.push([
        'note',
        base === null
          ? 'it is not known since when: everything, in its short form'
          : `${changes?.length} files changed since ${base.commit.slice(0, 8)}, ${base.because}`,
      ])
  }
  for (const line of [...notes, ...linesFor(plan, size, listFiles().filter(isTestFile))]) console.log(line.join('\t'))
}

if (import.meta.main) main()
