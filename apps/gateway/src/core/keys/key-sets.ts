// The keys as an operator gives them: one, or a set of versions with the present one first, in the
// environment or in a file. A file is read again while the process runs, so that a rotation needs no restart.
// What is wrong is said without a word of the key.
import { readFileSync } from 'node:fs'
import type { MasterKey } from '#kit/crypto.ts'

type Env = Readonly<Record<string, string | undefined>>
export type BankKey = { readonly version: number; readonly key: string }
export type BankKeys = readonly [BankKey, ...BankKey[]]
/** The first of each makes, all of them check. */
export type KeySets = {
  readonly master: readonly [MasterKey, ...MasterKey[]]
  readonly bank: BankKeys
  /** Of the connectors beside the first, by name. */
  readonly connectors: ReadonlyMap<string, BankKeys>
}

/** `CONNECTORS=nibss=https://…,providus=https://…`: a name begins the names of the settings of its key. */
export const connectorNames = (env: Env): string[] =>
  (env['CONNECTORS'] ?? '')
    .split(',')
    .filter(Boolean)
    .map((part) => part.split('=')[0] ?? '')
export const keySetting = (connector: string): string => `CONNECTOR_${connector.toUpperCase().replaceAll('-', '_')}_KEY`

const MASTER_BYTES = 32
const BANK_BYTES_MIN = 32
/** What was not given at all; the sentence about it ends the start. */
const NO_MASTER: MasterKey = { version: 1, key: Buffer.alloc(MASTER_BYTES) }
const NO_BANK: BankKey = { version: 1, key: '' }

type Given = { readonly setting: string; readonly text: string; readonly isSet: boolean }

/** The one of four settings that is given; its text is null when its file cannot be read. */
function given(env: Env, name: string, wrong: string[]): Given | null {
  const settings = [name, `${name}_FILE`, `${name}S`, `${name}S_FILE`].filter((setting) => env[setting])
  const [setting, ...more] = settings
  if (setting === undefined) wrong.push(`${name} is missing`)
  if (more.length > 0) wrong.push(`${settings.join(' and ')} must not be set together`)
  if (setting === undefined || more.length > 0) return null
  const isSet = setting.startsWith(`${name}S`)
  const value = env[setting] as string
  if (!setting.endsWith('_FILE')) return { setting, text: value, isSet }
  try {
    return { setting, text: readFileSync(value, 'utf8').trim(), isSet }
  } catch (error) {
    wrong.push(`${setting}: the file cannot be read (${(error as { code?: string }).code ?? 'unknown error'})`)
    return null
  }
}

const ENTRY = /^([1-9]\d{0,3}):(.+)$/

/** Versions with their keys, as they are written; null when the text is not of the form. */
function entriesOf({ setting, text, isSet }: Given, wrong: string[]): { version: number; text: string }[] {
  if (!isSet) return [{ version: 1, text }]
  const parts = text.split(/[\s,]+/).filter(Boolean)
  const entries = parts.flatMap((part) => {
    const [, version, key] = ENTRY.exec(part) ?? []
    return version === undefined || key === undefined ? [] : [{ version: Number(version), text: key }]
  })
  if (parts.length === 0 || entries.length < parts.length) {
    wrong.push(`${setting} must be of the form 2:<key>,1:<key>, the present version first`)
    return []
  }
  if (new Set(entries.map(({ version }) => version)).size < entries.length)
    wrong.push(`${setting} gives a version twice`)
  if (new Set(entries.map((entry) => entry.text)).size < entries.length)
    wrong.push(`${setting} gives the same key as two versions`)
  return entries
}

function masterKeys(env: Env, wrong: string[]): MasterKey[] {
  const from = given(env, 'MASTER_KEY', wrong)
  if (from === null) return []
  const keys = entriesOf(from, wrong).map(({ version, text }) => ({ version, key: Buffer.from(text, 'base64') }))
  const bad = keys.filter(({ key }) => key.length !== MASTER_BYTES).map(({ version }) => version)
  if (bad.length > 0)
    wrong.push(
      `${from.setting}${from.isSet ? `: version ${bad.join(', ')}` : ''} must be 32 bytes in base64 (openssl rand -base64 32)`,
    )
  return keys
}

function bankKeys(env: Env, setting: string, wrong: string[]): BankKeys {
  const [first = NO_BANK, ...others] = readBankKeys(env, setting, wrong)
  return [first, ...others]
}

function readBankKeys(env: Env, setting: string, wrong: string[]): BankKey[] {
  const from = given(env, setting, wrong)
  if (from === null) return []
  const keys = entriesOf(from, wrong).map(({ version, text }) => ({ version, key: text }))
  const short = keys.filter(({ key }) => Buffer.byteLength(key) < BANK_BYTES_MIN).map(({ version }) => version)
  if (short.length > 0 && env['ENVIRONMENT'] === 'live')
    wrong.push(
      `${from.setting}${from.isSet ? `: version ${short.join(', ')}` : ''} must be at least ${BANK_BYTES_MIN} bytes in live (openssl rand -base64 32)`,
    )
  return keys
}

/** Says what is wrong in `wrong`; then what it answers is of no use. */
export function readKeySets(env: Env, wrong: string[]): KeySets {
  const [master = NO_MASTER, ...otherMasters] = masterKeys(env, wrong)
  const bank = bankKeys(env, 'BANK_KEY', wrong)
  const connectors = new Map(connectorNames(env).map((name) => [name, bankKeys(env, keySetting(name), wrong)]))
  // A message is known by the key that signed it.
  const all = [bank, ...connectors.values()].flatMap((keys) => [...new Set(keys.map(({ key }) => key))]).filter(Boolean)
  if (new Set(all).size < all.length) wrong.push('two connectors must not have the same key')
  return { master: [master, ...otherMasters], bank, connectors }
}

/** Reads the files again; throws what is wrong with them. Null when no key is in a file. */
export function rereading(env: Env): (() => KeySets) | null {
  const keys = ['MASTER_KEY', 'BANK_KEY', ...connectorNames(env).map(keySetting)]
  if (!keys.some((name) => env[`${name}_FILE`] || env[`${name}S_FILE`])) return null
  return () => {
    const wrong: string[] = []
    const sets = readKeySets(env, wrong)
    if (wrong.length > 0) throw new Error(wrong.join('; '))
    return sets
  }
}
