// What is read from the catalogue of a migrated database: docs/reference/schema.sql, the schema of a cell as
// the migrations leave it, and apps/gateway/src/core/rows.ts, its rows in TypeScript.
//   schemaTexts(url)   the texts of both for a migrated database: the same on every supported PostgreSQL
//   isFresh()          whether a committed file is of today's migrations; needs no database
//   makeSchema()       the texts, from a database of its own that lives for some seconds
// The head of each file carries a digest of the migrations, of these sources and of the text below it. So
// `generate` starts a database only after a change; schema.test.ts always compares the texts with a database.
import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../migrate.ts'
import { startPostgres } from '../postgres/postgres.ts'
import { type Catalogue, type Relation, readCatalogue } from './catalogue.ts'
import { rowsText } from './rows.ts'
import { FUNCTIONS, OWNERS, SECTIONS, SEQUENCES, type Table } from './tables.ts'

const SCHEMA_FILE = 'docs/reference/schema.sql'
const ROWS_FILE = 'apps/gateway/src/core/rows.ts'
const ROOT = join(import.meta.dirname, '..', '..')
const INPUTS = ['apps/gateway/migrations', 'tools/schema']

/** The files, each with its head and how a comment begins in it. */
export const SCHEMA_FILES = {
  [SCHEMA_FILE]: {
    comment: '--',
    head: `-- Generated from apps/gateway/migrations by \`npm run generate\`; do not edit. The schema of a cell, as the migrations leave it.
-- Beside each table the part of the gateway that owns it.
-- cowrie_app works for one merchant at a time, under row-level security; cowrie_engine sees all of them.
-- Of views and functions only the outside is shown; their queries are in the migrations.
`,
  },
  [ROWS_FILE]: {
    comment: '//',
    head: `// Generated from apps/gateway/migrations by \`npm run generate\`; do not edit. The rows of each table, as the
// gateway's driver gives them. A text column is narrowed to the values that a constraint of it lists.
`,
  },
} as const
export type SchemaFile = keyof typeof SCHEMA_FILES
export type SchemaTexts = Readonly<Record<SchemaFile, string>>

// ---- Printing

const PRIVILEGES = ['select', 'insert', 'update', 'delete', 'usage', 'execute']

/** One line for each set of privileges that some roles have in common. */
export function grantLines(target: string, grants: Relation['grants']): string[] {
  const ordered = grants.toSorted((a, b) => PRIVILEGES.indexOf(a.privilege) - PRIVILEGES.indexOf(b.privilege))
  const privilegesOf = [...Map.groupBy(ordered, ({ role }) => role)].map(([role, held]) => ({
    role,
    privileges: held.map(({ privilege, columns }) => privilege + (columns ? ` (${columns})` : '')).join(', '),
  }))
  return [...Map.groupBy(privilegesOf, ({ privileges }) => privileges)].map(([privileges, holders]) => {
    const roles = holders.map(({ role }) => role).toSorted()
    return `grant ${privileges} on ${target} to ${roles.join(', ')};`
  })
}

/** PostgreSQL prints what it parsed; this is nearer to what somebody wrote. */
export const readable = (sql: string): string =>
  sql
    .replace(/'::text/g, "'")
    .replace(/timestamp with time zone/g, 'timestamptz')
    .replace(/ = ANY \(ARRAY\[([^\]]*)\]\)/g, ' in ($1)')
    .replace(/\bpublic\./g, '')
    .replace(/ USING btree/g, '')
    .replace(/'[^']*'|\b[A-Z]+\b/g, (text) => (text.startsWith("'") ? text : text.toLowerCase()))

function tableText(relation: Relation, [owner, comment]: Table): string {
  const name = relation.name
  const options = relation.options === null ? '' : ` with (${relation.options})`
  const partitions = relation.partitions === null ? '' : ` partition by ${readable(relation.partitions)}`
  const columns = relation.columns.map(readable)
  const constraints = relation.constraints.map((each) => `constraint ${each.name} ${readable(each.definition)}`)
  const create = relation.isView
    ? [`create view ${name}${options} as select`, `  ${columns.join(',\n  ')};`]
    : [`create table ${name} (`, `  ${[...columns, ...constraints].join(',\n  ')}`, `)${partitions}${options};`]
  const security = relation.rowSecurity.map((word) => `${word} row level security`).join(', ')
  const rowSecurity = security === '' ? [] : [`alter table ${name} ${security};`]
  return [
    `-- ${name} (${owner}): ${comment}`,
    ...create,
    ...relation.indexes.map((index) => `${readable(index)};`),
    ...relation.triggers.map((trigger) => `${readable(trigger)};`),
    ...rowSecurity,
    ...relation.policies.map((policy) => `create policy ${readable(policy)};`),
    ...grantLines(name, relation.grants),
  ].join('\n')
}

/** The names must be the same on both sides: a table without a comment is as wrong as a comment without a
 *  table. */
export function refuseMismatch(kind: string, there: readonly string[], described: readonly string[]): void {
  const missing = there.filter((name) => !described.includes(name))
  const extra = described.filter((name) => !there.includes(name))
  if (missing.length > 0) throw new Error(`tools/schema/tables.ts does not describe the ${kind} ${missing.join(', ')}`)
  if (extra.length > 0)
    throw new Error(`tools/schema/tables.ts describes the ${kind} ${extra.join(', ')}, which no migration creates`)
}

export function print(catalogue: Catalogue): string {
  const described = [...OWNERS.keys()]
  const namesOf = (all: readonly { readonly name: string }[]): string[] => all.map(({ name }) => name)
  refuseMismatch('table', namesOf(catalogue.relations), described)
  refuseMismatch('sequence', namesOf(catalogue.sequences), Object.keys(SEQUENCES))
  refuseMismatch('function', namesOf(catalogue.functions), Object.keys(FUNCTIONS))
  const part = (title: string, texts: readonly string[]): string => `\n-- ==== ${title}\n\n${texts.join('\n\n')}\n`
  const sections = SECTIONS.map(({ title, tables }) => {
    // In the order of the section, not of the catalogue.
    const texts = Object.entries(tables).flatMap(([name, described]) =>
      catalogue.relations.filter((table) => table.name === name).map((table) => tableText(table, described)),
    )
    return part(title, texts)
  })
  const others = (kind: string, all: Catalogue['functions'], comments: Readonly<Record<string, string>>): string[] =>
    all.map(({ name, text, grants }) =>
      [`-- ${name}: ${comments[name]}`, readable(text), ...grantLines(`${kind} ${name}`, grants)].join('\n'),
    )
  return [
    ...sections,
    part('Sequences', others('sequence', catalogue.sequences, SEQUENCES)),
    part('Functions', others('function', catalogue.functions, FUNCTIONS)),
  ].join('')
}

// ---- Freshness

function digestOf(body: string): string {
  const hash = createHash('sha256')
  for (const folder of INPUTS) {
    const files = readdirSync(join(ROOT, folder)).filter((name) => !name.endsWith('.test.ts'))
    for (const name of files.sort()) hash.update(`${name}\n`).update(readFileSync(join(ROOT, folder, name)))
  }
  return hash.update(body).digest('hex')
}

const withHead = (path: SchemaFile, body: string): string => {
  const { head, comment } = SCHEMA_FILES[path]
  return `${head}${comment} ${digestOf(body)}\n${body}`
}

export function isFresh(path: SchemaFile, committed: string): boolean {
  const body = committed.slice(committed.indexOf('\n', SCHEMA_FILES[path].head.length) + 1)
  return committed === withHead(path, body)
}

export async function schemaTexts(url: string): Promise<SchemaTexts> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return {
      [SCHEMA_FILE]: withHead(SCHEMA_FILE, print(await readCatalogue(client))),
      [ROWS_FILE]: withHead(ROWS_FILE, await rowsText(client)),
    }
  } finally {
    await client.end()
  }
}

export async function makeSchema(options: { readonly preferSystem?: boolean } = {}): Promise<SchemaTexts> {
  const dir = mkdtempSync(join(tmpdir(), 'cowrie-schema-'))
  chmodSync(dir, 0o755)
  const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' } // It is thrown away.
  const engine = await startPostgres({ ...options, dir, settings })
  try {
    await engine.createDatabase('cell')
    await migrate(engine.url('cell'))
    return await schemaTexts(engine.url('cell'))
  } finally {
    await engine.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}
