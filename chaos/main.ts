// What every bounded test of chaos does around its run: a folder of its own, an end by signal or by time, everything it
// started released, and an exit code that tells a pass from a finding and both from neither.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whenOrphaned } from '../tools/orphan.ts'

const LIMIT_MS = 240_000
const RELEASE_LIMIT_MS = 15_000

export type Bounded<Held> = {
  /** As the script is called. */
  readonly name: string
  readonly options: Readonly<Record<string, number | string | undefined>>
  readonly run: (dir: string, held: Held, signal: AbortSignal) => Promise<boolean>
  /** Ends whatever was started and must not outlive the run. */
  readonly release: (held: Held) => Promise<void>
}

/** How it ended: passed, a finding, or neither; 130 when somebody ended it. */
export async function runBounded<Held extends object>({ name, options, run, release }: Bounded<Held>): Promise<number> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  console.log(`${name}: ${given.map(([option, value]) => `--${option} ${value}`).join(' ')}`)
  const dir = await mkdtemp(join(tmpdir(), `cowrie-${name.replace(':', '-')}-`))
  await chmod(dir, 0o755) // PostgreSQL runs as another user when we are root
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
  whenOrphaned(() => stopping.abort())
  let overtime = false
  setTimeout(() => {
    overtime = true
    stopping.abort()
    setTimeout(() => process.exit(1), RELEASE_LIMIT_MS).unref()
    console.log(`${name}: not done after ${LIMIT_MS / 1000} s`)
  }, LIMIT_MS).unref()
  const held = {} as Held
  let passed = false
  let broken = false
  try {
    passed = await run(dir, held, stopping.signal)
  } catch (error) {
    broken = !stopping.signal.aborted
    if (broken) console.log(`${name}: BROKEN, nothing was shown: ${(error as Error).stack}`)
  } finally {
    await release(held)
  }
  if (passed || stopping.signal.aborted) await rm(dir, { recursive: true, force: true })
  else console.log(`The run is kept in ${dir}`)
  if (stopping.signal.aborted && !overtime) return 130
  if (broken) return 2 // neither a pass nor a finding: a control that breaks must not count as one that saw its fault
  console.log(`${name}: ${passed ? 'PASS' : 'FAIL'}`)
  return passed ? 0 : 1
}
