// Where the operator's session is kept between commands: a file that only its owner reads, with the token of one log-in.
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Environment } from '../config.ts'
import { Failure } from '../failure.ts'

export type Session = {
  readonly url: string
  readonly email: string
  readonly token: string
  /** Of this device: a log-in from it is not held up by attempts from elsewhere. */
  readonly deviceToken?: string
}

export const sessionFile = (env: Environment): string =>
  join(env['XDG_STATE_HOME'] || join(env['HOME'] || homedir(), '.local', 'state'), 'cowrie', 'operator.json')

export function loadSession(env: Environment): Session | null {
  const file = sessionFile(env)
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Session
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new Failure(`${file} could not be read. Delete it and log in again.`)
  }
}

/** Written beside and moved into place, so that half a file is never read. */
export function saveSession(env: Environment, session: Session): void {
  const file = sessionFile(env)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const beside = `${file}.${process.pid}`
  writeFileSync(beside, JSON.stringify(session), { mode: 0o600 })
  chmodSync(beside, 0o600)
  renameSync(beside, file)
}

export const forgetSession = (env: Environment): void => rmSync(sessionFile(env), { force: true })

const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(host)

/** An address that passwords may be sent to: encrypted, or on this machine. */
export function operatorUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Failure(`"${text}" is not an address; write it like https://operator.example.com.`, { exitCode: 2 })
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new Failure(`${url.origin} is not encrypted; use https, or an address of this machine.`, { exitCode: 2 })
  return url.href.replace(/\/+$/, '')
}
