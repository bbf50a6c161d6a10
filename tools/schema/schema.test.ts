import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { TEMPLATE } from '../../apps/gateway/test/kit/postgres.ts'
import { grantLines, makeSchema, readable, refuseMismatch, SCHEMA_FILE, schemaIsFresh, schemaText } from './schema.ts'
import { OWNERS } from './tables.ts'

const committed = readFileSync(join(import.meta.dirname, '..', '..', SCHEMA_FILE), 'utf8')

test('docs/reference/schema.sql is what a migrated database has', async () => {
  // A copy: nobody can copy the template while somebody is connected to it.
  const database = `schema_${process.pid}`
  const admin = new pg.Client({ connectionString: `${inject('postgresUrl')}postgres` })
  await admin.connect()
  try {
    await admin.query(`create database ${database} template ${TEMPLATE}`)
    expect(await schemaText(inject('postgresUrl') + database)).toBe(committed)
    await admin.query(`drop database ${database} with (force)`)
  } finally {
    await admin.end()
  }
})

test('the installed PostgreSQL, if there is one, prints the same schema as the one of the npm package', async () => {
  expect(await makeSchema({ preferSystem: true })).toBe(committed)
})

test('a changed line, a lost digest and an empty file are not fresh; the committed file is', () => {
  expect(schemaIsFresh(committed)).toBe(true)
  expect(schemaIsFresh(committed.replace('bigint not null', 'bigint'))).toBe(false)
  expect(schemaIsFresh(committed.replace(/^-- [0-9a-f]{64}$/m, '--'))).toBe(false)
  expect(schemaIsFresh('')).toBe(false)
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
