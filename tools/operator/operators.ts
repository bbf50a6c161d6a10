// The first operator, who can invite the others (`cowrie admin operators …`), and another administrator when
// too few are left to invite with two people.
//   cowrie run operators first <email> <name>     prints a one-time link; only while there was no operator
//   cowrie run operators another <email> <name>   the same, only while fewer than two administrators are left
// Reads CELLS, ENVIRONMENT, IDENTITIES and OPERATOR_URL like the gateway (operator.ts). Exit codes: 0 fine, 1
// it is not the time for it, 2 wrong use.
import { inviteAtTheMachine } from '../../apps/gateway/src/features/access/people/team.ts'
import type { Gateway } from '../../apps/gateway/src/gateway.ts'
import { type Env, NotDone, openForOperator, type Print, runCommand, WrongUse, withGateway } from './operator.ts'

const USAGE = `Usage: cowrie run operators <first|another> <email> <name>

first    Prints a link by which the first operator sets a password; it can be used once, within 72 hours. Whoever is first invites the
others. A second call voids the first link; once there was an operator, it is refused.
another  The same for one more administrator, while fewer than two are left: inviting takes two. Who joins this way is told to those who
are left, and approves nothing for a day.`

const DEFAULT_URL = 'http://127.0.0.1:4001'
/** As the gateway has it. */
const urlOf = (env: Env): string => (env['OPERATOR_URL'] ?? DEFAULT_URL).replace(/\/+$/, '')

async function invite(
  { ctx }: Gateway,
  env: Env,
  which: 'first' | 'another',
  [email = '', ...words]: readonly string[],
  print: Print,
) {
  const name = words.join(' ')
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || name === '') throw new WrongUse('Say the e-mail address and the name.')
  const link = await inviteAtTheMachine(ctx, urlOf(env), which, { email, name, by: 'whoever runs the machine' })
  if (link === null)
    throw new NotDone(
      which === 'first'
        ? 'There is or was an operator already. An administrator invites the others.'
        : 'There are two administrators, who invite others together, or there was no operator yet.',
    )
  print(
    `${link}\n\nGood once, within 72 hours. Whoever opens it becomes administrator as ${email}: hand it over, do not mail it.`,
  )
}

/** Answers the exit code. */
export const run = ([command, ...rest]: readonly string[], env: Env, print: Print): Promise<0 | 1 | 2> =>
  runCommand(USAGE, print, async () => {
    if (command !== 'first' && command !== 'another') throw new WrongUse('Say what to do.')
    await withGateway(openForOperator(env), (gateway) => invite(gateway, env, command, rest, print))
    return 0
  })

if (import.meta.main) process.exit(await run(process.argv.slice(2), process.env, (text) => console.log(text)))
