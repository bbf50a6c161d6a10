// The first operator, who can invite the others (`cowrie admin operators …`).
//   npm run operators -- first <email> <name>     prints a one-time link; only while there was no operator
// Reads CELLS, ENVIRONMENT, IDENTITIES and OPERATOR_URL like the gateway (operator.ts). Exit codes: 0 fine, 1
// there is one already, 2 wrong use.
import { inviteFirst } from '../../apps/gateway/src/features/access/people/team.ts'
import type { Gateway } from '../../apps/gateway/src/gateway.ts'
import { type Env, NotDone, openForOperator, type Print, runCommand, WrongUse, withGateway } from './operator.ts'

const USAGE = `npm run operators -- first <email> <name>

Prints a link by which the first operator sets a password; it can be used once, within 72 hours. Whoever is first invites the
others. A second call voids the first link; once there was an operator, it is refused.`

const DEFAULT_URL = 'http://127.0.0.1:4001'
/** As the gateway has it. */
const urlOf = (env: Env): string => (env['OPERATOR_URL'] ?? DEFAULT_URL).replace(/\/+$/, '')

async function first({ ctx }: Gateway, env: Env, [email = '', ...words]: readonly string[], print: Print) {
  const name = words.join(' ')
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || name === '') throw new WrongUse('Say the e-mail address and the name.')
  const link = await inviteFirst(ctx, urlOf(env), { email, name, by: 'whoever runs the machine' })
  if (link === null) throw new NotDone('There is or was an operator already. An administrator invites the others.')
  print(
    `${link}\n\nGood once, within 72 hours. Whoever opens it becomes administrator as ${email}: hand it over, do not mail it.`,
  )
}

/** Answers the exit code. */
export const run = ([command, ...rest]: readonly string[], env: Env, print: Print): Promise<0 | 1 | 2> =>
  runCommand(USAGE, print, async () => {
    if (command !== 'first') throw new WrongUse('Say what to do.')
    await withGateway(openForOperator(env), (gateway) => first(gateway, env, rest, print))
    return 0
  })

if (import.meta.main) process.exit(await run(process.argv.slice(2), process.env, (text) => console.log(text)))
