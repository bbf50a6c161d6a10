// The databases of an installation, for whoever administers PostgreSQL.
//   cowrie db setup [cell …] [identities]
//                                   prints the SQL that makes roles, logins, a database per cell and, if
//                                     wanted, one for people, and the
//                                   settings that go with it
//   cowrie db add <cell …>      prints the SQL of more cells in a cluster that has the logins already;
//     their passwords stay
//   cowrie db check             looks whether CELLS (and IDENTITIES) lead to databases that the gateway
//     can start on; changes nothing
// Also `cowrie db …`. Exit codes: 0 fine, 1 something is wrong, 2 wrong use.
import { Client } from 'pg'
import { cellsText, IDENTITIES_CELL, readConfig } from '../../apps/gateway/src/config.ts'
import { admit, type Logins, type Role, startAs } from '../../apps/gateway/src/core/cells/logins.ts'
import { writableAddress } from '../../apps/gateway/src/core/cells/primary.ts'
import { CELL } from '../../apps/gateway/src/kit/ids.ts'
import { CannotStart } from '../../apps/gateway/src/kit/process.ts'
import { newPassword, verifierOf } from '../postgres/logins.ts'
import { NOT_USED, openForOperator } from './operator.ts'

type Env = Readonly<Record<string, string | undefined>>
type Print = (text: string) => void

const USAGE = `Usage: cowrie db <setup|add|check> [cell …] [identities]

setup  prints SQL for a superuser of the cluster, with new passwords, and the settings for the gateway; it connects to nothing. With the
       word identities people get a database of their own (IDENTITIES); without it they are in the lowest cell
add    prints SQL for more cells in a cluster that was set up before. Setting it up again would change passwords that running processes use
check  reads ENVIRONMENT, CELLS and, if set, IDENTITIES, and says of each login and database whether the gateway can start on it`

/** The database of people, where they get one of their own, and the word that asks for it. */
const PEOPLE = 'identities'

/** What a live login costs whoever guesses at its password. The passwords here are random, so the usual
 *  number is plenty. */
const ITERATIONS = 4096

/** Whatever the cluster was made with: a machine without a locale makes SQL_ASCII. As in the sandbox. */
const UTF8 = `template template0 encoding ''UTF8'' locale ''C''`

const role = (name: string, options: string): string => `do $$ begin
  if not exists (select from pg_roles where rolname = '${name}') then create role ${name} ${options};
  else alter role ${name} ${options.replace(/ in role \w+$/, '')}; end if;
end $$;`

/** A database that only the program's two logins and its owner reach. */
const database = (name: string): string =>
  `select 'create database ${name} owner cowrie_owner ${UTF8}' where not exists (select from pg_database where datname = '${name}')\\gexec
revoke connect on database ${name} from public;
grant connect on database ${name} to cowrie_app_login, cowrie_engine_login;`

/** Roles first, so that the owner of the databases need not be allowed to create any. Only digests of
 *  passwords are in the SQL. */
function setup(cells: readonly string[], apart: boolean, print: Print): 0 {
  const passwords = { owner: newPassword(), app: newPassword(), engine: newPassword() }
  const secret = (password: string): string => `password '${verifierOf(password, ITERATIONS)}'`
  const at = (login: string, password: string, name: string): string =>
    `postgres://${login}:${password}@<host>/${name}?sslmode=verify-full`
  const owner = (name: string): string => at('cowrie_owner', passwords.owner, name)
  const two = (name: string): string =>
    `${at('cowrie_app_login', passwords.app, name)}|${at('cowrie_engine_login', passwords.engine, name)}`
  const cellsOf = (login: (name: string) => string): string =>
    `CELLS='${cells.map((cell) => `${cell}=${login(`cell_${cell}`)}`).join(',')}'`
  const peopleOf = (login: (name: string) => string): string => `IDENTITIES='${login(PEOPLE)}'`
  print(`-- As a superuser of the PostgreSQL cluster: psql -v ON_ERROR_STOP=1 -f setup.sql postgres
-- It can be run again; then the logins get new passwords.
${role('cowrie_app', 'nologin')}
${role('cowrie_engine', 'nologin')}
${role('cowrie_owner', `login ${secret(passwords.owner)}`)}
${role('cowrie_app_login', `login noinherit ${secret(passwords.app)} in role cowrie_app`)}
${role('cowrie_engine_login', `login noinherit ${secret(passwords.engine)} in role cowrie_engine`)}`)
  for (const name of [...cells.map((cell) => `cell_${cell}`), ...(apart ? [PEOPLE] : [])]) print(database(name))
  print(`
-- Then, on the gateway's machine. Keep these lines where only the gateway and its operators can read them.
-- For the owner of the tables: migrations, and nothing else.
--   ${cellsOf(owner)}${apart ? ` ${peopleOf(owner)}` : ''} cowrie run migrate
-- For api, worker and the operator's commands:
--   ${cellsOf(two)}${apart ? `\n--   ${peopleOf(two)}` : ''}
-- Then look:
--   cowrie db check`)
  return 0
}

/** More cells in a cluster that has the logins. Roles are of the cluster: whoever gave them new passwords
 *  would lock out the processes that serve its other cells. */
function add(cells: readonly string[], print: Print): 0 {
  const at = (login: string, name: string): string =>
    `postgres://${login}:<password>@<host>/${name}?sslmode=verify-full`
  const entry = (cell: string): string =>
    `${cell}=${at('cowrie_app_login', `cell_${cell}`)}|${at('cowrie_engine_login', `cell_${cell}`)}`
  print('-- As a superuser of the PostgreSQL cluster: psql -v ON_ERROR_STOP=1 -f add.sql postgres')
  for (const cell of cells) print(database(`cell_${cell}`))
  print(`
-- The passwords are those of the cells that are there: take them from their entries.
-- For the owner of the tables:
--   CELLS='${cells.map((cell) => `${cell}=${at('cowrie_owner', `cell_${cell}`)}`).join(',')}' cowrie run migrate
-- For api, worker and the operator's commands, behind what CELLS has:
--   ,${cells.map(entry).join(',')}`)
  return 0
}

/** A login's own fault, in words; null when the gateway may use it. */
async function loginFault(url: string, as: Role, environment: 'sandbox' | 'live'): Promise<string | null> {
  const client = new Client(startAs(await writableAddress(url), as))
  try {
    await client.connect()
    await admit(client, as, environment)
    return null
  } catch (error) {
    return (error as Error).message
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** What keeps the gateway from starting on a database: it is opened as every command of the operator opens
 *  it. */
async function databaseFault(cell: string, logins: Logins, env: Env): Promise<string | null> {
  try {
    const gateway = await openForOperator({
      ...env,
      CELLS: cellsText(new Map([[cell, logins]])),
      IDENTITIES: undefined,
    })
    await gateway.close()
    return null
  } catch (error) {
    return (error as Error).message
  }
}

async function check(env: Env, print: Print): Promise<0 | 1> {
  const { CELLS, ENVIRONMENT, IDENTITIES } = env
  const { cells, identities, environment } = readConfig({ ...NOT_USED, CELLS, ENVIRONMENT, IDENTITIES })
  let wrong = 0
  const say = (what: string, fault: string | null): void => {
    if (fault !== null) wrong += 1
    print(fault === null ? `ok     ${what}` : `WRONG  ${what}: ${fault}`)
  }
  // A gateway starts without the database of people, and nobody can log in: here that is a fault.
  const all = [...cells, ...(identities === null ? [] : [[IDENTITIES_CELL, identities] as const])]
  for (const [cell, logins] of all) {
    const where = cells.has(cell) ? `cell ${cell}` : 'IDENTITIES'
    const [app, engine] = await Promise.all([
      loginFault(logins.app, 'cowrie_app', environment),
      loginFault(logins.engine, 'cowrie_engine', environment),
    ])
    say(`${where}, login of cowrie_app`, app)
    say(`${where}, login of cowrie_engine`, engine)
    if (app === null && engine === null) say(`${where}, database`, await databaseFault(cell, logins, env))
  }
  print(wrong === 0 ? 'The gateway can start on these databases.' : `${wrong} wrong. Nothing was changed.`)
  return wrong === 0 ? 0 : 1
}

/** Answers the exit code. */
export async function run(words: readonly string[], env: Env, print: Print): Promise<0 | 1 | 2> {
  const [command, ...names] = words
  const cells = names.filter((name) => name !== PEOPLE)
  const fit = cells.every((cell) => CELL.test(cell) && cell !== IDENTITIES_CELL)
  try {
    if (command === 'check' && names.length === 0) return await check(env, print)
    if (command === 'add' && fit && names.length > 0 && cells.length === names.length) return add(cells, print)
    if (command === 'setup' && fit) return setup(cells.length === 0 ? ['01'] : cells, names.includes(PEOPLE), print)
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error
    print(error.message)
    return 2
  }
  print(USAGE)
  return 2
}

if (import.meta.main) process.exitCode = await run(process.argv.slice(2), process.env, (text) => console.log(text))
