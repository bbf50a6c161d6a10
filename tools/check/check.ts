// `npm run check`: what a change is most likely to break, within two minutes: format, lint, types, generated
// files, the rules of the tree, and the tests nearest to what changed since main.
//   npm run check [-- FEATURE | PATH …]     those tests instead of the ones chosen by what changed
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseArgs } from 'node:util'
import { findBase, findChanges, isTestFile, listFiles } from './changes.ts'
import { chooseTests } from './choice.ts'
import { SLOW } from './slow.ts'
import { findFeature, ROOT } from './subjects.ts'

type Part = { readonly name: string; readonly command: readonly string[] }
type Ended = { readonly name: string; readonly code: number; readonly seconds: number; readonly output: string }

/** The computer of a contributor has two cores at least. */
const AT_ONCE = 2
const npx = (...command: string[]): string[] => ['npx', '--no-install', ...command]

/** What is known from the last time is used: 41 s of processor time without it, 14 s after a change of one
 *  feature. */
const tsc = (name: string, ...options: string[]): string[] =>
  npx('tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', `node_modules/.cache/cowrie/${name}.json`, ...options)

const importsIn = (path: string): string[] => {
  const text = readFileSync(join(ROOT, path), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((hit) =>
    posix.join(posix.dirname(path), hit[1] ?? ''),
  )
}

const running = new Set<ChildProcess>()
/** A part and everything it started: each is a process group of its own. */
const endAll = (): void => {
  for (const { pid } of running) {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGTERM')
    } catch {
      // It has ended just now.
    }
  }
}

function run({ name, command: [program = '', ...rest] }: Part): Promise<Ended> {
  const began = performance.now()
  return new Promise((done) => {
    const env = { ...process.env, NO_COLOR: '1' }
    const child = spawn(program, rest, { cwd: ROOT, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    const end = (code: number) => {
      running.delete(child)
      done({ name, code, seconds: (performance.now() - began) / 1_000, output })
    }
    child.on('error', (error) => {
      output += error.message
      end(1)
    })
    child.on('close', (code) => end(code ?? 1))
  })
}

/** Two at a time, in this order. What a part says is printed when it has failed; how many tests there were,
 *  always. */
async function runAll(parts: readonly Part[]): Promise<Ended[]> {
  const waiting = [...parts]
  const ended: Ended[] = []
  const lane = async (): Promise<void> => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      const one = await run(part)
      ended.push(one)
      const counts = one.output.split('\n').filter((line) => /^ *(?:Test Files|Tests) /.test(line))
      if (one.code !== 0) console.log(`\n${one.output.trimEnd()}`)
      else if (counts.length > 0) console.log(counts.join('\n'))
      console.log(`${one.code === 0 ? 'ok    ' : 'FAILED'} ${one.name}, ${one.seconds.toFixed(1)} s`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return ended
}

/** By hand: a feature's name, a folder or a file. Vitest would say nothing of one that has no tests, beside
 *  others that have. */
export function named(names: readonly string[], files: readonly string[] = listFiles()): string[] {
  const paths = names.map((name) => findFeature(name) ?? posix.normalize(name))
  const idle = names.filter((_, at) => !files.some((file) => isTestFile(file) && file.includes(paths[at] ?? '')))
  if (idle.length > 0) throw new Error(`No feature is called ${idle.join(' or ')}, and no test has it in its path.`)
  return paths
}

function chosenTests(given: readonly string[]): string[] {
  if (given.length > 0) return ['tools/tidy/tidy.test.ts', 'tools/check/', ...named(given)]
  const base = findBase()
  const changes = findChanges(base) ?? []
  console.log(
    base === null
      ? 'It is not known what changed: there is neither main nor a commit that was checked here.'
      : `${changes.length} files changed since ${base.commit.slice(0, 8)}, ${base.because}.`,
  )
  const choice = chooseTests(changes, { files: listFiles(), imports: importsIn, slow: new Set(SLOW) })
  for (const [because, tests] of Map.groupBy(choice.tests.keys(), (test) => choice.tests.get(test) ?? ''))
    console.log(`  ${because}: ${tests.join(' ')}`)
  for (const left of choice.left) console.log(`  left to .ci/run: ${left}`)
  return [...choice.tests.keys()]
}

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true })
  const began = performance.now()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      endAll()
      process.exit(143)
    })
  // The longest first.
  const parts: Part[] = [
    { name: 'tests', command: npx('node', 'tools/check/tests.ts', ...chosenTests(positionals)) },
    { name: 'lint', command: npx('oxlint', '--type-aware', '--deny-warnings') },
    { name: 'types', command: tsc('program') },
    { name: 'types of the dashboard', command: tsc('dashboard', '-p', 'apps/dashboard') },
    { name: 'format', command: npx('biome', 'check', '.') },
    { name: 'generated', command: npx('node', 'tools/generate.ts', '--check') },
  ]
  const ended = await runAll(parts)
  const failed = ended.filter(({ code }) => code !== 0).map(({ name }) => name)
  const seconds = Math.round((performance.now() - began) / 1_000)
  console.log(
    failed.length === 0
      ? `check: all ${ended.length} parts passed in ${seconds} s`
      : `check: FAILED: ${failed.join(', ')}, after ${seconds} s`,
  )
  process.exitCode = failed.length === 0 ? 0 : 1
}

if (import.meta.main)
  await main().catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })
