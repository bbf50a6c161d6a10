// Applies migrations: forward only, in order, each in a transaction of its own that commits with its row. One
// runner at a time (an advisory lock); a statement that cannot get its lock in five seconds gives up rather
// than queue everyone behind it; a migration that changed after it was applied stops everything.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { writableAddress } from '../apps/gateway/src/core/cells/primary.ts'

const FOLDER = new URL('../apps/gateway/migrations/', import.meta.url)
const LOCK = 7_203_961

export async function migrate(url: string): Promise<string[]> {
  const client = new Client({ connectionString: await writableAddress(url) })
  await client.connect()
  try {
    const encoding = (await client.query('show server_encoding')).rows[0]?.server_encoding
    if (encoding !== 'UTF8')
      throw new Error(`the database stores text as ${encoding}; create it with \`template template0 encoding 'UTF8'\``)
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(
      'create table if not exists migrations (name text primary key, sha256 text not null, applied_at timestamptz not null)',
    )
    // Younger than the table. A version that does not know a migration may run beside it, unless it breaks
    // that version.
    await client.query('alter table migrations add column if not exists breaking boolean not null default false')
    const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from migrations')
    const applied = new Map(rows.map((row) => [row.name, row.sha256]))
    const names = (await readdir(FOLDER)).filter((file) => /^\d{4}_\w+\.sql$/.test(file)).toSorted()
    const unknown = [...applied.keys()].find((name) => !names.includes(name))
    if (unknown)
      throw new Error(
        `the database has the migration ${unknown}, which this version does not know: another version of Cowrie made it. A sandbox starts over with --reset`,
      )
    const done: string[] = []
    for (const name of names) {
      const sql = await readFile(new URL(name, FOLDER), 'utf8')
      const sha256 = createHash('sha256').update(sql).digest('hex')
      const known = applied.get(name)
      if (known === sha256) continue
      if (known) throw new Error(`${name} was changed after it was applied; write a new migration instead`)
      await apply(client, name, sha256, sql)
      done.push(name)
    }
    return done
  } finally {
    await client.end()
  }
}

async function apply(client: Client, name: string, sha256: string, sql: string): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '5s'; set local statement_timeout = '10min'`)
    // Its own row first: a second runner that slipped past the lock stops here.
    await client.query('insert into migrations (name, sha256, applied_at, breaking) values ($1, $2, now(), $3)', [
      name,
      sha256,
      /^--! breaking/m.test(sql),
    ])
    await client.query(sql)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error })
  }
}

if (import.meta.main) {
  const cells = (process.env['CELLS'] ?? '').split(',').filter(Boolean)
  // One login per cell: the owner of the tables, which the gateway's own logins must not be.
  if (cells.length === 0 || [...cells, process.env['IDENTITIES'] ?? ''].some((cell) => cell.includes('|'))) {
    console.error(
      'Usage: CELLS=01=postgres://<owner>@… [IDENTITIES=postgres://<owner>@…] cowrie run migrate\nOne login per database: the owner of its tables.',
    )
    process.exit(1)
  }
  const identities = process.env['IDENTITIES']
  if (identities) cells.unshift(`00=${identities}`)
  for (const cell of cells) {
    const at = cell.indexOf('=')
    try {
      const done = await migrate(cell.slice(at + 1))
      console.log(`cell ${cell.slice(0, at)}: ${done.length > 0 ? done.join(', ') : 'up to date'}`)
    } catch (error) {
      console.error(`cell ${cell.slice(0, at)}: ${(error as Error).message}`)
      process.exit(1)
    }
  }
}
