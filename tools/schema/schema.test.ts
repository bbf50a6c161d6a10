import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { TEMPLATE } from '../../apps/gateway/test/kit/postgres.ts'
import { fieldType, listed } from './rows.ts'
import {
  grantLines,
  isFresh,
  makeSchema,
  readable,
  refuseMismatch,
  SCHEMA_FILES,
  type SchemaFile,
  schemaTexts,
} from './schema.ts'
import { OWNERS } from './tables.ts'

const paths = Object.keys(SCHEMA_FILES) as SchemaFile[]
const committed = (path: SchemaFile) => readFileSync(join(import.meta.dirname, '..', '..', path), 'utf8')
const SCHEMA = 'docs/reference/schema.sql'
const ROWS = 'apps/gateway/src/core/rows.ts'

test('schema.sql and rows.ts are what a migrated database has', async () => {
  // A copy: nobody can copy the template while somebody is connected to it.
  const database = `schema_${process.pid}`
  const admin = new pg.Client({ connectionString: `${inject('postgresUrl')}postgres` })
  await admin.connect()
  try {
    await admin.query(`create database ${database} template ${TEMPLATE}`)
    const texts = await schemaTexts(inject('postgresUrl') + database)
    for (const path of paths) expect(texts[path]).toBe(committed(path))
    await admin.query(`drop database ${database} with (force)`)
  } finally {
    await admin.end()
  }
})

test('the installed PostgreSQL, if there is one, prints the same as the one of the npm package', async () => {
  const texts = await makeSchema({ preferSystem: true })
  for (const path of paths) expect(texts[path]).toBe(committed(path))
})

test.each([
  [SCHEMA, 'bigint not null', 'bigint'],
  [ROWS, 'paid_kobo: bigint', 'paid_kobo: number'],
] as const)(
  '%s: a changed line, a lost digest and an empty file are not fresh; the committed file is',
  (path, from, to) => {
    const text = committed(path)
    expect(isFresh(path, text)).toBe(true)
    expect(isFresh(path, text.replace(from, to))).toBe(false)
    expect(isFresh(path, text.replace(/^(--|\/\/) [0-9a-f]{64}$/m, '$1'))).toBe(false)
    expect(isFresh(path, '')).toBe(false)
  },
)

test('a field is what the driver gives, narrowed to the values that a constraint lists', () => {
  const field = (type: string, nullable = false, checks: string[] = []) =>
    fieldType({ table: 't', name: 'c', type, nullable, checks })
  expect(field('int8', true)).toBe('bigint | null')
  expect(field('text', true, ["CHECK (c = ANY (ARRAY['A'::text, 'B C'::text]))"])).toBe("'A' | 'B C' | null")
  expect(listed('c', ["CHECK (c <> ALL (ARRAY['A'::text]))", 'CHECK (c = ANY (ARRAY[1, 2]))'])).toBeNull()
  expect(listed('c', ["CHECK (d = ANY (ARRAY['A'::text]))"])).toBeNull()
  expect(() => field('xml')).toThrow('does not know xml, of t.c')
})

test('a table without a comment is refused, and so is a comment without a table', () => {
  expect(() => refuseMismatch('table', ['a', 'b'], ['a'])).toThrow('does not describe the table b')
  expect(() => refuseMismatch('table', ['a'], ['a', 'b'])).toThrow('describes the table b, which no migration creates')
  refuseMismatch('table', ['a', 'b'], ['b', 'a'])
})

test('every table has an owner that exists: core, or a feature', () => {
  const features = join(import.meta.dirname, '..', '..', 'apps', 'gateway', 'src', 'features')
  const isFeature = (owner: string) => /^[a-z-]+\/[a-z-]+$/.test(owner) && existsSync(join(features, owner))
  expect([...OWNERS].filter(([, owner]) => owner !== 'core' && !isFeature(owner))).toEqual([])
})

test('roles with the same privileges share a line, and a column is named', () => {
  const grant = (role: string, privilege: string, columns: string | null = null) => ({ role, privilege, columns })
  const both = [grant('b', 'insert'), grant('b', 'select'), grant('a', 'select'), grant('a', 'insert')]
  expect(grantLines('t', both)).toEqual(['grant select, insert on t to a, b;'])
  expect(grantLines('t', [grant('a', 'update', 'x, y')])).toEqual(['grant update (x, y) on t to a;'])
})

test('what PostgreSQL prints becomes readable, and text in quotes stays as it is', () => {
  expect(readable("CHECK (status = ANY (ARRAY['NOT PAID'::text, 'ON'::text]))")).toBe(
    "check (status in ('NOT PAID', 'ON'))",
  )
  expect(readable('CREATE INDEX a ON public.t USING btree (x) WHERE x IS NULL')).toBe(
    'create index a on t (x) where x is null',
  )
})
