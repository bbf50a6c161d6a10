// The database for an operator's command. CELLS and ENVIRONMENT are read like the gateway's; of the rest of its configuration
// nothing is used, so it need not be given.
import { type Gateway, openGateway } from '../apps/gateway/src/app.ts'
import { readConfig } from '../apps/gateway/src/config.ts'

const NOT_USED = {
  MASTER_KEY: Buffer.alloc(32).toString('base64'),
  BANK_KEY: 'not used',
  BANK_URL: 'http://127.0.0.1:9',
  SMTP_URL: 'smtp://127.0.0.1:9',
  PUBLIC_URL: 'https://not-used.invalid',
  LOG_LEVEL: 'error',
  CONNECTIONS: '2',
}

export const openForOperator = (env: Readonly<Record<string, string | undefined>>): Promise<Gateway> =>
  openGateway(readConfig({ ...NOT_USED, CELLS: env['CELLS'], ENVIRONMENT: env['ENVIRONMENT'] }), 'tool')
