// The simulator's settings, read once; the keys that it shares with the gateway, where they are in a file,
// every second.
import { readFileSync } from 'node:fs'
import { realSeconds } from './clock.ts'

export type Config = {
  readonly host: string
  readonly port: number
  readonly smtpPort: number
  readonly databaseUrl: string
  readonly gatewayUrl: string
  /** Shared with the gateway: the first signs, all are taken. */
  readonly bankKeys: () => readonly string[]
  readonly logLevel: string
  /** How long the bank takes to decide on a payout; set by the bench. */
  readonly payoutMs: number
  /** How long a payout that is not answered keeps its caller waiting, unless the caller hangs up first. */
  readonly silenceMs: number
  /** The code of the bank whose numbers it issues; null: the gateway makes them itself. */
  readonly issues: string | null
  /** The version of the protocol that it says to have for cards; tests set it. */
  readonly cards?: 1 | 2
  /** What it does not say that it can do, as most banks cannot; tests set it. */
  readonly without?: readonly string[]
  /** The same for payouts. In version 2 its statement has names of its own for them. */
  readonly payouts?: 1 | 2
}

type Env = Readonly<Record<string, string | undefined>>

function required(env: Env, name: string): string {
  const value = env[name]
  if (!value) throw new Error(`${name} is not set`)
  return value
}

function port(env: Env, name: string): number {
  const value = Number(required(env, name))
  if (!Number.isInteger(value) || value < 0 || value > 65535) throw new Error(`${name} must be a port number`)
  return value
}

function milliseconds(env: Env, name: string, otherwise: number): number {
  const value = Number(env[name] || otherwise)
  if (!Number.isInteger(value) || value < 0 || value > 600_000)
    throw new Error(`${name} must be a number of milliseconds, at most 600000`)
  return value
}

/** `2:<key>,1:<key>`, as the gateway takes them. */
const keysIn = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((entry) => entry.slice(entry.indexOf(':') + 1))

function bankKeys(env: Env): () => readonly string[] {
  const file = env['SIMULATOR_BANK_KEYS_FILE']
  if (!file) {
    const key = required(env, 'BANK_KEY')
    return () => [key]
  }
  let read = { at: 0, keys: [] as string[] }
  return () => {
    const at = realSeconds()
    if (read.at !== at) read = { at, keys: keysIn(readFileSync(file, 'utf8')) }
    return read.keys
  }
}

/** Longer than the ten seconds after which the gateway hangs up. */
const SILENCE_MS = 15_000

export const readConfig = (env: Env = process.env): Config => ({
  host: env['SIMULATOR_HOST'] || '127.0.0.1',
  port: port(env, 'SIMULATOR_PORT'),
  smtpPort: port(env, 'SIMULATOR_SMTP_PORT'),
  databaseUrl: required(env, 'SIMULATOR_DATABASE_URL'),
  gatewayUrl: required(env, 'GATEWAY_URL').replace(/\/+$/, ''),
  bankKeys: bankKeys(env),
  logLevel: env['LOG_LEVEL'] || 'info',
  payoutMs: milliseconds(env, 'SIMULATOR_PAYOUT_MS', 0),
  silenceMs: milliseconds(env, 'SIMULATOR_SILENCE_MS', SILENCE_MS),
  issues: env['SIMULATOR_ISSUES'] || null,
  cards: env['SIMULATOR_CARDS'] === '2' ? 2 : 1,
  without: (env['SIMULATOR_WITHOUT'] ?? '').split(','),
})
