// The keys as an operator gives them: one, or a set of versions with the present one first, in the
// environment or in a file. A file is read again while the process runs, so that a rotation needs no restart.
// A key may lie there wrapped, and then its custodians open it. What is wrong is said without a word of the
// key.
import { readFileSync } from 'node:fs'
import type { MasterKey } from '#kit/crypto.ts'
import { isWrapped } from '#kit/custody.ts'
import type { Env } from '#kit/process.ts'

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
/** Opens a wrapped text. */
export type Unwrap = (text: string) => Promise<string>
/** Reads the settings and files again, and opens what is wrapped. Throws what is wrong. */
export type ReadKeys = (unwrap: Unwrap) => Promise<KeySets>

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
type Entry = { readonly version: number; readonly text: string }

/** Versions with their keys, as they are written; none when the text is not of the form. */
function entriesOf({ setting, text, isSet }: Given, wrong: string[]): Entry[] {
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
  return entries
}

/** A key's setting with its versions, wrapped or not. */
type Written = { readonly setting: string; readonly isSet: boolean; readonly entries: readonly Entry[] }

const namesOf = (env: Env): string[] => ['MASTER_KEY', 'BANK_KEY', ...connectorNames(env).map(keySetting)]

/** By the name of the setting of a single key. */
const readWritten = (env: Env, wrong: string[]): Map<string, Written> =>
  new Map(
    namesOf(env).flatMap((name) => {
      const from = given(env, name, wrong)
      return from === null
        ? []
        : [[name, { setting: from.setting, isSet: from.isSet, entries: entriesOf(from, wrong) }] as const]
    }),
  )

/** What stands where a wrapped key stands, until it is opened. */
const UNOPENED = Buffer.alloc(0)
const ofVersions = ({ setting, isSet }: Written, versions: readonly number[]): string =>
  `${setting}${isSet ? `: version ${versions.join(', ')}` : ''}`

function masterKeys({ entries, ...from }: Written, wrong: string[]): MasterKey[] {
  const keys = entries.map(({ version, text }) => ({
    version,
    key: isWrapped(text) ? UNOPENED : Buffer.from(text, 'base64'),
  }))
  const bad = keys.filter(({ key }) => key !== UNOPENED && key.length !== MASTER_BYTES).map(({ version }) => version)
  if (bad.length > 0)
    wrong.push(`${ofVersions({ ...from, entries }, bad)} must be 32 bytes in base64 (openssl rand -base64 32)`)
  return keys
}

function bankKeys(env: Env, written: Written | undefined, wrong: string[]): BankKeys {
  if (written === undefined) return [NO_BANK]
  const [first = NO_BANK, ...others] = written.entries.map(({ version, text }) => ({ version, key: text }))
  const keys: BankKeys = [first, ...others]
  const short = keys.filter((one) => one !== NO_BANK && Buffer.byteLength(one.key) < BANK_BYTES_MIN)
  if (short.length > 0 && env['ENVIRONMENT'] === 'live') {
    const versions = short.map(({ version }) => version)
    wrong.push(
      `${ofVersions(written, versions)} must be at least ${BANK_BYTES_MIN} bytes in live (openssl rand -base64 32)`,
    )
  }
  return keys
}

function toSets(env: Env, all: ReadonlyMap<string, Written>, wrong: string[]): KeySets {
  for (const { setting, entries } of all.values())
    if (new Set(entries.map(({ text }) => text)).size < entries.length)
      wrong.push(`${setting} gives the same key as two versions`)
  const masters = all.get('MASTER_KEY')
  const [master = NO_MASTER, ...otherMasters] = masters ? masterKeys(masters, wrong) : []
  const bank = bankKeys(env, all.get('BANK_KEY'), wrong)
  const connectors = new Map(connectorNames(env).map((name) => [name, bankKeys(env, all.get(keySetting(name)), wrong)]))
  // A message is known by the key that signed it.
  const each = [bank, ...connectors.values()].flatMap((keys) => [...new Set(keys.map(({ key }) => key))])
  const keys = each.filter(Boolean)
  if (new Set(keys).size < keys.length) wrong.push('two connectors must not have the same key')
  return { master: [master, ...otherMasters], bank, connectors }
}

/** Says what is wrong in `wrong`; then what it answers is of no use. Of a key that is wrapped it answers
 *  nothing but its version. */
export const readKeySets = (env: Env, wrong: string[]): KeySets => toSets(env, readWritten(env, wrong), wrong)

const hasWrapped = (all: ReadonlyMap<string, Written>): boolean =>
  [...all.values()].some(({ entries }) => entries.some(({ text }) => isWrapped(text)))

/** One after the other, and none after one that does not open: a token locks itself after some wrong PINs. */
async function opened(all: ReadonlyMap<string, Written>, unwrap: Unwrap): Promise<Map<string, Written>> {
  const open = new Map<string, Written>()
  for (const [name, written] of all) {
    const entries: Entry[] = []
    for (const { version, text } of written.entries)
      try {
        entries.push({ version, text: isWrapped(text) ? await unwrap(text) : text })
      } catch (error) {
        throw new Error(`${ofVersions(written, [version])} does not open: ${(error as Error).message}`)
      }
    open.set(name, { ...written, entries })
  }
  return open
}

const reading =
  (env: Env): ReadKeys =>
  async (unwrap) => {
    const wrong: string[] = []
    const all = readWritten(env, wrong)
    const sets = wrong.length > 0 ? null : toSets(env, await opened(all, unwrap), wrong)
    if (sets === null || wrong.length > 0) throw new Error(wrong.join('; '))
    return sets
  }

/** Null when no key is in a file. */
export const rereading = (env: Env): ReadKeys | null =>
  namesOf(env).some((name) => env[`${name}_FILE`] || env[`${name}S_FILE`]) ? reading(env) : null

/** Null when no key is wrapped. */
export const readingWrapped = (env: Env): ReadKeys | null => (hasWrapped(readWritten(env, [])) ? reading(env) : null)
