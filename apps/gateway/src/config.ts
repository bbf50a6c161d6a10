// The only reader of process.env. Says all that is wrong at once, and refuses what must never be live.
import { findBank } from '@cowrie/contract/bank/banks'
import { ISSUING_BANKS } from '@cowrie/contract/collections/reserved-accounts'
import { databaseFault, type Logins } from '#core/cells/logins.ts'
import { readCertificates, type Tls } from '#core/keys/certificates.ts'
import { type KeySets, type ReadKeys, readingWrapped, readKeySets, rereading } from '#core/keys/key-sets.ts'
import { readCustodians, readHeadsKey, withoutSecrets } from '#core/keys/places.ts'
import type { FeedSettings, StrangersOpen } from '#kit/ctx.ts'
import type { KeyPlace, NamedPlace } from '#kit/custody.ts'
import { blockList, isLoopback, LOOPBACK } from '#kit/http/addresses.ts'
import { CELL, type CellId, FIRST_CONNECTOR, type Institution } from '#kit/ids.ts'
import { CannotStart, type Env } from '#kit/process.ts'

export type Config = {
  readonly environment: 'sandbox' | 'live'
  readonly cells: ReadonlyMap<CellId, Logins>
  /** The master key and the bank's key, in their versions; without those that are wrapped. */
  readonly keys: KeySets
  /** Reads them and opens those that are wrapped; null when none is. */
  readonly wrappedKeys: ReadKeys | null
  /** Who opens what is wrapped. */
  readonly custodians: readonly NamedPlace[]
  /** The key that signs the heads of the audit trail; null: the master key does. */
  readonly headsKey: KeyPlace | null
  /** The environment of programs that this one starts, which has none of our secrets. */
  readonly programs: Env
  /** For mutual TLS, by the name of the connector. */
  readonly certificates: ReadonlyMap<string, Tls>
  /** Reads again what is in files; null when no key is. */
  readonly rereadKeys: ReadKeys | null
  readonly keysSeconds: number
  readonly bankUrl: string
  /** Other banks, beside the one at bankUrl: their names and addresses. */
  readonly connectors: readonly { readonly name: string; readonly url: string }[]
  /** Who we are to the networks and banks. */
  readonly institution: Institution
  /** The address merchants and payers know us by. */
  readonly publicUrl: string
  readonly host: string
  readonly port: number
  /** Where the operator's people are served; null: nowhere. */
  readonly operator: { readonly host: string; readonly port: number } | null
  /** Where probes and metrics are served, of api and worker; null: nowhere. */
  readonly privately: { readonly host: string; readonly port: number } | null
  /** How long a process that is to end goes on serving, known as not ready. */
  readonly drainMs: number
  /** How long what is under way then may take. */
  readonly stopMs: number
  /** The address the operator's people know their console by. */
  readonly operatorUrl: string
  /** The database of people, where it is none of the cells. */
  readonly identities: Logins | null
  readonly smtpUrl: string
  readonly mailFrom: string
  /** Socket addresses of our own proxies, whose last X-Forwarded-For entry is believed. */
  readonly trustedProxies: readonly string[]
  /** Requests a second of one address and process without a good token or signature: checkouts, pages,
   *  logins. */
  readonly anonymousPerSecond: number
  /** Networks inside that the sandbox may post notifications to; none in live. */
  readonly webhookNetworks: readonly string[]
  readonly logLevel: string
  /** Connections per cell and process for batches and timers; the width of the group commit. */
  readonly connections: number
  /** How many days the account number of a payment is in quarantine before another payment is given it. */
  readonly numberQuarantineDays: number
  /** How many hours, if nobody ever paid to it. */
  readonly numberRestHours: number
  /** How many account numbers of each bank that issues its own are kept ready. */
  readonly numbersStock: number
  /** How many payments that wait to be paid strangers may have opened. */
  readonly strangersOpen: StrangersOpen
  /** How many days after the month of an event the attempts to deliver it are kept. */
  readonly attemptsDays: number
  /** How many months after the month of an event its body is kept; 0: for ever. */
  readonly eventBodiesMonths: number
  /** How many days a line of the request log is kept; 0: none is written. */
  readonly requestLogDays: number
  /** In naira: from here on a reversal of what had been paid out waits for the bank's statement; 0: none
   *  waits. */
  readonly largeReversal: number
  /** What a password costs: the power of two of scrypt's N. */
  readonly passwordCost: number
  /** The identity provider that people may log in through; null: none. */
  readonly oidc: OidcSettings | null
  /** Where security events and signed heads of the audit trail go. */
  readonly security: FeedSettings
}
export type OidcSettings = { readonly issuer: string; readonly clientId: string; readonly clientSecret: string }

/** What the database of people is called where it is none of the cells. */
export const IDENTITIES_CELL: CellId = '00'
const DEFAULT_HOST = '127.0.0.1'
const PASSWORD_COST_MIN = 17
/** What an SMTP address may ask for in live; anything else could switch the encryption off. */
const SMTP_OPTIONS = new Set(['requireTLS', 'name', 'authMethod'])

const CELLS_FORM =
  'CELLS must be of the form 01=<login of cowrie_app>|<login of cowrie_engine>[,02=…], each a postgres:// address, with all hosts of a cell that has standbys: postgres://login:password@a,b,c/cell_01'
const isDatabaseUrl = (text: string | undefined): text is string =>
  /^postgres(ql)?:\/\/[^/?]*([/?][^,]*)?$/.test(text ?? '')

/** The cells of an installation; null when the text is not of the form. One login in place of two serves both
 *  roles; live refuses that. */
function readCells(text: string): Map<CellId, Logins> | null {
  const cells = new Map<CellId, Logins>()
  for (const part of text.split(/,(?=\d\d=)/).filter(Boolean)) {
    const [cell = '', ...rest] = part.split('=')
    const [app, engine = app, ...more] = rest.join('=').split('|')
    if (!CELL.test(cell) || !isDatabaseUrl(app) || !isDatabaseUrl(engine) || more.length > 0) return null
    cells.set(cell, { app, engine })
  }
  return cells.size === 0 ? null : cells
}

/** `<login of cowrie_app>|<login of cowrie_engine>`. */
function readIdentities(env: Env, cells: Config['cells'] | null, wrong: string[]): Logins | null {
  const text = env['IDENTITIES']
  if (!text) return null
  const [app, engine = app, ...more] = text.split('|')
  if (cells?.has(IDENTITIES_CELL)) wrong.push(`CELLS must not have a cell ${IDENTITIES_CELL} beside IDENTITIES`)
  if (isDatabaseUrl(app) && isDatabaseUrl(engine) && more.length === 0) return { app, engine }
  wrong.push('IDENTITIES must be <login of cowrie_app>|<login of cowrie_engine>, each a postgres:// address')
  return null
}

/** The operator's console is reached apart from the api, and in live never over an open line. */
function operatorUrl(env: Env, wrong: string[]): string {
  const host = env['OPERATOR_HOST'] ?? DEFAULT_HOST
  const url = (env['OPERATOR_URL'] ?? `http://${host}:${env['OPERATOR_PORT'] || 0}`).replace(/\/+$/, '')
  const parsed = URL.parse(url)
  if (parsed === null) wrong.push('OPERATOR_URL must be an address')
  else if (env['ENVIRONMENT'] === 'live' && parsed.protocol !== 'https:' && !isLoopback(parsed.hostname))
    wrong.push('OPERATOR_URL must be https in live, unless it is on this machine')
  return url
}

/** A sandbox that others can reach must not be their way to what is inside: loopback only when it is reached
 *  there itself. */
function webhookNetworks(env: Env, wrong: string[]): string[] {
  const named = (env['WEBHOOK_NETWORKS'] ?? '').split(',').filter(Boolean)
  if (named.length > 0 && env['ENVIRONMENT'] === 'live') wrong.push('WEBHOOK_NETWORKS is allowed in the sandbox only')
  try {
    blockList(named)
  } catch {
    wrong.push('WEBHOOK_NETWORKS must be addresses or networks separated by commas: 10.0.0.0/8,192.168.1.7')
  }
  const hosts = [env['HOST'] ?? DEFAULT_HOST, URL.parse(env['PUBLIC_URL'] ?? '')?.hostname ?? '']
  return [...(hosts.every(isLoopback) ? LOOPBACK : []), ...named]
}

/** The instant payment network's code of the sandbox's company. */
export const SANDBOX_INSTITUTION = '000013'

const SANDBOX_ACCOUNT_NAME = 'Cowrie'
/** The licensed company's own codes; those of the sandbox where it names none. */
function institutionOf(env: Env, wrong: string[]): Institution {
  const code = env['INSTITUTION_CODE'] || SANDBOX_INSTITUTION
  if (!/^\d{6}$/.test(code)) wrong.push('INSTITUTION_CODE must be the six digits of the instant payment network')
  const banks = (env['ISSUING_BANKS'] || ISSUING_BANKS.join(',')).split(',')
  const strange = banks.find((bank) => findBank(bank) === undefined)
  if (strange !== undefined) wrong.push(`ISSUING_BANKS must be codes of banks separated by commas; ${strange} is none`)
  if (new Set(banks).size !== banks.length) wrong.push('ISSUING_BANKS names a bank twice')
  const [first = '', ...others] = banks
  const accountName = env['ACCOUNT_NAME'] || SANDBOX_ACCOUNT_NAME
  if (accountName.length > 200) wrong.push('ACCOUNT_NAME must have 200 characters at most')
  return { code, issuingBanks: [first, ...others], accountName }
}

const CONNECTOR_NAME = /^[a-z][a-z0-9-]{1,19}$/
/** `name=address,name=address`. A name stands in rows for ever, so it is short and plain. */
function connectorsOf(env: Env, wrong: string[]): Config['connectors'] {
  const given = (env['CONNECTORS'] ?? '').split(',').filter(Boolean)
  const connectors = given.map((part) => {
    const [name = '', ...rest] = part.split('=')
    return { name, url: rest.join('=').replace(/\/+$/, '') }
  })
  const names = connectors.map(({ name }) => name)
  if (
    !connectors.every(({ name, url }) => CONNECTOR_NAME.test(name) && /^https?:$/.test(URL.parse(url)?.protocol ?? ''))
  )
    wrong.push(
      'CONNECTORS must be of the form nibss=https://…,providus=https://…, with names of small letters and digits',
    )
  if (new Set(names).size < names.length) wrong.push('CONNECTORS gives a name twice')
  if (names.includes(FIRST_CONNECTOR))
    wrong.push(`CONNECTORS must not name ${FIRST_CONNECTOR}: that is the one at BANK_URL`)
  return connectors
}

/** Below what OWASP recommends only in the sandbox; far above it a log-in would take a gigabyte. */
function passwordCost(cost: number, environment: Config['environment'], wrong: string[]): number {
  const least = environment === 'live' ? PASSWORD_COST_MIN : 10
  if (cost < least || cost > 20) wrong.push(`PASSWORD_COST must be a number from ${least} to 20`)
  return cost
}

/** All three, or none. */
function oidcSettings(env: Env, wrong: string[]): OidcSettings | null {
  const [issuer, clientId, clientSecret] = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'].map(
    (name) => env[name] || null,
  )
  if (!issuer && !clientId && !clientSecret) return null
  if (!issuer || !clientId || !clientSecret) {
    wrong.push('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together')
    return null
  }
  const { protocol } = URL.parse(issuer) ?? {}
  if (protocol !== 'https:' && protocol !== 'http:') wrong.push('OIDC_ISSUER must be an address')
  else if (protocol === 'http:' && env['ENVIRONMENT'] === 'live') wrong.push('OIDC_ISSUER must be https in live')
  return { issuer, clientId, clientSecret }
}

const SECURITY_KEY_MIN = 32
function securitySettings(env: Env, wrong: string[]): FeedSettings {
  const [folder, url, key] = ['SECURITY_FOLDER', 'SECURITY_URL', 'SECURITY_KEY'].map((name) => env[name] || null)
  if (Boolean(url) !== Boolean(key)) wrong.push('SECURITY_URL and SECURITY_KEY must be set together')
  const parsed = url ? URL.parse(url) : null
  if (url && !/^https?:$/.test(parsed?.protocol ?? '')) wrong.push('SECURITY_URL must be an address')
  if (env['ENVIRONMENT'] === 'live' && parsed?.protocol === 'http:' && !isLoopback(parsed.hostname))
    wrong.push('SECURITY_URL must be https in live, unless it is on this machine')
  if (key && key.length < SECURITY_KEY_MIN) wrong.push(`SECURITY_KEY must have ${SECURITY_KEY_MIN} characters at least`)
  return { folder: folder ?? null, receiver: url && key ? { url, key } : null }
}

/** CELLS as it would be written, to hand it to another process. */
export const cellsText = (cells: Config['cells']): string =>
  [...cells].map(([cell, { app, engine }]) => `${cell}=${app === engine ? app : `${app}|${engine}`}`).join(',')

function loginFaults(setting: string, what: string, { app, engine }: Logins): string[] {
  const faults = new Set([app, engine].map(databaseFault).filter((fault) => fault !== null))
  return [
    ...(app === engine ? [`${setting} must give ${what} two logins in live, one per role`] : []),
    ...Array.from(faults, (fault) => `${setting}: ${what} ${fault}`),
  ]
}

/** What live refuses: anything that would send card data, codes, passwords or books over an open line, and
 *  one login for both roles. Loopback does not exempt the bank and the mail server: card numbers and codes go
 *  there. A setting that is missing is reported as missing, and not here again. */
function liveFaults(config: Config, env: Env): string[] {
  const wrong: string[] = []
  if (config.publicUrl && !config.publicUrl.startsWith('https://')) wrong.push('PUBLIC_URL must be https in live')
  const bank = URL.parse(config.bankUrl)
  if (config.bankUrl && bank?.protocol !== 'https:') wrong.push('BANK_URL must be https in live')
  for (const { name, url } of config.connectors)
    if (!url.startsWith('https://')) wrong.push(`CONNECTORS: ${name} must be https in live`)
  const mail = URL.parse(config.smtpUrl)
  const encrypted =
    mail?.protocol === 'smtps:' || (mail?.protocol === 'smtp:' && mail.searchParams.get('requireTLS') === 'true')
  if (config.smtpUrl && !encrypted) wrong.push('SMTP_URL must be smtps://… or smtp://…?requireTLS=true in live')
  for (const name of new Set(mail?.searchParams.keys()))
    if (!SMTP_OPTIONS.has(name)) wrong.push(`SMTP_URL must not set ${name} in live`)
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    wrong.push(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 turns certificate checks off and is not allowed in live (use NODE_EXTRA_CA_CERTS)',
    )
  for (const [cell, logins] of config.cells) wrong.push(...loginFaults('CELLS', `cell ${cell}`, logins))
  if (config.identities) wrong.push(...loginFaults('IDENTITIES', 'the database', config.identities))
  return wrong
}

/** Room for a phone network's customers behind one address, and for a payment link that the radio names. */
const STRANGERS_OPEN = '300,2000,20000'
function strangersOpen(env: Env, wrong: string[]): StrangersOpen {
  const [network = 0, link = 0, merchant = 0, ...more] = (env['STRANGERS_OPEN'] || STRANGERS_OPEN)
    .split(',')
    .map(Number)
  const good = [network, link, merchant].every((most) => Number.isSafeInteger(most) && most > 0 && most < 2 ** 31)
  if (!good || more.length > 0)
    wrong.push('STRANGERS_OPEN must be three whole numbers with commas: per network, payment link and merchant')
  return { network, link, merchant }
}

/** `programs`: what programs inherit that this one starts, where that is not what it reads. */
export function readConfig(env: Env = process.env, programs: Env = env): Config {
  const wrong: string[] = []
  const need = (name: string): string => {
    const value = env[name]
    if (!value) wrong.push(`${name} is missing`)
    return value ?? ''
  }
  const number = (name: string, otherwise: number): number => {
    const value = env[name]
    if (value === undefined || value === '') return otherwise
    if (!/^\d+$/.test(value)) wrong.push(`${name} must be a whole number`)
    return Number(value)
  }
  const listener = (name: 'OPERATOR' | 'PRIVATE') =>
    env[`${name}_PORT`] ? { host: env[`${name}_HOST`] ?? DEFAULT_HOST, port: number(`${name}_PORT`, 0) } : null
  // Never guessed: a live process whose setting was lost must not start as a sandbox, whose clock anybody may
  // move.
  const environment = need('ENVIRONMENT') === 'live' ? 'live' : 'sandbox'
  if (env['ENVIRONMENT'] && env['ENVIRONMENT'] !== 'live' && env['ENVIRONMENT'] !== 'sandbox')
    wrong.push('ENVIRONMENT must be sandbox or live')
  const cellsGiven = need('CELLS')
  const cells = readCells(cellsGiven)
  if (cellsGiven && cells === null) wrong.push(CELLS_FORM)
  const config: Config = {
    environment,
    cells: cells ?? new Map(),
    keys: readKeySets(env, wrong),
    certificates: readCertificates(env, FIRST_CONNECTOR, wrong),
    wrappedKeys: readingWrapped(env),
    rereadKeys: rereading(env),
    custodians: readCustodians(env, wrong),
    headsKey: readHeadsKey(env, wrong),
    programs: withoutSecrets(programs),
    keysSeconds: Math.max(1, number('KEYS_SECONDS', 10)),
    institution: institutionOf(env, wrong),
    bankUrl: need('BANK_URL').replace(/\/+$/, ''),
    connectors: connectorsOf(env, wrong),
    publicUrl: need('PUBLIC_URL').replace(/\/+$/, ''),
    host: env['HOST'] ?? DEFAULT_HOST,
    port: number('PORT', 4000),
    operator: listener('OPERATOR'),
    privately: listener('PRIVATE'),
    drainMs: number('DRAIN_SECONDS', environment === 'live' ? 5 : 0) * 1000,
    stopMs: number('STOP_SECONDS', environment === 'live' ? 25 : 2) * 1000,
    operatorUrl: operatorUrl(env, wrong),
    identities: readIdentities(env, cells, wrong),
    smtpUrl: need('SMTP_URL'),
    mailFrom: env['MAIL_FROM'] ?? 'Cowrie <no-reply@cowrie.example>',
    trustedProxies: (env['TRUSTED_PROXIES'] ?? '').split(',').filter(Boolean),
    anonymousPerSecond: number('ANONYMOUS_PER_SECOND', 200),
    webhookNetworks: webhookNetworks(env, wrong),
    logLevel: env['LOG_LEVEL'] ?? 'info',
    connections: number('CONNECTIONS', 16),
    numberQuarantineDays: number('NUMBER_QUARANTINE_DAYS', 90),
    numberRestHours: number('NUMBER_REST_HOURS', 48),
    numbersStock: number('NUMBERS_STOCK', 200),
    strangersOpen: strangersOpen(env, wrong),
    attemptsDays: number('ATTEMPTS_DAYS', 90),
    eventBodiesMonths: number('EVENT_BODIES_MONTHS', 0),
    requestLogDays: number('REQUEST_LOG_DAYS', 7),
    largeReversal: number('LARGE_REVERSAL', 1_000_000),
    passwordCost: passwordCost(number('PASSWORD_COST', PASSWORD_COST_MIN), environment, wrong),
    oidc: oidcSettings(env, wrong),
    security: securitySettings(env, wrong),
  }
  if (environment === 'live') wrong.push(...liveFaults(config, env))
  if (wrong.length > 0) throw new CannotStart(`the configuration is not valid:\n  ${wrong.join('\n  ')}`)
  return config
}
