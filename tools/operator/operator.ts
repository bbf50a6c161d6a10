// The database for an operator's command. CELLS, ENVIRONMENT and IDENTITIES are the gateway's, with the same
// two logins per cell; of the rest of its configuration nothing is used, so it need not be given.

import { readConfig } from '../../apps/gateway/src/config.ts'
import type { Actor } from '../../apps/gateway/src/core/access/actor.ts'
import { type Gateway, OPERATOR, openGateway } from '../../apps/gateway/src/gateway.ts'
import { DAY_MS } from '../../packages/contract/src/kit/durations.ts'

export const NOT_USED = {
  MASTER_KEY: Buffer.alloc(32).toString('base64'),
  BANK_KEY: 'not used'.padEnd(32),
  BANK_URL: 'https://not-used.invalid',
  SMTP_URL: 'smtps://not-used.invalid',
  PUBLIC_URL: 'https://not-used.invalid',
  LOG_LEVEL: 'error',
  CONNECTIONS: '2',
}

/** The quarantine of account numbers, as the gateway reads it. */
export const quarantineMsOf = (env: Readonly<Record<string, string | undefined>>): number =>
  readConfig({
    ...NOT_USED,
    CELLS: env['CELLS'],
    ENVIRONMENT: env['ENVIRONMENT'],
    NUMBER_QUARANTINE_DAYS: env['NUMBER_QUARANTINE_DAYS'],
  }).numberQuarantineDays * DAY_MS

export const openForOperator = (env: Readonly<Record<string, string | undefined>>): Promise<Gateway> =>
  openGateway(
    readConfig({
      ...NOT_USED,
      CELLS: env['CELLS'],
      ENVIRONMENT: env['ENVIRONMENT'],
      IDENTITIES: env['IDENTITIES'],
    }),
    OPERATOR,
  )

/** Who acts when a person on the machine runs such a command: the audit trail knows the command, not the
 *  person. */
export const COMMAND: Pick<Actor, 'kind' | 'side' | 'personId' | 'name' | 'role' | 'address' | 'requestId'> = {
  kind: 'command',
  side: 'operator',
  personId: null,
  name: 'npm run',
  role: null,
  address: null,
  requestId: null,
}
