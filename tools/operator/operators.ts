// The first operator, who can invite the others, and who they are.
//   npm run operators -- first <email> <name>     prints a one-time link; only while there was no operator
//   npm run operators -- list
// Reads CELLS, ENVIRONMENT, IDENTITIES and OPERATOR_URL like the gateway (operator.ts). Exit codes: 0 fine, 1
// there is one already, 2 wrong use.
import { readAll } from '../../apps/gateway/src/core/cells/cells.ts'
import { homeOf } from '../../apps/gateway/src/features/access/people/known/persons.ts'
import { inviteFirst, showTeam } from '../../apps/gateway/src/features/access/people/team.ts'
import type { Gateway } from '../../apps/gateway/src/gateway.ts'
import { CannotStart } from '../../apps/gateway/src/kit/process.ts'
import { openForOperator } from './operator.ts'

const USAGE = `npm run operators -- first <email> <name> | list

first   prints a link by which the first operator sets a password; it can be used once, within 72 hours. Whoever is first invites the
        others. A second call voids the first link; once there was an operator, it is refused.
list    shows the operators and open invitations.`

class WrongUse extends Error {}
class Refused extends Error {}
type Env = Readonly<Record<string, string | undefined>>
type Print = (text: string) => void

const DEFAULT_URL = 'http://127.0.0.1:4001'
/** As the gateway has it. */
const urlOf = (env: Env): string => (env['OPERATOR_URL'] ?? DEFAULT_URL).replace(/\/+$/, '')

async function first({ ctx }: Gateway, env: Env, [email = '', ...words]: readonly string[], print: Print) {
  const name = words.join(' ')
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || name === '') throw new WrongUse('Say the e-mail address and the name.')
  const link = await inviteFirst(ctx, urlOf(env), { email, name, by: 'whoever runs the machine' })
  if (link === null) throw new Refused('There is or was an operator already. An administrator invites the others.')
  print(
    `${link}\n\nGood once, within 72 hours. Whoever opens it becomes administrator as ${email}: hand it over, do not mail it.`,
  )
}

async function list({ ctx }: Gateway, print: Print): Promise<void> {
  const all = await readAll(ctx, homeOf(ctx).id, (r) => showTeam(r, null))
  if (all.length === 0) print('There are no operators.')
  for (const { email, name, role, state, factors } of all)
    print(`  ${state.padEnd(8)} ${role.padEnd(10)} ${email}  ${name}  ${factors.join(', ') || 'no second factor'}`)
}

/** Answers the exit code. */
export async function run(words: readonly string[], env: Env, print: Print): Promise<0 | 1 | 2> {
  try {
    const [command, ...rest] = words
    if (command !== 'first' && command !== 'list') throw new WrongUse('Say what to do.')
    const gateway = await openForOperator(env)
    try {
      await (command === 'first' ? first(gateway, env, rest, print) : list(gateway, print))
      return 0
    } finally {
      await gateway.close()
    }
  } catch (error) {
    if (error instanceof Refused) {
      print(error.message)
      return 1
    }
    if (!(error instanceof WrongUse || error instanceof CannotStart)) throw error
    print(`${error.message}\n\n${USAGE}`)
    return 2
  }
}

if (import.meta.main) process.exit(await run(process.argv.slice(2), process.env, (text) => console.log(text)))
