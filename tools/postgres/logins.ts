// The logins of a PostgreSQL of our own, as an operator makes them for a live one (docs/live.md): one for
// each role, which is nothing without its role, and one that owns the simulator's database. Each start gives
// them new passwords.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Logins } from '../../apps/gateway/src/core/cells/logins.ts'

const SIMULATOR_LOGIN = 'cowrie_simulator'

export const newPassword = (): string => randomBytes(24).toString('base64url')

/** What PostgreSQL keeps of a password (RFC 5803), computed here so that the password is in no statement. By
 *  default one iteration: they slow down guessing, which a random password does not fear, and every
 *  connection of every test would pay for them. */
export function verifierOf(password: string, iterations = 1): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`
}

async function setLogin(client: pg.Client, name: string, memberOf: string | null): Promise<string> {
  const password = newPassword()
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name])
  // The owner of a database has its schema by membership; without inheriting, PostgreSQL 15 refuses it.
  const secret = `login ${memberOf === null ? 'inherit' : 'noinherit'} password ${pg.escapeLiteral(verifierOf(password))}`
  await client.query(
    rowCount === 0
      ? `create role ${name} ${secret}${memberOf === null ? '' : ` in role ${memberOf}`}`
      : `alter role ${name} ${secret}`,
  )
  return password
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const urlAs = (url: string, login: string, password: string): string => {
  const changed = new URL(url)
  changed.username = login
  changed.password = password
  return changed.href
}

/** Makes both logins of a cluster whose roles there are, that is after a migration; `url` is the
 *  superuser's. */
export const createLogins = (url: string): Promise<(databaseUrl: string) => Logins> =>
  connected(url, async (client) => {
    const app = await setLogin(client, 'cowrie_app_login', 'cowrie_app')
    const engine = await setLogin(client, 'cowrie_engine_login', 'cowrie_engine')
    return (databaseUrl) => ({
      app: urlAs(databaseUrl, 'cowrie_app_login', app),
      engine: urlAs(databaseUrl, 'cowrie_engine_login', engine),
    })
  })

/** The simulator's own login, owner of its database and of what an earlier version made there; `url` leads to
 *  the database. */
export const createSimulatorLogin = (url: string): Promise<string> =>
  connected(url, async (client) => {
    const password = await setLogin(client, SIMULATOR_LOGIN, null)
    const database = decodeURIComponent(new URL(url).pathname.slice(1))
    await client.query(`alter database ${pg.escapeIdentifier(database)} owner to ${SIMULATOR_LOGIN}`)
    await client.query(`do $$ declare name text; begin
      for name in select tablename from pg_tables where schemaname = 'public' loop
        execute format('alter table %I owner to ${SIMULATOR_LOGIN}', name);
      end loop;
    end $$`)
    return urlAs(url, SIMULATOR_LOGIN, password)
  })
