// `cowrie sandbox`, `cowrie db` and `cowrie run`: programs of the gateway, each in a process of its own. This
// package knows the gateway by its interface only, and is also used without one. In the repository they are
// started from their sources; the build (tools/build) makes one file of each and puts it beside this command.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Failure } from '../failure.ts'
import { whenLeft, whenOrphaned } from './orphan.ts'

export const PROGRAMS = {
  sandbox: new URL('../../../../tools/sandbox/sandbox.ts', import.meta.url),
  api: new URL('../../../../apps/gateway/src/api.ts', import.meta.url),
  worker: new URL('../../../../apps/gateway/src/worker.ts', import.meta.url),
  simulator: new URL('../../../../apps/simulator/src/main.ts', import.meta.url),
  migrate: new URL('../../../../tools/migrate.ts', import.meta.url),
  db: new URL('../../../../tools/operator/db.ts', import.meta.url),
  audit: new URL('../../../../tools/operator/audit.ts', import.meta.url),
  books: new URL('../../../../tools/operator/books.ts', import.meta.url),
  erase: new URL('../../../../tools/operator/erase.ts', import.meta.url),
  keys: new URL('../../../../tools/operator/keys.ts', import.meta.url),
  horizons: new URL('../../../../tools/operator/horizons.ts', import.meta.url),
  months: new URL('../../../../tools/operator/months.ts', import.meta.url),
  numbers: new URL('../../../../tools/operator/numbers.ts', import.meta.url),
  operators: new URL('../../../../tools/operator/operators.ts', import.meta.url),
  'connector-providus': new URL('../../../../connectors/providus/src/main.ts', import.meta.url),
  'connector-providus-settle': new URL('../../../../connectors/providus/src/settle.ts', import.meta.url),
  'connector-providus-recover': new URL('../../../../connectors/providus/src/recover.ts', import.meta.url),
  'connector-nibss-easypay': new URL('../../../../connectors/nibss-easypay/src/main.ts', import.meta.url),
  'connector-nibss-easypay-settle': new URL('../../../../connectors/nibss-easypay/src/settle.ts', import.meta.url),
  'connector-paystack': new URL('../../../../connectors/paystack/src/main.ts', import.meta.url),
} as const
export type Program = keyof typeof PROGRAMS

/** Room for the young generation, or a busy api is swept thirty times a second. */
const FLAGS: Partial<Record<Program, string>> = { api: '--max-semi-space-size=64', worker: '--max-semi-space-size=64' }

/** Ends as the program has ended; its settings are those of the environment. */
export async function runProgram(
  name: Program,
  words: readonly string[],
  signal: AbortSignal,
  programs: Readonly<Record<Program, URL>> = PROGRAMS,
): Promise<void> {
  const file = fileURLToPath(programs[name])
  if (!existsSync(file)) throw new Failure(`There is nothing at ${file}: this command was installed without a gateway.`)
  const flag = FLAGS[name]
  const child = spawn(process.execPath, [...(flag ? [flag] : []), file, ...words], { stdio: 'inherit' })
  signal.addEventListener('abort', () => child.kill())
  const isStartedByProgram = name === 'sandbox' && words.includes('--json')
  const watch = isStartedByProgram ? whenLeft : whenOrphaned
  watch(() => child.kill())
  const [code] = (await once(child, 'close')) as [number | null]
  process.exitCode = code ?? 1
}
