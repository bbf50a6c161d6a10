// Once for all test files: a scratch PostgreSQL and a migrated template, from which each file copies its own
// databases.

import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import type { Logins } from '#core/cells/logins.ts'
import { monthAfter, monthAt } from '#kit/ids.ts'
import { compileInto } from '../../../../tools/compiled.ts'
import { migrate } from '../../../../tools/migrate.ts'
import { createLogins } from '../../../../tools/postgres/logins.ts'
import { type Engine, type StartOptions, startPostgres } from '../../../../tools/postgres/postgres.ts'
import { CHANGEABLE_ENTRIES } from './entries.ts'
import { until } from './waiting.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The superuser's, without a database: to make databases, to look, to plant faults. */
    postgresUrl: string
    /** The program's, without a database. */
    logins: Logins
  }
}

export const TEMPLATE = 'cowrie_template'
/** The same, with entries that plants can change. */
export const PLANTABLE = 'cowrie_plantable'

/** A connection for as long as the work takes. */
export async function connected<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const MEMORY = '/dev/shm'
const ROOM_BYTES = 6 * 1024 ** 3
/** Where there is room, in memory: no test takes the power away, and a disk is a fifth of what a test
 *  costs. */
async function scratchFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize > ROOM_BYTES ? MEMORY : tmpdir()
}

/** A cluster in a folder that goes with it. */
export async function scratchCluster(options: Omit<StartOptions, 'dir'> = {}): Promise<Engine> {
  const dir = await mkdtemp(join(await scratchFolder(), 'cowrie-test-'))
  await chmod(dir, 0o755)
  const engine = await startPostgres({ ...options, dir })
  const stop = async () => {
    await engine.stop()
    await rm(dir, { recursive: true, force: true })
  }
  return { ...engine, stop }
}

/** Stops a cluster once everybody has left it: a pool that was closed needs a moment, and would report the
 *  end as an error. */
export async function stopWhenLeft(engine: Engine): Promise<void> {
  const client = new pg.Client({ connectionString: engine.url('postgres') })
  await client.connect()
  await until('everybody has left the cluster', async () => {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    return rowCount === 0
  })
  await client.end()
  await engine.stop()
}

/** This month's partitions and the next: a database that is copied has them then. */
async function openMonths(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const month = monthAt(new Date(Date.now()))
  for (const one of [month, monthAfter(month)]) await client.query('select open_month($1)', [String(one)])
  await client.end()
}

async function makePlantable(engine: Engine): Promise<void> {
  await connected({ connectionString: engine.url('postgres') }, (client) =>
    client.query(`create database ${PLANTABLE} template ${TEMPLATE}`),
  )
  await connected({ connectionString: engine.url(PLANTABLE) }, (client) => client.query(CHANGEABLE_ENTRIES))
}

/** One with a migrated template. */
export async function templateCluster(settings: Readonly<Record<string, string>>): Promise<Engine> {
  const engine = await scratchCluster({ settings })
  await engine.createDatabase(TEMPLATE)
  await migrate(engine.url(TEMPLATE))
  await openMonths(engine.url(TEMPLATE))
  await makePlantable(engine)
  return engine
}

/** Those of one test file: two cells and the bank. */
export async function freshDatabases(adminUrl: string): Promise<Record<string, string>> {
  const stamp = `${process.pid}_${Date.now().toString(36)}`
  const urls: Record<string, string> = {}
  await connected({ connectionString: `${adminUrl}postgres` }, async (admin) => {
    for (const [name, template] of [
      ['01', PLANTABLE],
      ['02', PLANTABLE],
      ['simulator', 'template1'],
    ] as const) {
      const database = `test_${stamp}_${name}`
      // Files are copied in half the time that the log takes, and dropped in a third.
      await admin.query(`create database ${database} template ${template} strategy file_copy`)
      urls[name] = adminUrl + database
    }
  })
  return urls
}

const IN_USE = '55006'
/** Without force: that would cut connections which are just ending, and nobody listens to their errors any
 *  more. PostgreSQL itself waits five seconds for them; a database that is in use even then stays until the
 *  cluster goes. */
export const dropDatabases = (adminUrl: string, urls: Readonly<Record<string, string>>): Promise<void> =>
  connected({ connectionString: `${adminUrl}postgres` }, async (admin) => {
    for (const url of Object.values(urls))
      await admin.query(`drop database if exists ${new URL(url).pathname.slice(1)}`).catch((error: unknown) => {
        if ((error as { code?: string }).code !== IN_USE) throw error
      })
  })

/** Starts the cluster that all files share, and says where it is. */
export async function provideCluster(
  project: TestProject,
  settings: Readonly<Record<string, string>> = {},
): Promise<() => Promise<void>> {
  // Tests start many processes of few programs (tools/compiled.ts).
  const compiled = await mkdtemp(join(tmpdir(), 'cowrie-compiled-'))
  compileInto(compiled)
  const engine = await templateCluster({ max_connections: '300', ...settings })
  project.provide('postgresUrl', engine.url(''))
  project.provide('logins', (await createLogins(engine.url('postgres')))(engine.url('')))
  return async () => {
    await engine.stop()
    // A process that is ending may still write there.
    await rm(compiled, { recursive: true, force: true, maxRetries: 20 })
  }
}

/** A test's database lives for seconds; autovacuum's visits would only make the books plan their questions
 *  again. */
export const setup = (project: TestProject): Promise<() => Promise<void>> =>
  provideCluster(project, { autovacuum: 'off', plan_cache_mode: 'force_generic_plan' })
