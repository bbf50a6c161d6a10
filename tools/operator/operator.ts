// The database for an operator's command. CELLS, ENVIRONMENT and IDENTITIES are the gateway's, with the same
// two logins per cell; of the rest of its configuration nothing is used, so it need not be given.

import { readConfig } from '../../apps/gateway/src/config.ts'
import type { Actor } from '../../apps/gateway/src/core/access/actor.ts'
import { type Gateway, OPERATOR, openGateway } from '../../apps/gateway/src/gateway.ts'
import { CannotStart } from '../../apps/gateway/src/kit/process.ts'
import { DAY_MS } from '../../packages/contract/src/kit/durations.ts'

export type Env = Readonly<Record<string, string | undefined>>
export type Print = (text: string) => void

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
export const quarantineMsOf = (env: Env): number =>
  readConfig({
    ...NOT_USED,
    CELLS: env['CELLS'],
    ENVIRONMENT: env['ENVIRONMENT'],
    NUMBER_QUARANTINE_DAYS: env['NUMBER_QUARANTINE_DAYS'],
  }).numberQuarantineDays * DAY_MS

export const openForOperator = (env: Env): Promise<Gateway> =>
  openGateway(
    readConfig({
      ...NOT_USED,
      CELLS: env['CELLS'],
      ENVIRONMENT: env['ENVIRONMENT'],
      IDENTITIES: env['IDENTITIES'],
    }),
    OPERATOR,
  )

/** Asked for in a way that there is not: answered with how it is used. */
export class WrongUse extends Error {}
/** Understood, and not done: answered with the reason. */
export class NotDone extends Error {}

/** Every command's end: the code it answers; 1 for what was not done; 2, with the usage, for wrong use and
 *  for settings that no gateway starts with. */
export async function runCommand<Code extends number>(
  usage: string,
  print: Print,
  work: () => Promise<Code>,
): Promise<Code | 1 | 2> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof NotDone) {
      print(error.message)
      return 1
    }
    const { code, message } = error as { readonly code?: string; readonly message: string }
    const isWrongUse = error instanceof WrongUse || error instanceof CannotStart || code?.startsWith('ERR_PARSE_ARGS')
    if (!isWrongUse) throw error
    print(`${message}\n\n${usage}`)
    return 2
  }
}

/** The gateway's databases are closed at the end, whatever it is. */
export async function withGateway<Result>(
  opening: Promise<Gateway>,
  work: (gateway: Gateway) => Promise<Result>,
): Promise<Result> {
  const gateway = await opening
  try {
    return await work(gateway)
  } finally {
    await gateway.close()
  }
}

/** Who acts when a person on the machine runs such a command: the audit trail knows the command, not the
 *  person. */
export const COMMAND: Pick<Actor, 'kind' | 'side' | 'personId' | 'name' | 'role' | 'address' | 'requestId'> = {
  kind: 'command',
  side: 'operator',
  personId: null,
  name: 'cowrie run',
  role: null,
  address: null,
  requestId: null,
}
