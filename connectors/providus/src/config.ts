// The settings of this adapter. Nothing else reads the environment.
import { readFileSync } from 'node:fs'

export type Config = {
  readonly environment: 'TEST' | 'LIVE'
  /** Payouts: `…/postingrest` */
  readonly transfersUrl: string
  readonly userName: string
  readonly password: string
  /** The account at Providus that payouts are paid from. */
  readonly debitAccount: string
  /** Collections: `…/api` */
  readonly collectionsUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly numbers: 'reserved' | 'dynamic'
  /** As agreed with the bank: 10 unless extended, at most 48 hours. */
  readonly dynamicMinutes: number
  readonly databaseUrl: string
  readonly schema: string
  readonly gatewayUrl: string
  /** One, or two during a rotation; the first one signs. */
  readonly keys: readonly string[]
  readonly host: string
  readonly port: number
  readonly webhookHost: string
  readonly webhookPort: number
  readonly webhookPath: string
  /** How long the gateway and the bank's webhooks are kept waiting for an answer. */
  readonly answerWithinMs: number
  /** After this long a transfer is over, and its outcome unknown. */
  readonly callMs: number
}

type Environment = Readonly<Record<string, string | undefined>>

const isLoopback = (url: string): boolean =>
  ['127.0.0.1', 'localhost', '[::1]'].includes(URL.parse(url)?.hostname ?? '')

/** Throws one error with a sentence for each setting that is missing or wrong, and none of their values. */
export function readConfig(env: Environment): Config {
  const faults: string[] = []
  const read = (name: string, what: string, fallback?: string): string => {
    const file = env[`${name}_FILE`]
    let value = env[name] ?? fallback
    try {
      if (file !== undefined) value = readFileSync(file, 'utf8').trim()
    } catch {
      faults.push(`${name}_FILE cannot be read.`)
      return ''
    }
    if (value === undefined || value === '') faults.push(`${name} is missing: ${what}.`)
    return value ?? ''
  }
  const fits = (name: string, what: string, form: RegExp, fallback?: string): string => {
    const value = read(name, what, fallback)
    if (value !== '' && !form.test(value)) faults.push(`${name} is not right: ${what}.`)
    return value
  }
  const number = (name: string, what: string, fallback: string, most: number): number => {
    const value = Number(fits(name, what, /^\d{1,5}$/, fallback))
    if (value > most) faults.push(`${name} is too large: ${what}.`)
    return value
  }
  const url = (name: string, what: string): string => fits(name, what, /^https?:\/\/[^\s/]/).replace(/\/+$/, '')

  const config: Config = {
    environment: fits('PROVIDUS_ENVIRONMENT', 'TEST or LIVE', /^(?:TEST|LIVE)$/) === 'LIVE' ? 'LIVE' : 'TEST',
    transfersUrl: url('PROVIDUS_TRANSFERS_URL', "the bank's address for payouts"),
    userName: read('PROVIDUS_USERNAME', 'the login for payouts'),
    password: read('PROVIDUS_PASSWORD', 'the password for payouts'),
    debitAccount: fits('PROVIDUS_DEBIT_ACCOUNT', 'ten digits, the account that payouts are paid from', /^\d{10}$/),
    collectionsUrl: url('PROVIDUS_COLLECTIONS_URL', "the bank's address for account numbers"),
    clientId: read('PROVIDUS_CLIENT_ID', 'the Client-Id for account numbers'),
    clientSecret: read('PROVIDUS_CLIENT_SECRET', 'the secret of that Client-Id'),
    numbers:
      fits('PROVIDUS_NUMBERS', 'reserved or dynamic', /^(?:reserved|dynamic)$/, 'reserved') === 'dynamic'
        ? 'dynamic'
        : 'reserved',
    dynamicMinutes: number('PROVIDUS_DYNAMIC_MINUTES', 'minutes, at most 2880', '10', 2_880),
    databaseUrl: read('DATABASE_URL', 'the PostgreSQL database of this adapter'),
    schema: fits('SCHEMA', 'a short name of lower-case letters, digits and _', /^[a-z][a-z0-9_]{0,39}$/, 'providus'),
    gatewayUrl: url('GATEWAY_URL', 'where the gateway takes notices'),
    keys: read('CONNECTOR_KEYS', 'the key that is shared with the gateway, or two of them and a comma between')
      .split(/[,\n]/)
      .map((key) => key.trim())
      .filter((key) => key !== ''),
    host: read('HOST', 'an address of this machine', '127.0.0.1'),
    port: number('PORT', 'where the gateway calls', '8090', 65_535),
    webhookHost: read('WEBHOOK_HOST', 'an address of this machine', '127.0.0.1'),
    webhookPort: number('WEBHOOK_PORT', 'where the bank calls', '8091', 65_535),
    webhookPath: fits('WEBHOOK_PATH', 'the path that the bank calls', /^\/[\w./-]*$/, '/providus'),
    answerWithinMs: 1_000 * Number(fits('ANSWER_SECONDS', '1 to 9: the gateway waits ten', /^[1-9]$/, '8')),
    callMs: 1_000 * Number(fits('CALL_SECONDS', '1 to 99', /^[1-9]\d?$/, '60')),
  }
  const plain = [config.transfersUrl, config.collectionsUrl].some((at) => at.startsWith('http:') && !isLoopback(at))
  if (config.environment === 'LIVE' && plain && env['PROVIDUS_PLAIN_HTTP'] !== 'through-a-vpn')
    faults.push(
      'An address of the bank is http, and the password goes there in the body: PROVIDUS_PLAIN_HTTP=through-a-vpn says that it is safe.',
    )
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return config
}

export const config = (): Config => readConfig(process.env)
