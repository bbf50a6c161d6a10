// Faults put into the gateway's code one by one, each of which a test should see: those that engineers have
// made by hand, and those of a few operators over the ledger, settlements, reconciliation, receivables and
// fees. They are made in a copy of the tree; the tree itself stays.
//   npm run trial -- mutants [--count 100] [--seed N] [--old 1] [--from K] [--only WORDS] [--quick 1]
//     [--result FILE]
// `--old 1`: those by hand and no others. `--quick 1`: whoever runs it knows that the tests pass without a
// fault. What survives is listed, and the exit code is 1 when one by hand
// survives or more than 15 % of the others do, leaving out those that survivors.ts explains.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Held, main, type Report } from '../chaos/kit/bounded.ts'
import { readOptions } from '../chaos/kit/options.ts'
import { changesOf, chosen, TARGETS } from './make.ts'
import { OLD } from './old.ts'
import { explained } from './survivors.ts'

const ROOT = join(import.meta.dirname, '../..')
/** A night of one core for the size without options. */
const LIMIT_MS = 12 * 3_600_000
/** What hangs is caught: a test that waits for ever is a test that does not pass. */
const ONE_MS = 420_000
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
type Told = { readonly fault: Fault; readonly end: End; readonly seconds: number }

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
  return chosen(all.flat(), count, seed).map(({ name, file, tests, at, from, to, line }) => ({
    ...{ what: `${file}:${line} ${name}: ${from.split('\n')[0]} → ${to}`, file, tests },
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

/** Whether the tests pass: true when nobody sees the fault. */
async function passes(copy: string, tests: readonly string[], signal: AbortSignal): Promise<boolean | 'hung'> {
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs')
  const words = [vitest, 'run', '--bail', '1', '--maxWorkers', '2', '--reporter', 'dot', ...tests]
  const child = spawn(process.execPath, words, { cwd: copy, stdio: 'ignore', detached: true })
  let hung = false
  const end = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL')
  const late = setTimeout(() => {
    hung = true
    end()
  }, ONE_MS)
  signal.addEventListener('abort', end, { once: true })
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(late)
  signal.removeEventListener('abort', end)
  return hung ? 'hung' : code === 0
}

async function tryOne(copy: string, fault: Fault, signal: AbortSignal): Promise<Told> {
  const began = performance.now()
  const path = join(copy, fault.file)
  const text = await readFile(path, 'utf8')
  const changed = fault.change(text)
  const told = (end: End): Told => ({ fault, end, seconds: Math.round((performance.now() - began) / 1000) })
  if (changed === text) return told('DOES NOT FIT')
  await writeFile(path, changed)
  try {
    // The nearest alone: it sees most of them, and the others cost minutes.
    for (const test of fault.tests) {
      const passed = await passes(copy, [test], signal)
      if (passed !== true) return told(passed === 'hung' ? 'hung' : 'caught')
    }
    return told('SURVIVED')
  } finally {
    await writeFile(path, text)
  }
}

const isCaught = ({ end }: Told): boolean => end === 'caught' || end === 'hung'
function verdict(told: readonly Told[], isOld: boolean): Report {
  const survived = told.filter((one) => !isCaught(one))
  const unexplained = survived.filter(({ fault }) => explained(fault.file, fault.what) === null)
  const most = isOld ? 0 : told.length * (1 - CAUGHT_SHARE)
  const line = ({ fault, end }: Told) =>
    `  ${end} ${fault.what}: ${explained(fault.file, fault.what) ?? 'not explained'}`
  const says = `\n${told.length - survived.length} of ${told.length} caught, ${unexplained.length} of the others not explained`
  const [list, isTooMany] = [survived.map(line), unexplained.length > most]
  return isTooMany ? { says, wrong: list } : { says: [says, ...list].join('\n'), wrong: [] }
}

async function run(options: Options, dir: string, _held: Held, signal: AbortSignal): Promise<Report> {
  const isOld = options.old > 0
  const all = isOld ? byHand() : await generated(options.count, options.seed)
  const faults = all.slice(options.from).filter(({ what }) => what.includes(options.only ?? ''))
  const copy = await copyTree(dir)
  // Without a fault they pass, or every fault would count as caught.
  for (const test of options.quick > 0 ? [] : new Set(faults.flatMap((fault) => fault.tests)))
    if ((await passes(copy, [test], signal)) !== true) throw new Error(`it fails without a fault: ${test}`)
  const told: Told[] = []
  for (const fault of faults) {
    if (signal.aborted) break
    const one = await tryOne(copy, fault, signal)
    told.push(one)
    console.log(`  ${one.end.padEnd(8)} ${String(one.seconds).padStart(4)} s  ${fault.what}`)
    if (options.result !== undefined)
      await writeFile(options.result, told.map(({ end, fault: { what } }) => `${end}\t${what}\n`).join(''))
  }
  return signal.aborted ? null : verdict(told, isOld)
}

await main(import.meta, () => ({ name: 'mutants', options: parseOptions(), limitMs: LIMIT_MS, run }))
