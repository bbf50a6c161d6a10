// What the commands that speak to a gateway have in common: the options for its keys, and the connection.
import { type Command, Option } from 'commander'
import { environment, findCredentials, MERCHANTS, type Options } from '../config.ts'
import { Failure } from '../failure.ts'
import { type Gateway, openGateway } from '../gateway.ts'

export const withMerchant = (command: Command): Command =>
  command.addOption(new Option('--merchant <name>', 'a merchant of the sandbox (default: main)').choices(MERCHANTS))

export const withKeys = (command: Command): Command =>
  withMerchant(
    command
      .option('--url <url>', 'address of the gateway (COWRIE_URL)')
      .option('--api-key <key>', 'your API key (COWRIE_API_KEY)')
      .option('--secret-key <key>', 'your secret key (COWRIE_SECRET_KEY)'),
  )

/** A running command follows a sandbox that began anew; while there is none, what was known stays. */
export function connect(flags: Options, signal: AbortSignal, agent?: string): Gateway {
  let known = findCredentials(flags, environment(), process.cwd())
  const find = () => {
    try {
      known = findCredentials(flags, environment(), process.cwd())
    } catch (error) {
      if (!(error instanceof Failure)) throw error
    }
    return known
  }
  return openGateway(find, signal, agent)
}
