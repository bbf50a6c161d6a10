// apps/gateway/src/core/rows.ts: what the rows of each table are in TypeScript, as the gateway's driver gives
// them.
//   rowsText(client)   the file's text for a migrated database, without its head
import type pg from 'pg'

/** What the gateway's driver makes of a PostgreSQL type (`typeParsers` of core/cells/cells.ts). */
const DRIVER: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'Date',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'bigint',
  json: 'unknown',
  jsonb: 'unknown',
  numeric: 'string',
  text: 'string',
  timestamptz: 'Date',
  uuid: 'string',
  _bytea: 'Buffer[]',
  _int2: 'number[]',
  _int4: 'number[]',
  // The gateway's own parser is for the single one.
  _int8: 'string[]',
  _text: 'string[]',
  _timestamptz: 'Date[]',
}

/** The TypeScript of a PostgreSQL type, by its name in the catalogue. */
export const driverType = (typname: string): string | undefined => DRIVER[typname]

type Column = {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  readonly filled: boolean
  readonly checks: readonly string[]
}

const COLUMNS = `
select c.relname as table, a.attname as name, t.typname as type, not a.attnotnull as nullable,
  d.adbin is not null or a.attidentity <> '' as filled,
  array(select pg_get_constraintdef(k.oid, true) from pg_constraint k
    where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum] order by k.conname collate "C") as checks
from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
  and a.attnum > 0 and not a.attisdropped
order by c.relname collate "C", a.attnum`

const LISTED = /^CHECK \((\w+) = ANY \(ARRAY\[((?:'[^']*'::text(?:, )?)+)\]\)\)$/

/** The values of a text column that a constraint lists; null where none does. */
export function listed(name: string, checks: readonly string[]): string[] | null {
  const [found] = checks.flatMap((check) => {
    const [, column, values = ''] = LISTED.exec(check) ?? []
    return column === name ? [[...values.matchAll(/'([^']*)'/g)].map((hit) => hit[1] ?? '')] : []
  })
  return found ?? null
}

export function fieldType({ table, name, type, nullable, checks }: Omit<Column, 'filled'>): string {
  const driver = driverType(type)
  if (driver === undefined) throw new Error(`tools/schema/rows.ts does not know ${type}, of ${table}.${name}`)
  const values = type === 'text' ? listed(name, checks)?.map((value) => `'${value}'`) : undefined
  return [...(values ?? [driver]), ...(nullable ? ['null'] : [])].join(' | ')
}

const HEAD = `
export type Rows = {
`
const FILLED = `}

/** What an insert may leave out although it is never null: the database fills it in. */
export type Filled = {
`

export async function rowsText(client: pg.Client): Promise<string> {
  const { rows } = await client.query<Column>(COLUMNS)
  const tables = [...Map.groupBy(rows, ({ table }) => table)]
  const fields = (columns: readonly Column[]): string =>
    columns.map((column) => `    ${column.name}: ${fieldType(column)}\n`).join('')
  const filled = tables.flatMap(([table, columns]) => {
    const names = columns.filter((column) => column.filled && !column.nullable).map(({ name }) => `'${name}'`)
    return names.length === 0 ? [] : [`  ${table}: ${names.join(' | ')}\n`]
  })
  const types = tables.map(([table, columns]) => `  ${table}: {\n${fields(columns)}  }\n`)
  return `${HEAD}${types.join('')}${FILLED}${filled.join('')}}\n`
}
