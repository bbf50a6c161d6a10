// Files that only their owner reads: keys and sessions between commands.
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** Where the command keeps something between runs. */
export const stateFile = (env: Environment, name: string): string =>
  join(env['XDG_STATE_HOME'] || join(env['HOME'] || homedir(), '.local', 'state'), 'cowrie', name)

/** Written beside and moved into place, so that half a file is never read. */
export function writePrivately(file: string, content: unknown): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const beside = `${file}.${process.pid}`
  writeFileSync(beside, JSON.stringify(content), { mode: 0o600 })
  chmodSync(beside, 0o600)
  renameSync(beside, file)
}
