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

/** The file that the write-ahead log is written to now. */
export async function writeAheadFile(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>('select pg_walfile_name(pg_current_wal_lsn()) as name')
    return rows[0]?.name ?? ''
  } finally {
    await client.end()
  }
}

const OVERLAP = 64
/** The write-ahead log of the whole server, from a file of it up to this moment, as texts that each begin
 *  with the end of the one before: all of it is more than one text can hold. */
export async function writeAheadLog(url: string, from: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ folder: string }>(`select current_setting('data_directory') as folder`)
    const folder = join(rows[0]?.folder ?? '', 'pg_wal')
    const names = (await readdir(folder)).filter((name) => /^[0-9A-F]{24}$/.test(name) && name >= from)
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

const HEAD = 9
/** Which of the numbers are in a text: in clear or as the bytes of a column that is shown in hexadecimal,
 *  whole or their first nine digits. One pass for all of them, because the write-ahead log is long. */
export function numbersIn(text: string, numbers: readonly string[]): string[] {
  const heads = new Map<string, string>()
  for (const number of numbers) {
    heads.set(number.slice(0, HEAD), number)
    heads.set(Buffer.from(number.slice(0, HEAD)).toString('hex'), number) // 3930…: digits as well
  }
  const found = new Set<string>()
  for (const [run] of text.matchAll(/\d{9,}/g))
    for (let at = 0; at + HEAD <= run.length; at += 1)
      for (const length of [HEAD, 2 * HEAD]) {
        const number = heads.get(run.slice(at, at + length))
        if (number) found.add(number)
      }
  return [...found]
}
