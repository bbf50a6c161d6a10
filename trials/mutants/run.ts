// Faults put into the gateway's code one by one, each of which a test should see: those that engineers have
// made by hand, and those of a few operators over the ledger, settlements, reconciliation, receivables and
// fees. They are made in a copy of the tree; the tree itself stays.
//   npm run trial -- mutants [--count 100] [--seed N] [--old 1] [--from K] [--only WORDS] [--quick 1]
//     [--result FILE]
// `--old 1`: those by hand and no others. `--quick 1`: whoever runs it knows that the tests pass without a
// fault. Generated ones are taken from each file in turn. What survives is listed, and the exit code is 1
// when one by hand survives or more than 15 % of the others do, leaving out those that survivors.ts explains.
import { cp, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { connected, setup } from '../../apps/gateway/test/kit/postgres.ts'
import { type Held, main, type Report } from '../chaos/kit/bounded.ts'
import { readOptions } from '../chaos/kit/options.ts'
import { changesOf, spread, TARGETS } from './make.ts'
import { OLD } from './old.ts'
import { explained } from './survivors.ts'
import { startTests, type Tests } from './tests.ts'

const ROOT = join(import.meta.dirname, '../..')
/** A night of one core for the size without options. */
const LIMIT_MS = 12 * 3_600_000
const CAUGHT_SHARE = 0.85
/** What the tests need of the tree; installed packages are linked. */
const COPIED = [
  'apps',
  'clients',
  'connectors',
  'docs',
  'packages',
  'samples',
  'tools',
  'trials',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
]
const LINKED = ['node_modules']

type Options = ReturnType<typeof parseOptions>
const parseOptions = () => readOptions({ count: 100, old: 0, quick: 0, from: 0 }, [], ['only', 'result'])

type Fault = {
  readonly what: string
  readonly file: string
  readonly tests: readonly string[]
  readonly change: (text: string) => string
}
type End = 'caught' | 'hung' | 'SURVIVED' | 'DOES NOT FIT'
type Told = { readonly fault: Fault; readonly end: End; readonly by: string; readonly seconds: number }

const byHand = (): Fault[] =>
  OLD.map(({ name, file, from, to, tests }) => {
    const change = (text: string) => (text.split(from).length === 2 ? text.replace(from, () => to) : text)
    return { what: name, file, tests, change }
  })

async function generated(count: number, seed: number): Promise<Fault[]> {
  const all = await Promise.all(
    TARGETS.flatMap(({ files, tests }) =>
      files.map(async (file) => changesOf(file, await readFile(join(ROOT, file), 'utf8'), tests)),
    ),
  )
  return spread(all, count, seed).map(({ file, tests, at, from, to, line, says }) => ({
    ...{ what: `${file}:${line} ${says}`, file, tests },
    change: (text) => text.slice(0, at) + to + text.slice(at + from.length),
  }))
}

async function copyTree(dir: string): Promise<string> {
  const copy = join(dir, 'tree')
  await mkdir(copy)
  const skipped = /\/(dist|\.astro|node_modules)(\/|$)/
  for (const name of COPIED)
    await cp(join(ROOT, name), join(copy, name), {
      recursive: true,
      filter: (from) => !skipped.test(from.slice(ROOT.length)),
    })
  for (const name of LINKED) await symlink(join(ROOT, name), join(copy, name))
  return copy
}

/** A tree to put faults into, the tests of it, and a cluster that both keep. */
type Bench = { readonly copy: string; readonly tests: Tests; readonly superuser: string }
async function openBench(dir: string, held: Held): Promise<Bench> {
  const given: Record<string, unknown> = {}
  const provide = (name: string, value: unknown) => Object.assign(given, { [name]: value })
  held.defer(await setup({ provide } as unknown as TestProject))
  const copy = await copyTree(dir)
  const tests = startTests(copy, given, join(dir, 'tests.log'))
  held.defer(() => tests.end())
  return { copy, tests, superuser: `${given['postgresUrl'] as string}postgres` }
}

/** Files that failed have kept theirs, and they are in memory. */
const dropDatabases = (superuser: string): Promise<void> =>
  connected({ connectionString: superuser }, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "select quote_ident(datname) as name from pg_database where datname like 'test\\_%'",
    )
    for (const { name } of rows) await client.query(`drop database ${name} with (force)`)
  })

async function filesBelow(copy: string, path: string): Promise<string[]> {
  if ((await stat(join(copy, path))).isFile()) return [path]
  const names = await readdir(join(copy, path), { recursive: true })
  return names.filter((name) => name.endsWith('.test.ts')).map((name) => `${path}/${name}`)
}

/** Which of a fault's tests go first: those that have caught most faults of the same file so far, then the
 *  one of its own name, then as they are listed. */
function inOrder(file: string, tests: readonly string[], caught: ReadonlyMap<string, number> | undefined): string[] {
  const own = file.replace(/\.ts$/, '.test.ts')
  const worth = (test: string): number => (caught?.get(test) ?? 0) + (test === own ? 0.5 : 0)
  return [...new Set(tests)].toSorted((a, b) => worth(b) - worth(a))
}

type Catches = Map<string, Map<string, number>>
async function tryOne({ copy, tests, superuser }: Bench, fault: Fault, catches: Catches): Promise<Told> {
  const began = performance.now()
  const path = join(copy, fault.file)
  const text = await readFile(path, 'utf8')
  const changed = fault.change(text)
  const told = (end: End, by = ''): Told => ({
    fault,
    end,
    by,
    seconds: Math.round((performance.now() - began) / 1000),
  })
  if (changed === text) return told('DOES NOT FIT')
  const listed = await Promise.all(fault.tests.map((test) => filesBelow(copy, test)))
  await writeFile(path, changed)
  try {
    const seen = await tests.run(inOrder(fault.file, listed.flat(), catches.get(fault.file)), [fault.file])
    if (seen.hung) return told('hung')
    if (seen.by === null) return told('SURVIVED', `${seen.tests} tests pass`)
    const [by = ''] = seen.by.split(': ')
    const ofFile = catches.get(fault.file) ?? new Map<string, number>()
    catches.set(fault.file, ofFile.set(by, (ofFile.get(by) ?? 0) + 1))
    return told('caught', seen.by)
  } finally {
    await writeFile(path, text)
    await dropDatabases(superuser)
  }
}

/** Without a fault they pass, or every fault would count as caught. */
async function passWithout({ copy, tests }: Bench, faults: readonly Fault[]): Promise<void> {
  const listed = await Promise.all(faults.flatMap((fault) => fault.tests.map((test) => filesBelow(copy, test))))
  const { by, hung } = await tests.run([...new Set(listed.flat())], [])
  if (hung || by !== null) throw new Error(`it fails without a fault: ${by ?? 'it does not end'}`)
}

const isCaught = ({ end }: Told): boolean => end === 'caught' || end === 'hung'
const folderOf = ({ fault: { file } }: Told): string => file.split('/').slice(-2, -1)[0] as string

/** How many were caught, of each folder. */
const byFolder = (told: readonly Told[]): string[] =>
  [...Map.groupBy(told, folderOf)].map(
    ([folder, of]) => `  ${folder}: ${of.filter(isCaught).length} of ${of.length} caught`,
  )

function verdict(told: readonly Told[], isOld: boolean): Report {
  const survived = told.filter((one) => !isCaught(one))
  const why = ({ fault }: Told): string | null => explained(fault.file, fault.what)
  const unexplained = survived.filter((one) => why(one) === null)
  const most = isOld ? 0 : told.length * (1 - CAUGHT_SHARE)
  const caught = told.length - survived.length
  const says = [
    `\n${told.length} faults: ${caught} caught, ${survived.length - unexplained.length} survived with a reason, ${unexplained.length} without`,
    ...(isOld ? [] : byFolder(told)),
  ].join('\n')
  const list = survived.map((one) => `  ${one.end} ${one.fault.what}: ${why(one) ?? 'not explained'}`)
  return unexplained.length > most ? { says, wrong: list } : { says: [says, ...list].join('\n'), wrong: [] }
}

async function run(options: Options, dir: string, held: Held, signal: AbortSignal): Promise<Report> {
  const isOld = options.old > 0
  const all = isOld ? byHand() : await generated(options.count, options.seed)
  const faults = all.slice(options.from).filter(({ what }) => what.includes(options.only ?? ''))
  const bench = await openBench(dir, held)
  signal.addEventListener('abort', () => void bench.tests.end(), { once: true })
  if (options.quick === 0) await passWithout(bench, faults)
  const told: Told[] = []
  const catches: Catches = new Map()
  for (const fault of faults) {
    if (signal.aborted) break
    const one = await tryOne(bench, fault, catches)
    told.push(one)
    console.log(`  ${one.end.padEnd(8)} ${String(one.seconds).padStart(4)} s  ${fault.what}\n             ${one.by}`)
    if (options.result !== undefined)
      await writeFile(options.result, told.map(({ end, by, fault: { what } }) => `${end}\t${what}\t${by}\n`).join(''))
  }
  return signal.aborted ? null : verdict(told, isOld)
}

await main(import.meta, () => ({ name: 'mutants', options: parseOptions(), limitMs: LIMIT_MS, run }))
