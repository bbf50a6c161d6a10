// Which change runs what: for each kind of change what must run and what need not, and since when a change
// counts.
import { describe, expect, test } from 'vitest'
import { findBase, findChanges, type Git } from './changes.ts'
import { linesFor, testsCommand } from './ci.ts'
import { GROUPS } from './groups.ts'
import { type Changes, filesFor, planOf, planOne } from './plan.ts'
import { PACKAGES, STAGES, type Stage } from './stages.ts'
import { feature } from './subjects.ts'
import { withWrongBooks } from './tests.ts'

const named = (changes: Changes, size: 'short' | 'full' = 'short') => {
  const { stages, groups } = planOf(changes, size)
  return { stages: stages.map(({ what }) => what.name), groups: groups.map(({ what }) => what.name) }
}
const EVERY_CHANGE = ['build', 'lint', 'generated']
const EVERY_GATEWAY = [...EVERY_CHANGE, 'types', 'conformance', 'nemesis', 'fuzz']

describe('what a change runs', () => {
  test('a page of the guides: its code, the site and the rules of the tree, and nothing of the gateway', () => {
    const { stages, groups } = named(['docs/guides/refunds.md'])
    expect(stages.toSorted()).toEqual([...EVERY_CHANGE, 'docs'].toSorted())
    expect(groups.toSorted()).toEqual(['guides', 'operating', 'repository', 'site'])
    expect(named(['docs/cli.md']).groups.toSorted()).toEqual(['operating', 'repository', 'site'])
  })

  test('a picture: no test but those of the repository', () => {
    const { stages, groups } = named(['docs/screens/home.png'])
    expect(stages.toSorted()).toEqual([...EVERY_CHANGE, 'docs'].toSorted())
    expect(groups).toEqual(['repository'])
  })

  test("a page beside a program runs no test of the program's", () => {
    expect(named(['connectors/providus/README.md', 'CONTRIBUTING.md', 'LICENSE']).groups).toEqual(['repository'])
    expect(named(['clients/php/README.md']).groups).toEqual(['repository', 'clients'])
  })

  test('the dashboard: its stories, and no trial', () => {
    const { stages, groups } = named(['apps/dashboard/src/screens/payouts/csv.ts'])
    expect(stages.toSorted()).toEqual([...EVERY_CHANGE, 'types'].toSorted())
    expect(groups.toSorted()).toEqual(['dashboard', 'repository'])
  })

  test('a feature: what every change of the gateway needs, and the trials about it', () => {
    const { stages, groups } = named([`${feature('settlements')}/settlements.ts`])
    expect(stages.toSorted()).toEqual(
      [...EVERY_GATEWAY, 'attacks', 'histories', 'settlements-kill', 'month'].toSorted(),
    )
    expect(groups).toEqual(expect.arrayContaining(['gateway', 'operator', 'contract', 'repository']))
    expect(groups).not.toContain('paystack')
  })

  test('a test alone: the compiler and its group, and no programme', () => {
    const { stages, groups } = named(['apps/gateway/src/outside/webhooks.receivers.test.ts'])
    expect(stages.toSorted()).toEqual([...EVERY_CHANGE, 'types'].toSorted())
    expect(groups).toEqual(expect.arrayContaining(['gateway', 'receivers', 'repository']))
    expect(named(['trials/stories/alarms.test.ts']).groups).toEqual(['repository', 'alarms'])
  })

  test.each([
    ['apps/gateway/migrations/0001_cell.sql', ['upgrade']],
    ['apps/gateway/src/core/keys/ring.ts', ['keys']],
    [`${feature('webhooks')}/endpoints.ts`, ['webhooks', 'webhooks-kill']],
    [`${feature('bank-orders')}/bank-orders.ts`, ['payouts-kill', 'payouts-race', 'settlements-kill', 'day', 'month']],
    ['apps/gateway/src/core/cells/primary.ts', ['cells', 'failover', 'soak']],
    ['connectors/providus/src/mapping.ts', ['day', 'rails']],
    ['trials/chaos/restore/run.ts', ['restore']],
  ])('%s runs %j', (path, trials) => {
    expect(named([path]).stages).toEqual(expect.arrayContaining(trials))
    expect(named([`${feature('branding')}/branding.ts`]).stages).not.toEqual(expect.arrayContaining(trials))
  })

  test('other versions of what is installed, and a base that nobody knows: everything', () => {
    const short = STAGES.filter(({ onlyFull }) => !onlyFull).map(({ name }) => name)
    for (const changes of [['package-lock.json'], null]) {
      expect(named(changes).stages).toEqual(short)
      expect(named(changes).groups).toHaveLength(GROUPS.length)
    }
  })

  test('--full runs every stage, whatever changed', () => {
    expect(named([], 'full').stages).toEqual(STAGES.map(({ name }) => name))
  })

  test('no change runs what every change needs', () => {
    expect(named([])).toEqual({ stages: EVERY_CHANGE, groups: ['repository'] })
    expect(named(['.ci/checked']).groups).toEqual(['repository'])
  })

  test('--only: the stage or the group and the build it starts; an unknown name is refused with those there are', () => {
    expect(planOne('keys').stages.map(({ what }) => what.name)).toEqual(['build', 'keys'])
    expect(planOne('lint').stages.map(({ what }) => what.name)).toEqual(['lint'])
    expect(planOne('guides').groups.map(({ what }) => what.name)).toEqual(['guides'])
    expect(planOne('tests').groups).toHaveLength(GROUPS.length)
    expect(() => planOne('kyes')).toThrow(/no stage "kyes".*keys/)
  })
})

describe('what .ci/run is told', () => {
  const lines = (changes: Changes, size: 'short' | 'full' = 'short', isThere = () => true) =>
    linesFor(planOf(changes, size), size, ['tools/tidy/tidy.test.ts', 'trials/stories/alarms.test.ts'], isThere)
  const commands = (size: 'short' | 'full') =>
    new Map(lines(null, size).flatMap(([kind, name, , , command]) => (kind === 'stage' ? [[name, command]] : [])))

  test('the stages in the order of the table, the tests last, and no field holds a tab or is empty', () => {
    const told = lines(null)
    expect(told.flatMap(([kind, name]) => (kind === 'stage' ? [name] : [])).at(-1)).toBe('tests')
    for (const fields of told) for (const field of fields) expect(String(field)).toMatch(/^[^\t\n]+$/)
  })

  test('full sizes only in the full form', () => {
    expect(commands('short').get('nemesis')).toContain('--short')
    expect(commands('full').get('nemesis')).toContain('--seconds 60')
    expect(commands('short').get('tests')).not.toContain('KILLS')
    expect(commands('full').get('tests')).toContain('PROVIDUS_KILLS=10')
  })

  test('the files of the chosen groups only', () => {
    const { groups } = planOf([], 'short')
    const files = ['tools/tidy/tidy.test.ts', 'trials/stories/alarms.test.ts']
    expect(filesFor(groups, files, GROUPS)).toEqual(['tools/tidy/tidy.test.ts'])
    expect(testsCommand(groups, files, 'short')).toMatch(/tests\.ts tools\/tidy\/tidy\.test\.ts$/)
    expect(testsCommand(groups, files, 'full')).toBe('npm test -- tools/tidy/tidy.test.ts')
  })

  test('a file that left the books wrong is run again; one that failed otherwise is not', () => {
    const report = {
      testResults: [
        { name: '/tree/a.test.ts', status: 'failed', message: 'AssertionError: books of cell 01: expected [ …(1) ]' },
        { name: '/tree/b.test.ts', status: 'failed', assertionResults: [{ failureMessages: ['books of cell 02: x'] }] },
        { name: '/tree/c.test.ts', status: 'failed', message: 'expected 200' },
        { name: '/tree/d.test.ts', status: 'passed', message: '' },
      ],
    }
    expect(withWrongBooks(report, '/tree')).toEqual(['a.test.ts', 'b.test.ts'])
  })

  test('packages of what runs, once each, and none for what does not', () => {
    const needs = (changes: Changes) =>
      lines(changes).flatMap(([kind, name]) => (kind === 'need' ? [String(name)] : []))
    expect(needs(null).toSorted()).toEqual(Object.keys(PACKAGES).toSorted())
    expect(needs(['docs/screens/home.png'])).toEqual([])
  })

  test('a suite that is not there is left out, and that is said', () => {
    const told = lines(null, 'short', () => false)
    expect(told.some(([kind, name]) => kind === 'left-out' && name === 'conformance')).toBe(true)
    expect(told.some(([kind, name]) => kind === 'stage' && name === 'conformance')).toBe(false)
  })

  test('a change ends within twenty minutes, everything within its own limit', () => {
    const limit = (changes: Changes, size: 'short' | 'full' = 'short') =>
      lines(changes, size).find(([kind]) => kind === 'limit')?.[1]
    expect(limit([`${feature('refunds')}/refunds.ts`])).toBe(1_180)
    expect(limit(null)).toBe(4_500)
    expect(limit(null, 'full')).toBe(5_000)
  })

  test('what may be skipped says so', () => {
    const skips = lines(null).flatMap(([kind, name, skip]) => (kind === 'stage' && skip === 'may-skip' ? [name] : []))
    expect(skips).toEqual(STAGES.filter(({ maySkip }: Stage) => maySkip).map(({ name }) => name))
  })
})

describe('since when', () => {
  /** A git with these names, this merge base and nothing else. */
  const gitWith =
    (names: Readonly<Record<string, string>>, mergeBase: string | null = null): Git =>
    (command, ...rest) => {
      if (command === 'rev-parse') return names[(rest.at(-1) ?? '').replace('^{commit}', '')] ?? null
      if (command === 'merge-base') return rest[0] === '--is-ancestor' ? '' : mergeBase
      return null
    }

  test('what is given counts, and must be there', () => {
    expect(findBase('v1', gitWith({ v1: 'a' }), '')?.commit).toBe('a')
    expect(() => findBase('v2', gitWith({}), '')).toThrow('COWRIE_BASE is v2, which is no commit here')
  })

  test('on a branch: where it left main', () => {
    const git = gitWith({ HEAD: 'c', 'origin/main': 'b', main: 'x', checked: 'k' }, 'a')
    expect(findBase('', git, 'checked')).toEqual({ commit: 'a', because: 'where this branch left origin/main' })
  })

  test('on main itself: the commit that was checked whole; without it nobody knows', () => {
    const git = gitWith({ HEAD: 'a', 'origin/main': 'a', main: 'a', checked: 'k' }, 'a')
    expect(findBase('', git, 'checked')?.commit).toBe('k')
    expect(findBase('', git, 'elsewhere')).toBeNull()
    expect(findBase('', git, '')).toBeNull()
    expect(findChanges(null)).toBeNull()
  })

  test('what is committed, what is not, and what is new', () => {
    const git: Git = (command) => (command === 'diff' ? 'b.ts\na.ts' : 'new.ts\na.ts')
    expect(findChanges({ commit: 'a', because: '' }, git)).toEqual(['a.ts', 'b.ts', 'new.ts'])
  })
})
