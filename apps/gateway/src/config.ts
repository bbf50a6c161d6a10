// The only reader of process.env. Says all that is wrong at once, and refuses what must never be live.
import { databaseFault, type Logins } from './core/cells/logins.ts'
import { blockList, isLoopback, LOOPBACK } from './kit/http/addresses.ts'
import { CELL, type CellId } from './kit/ids.ts'
import { CannotStart } from './kit/process.ts'

export type Config = {
  readonly environment: 'sandbox' | 'live'
  readonly cells: ReadonlyMap<CellId, Logins>
  readonly masterKey: Buffer
  readonly bankUrl: string
  readonly bankKey: string
  /** The address merchants and payers know us by. */
  readonly publicUrl: string
  readonly host: string
  readonly port: number
  readonly smtpUrl: string
  readonly mailFrom: string
  /** Socket addresses of our own proxies, whose last X-Forwarded-For entry is believed. */
  readonly trustedProxies: readonly string[]
  /** Requests a second of one address and process without a good token or signature: checkouts, pages, logins. */
  readonly anonymousPerSecond: number
  /** Networks inside that the sandbox may post notifications to; none in live. */
  readonly webhookNetworks: readonly string[]
  readonly logLevel: string
  /** Connections per cell and process for batches and timers; the width of the group commit. */
  readonly connections: number
  /** How many days the account number of a payment is in quarantine before another payment is given it. */
  readonly numberQuarantineDays: number
  /** How many days after the month of an event the attempts to deliver it are kept. */
  readonly attemptsDays: number
  /** How many months after the month of an event its body is kept; 0: for ever. */
  readonly eventBodiesMonths: number
}

type Env = Readonly<Record<string, string | undefined>>

const DEFAULT_HOST = '127.0.0.1'
const BANK_KEY_BYTES_MIN = 32
/** What an SMTP address may ask for in live; anything else could switch the encryption off. */
const SMTP_OPTIONS = new Set(['requireTLS', 'name', 'authMethod'])

const CELLS_FORM =
  'CELLS must be of the form 01=<login of cowrie_app>|<login of cowrie_engine>[,02=…], each a postgres:// address'
const isDatabaseUrl = (text: string | undefined): text is string => /^postgres(ql)?:\/\//.test(text ?? '')

/** The cells of an installation; null when the text is not of the form. One login in place of two serves both roles; live
 *  refuses that. */
function readCells(text: string): Map<CellId, Logins> | null {
  const cells = new Map<CellId, Logins>()
  for (const part of text.split(',').filter(Boolean)) {
    const [cell = '', ...rest] = part.split('=')
    const [app, engine = app, ...more] = rest.join('=').split('|')
    if (!CELL.test(cell) || !isDatabaseUrl(app) || !isDatabaseUrl(engine) || more.length > 0) return null
    cells.set(cell, { app, engine })
  }
  return cells.size === 0 ? null : cells
}

/** A sandbox that others can reach must not be their way to what is inside: loopback only when it is reached there itself. */
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

/** CELLS as it would be written, to hand it to another process. */
export const cellsText = (cells: Config['cells']): string =>
  [...cells].map(([cell, { app, engine }]) => `${cell}=${app === engine ? app : `${app}|${engine}`}`).join(',')

/** What live refuses: anything that would send card data, codes, passwords or books over an open line, and one login for
 *  both roles. Loopback does not exempt the bank and the mail server: card numbers and codes go there. A setting that is
 *  missing is reported as missing, and not here again. */
function liveFaults(config: Config, env: Env): string[] {
  const wrong: string[] = []
  if (config.publicUrl && !config.publicUrl.startsWith('https://')) wrong.push('PUBLIC_URL must be https in live')
  const bank = URL.parse(config.bankUrl)
  if (config.bankUrl && bank?.protocol !== 'https:') wrong.push('BANK_URL must be https in live')
  if (config.bankKey && Buffer.byteLength(config.bankKey) < BANK_KEY_BYTES_MIN)
    wrong.push(`BANK_KEY must be at least ${BANK_KEY_BYTES_MIN} bytes in live (openssl rand -base64 32)`)
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
  for (const [cell, { app, engine }] of config.cells) {
    if (app === engine) wrong.push(`CELLS must give cell ${cell} two logins in live, one per role`)
    const faults = new Set([app, engine].map(databaseFault).filter((fault) => fault !== null))
    for (const fault of faults) wrong.push(`CELLS: cell ${cell} ${fault}`)
  }
  return wrong
}

export function readConfig(env: Env = process.env): Config {
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
  // Never guessed: a live process whose setting was lost must not start as a sandbox, whose clock anybody may move.
  const environment = need('ENVIRONMENT') === 'live' ? 'live' : 'sandbox'
  if (env['ENVIRONMENT'] && env['ENVIRONMENT'] !== 'live' && env['ENVIRONMENT'] !== 'sandbox')
    wrong.push('ENVIRONMENT must be sandbox or live')
  const keyText = need('MASTER_KEY')
  const masterKey = Buffer.from(keyText, 'base64')
  if (keyText && masterKey.length !== 32) wrong.push('MASTER_KEY must be 32 bytes in base64 (openssl rand -base64 32)')
  const cellsGiven = need('CELLS')
  const cells = readCells(cellsGiven)
  if (cellsGiven && cells === null) wrong.push(CELLS_FORM)
  const config: Config = {
    environment,
    cells: cells ?? new Map(),
    masterKey,
    bankUrl: need('BANK_URL').replace(/\/+$/, ''),
    bankKey: need('BANK_KEY'),
    publicUrl: need('PUBLIC_URL').replace(/\/+$/, ''),
    host: env['HOST'] ?? DEFAULT_HOST,
    port: number('PORT', 4000),
    smtpUrl: need('SMTP_URL'),
    mailFrom: env['MAIL_FROM'] ?? 'Cowrie <no-reply@cowrie.example>',
    trustedProxies: (env['TRUSTED_PROXIES'] ?? '').split(',').filter(Boolean),
    anonymousPerSecond: number('ANONYMOUS_PER_SECOND', 200),
    webhookNetworks: webhookNetworks(env, wrong),
    logLevel: env['LOG_LEVEL'] ?? 'info',
    connections: number('CONNECTIONS', 16),
    numberQuarantineDays: number('NUMBER_QUARANTINE_DAYS', 90),
    attemptsDays: number('ATTEMPTS_DAYS', 90),
    eventBodiesMonths: number('EVENT_BODIES_MONTHS', 0),
  }
  if (environment === 'live') wrong.push(...liveFaults(config, env))
  if (wrong.length > 0) throw new CannotStart(`the configuration is not valid:\n  ${wrong.join('\n  ')}`)
  return config
}
