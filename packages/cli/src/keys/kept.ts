// What `cowrie login` keeps: the address of one gateway and the keys for it, in a file that only its owner
// reads. They are sent to no other address.
import { readFileSync, rmSync } from 'node:fs'
import { Failure } from '../failure.ts'
import { stateFile, writePrivately } from './private-file.ts'

type Environment = Readonly<Record<string, string | undefined>>
export type Kept = { readonly url: string; readonly apiKey: string; readonly secretKey: string }

export const keptFile = (env: Environment): string => stateFile(env, 'keys.json')

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

export const keepKeys = (env: Environment, kept: Kept): void => writePrivately(keptFile(env), kept)

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
