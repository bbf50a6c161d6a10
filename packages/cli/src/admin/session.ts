// Where the operator's session is kept between commands: a file that only its owner reads, with the token of
// one log-in.
import { readFileSync, rmSync } from 'node:fs'
import type { Environment } from '../config.ts'
import { Failure } from '../failure.ts'
import { stateFile, writePrivately } from '../keys/private-file.ts'

export type Session = {
  readonly url: string
  readonly email: string
  readonly token: string
  /** Of this device: a log-in from it is not held up by attempts from elsewhere. */
  readonly deviceToken?: string
}

const sessionFile = (env: Environment): string => stateFile(env, 'operator.json')

export function loadSession(env: Environment): Session | null {
  const file = sessionFile(env)
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Session
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new Failure(`${file} could not be read. Delete it and log in again.`)
  }
}

export const saveSession = (env: Environment, session: Session): void => writePrivately(sessionFile(env), session)

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
