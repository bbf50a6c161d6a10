// Settings, from the environment. A secret may be in a file: NAME_FILE instead of NAME.
import { readFileSync } from 'node:fs'

export type Config = ReturnType<typeof readConfig>
export type NibssSettings = Config['nibss']

type Env = Readonly<Record<string, string | undefined>>
type Rule = { readonly form: RegExp; readonly what: string }

const ANY: Rule = { form: /\S/, what: 'is not set' }
const SIX: Rule = { form: /^\d{6}$/, what: 'must be the six digits that NIBSS gave' }
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Tokens, names and account numbers travel there: in clear only on this machine. */
const addressFault = (text: string): string | null => {
  const address = URL.parse(text)
  if (address === null || !/^https?:$/.test(address.protocol)) return 'must be an address'
  if (address.username !== '' || address.search !== '') return 'must be an address without a login and a query'
  return address.protocol === 'https:' || LOOPBACK.has(address.hostname) ? null : 'must be https'
}

export class ConfigError extends Error {
  override name = 'ConfigError'
}

function createReading(env: Env, wrong: string[]) {
  const secret = (name: string): string | undefined => {
    const file = env[`${name}_FILE`]
    if (file === undefined) return env[name]
    if (env[name] !== undefined) wrong.push(`${name} and ${name}_FILE are both set`)
    try {
      return readFileSync(file, 'utf8').trim()
    } catch {
      wrong.push(`${name}_FILE: the file cannot be read`)
      return '(unreadable)'
    }
  }
  const need = (name: string, { form, what }: Rule = ANY, preset?: string): string => {
    const text = (secret(name) || preset) ?? ''
    if (text === '') wrong.push(`${name} is not set`)
    else if (text !== '(unreadable)' && !form.test(text)) wrong.push(`${name} ${what}`)
    return text
  }
  const address = (name: string): string => {
    const text = need(name).replace(/\/+$/, '')
    const fault = text === '' ? null : addressFault(text)
    if (fault !== null) wrong.push(`${name} ${fault}`)
    return text
  }
  return { need, address }
}

export function readConfig(env: Env = process.env) {
  const wrong: string[] = []
  const { need, address } = createReading(env, wrong)
  const digits = (count: number): Rule => ({ form: RegExp(`^\\d{${count}}$`), what: `must have ${count} digits` })
  const clientId = need('NIBSS_CLIENT_ID')
  const url = address('NIBSS_URL')
  const mandate = need('NIBSS_MANDATE')
  const keys = need('GATEWAY_KEYS')
    .split(/[\n,]+/)
    .map((key) => key.trim())
  if (keys[0] !== '' && keys.some((key) => key.length < 16))
    wrong.push('GATEWAY_KEYS: a key has at least 16 characters')
  const config = {
    databaseUrl: need('DATABASE_URL'),
    schema: need('DATABASE_SCHEMA', ANY, 'nibss_easypay'),
    host: need('HOST', ANY, '127.0.0.1'),
    port: Number(need('PORT', { form: /^\d{1,5}$/, what: 'must be a number' }, '8090')),
    /** How long the gateway is kept waiting for an answer: it waits ten seconds. */
    answerWithinMs: 1_000 * Number(need('ANSWER_SECONDS', { form: /^[1-9]$/, what: 'must be 1 to 9' }, '8')),
    /** After this long the calls of a payout are over, and its outcome unknown. */
    callMs: 1_000 * Number(need('CALL_SECONDS', { form: /^[1-9]\d?$/, what: 'must be 1 to 99' }, '60')),
    gatewayUrl: address('GATEWAY_URL'),
    /** Two during a rotation, the one that is signed with first. */
    gatewayKeys: keys,
    environment: need('ENVIRONMENT', { form: /^(?:LIVE|TEST)$/, what: 'must be LIVE or TEST' }) as 'LIVE' | 'TEST',
    /** Who the gateway believes to talk to. */
    bankCode: need('BANK_CODE', { form: /^.{1,10}$/, what: 'must have at most 10 characters' }),
    bankName: need('BANK_NAME', ANY, 'NIBSS EasyPay'),
    nibss: {
      url,
      tokenUrl: url + need('NIBSS_TOKEN_PATH', { form: /^\/[\w/-]+$/, what: 'must begin with /' }, '/reset'),
      clientId,
      clientSecret: need('NIBSS_CLIENT_SECRET'),
      scope: need('NIBSS_SCOPE', ANY, `${clientId}/.default`),
      /** What our sessions begin with. */
      institution: need('NIBSS_INSTITUTION_CODE', SIX),
      channel: need('NIBSS_CHANNEL', { form: /^(?:[1-9]|1[0-2])$/, what: 'must be 1 to 12' }, '7'),
      location: need('NIBSS_LOCATION', { form: /^-?\d+\.\d+,-?\d+\.\d+$/, what: 'must be latitude,longitude' }),
      billerId: need('NIBSS_BILLER_ID'),
      mandate,
      balanceMandate: need('NIBSS_BALANCE_MANDATE', ANY, mandate || 'unset'),
      /** The account that payouts are debited from. */
      account: {
        bank: need('NIBSS_ACCOUNT_INSTITUTION', SIX),
        number: need('NIBSS_ACCOUNT_NUMBER', digits(10)),
        name: need('NIBSS_ACCOUNT_NAME'),
        kycLevel: need('NIBSS_ACCOUNT_KYC_LEVEL', { form: /^[1-3]$/, what: 'must be 1, 2 or 3' }, '3'),
        bvn: need('NIBSS_ACCOUNT_BVN', digits(11)),
      },
    },
  }
  if (wrong.length > 0) throw new ConfigError([...new Set(wrong)].map((one) => `${one}.`).join('\n'))
  return config
}
