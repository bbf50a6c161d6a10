// The tests that see the faults, in one Vitest that stays for all of them: a fault costs neither the start of
// Vitest nor a migrated template, and what has not changed is not compiled again. It is a process of its own,
// because a test that never gives way can only be ended from outside.
//
// This file is both sides: imported, it starts the process; started, it is the process.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Reporter, TestModule, TestSpecification } from 'vitest/node'

/** A test of ours ends after two minutes, a hook after three: whoever says nothing for longer never will. */
const SILENCE_MS = 240_000

/** What a tree's tests find: where the databases are. */
type Provided = Readonly<Record<string, unknown>>
type Asked = { readonly provided: Provided; readonly files: readonly string[]; readonly changed: readonly string[] }
type Said =
  | { readonly is: 'ready' }
  | { readonly is: 'alive' }
  | { readonly is: 'done'; readonly failed: string | null; readonly tests: number }

/** The test that failed first, or null when all passed; `hung` when there was no end to them. */
export type Seen = { readonly by: string | null; readonly hung: boolean; readonly tests: number }

export type Tests = {
  /** Runs test files in this order, up to the first failure; `changed` are files that are not as they
   *  were. */
  run(files: readonly string[], changed: readonly string[]): Promise<Seen>
  end(): Promise<void>
}

/** Of one tree; `log` is a file that gets what tests print. */
export function startTests(tree: string, provided: Provided, log: string, silenceMs = SILENCE_MS): Tests {
  let running: ChildProcess | null = null
  /** They are as they were again. */
  let former: readonly string[] = []
  const end = async (): Promise<void> => {
    const child = running
    running = null
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return
    process.kill(-child.pid, 'SIGKILL') // the workers too
    await once(child, 'exit')
  }
  const started = async (): Promise<ChildProcess> => {
    if (running !== null) return running
    const child = fork(import.meta.filename, [tree], {
      ...{ detached: true, execArgv: [] },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const written = createWriteStream(log, { flags: 'a' })
    child.stdout?.pipe(written, { end: false })
    child.stderr?.pipe(written, { end: false })
    running = child
    const early = once(child, 'exit').then(() => Promise.reject(new Error(`no tests could be started: ${log}`)))
    await Promise.race([once(child, 'message'), early])
    return child
  }
  const run = async (files: readonly string[], changed: readonly string[]): Promise<Seen> => {
    const child = await started()
    const asked: Asked = { provided, files, changed: [...former, ...changed] }
    former = changed
    const seen = await new Promise<Seen | null>((resolve) => {
      let late: NodeJS.Timeout | undefined
      const alive = (): void => {
        clearTimeout(late)
        late = setTimeout(() => stop({ by: null, hung: true, tests: 0 }), silenceMs)
      }
      const heard = (said: Said): void => {
        if (said.is === 'done') stop({ by: said.failed, hung: false, tests: said.tests })
        else alive()
      }
      const gone = (): void => stop(null)
      const stop = (found: Seen | null): void => {
        clearTimeout(late)
        child.off('message', heard).off('exit', gone)
        resolve(found)
      }
      alive()
      child.on('message', heard).on('exit', gone).send(asked)
    })
    if (seen === null) throw new Error(`the process of the tests has ended: ${log}`)
    if (seen.hung) await end()
    return seen
  }
  return { run, end }
}

// ---- the process

function failureOf(modules: readonly TestModule[]): string | null {
  for (const module of modules) {
    const [test] = module.children.allTests('failed')
    const [suite] = [...module.children.allSuites()].filter((one) => one.state() === 'failed')
    const [error] = test?.result().errors ?? suite?.errors() ?? []
    const [own] = module.errors()
    const says = (error ?? own)?.message.split('\n')[0] ?? ''
    if (test ?? suite ?? own) return `${module.relativeModuleId}: ${(test ?? suite)?.fullName ?? ''} (${says})`
  }
  return null
}

async function serve(tree: string): Promise<void> {
  // Only here: whoever starts the process has no use for Vitest.
  const { BaseSequencer, createVitest } = await import('vitest/node')
  const config = (await import(pathToFileURL(join(tree, 'vitest.config.ts')).href)) as {
    default: { test: Record<string, unknown> }
  }
  const say = (said: Said): void => void process.send?.(said)
  let [tests, ended]: [number, TestModule[]] = [0, []]
  const reporter: Reporter = {
    onTestCaseResult() {
      tests += 1
      say({ is: 'alive' })
    },
    onTestModuleCollected: () => say({ is: 'alive' }),
    onTestModuleEnd: (module) => void ended.push(module),
  }
  /** As they were given. */
  class Given extends BaseSequencer {
    override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return Promise.resolve([...files])
    }
  }
  const vitest = await createVitest({
    ...config.default.test,
    ...{ root: tree, config: false, watch: false, globalSetup: [], bail: 1, maxWorkers: 1 },
    reporters: [reporter],
    sequence: { sequencer: Given },
  })
  const answer = async ({ provided, files, changed }: Asked): Promise<void> => {
    ;[tests, ended] = [0, []]
    for (const [name, value] of Object.entries(provided)) vitest.provide(name as 'postgresUrl', value as string)
    for (const file of changed) vitest.invalidateFile(join(tree, file))
    const project = vitest.getRootProject()
    const { unhandledErrors } = await vitest.runTestSpecifications(
      files.map((file) => project.createSpecification(join(tree, file))),
    )
    const [unhandled] = unhandledErrors
    const failed = failureOf(ended) ?? (unhandled === undefined ? null : `unhandled: ${(unhandled as Error).message}`)
    if (failed === null && ended.length < files.length) throw new Error(`not all were run: ${files.join(', ')}`)
    say({ is: 'done', failed, tests })
  }
  process.on('message', (asked: Asked) => void answer(asked))
  process.once('disconnect', () => process.kill(-process.pid, 'SIGKILL'))
  say({ is: 'ready' })
}

if (import.meta.main) await serve(process.argv[2] as string)
