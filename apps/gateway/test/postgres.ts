// Once for all test files: a scratch PostgreSQL and a migrated template, from which each file copies its own databases.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createLogins } from '../../../tools/logins.ts'
import { migrate } from '../../../tools/migrate.ts'
import { startPostgres } from '../../../tools/postgres.ts'
import type { Logins } from '../src/core/logins.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The superuser's, without a database: to make databases, to look, to plant faults. */
    postgresUrl: string
    /** The program's, without a database. */
    logins: Logins
  }
}

export const TEMPLATE = 'cowrie_template'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'cowrie-test-'))
  await chmod(dir, 0o755)
  const engine = await startPostgres({ dir, settings: { max_connections: '300' } })
  await engine.createDatabase(TEMPLATE)
  await migrate(engine.url(TEMPLATE))
  project.provide('postgresUrl', engine.url(''))
  project.provide('logins', (await createLogins(engine.url('postgres')))(engine.url('')))
  return async () => {
    await engine.stop()
    await rm(dir, { recursive: true, force: true })
  }
}
