// What `cowrie login` keeps: the address of one gateway and the keys for it, in a file that only its owner reads. They are sent to no other address.
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Failure } from '../failure.ts'

export type Kept = { readonly url: string; readonly apiKey: string; readonly secretKey: string }
type Environment = Readonly<Record<string, string | undefined>>

export const keptFile = (env: Environment): string =>
  join(env['XDG_STATE_HOME'] || join(env['HOME'] || homedir(), '.local', 'state'), 'cowrie', 'keys.json')

export function loadKeys(env: Environment): Kept | null {
  const file = keptFile(env)
  try {
    const { url, apiKey, secretKey } = JSON.parse(readFileSync(file, 'utf8')) as Kept
    return { url, apiKey, secretKey }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new Failure(`${file} could not be read. Run cowrie logout, then cowrie login again.`)
  }
}

/** Written beside and moved into place, so that half a file is never read. */
export function keepKeys(env: Environment, kept: Kept): void {
  const file = keptFile(env)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const beside = `${file}.${process.pid}`
  writeFileSync(beside, JSON.stringify(kept), { mode: 0o600 })
  chmodSync(beside, 0o600)
  renameSync(beside, file)
}

/** Whether there was something to forget. */
export function forgetKeys(env: Environment): boolean {
  const file = keptFile(env)
  const had = (() => {
    try {
      return readFileSync(file).length > 0
    } catch {
      return false
    }
  })()
  rmSync(file, { force: true })
  return had
}
