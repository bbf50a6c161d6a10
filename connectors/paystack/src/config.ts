// The settings of this adapter. Nothing else reads the environment.
import { readFileSync } from 'node:fs'
import { readSealKey, type SealKeys } from '@cowrie/connector-kit'

export type Config = {
  readonly environment: 'TEST' | 'LIVE'
  readonly url: string
  readonly secretKey: string
  /** What cards are sealed with, the one that is shown first. None: cards arrive clear. */
  readonly sealKeys: SealKeys
  readonly bankCode: string
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
}

type Environment = Readonly<Record<string, string | undefined>>

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])
/** Cards and the secret key travel there: in clear only on this machine. */
const isSafe = (url: string): boolean => {
  const address = URL.parse(url)
  return address !== null && (address.protocol === 'https:' || LOOPBACK.has(address.hostname))
}

/** Values, each with a sentence in `faults` when it is missing or wrong. */
function createReading(env: Environment, faults: string[]) {
  const optional = (name: string): string | undefined => {
    const file = env[`${name}_FILE`]
    if (file === undefined) return env[name]
    try {
      return readFileSync(file, 'utf8').trim()
    } catch {
      faults.push(`${name}_FILE cannot be read.`)
      return undefined
    }
  }
  const fits = (name: string, what: string, form = /\S/, fallback?: string): string => {
    const found = faults.length
    const value = optional(name) ?? fallback ?? ''
    if (value === '' && faults.length === found) faults.push(`${name} is missing: ${what}.`)
    else if (value !== '' && !form.test(value)) faults.push(`${name} is not right: ${what}.`)
    return value
  }
  const url = (name: string, what: string, fallback?: string): string => {
    const value = fits(name, what, /^https?:\/\/[^\s/@]+[^\s?#]*$/, fallback).replace(/\/+$/, '')
    if (URL.canParse(value) && !isSafe(value)) faults.push(`${name} must be https.`)
    return value
  }
  const port = (name: string, what: string, fallback: string): number => {
    const value = Number(fits(name, what, /^\d{1,5}$/, fallback))
    if (value > 65_535) faults.push(`${name} is too large: ${what}.`)
    return value
  }
  const sealKeys = (...names: readonly string[]): SealKeys =>
    names.flatMap((name) => {
      const pem = optional(name)
      try {
        return pem === undefined ? [] : [readSealKey(pem)]
      } catch {
        faults.push(`${name} is not right: a private RSA key in PEM, of at least 2048 bits.`)
        return []
      }
    })
  return { fits, url, port, sealKeys }
}

/** Throws one error with a sentence for each setting that is missing or wrong, and none of their values. */
export function readConfig(env: Environment): Config {
  const faults: string[] = []
  const { fits, url, port, sealKeys } = createReading(env, faults)
  const environment = fits('PAYSTACK_ENVIRONMENT', 'TEST or LIVE', /^(?:TEST|LIVE)$/) === 'LIVE' ? 'LIVE' : 'TEST'
  const kind = environment === 'LIVE' ? 'sk_live_' : 'sk_test_'
  const config: Config = {
    environment,
    url: url('PAYSTACK_URL', 'the address of the interface', 'https://api.paystack.co'),
    secretKey: fits('PAYSTACK_SECRET_KEY', `the secret key, which begins with ${kind}`, RegExp(`^${kind}\\w{16,}$`)),
    sealKeys: sealKeys('CARD_KEY', 'CARD_KEY_BEFORE'),
    bankCode: fits('BANK_CODE', 'at most ten characters', /^[\w-]{1,10}$/, 'PAYSTACK'),
    databaseUrl: fits('DATABASE_URL', 'the PostgreSQL database of this adapter'),
    schema: fits('SCHEMA', 'a short name of lower-case letters, digits and _', /^[a-z][a-z0-9_]{0,39}$/, 'paystack'),
    gatewayUrl: url('GATEWAY_URL', 'where the gateway takes notices'),
    keys: fits('CONNECTOR_KEYS', 'the key that is shared with the gateway, or two of them and a comma between')
      .split(/[,\n]/)
      .map((key) => key.trim())
      .filter((key) => key !== ''),
    host: fits('HOST', 'an address of this machine', /\S/, '127.0.0.1'),
    port: port('PORT', 'where the gateway calls', '8090'),
    webhookHost: fits('WEBHOOK_HOST', 'an address of this machine', /\S/, '127.0.0.1'),
    webhookPort: port('WEBHOOK_PORT', 'where Paystack calls', '8091'),
    webhookPath: fits('WEBHOOK_PATH', 'the path that Paystack calls', /^\/[\w./-]*$/, '/paystack'),
  }
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return config
}

export const config = (): Config => readConfig(process.env)
