// The only reader of process.env. Says all that is wrong at once, and refuses what must never be live.
import { CELL, type CellId } from './kit/ids.ts'

export type Config = {
  readonly environment: 'sandbox' | 'live'
  readonly cells: ReadonlyMap<CellId, string>
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
  readonly logLevel: string
  /** Connections per cell and process for batches and timers; the width of the group commit. */
  readonly connections: number
}

type Env = Readonly<Record<string, string | undefined>>

function readCells(text: string, wrong: string[]): Map<CellId, string> {
  const cells = new Map<CellId, string>()
  for (const part of text.split(',').filter(Boolean)) {
    const [cell = '', ...rest] = part.split('=')
    const url = rest.join('=')
    if (!CELL.test(cell) || !/^postgres(ql)?:\/\//.test(url)) {
      wrong.push('CELLS must read 01=postgres://…[,02=postgres://…]')
      break
    }
    cells.set(cell, url)
  }
  if (cells.size === 0) wrong.push('CELLS names no cell')
  return cells
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
  const environment = env['ENVIRONMENT'] === 'live' ? 'live' : 'sandbox'
  if (env['ENVIRONMENT'] && env['ENVIRONMENT'] !== 'live' && env['ENVIRONMENT'] !== 'sandbox') {
    wrong.push('ENVIRONMENT must be sandbox or live')
  }
  const masterKey = Buffer.from(need('MASTER_KEY'), 'base64')
  if (masterKey.length !== 32) wrong.push('MASTER_KEY must be 32 bytes in base64 (openssl rand -base64 32)')
  const publicUrl = need('PUBLIC_URL').replace(/\/+$/, '')
  if (environment === 'live' && !publicUrl.startsWith('https://')) wrong.push('PUBLIC_URL must be https in live')
  const config: Config = {
    environment,
    cells: readCells(need('CELLS'), wrong),
    masterKey,
    bankUrl: need('BANK_URL').replace(/\/+$/, ''),
    bankKey: need('BANK_KEY'),
    publicUrl,
    host: env['HOST'] ?? '127.0.0.1',
    port: number('PORT', 4000),
    smtpUrl: need('SMTP_URL'),
    mailFrom: env['MAIL_FROM'] ?? 'Cowrie <no-reply@cowrie.example>',
    trustedProxies: (env['TRUSTED_PROXIES'] ?? '').split(',').filter(Boolean),
    logLevel: env['LOG_LEVEL'] ?? 'info',
    connections: number('CONNECTIONS', 16),
  }
  if (wrong.length > 0) throw new Error(`the configuration is not usable:\n  ${wrong.join('\n  ')}`)
  return config
}
