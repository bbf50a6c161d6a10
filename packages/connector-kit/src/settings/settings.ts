// The settings of an adapter: each from the environment or, as NAME_FILE, from a file. Everything that is
// wrong is said at once, a sentence each, and no sentence has a value in it.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { KEY_MIN } from '../kit/signing.ts'
import type { Address } from '../server/door.ts'

export type Environment = Readonly<Record<string, string | undefined>>
/** Its message has a line for each fault. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

export type Settings = {
  readonly optional: (name: string) => string | undefined
  /** `what` tells whoever has to fill it in. */
  readonly text: (name: string, what: string, how?: { readonly form?: RegExp; readonly preset?: string }) => string
  readonly number: (name: string, what: string, how: { readonly preset: string; readonly most: number }) => number
  /** Without a slash at its end. https, but for this machine; `clear` says that the adapter looks after that
   *  itself. */
  readonly url: (name: string, what: string, how?: { readonly preset?: string; readonly clear?: true }) => string
  /** A sentence about settings that do not fit together. */
  readonly fault: (sentence: string) => void
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])
export const isLoopback = (url: string): boolean => LOOPBACK.has(URL.parse(url)?.hostname ?? '')

function createSettings(env: Environment, faults: string[]): Settings {
  const optional = (name: string): string | undefined => {
    const file = env[`${name}_FILE`]
    if (file === undefined) return env[name]
    if (env[name] !== undefined) faults.push(`${name} and ${name}_FILE are both set.`)
    try {
      return readFileSync(file, 'utf8').trim()
    } catch {
      faults.push(`${name}_FILE cannot be read.`)
      return undefined
    }
  }
  const text: Settings['text'] = (name, what, { form = /\S/, preset } = {}) => {
    const before = faults.length
    const value = (optional(name) || preset) ?? ''
    if (value === '' && faults.length === before) faults.push(`${name} is missing: ${what}.`)
    else if (value !== '' && !form.test(value)) faults.push(`${name} is not right: ${what}.`)
    return value
  }
  const number: Settings['number'] = (name, what, { preset, most }) => {
    const value = Number(text(name, what, { form: /^\d{1,5}$/, preset }))
    if (value > most) faults.push(`${name} is too large: ${what}.`)
    return value
  }
  const url: Settings['url'] = (name, what, { preset, clear } = {}) => {
    const form = /^https?:\/\/[^\s/@?#]+(?:\/[^\s?#]*)?$/
    const value = text(name, what, preset === undefined ? { form } : { form, preset }).replace(/\/+$/, '')
    if (!clear && form.test(value) && !value.startsWith('https:') && !isLoopback(value))
      faults.push(`${name} must be https.`)
    return value
  }
  return { optional, text, number, url, fault: (sentence) => void faults.push(sentence) }
}

/** Throws a SettingsError if anything is wrong. */
export function readSettings<Config>(env: Environment, read: (settings: Settings) => Config): Config {
  const faults: string[] = []
  const config = read(createSettings(env, faults))
  if (faults.length > 0) throw new SettingsError([...new Set(faults)].join('\n'))
  return config
}

/** For a program: what is wrong is written, without a stack of calls, and the process ends with 1. */
export function settingsOrEnd<Config>(read: () => Config): Config {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

/** Mutual TLS: whoever calls the adapter shows a certificate that AUTHORITY has signed. All three, or
 *  none. */
function tlsOf({ optional, fault }: Settings): Address['tls'] {
  const [cert, key, ca] = ['CERTIFICATE', 'CERTIFICATE_KEY', 'AUTHORITY'].map(optional)
  if (cert === undefined && key === undefined && ca === undefined) return undefined
  if (cert === undefined || key === undefined || ca === undefined) {
    fault('CERTIFICATE, CERTIFICATE_KEY and AUTHORITY must be set together.')
    return undefined
  }
  try {
    for (const one of [cert, ca]) new X509Certificate(one)
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
      fault('CERTIFICATE_KEY is not the key of CERTIFICATE.')
  } catch {
    fault('CERTIFICATE, CERTIFICATE_KEY and AUTHORITY must be PEM files.') // its own words would quote them
  }
  return { cert, key, ca }
}

/** What every adapter needs. */
export function adapterSettings(settings: Settings, schema: string) {
  const { text, number, url, optional, fault } = settings
  const keys = [text('CONNECTOR_KEY', 'the key that is shared with the gateway'), optional('CONNECTOR_KEY_BEFORE')]
    .filter((key) => key !== undefined)
    .filter((key) => key !== '')
  if (keys.some((key) => key.length < KEY_MIN)) fault(`CONNECTOR_KEY: a key has at least ${KEY_MIN} characters.`)
  const form = /^[a-z][a-z0-9_]{0,39}$/
  const tls = tlsOf(settings)
  return {
    databaseUrl: text('DATABASE_URL', 'the PostgreSQL database of this adapter'),
    schema: text('SCHEMA', 'a short name of lower-case letters, digits and _', { form, preset: schema }),
    gatewayUrl: url('GATEWAY_URL', 'where the gateway takes notices'),
    /** One, or two during a rotation; the first one signs. */
    keys,
    host: text('HOST', 'an address of this machine', { preset: '127.0.0.1' }),
    port: number('PORT', 'where the gateway calls', { preset: '8090', most: 65_535 }),
    ...(tls === undefined ? {} : { tls }),
  }
}

/** How long the gateway is kept waiting for an answer, and after how long the outcome of a call to the bank
 *  is unknown. */
export function timeSettings({ text }: Settings, callSeconds = 60) {
  const within = { form: /^[1-9]$/, preset: '8' }
  const longest = { form: /^[1-9]\d?$/, preset: String(callSeconds) }
  return {
    answerWithinMs: 1_000 * Number(text('ANSWER_SECONDS', '1 to 9: the gateway waits ten', within)),
    callMs: 1_000 * Number(text('CALL_SECONDS', '1 to 99', longest)),
  }
}

/** Where a bank calls the adapter. */
export function webhookSettings({ text, number }: Settings, path: string) {
  return {
    webhookHost: text('WEBHOOK_HOST', 'an address of this machine', { preset: '127.0.0.1' }),
    webhookPort: number('WEBHOOK_PORT', 'where webhooks arrive', { preset: '8091', most: 65_535 }),
    webhookPath: text('WEBHOOK_PATH', 'the path of webhooks', { form: /^\/[\w./-]*$/, preset: path }),
  }
}

/** How banks write a day, as ISO 8601. */
const DATES: Readonly<Record<string, (date: string) => string>> = {
  'yyyy-mm-dd': (date) => date,
  'dd/mm/yyyy': (date) => date.replace(/^(\d\d)[/-](\d\d)[/-](\d{4})/, '$3-$2-$1'),
  'dd-mmm-yyyy': (date) =>
    date.replace(/^(\d\d)[- ]([A-Za-z]{3})[- ](\d{4})/, (_whole, day: string, month: string, year: string) => {
      const at = MONTHS.indexOf(month.toUpperCase()) / 3 + 1
      return `${year}-${String(at).padStart(2, '0')}-${day}`
    }),
}
const MONTHS = 'JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC'

/** Statements that the bank delivers as files; null where it does not, or nobody fetches them. */
export function statementSettings({ optional, text, number, fault }: Settings) {
  const folder = optional('STATEMENTS_FOLDER')
  if (folder === undefined || folder === '') return null
  const names = text('STATEMENTS_COLUMNS', 'the five columns date,credit,debit,reference,text of a CSV file', {
    form: /^[^,]+(?:,[^,]+){4}$/,
    preset: 'Date,Credit,Debit,Reference,Narration',
  }).split(',')
  const [date = '', credit = '', debit = '', reference = '', words = ''] = names.map((name) => name.trim())
  const isoOf = DATES[text('STATEMENTS_DATES', Object.keys(DATES).join(', '), { preset: 'yyyy-mm-dd' })]
  if (isoOf === undefined) fault(`STATEMENTS_DATES is not right: ${Object.keys(DATES).join(', ')}.`)
  const own = (optional('STATEMENTS_OWN_ACCOUNTS') ?? '').split(',').filter((one) => one.trim() !== '')
  if (own.some((one) => !/^\d{10}$/.test(one.trim())))
    fault('STATEMENTS_OWN_ACCOUNTS: account numbers of ten digits, with commas between them.')
  return {
    folder,
    csv: {
      columns: { date, credit, debit, reference, text: words },
      separator: text('STATEMENTS_SEPARATOR', 'one character', { form: /^.$/, preset: ',' }),
      isoOf: isoOf ?? ((day: string) => day),
    },
    ownAccounts: new Set(own.map((one) => one.trim())),
    chargeMostKobo:
      100n * BigInt(number('STATEMENTS_CHARGE_MOST', 'naira, at most 99999', { preset: '1000', most: 99_999 }) || 0),
  }
}

/** Of the bank, by its own name for the setting. */
export const environmentOf = ({ text }: Settings, name: string): 'TEST' | 'LIVE' =>
  text(name, 'TEST or LIVE', { form: /^(?:TEST|LIVE)$/ }) === 'LIVE' ? 'LIVE' : 'TEST'
