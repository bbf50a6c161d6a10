// Who the program is to the database (docs/decisions/0005-two-roles.md). Each cell has two logins, one per
// role. A connection takes its role when it starts, and is looked at once, before anybody uses it: a pooler
// that drops start parameters, or a login that is more than its role, must not go unnoticed. A statement
// later costs nothing.
import { Client, type ClientBase, type ClientConfig } from 'pg'

export type Role = 'cowrie_app' | 'cowrie_engine'
/** The databases' addresses, with the login for each role. The sandbox may use one for both. */
export type Logins = { readonly app: string; readonly engine: string }
export type Environment = 'sandbox' | 'live'

const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s

/** One address for each host that an address names (primary.ts). */
export function parseAddresses(url: string): readonly string[] {
  const [, before = '', hosts = url, after = ''] = ADDRESS.exec(url) ?? []
  return hosts.split(',').map((host) => before + host + after)
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/

/** What live has against a database's address: an open line, unless it does not leave the machine. */
export const databaseFault = (url: string): string | null =>
  parseAddresses(url)
    .map(hostFault)
    .find((fault) => fault !== null) ?? null

function hostFault(url: string): string | null {
  let client: Client
  try {
    client = new Client({ connectionString: url }) // does not connect; knows what the driver makes of the address
  } catch (error) {
    return `has an invalid address: ${(error as Error).message}`
  }
  if (client.host.startsWith('/') || LOOPBACK.test(client.host)) return null
  const { ssl } = client as unknown as {
    ssl: boolean | { rejectUnauthorized?: boolean; checkServerIdentity?: unknown }
  }
  const verified =
    URL.parse(url)?.searchParams.getAll('sslmode').join() === 'verify-full' &&
    typeof ssl === 'object' &&
    ssl.rejectUnauthorized === undefined &&
    ssl.checkServerIdentity === undefined
  return verified ? null : 'needs sslmode=verify-full in live, unless the database is on this machine'
}

/** For statements that are kept prepared for years and take a batch of rows: every row is looked up by an
 *  index, and no plan may do anything else. One that is made while a table is nearly empty joins the batch
 *  with the whole of an index, and is kept: 295 µs a row in place of 29 (docs/decisions/0006-batching.md). */
export const ROW_BY_ROW = ' -c enable_hashjoin=off -c enable_mergejoin=off -c enable_material=off'

/** How a connection of a role starts. */
export const startAs = (url: string, role: Role, plans = ''): ClientConfig => ({
  connectionString: url,
  // Every statement here finds its rows by an index. A plan that is made while a table is nearly empty
  // prefers to read all of it, is kept, and is still in use a million rows later: one bench round in five
  // fell to half its rate. That makes what cannot use an index look dear enough to be compiled, for seconds:
  // so nothing is compiled.
  options: `-c role=${role} -c application_name=cowrie -c enable_seqscan=off -c jit=off${plans}`,
  keepAlive: true,
})

type Seen = {
  readonly login: string
  readonly role: string
  readonly superuser: boolean
  readonly bypasses: boolean
  readonly administers: boolean
  readonly owns: string | null
  readonly becomes: string[]
  readonly may: string | null
  readonly standby: boolean
}

const TABLES = `pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'S')`
/** session_user is the login, whatever role the connection has taken. */
const LOOK = `select pg_is_in_recovery() as standby, session_user::text as login, current_user::text as role, l.rolsuper as superuser, l.rolbypassrls as bypasses,
  l.rolcreaterole or l.rolcreatedb or l.rolreplication as administers,
  (select c.relname::text from ${TABLES} and pg_has_role(session_user, c.relowner, 'member') limit 1) as owns,
  array(select r.rolname::text from pg_roles r where r.rolname <> session_user and pg_has_role(session_user, r.oid, 'member')
    order by 1) as becomes,
  (select c.relname::text from ${TABLES} and case c.relkind
    when 'S' then has_sequence_privilege(session_user, c.oid, 'usage, select, update')
    else has_table_privilege(session_user, c.oid, 'select, insert, update, delete, truncate, references, trigger')
      or has_any_column_privilege(session_user, c.oid, 'select, insert, update, references') end limit 1) as may
  from pg_roles l where l.rolname = session_user`

function loginFault(seen: Seen, role: Role): string | null {
  const login = `the login ${seen.login}`
  if (seen.superuser) return `${login} is a superuser`
  if (seen.bypasses) return `${login} bypasses row-level security`
  if (seen.administers) return `${login} may create roles or databases, or replicate`
  if (seen.owns !== null) return `${login} owns tables (${seen.owns})`
  const more = seen.becomes.filter((name) => name !== role)
  if (more.length > 0) return `${login} is a member of ${more.join(', ')}; it must be a member of ${role} only`
  if (seen.may !== null) return `${login} has privileges of its own (on ${seen.may}); create it with NOINHERIT`
  return null
}

/** Looks at a new connection; throws what forbids its use. */
export async function admit(client: ClientBase, role: Role, environment: Environment): Promise<void> {
  if (environment === 'sandbox') {
    const { rows } = await client.query<Pick<Seen, 'role' | 'standby'>>(
      'select current_user::text as role, pg_is_in_recovery() as standby',
    )
    holdWritable(rows[0]?.standby ?? false)
    return holdRole(rows[0]?.role ?? 'nobody', role)
  }
  const seen = (await client.query<Seen>(LOOK)).rows[0]
  if (!seen) throw new Error('the database does not know this login')
  holdWritable(seen.standby)
  const fault = loginFault(seen, role)
  if (fault !== null) throw new Error(`${fault}; that is not allowed in live`)
  holdRole(seen.role, role)
}

/** The code of a server that cannot be used now: whoever asks again finds the primary, or that this one has
 *  become it. */
function holdWritable(standby: boolean): void {
  if (standby) throw Object.assign(new Error('the database is a standby and takes no writes'), { code: '57P03' })
}

function holdRole(actual: string, role: Role): void {
  if (actual !== role)
    throw new Error(
      `a connection runs as ${actual}, not as ${role}; does a connection pooler drop its startup parameters?`,
    )
}
