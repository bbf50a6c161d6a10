// Everything that is stored, as text: for tests that look for what must not be there.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'

/** Every row of every table of a database, as text: what a dump holds. */
export async function dump(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    expect(rows.length).toBeGreaterThan(1)
    const texts = []
    for (const { name } of rows) {
      const found = await client.query<{ line: string }>(`select t::text as line from ${name} t`)
      texts.push(name, ...found.rows.map((row) => row.line))
    }
    return texts.join('\n')
  } finally {
    await client.end()
  }
}

const OVERLAP = 64
/** The write-ahead log of the whole server, up to this moment, as texts that each begin with the end of the one before: all of
 *  it is more than one text can hold. */
export async function writeAheadLog(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ folder: string }>(`select current_setting('data_directory') as folder`)
    const folder = join(rows[0]?.folder ?? '', 'pg_wal')
    const names = (await readdir(folder)).filter((name) => /^[0-9A-F]{24}$/.test(name))
    const parts: string[] = []
    for (const name of names.toSorted()) {
      const before = parts.at(-1)?.slice(-OVERLAP) ?? ''
      parts.push(before + (await readFile(join(folder, name))).toString('latin1'))
    }
    return parts
  } finally {
    await client.end()
  }
}
