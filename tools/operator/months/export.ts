// A month as files: every row that leaves with it, compressed, a line each, and a manifest with a digest of
// each file. The manifest names the last settlement of every merchant and the manifest of the month before:
// whoever has the newest can prove all of them. Histories of what stays (mandates, refunds, settlements …)
// stay, and are not in it.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createGunzip, createGzip } from 'node:zlib'
import { type Ask, inspect } from '../../../apps/gateway/src/core/books/check.ts'
import { planDeparture } from '../../../apps/gateway/src/core/cells/departure.ts'
import { FEATURES } from '../../../apps/gateway/src/feature-list.ts'
import type { Ctx } from '../../../apps/gateway/src/kit/ctx.ts'
import { type CellId, firstIdInMonth, monthAfter } from '../../../apps/gateway/src/kit/ids.ts'

const FETCH = 5_000
const { staying } = planDeparture(FEATURES)

export type Manifest = {
  readonly format: 1
  readonly cell: CellId
  readonly month: string
  /** Of each table: rows, and the SHA-256 of its lines before they are compressed. */
  readonly tables: Readonly<Record<string, { readonly rows: number; readonly sha256: string }>>
  /** The last settlement of each merchant before the month's end: number and hash. */
  readonly settlements: Readonly<Record<string, { readonly number: string; readonly hash: string }>>
  /** The hash of the manifest of the month before, where there was one. */
  readonly previous: string | null
}
export const hashOf = (manifest: Manifest): string =>
  createHash('sha256').update(JSON.stringify(manifest)).digest('hex')

const fileOf = (folder: string, table: string): string => join(folder, `${table}.jsonl.gz`)
const MANIFEST = 'manifest.json'

/** The tables, each with what it is partitioned by and in which order its rows are written. */
const TABLES = `
select t.name, a.attname::text as key, (
  select string_agg(quote_ident(c.attname), ', ' order by k.n) from pg_index i
  cross join lateral unnest(i.indkey::smallint[]) with ordinality as k(attnum, n)
  join pg_attribute c on c.attrelid = i.indrelid and c.attnum = k.attnum where i.indrelid = t.name::regclass and i.indisprimary) as ordered
from month_tables t join pg_partitioned_table p on p.partrelid = t.name::regclass
join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0] order by t.name`

const SETTLEMENTS = `
select distinct on (merchant_id) merchant_id::text, number::text, hash from settlements where created_at < $1 order by merchant_id, number desc`

/** The rows of a month that leave with a table, in order. */
const rowsOf = (month: bigint, [name, key, ordered]: readonly string[]): string =>
  `select t::text from ${name} t where t.${key} >= ${firstIdInMonth(month)} and t.${key} < ${firstIdInMonth(monthAfter(month))}
  ${name === 'state_changes' ? `and t.object not in (${staying.map((object) => `'${object}'`).join(', ')})` : ''} order by ${ordered}`

type Said = Manifest['tables'][string]
/** Reads rows as lines, page by page, and gives each page away. */
async function digestOf(ask: Ask, query: string, give: (text: string) => Promise<unknown> | undefined): Promise<Said> {
  const digest = createHash('sha256')
  let rows = 0
  await ask(`declare month_rows no scroll cursor for ${query}`)
  for (;;) {
    const { rows: page } = await ask(`fetch ${FETCH} from month_rows`)
    if (page.length === 0) break
    rows += page.length
    const text = page.map(([row]) => `${JSON.stringify(row)}\n`).join('')
    digest.update(text)
    await give(text)
  }
  await ask('close month_rows')
  return { rows, sha256: digest.digest('hex') }
}

async function writeTable(ask: Ask, folder: string, name: string, query: string): Promise<Said> {
  const zip = createGzip()
  const written = zip.pipe(createWriteStream(fileOf(folder, name)))
  const said = await digestOf(ask, query, (text) => (zip.write(text) ? undefined : once(zip, 'drain')))
  zip.end()
  await once(written, 'finish')
  return said
}

/** The moment at which a month ends. */
export function endOf(month: bigint): Date {
  const next = String(monthAfter(month))
  return new Date(`${next.slice(0, 4)}-${next.slice(4)}-01T00:00:00+01:00`)
}

/** Writes a month of a cell into a folder, all of it from one snapshot. */
export async function exportMonth(
  ctx: Ctx,
  cell: CellId,
  month: bigint,
  folder: string,
  previous: string | null,
): Promise<Manifest> {
  await mkdir(folder, { recursive: true })
  const manifest = await inspect(ctx, cell, 0, async (ask): Promise<Manifest> => {
    const { rows: tables } = await ask(TABLES)
    const written: Record<string, Manifest['tables'][string]> = {}
    for (const table of tables as [string, string, string][])
      written[table[0]] = await writeTable(ask, folder, table[0], rowsOf(month, table))
    const { rows: settled } = await ask(SETTLEMENTS, [endOf(month)])
    const settlements = Object.fromEntries(
      (settled as [string, string, string][]).map(([merchant, number, hash]) => [merchant, { number, hash }]),
    )
    return { format: 1, cell, month: String(month), tables: written, settlements, previous }
  })
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)
  return manifest
}

export const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Manifest

/** The lines of a table of an export, as they were written. (Not by readline: it also ends a line at
 *  characters that JSON leaves alone.) */
export async function* linesOf(folder: string, table: string): AsyncGenerator<string> {
  let rest = ''
  for await (const part of createReadStream(fileOf(folder, table)).pipe(createGunzip()).setEncoding('utf8')) {
    const lines = (rest + String(part)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

/** What is wrong with an export: files that are not what their manifest says, a chain that does not fit. */
export async function exportFaults(folder: string, before: Manifest | null): Promise<string[]> {
  const manifest = await readManifest(folder)
  const faults: string[] = []
  for (const [table, said] of Object.entries(manifest.tables)) {
    const digest = createHash('sha256')
    let rows = 0
    try {
      for await (const line of linesOf(folder, table)) {
        digest.update(`${line}\n`)
        rows += 1
      }
    } catch (error) {
      faults.push(`${table}: cannot be read: ${(error as Error).message}`)
      continue
    }
    if (rows !== said.rows) faults.push(`${table}: ${rows} rows, its manifest says ${said.rows}`)
    else if (digest.digest('hex') !== said.sha256) faults.push(`${table}: not what was written`)
  }
  if (before && manifest.previous !== hashOf(before)) faults.push(`it does not follow ${before.month}`)
  return faults
}

/** Where what the database has now is not what the export says. Attempts that were forgotten since are in the
 *  export only. */
export async function changedSince(ask: Ask, month: bigint, manifest: Manifest): Promise<string[]> {
  const { rows: forgotten } = await ask('select from months where month = $1 and attempts_forgotten', [month])
  const { rows: tables } = await ask(TABLES)
  const changed: string[] = []
  for (const table of tables as [string, string, string][]) {
    const [name] = table
    if (name === 'delivery_attempts' && forgotten.length > 0) continue
    const [now, said] = [await digestOf(ask, rowsOf(month, table), () => undefined), manifest.tables[name]]
    if (now.rows !== said?.rows) changed.push(`${name}: ${now.rows} rows, its export has ${said?.rows ?? 'none'}`)
    else if (now.sha256 !== said.sha256) changed.push(`${name}: other rows than in its export`)
  }
  return changed
}
