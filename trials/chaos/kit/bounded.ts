// What every programme does around its run: a folder of its own, an end by signal or by time, everything it
// started released, and an exit code that tells a pass from a finding and both from neither.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whenOrphaned } from '../../../packages/cli/src/programs/orphan.ts'

const LIMIT_MS = 240_000
const RELEASE_LIMIT_MS = 15_000

/** This machine cannot run it, whatever is installed. Neither a pass nor a finding, and not to be taken for
 *  either. */
export class CannotRun extends Error {}
const SKIPPED = 3

/** Takes what must not outlive the run; it is ended in the opposite order. */
export type Held = Pick<AsyncDisposableStack, 'defer'>

/** The figures of a run, and everything that is wrong: nothing, and it has passed. Null: it was ended. */
export type Report = { readonly says: string; readonly wrong: readonly string[] } | null

export type Programme<Options> = {
  /** As the script is called. */
  readonly name: string
  readonly options: Options
  /** Null for a run that ends at the time its own options say. */
  readonly limitMs?: number | null
  /** True for one that passed and has said so itself. */
  readonly run: (options: Options, dir: string, held: Held, signal: AbortSignal) => Promise<Report | boolean>
}

function hasPassed(report: Report | boolean): boolean {
  if (report === null || typeof report === 'boolean') return report === true
  console.log(report.says)
  if (report.wrong.length > 0) console.log(report.wrong.join('\n'))
  return report.wrong.length === 0
}

/** How it ended: passed, a finding, broken, or not possible here; 130 when somebody ended it. */
export async function runBounded<Options extends Readonly<Record<string, number | string | undefined>>>(
  programme: Programme<Options>,
): Promise<number> {
  const { name, options, run, limitMs = LIMIT_MS } = programme
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  console.log(`${name}: ${given.map(([option, value]) => `--${option} ${value}`).join(' ')}`)
  const dir = await mkdtemp(join(tmpdir(), `cowrie-${name.replace(':', '-')}-`))
  await chmod(dir, 0o755) // PostgreSQL runs as another user when we are root
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
  whenOrphaned(() => stopping.abort())
  let overtime = false
  const stopLate = () => {
    overtime = true
    stopping.abort()
    setTimeout(() => process.exit(1), RELEASE_LIMIT_MS).unref()
    console.log(`${name}: not finished after ${Number(limitMs) / 1000} s`)
  }
  if (limitMs !== null) setTimeout(stopLate, limitMs).unref()
  const held = new AsyncDisposableStack()
  let passed = false
  let broken = false
  let impossible: string | null = null
  try {
    passed = hasPassed(await run(options, dir, held, stopping.signal))
  } catch (error) {
    impossible = error instanceof CannotRun ? error.message : null
    broken = !stopping.signal.aborted && impossible === null
    if (broken) console.log(`${name}: BROKEN, no result: ${(error as Error).stack}`)
  } finally {
    await held.disposeAsync()
  }
  if (passed || impossible !== null || stopping.signal.aborted) await rm(dir, { recursive: true, force: true })
  else console.log(`Files of this run: ${dir}`)
  if (stopping.signal.aborted && !overtime) return 130
  if (impossible !== null) {
    console.log(`${name}: SKIPPED, nothing was tried: ${impossible}`)
    return SKIPPED
  }
  if (broken) return 2 // neither a pass nor a finding: a control that breaks must not count as one that saw its fault
  console.log(`${name}: ${passed ? 'PASS' : 'FAIL'}`)
  return passed ? 0 : 1
}

/** The last line of a programme: nothing happens where its file is imported. */
export async function main<Options extends Readonly<Record<string, number | string | undefined>>>(
  meta: Pick<ImportMeta, 'main'>,
  programme: () => Programme<Options>,
): Promise<void> {
  if (meta.main) process.exit(await runBounded(programme()))
}
