// What the code believes of the rows of its statements is what the database says. A column that is renamed
// fails the compiler where a row is picked from core/rows.ts, and this test where it is only named in SQL; a
// wrong type or a wrong null fails here.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { TEMPLATE } from '../../apps/gateway/test/kit/postgres.ts'
import { describer, faults, PRESENT } from './check.ts'
import type { Asked } from './collect.ts'

const database = `statements_${process.pid}`
const admin = new pg.Client({ connectionString: `${inject('postgresUrl')}postgres` })
const client = new pg.Client({ connectionString: inject('postgresUrl') + database })
let all: Asked[] = []

/** In a process of its own: it changes the modules that it loads. */
async function collected(): Promise<Asked[]> {
  const program = [join(import.meta.dirname, 'collect.ts')]
  const { stdout } = await promisify(execFile)(process.execPath, program, { maxBuffer: 64 * 1024 * 1024 })
  return JSON.parse(stdout) as Asked[]
}

beforeAll(async () => {
  await admin.connect()
  // A copy: nobody can copy the template while somebody is connected to it.
  await admin.query(`create database ${database} template ${TEMPLATE}`)
  await client.connect()
  all = await collected()
}, 120_000)
afterAll(async () => {
  await client.end()
  await admin.query(`drop database if exists ${database} with (force)`)
  await admin.end()
})

test('every statement can be prepared, and its rows are what its calls believe', async () => {
  expect(await faults(await describer(client), all)).toEqual([])
})

test('it is nearly every call: statements of all shapes are among them, and most are believed to answer something', () => {
  const names = all.map(({ name }) => name)
  // A constant; of a function; of a function that is given a filter; of a factory; of a list.
  for (const name of [
    'refunds_find',
    'keys_left_merchants',
    'search_rows_all',
    'disbursements_by_ids',
    'search_parts_delete',
  ])
    expect(names).toContain(name)
  expect(all.length).toBeGreaterThan(700)
  expect(all.flatMap(({ beliefs }) => beliefs).length).toBeGreaterThan(450)
})

test('a statement has one name, and a name one statement', () => {
  const twice = [...Map.groupBy(all, ({ name }) => name)].filter(([, some]) => some.length > 1)
  expect(twice.map(([name]) => name)).toEqual([])
})

test('nothing is excepted that is not asked', () => {
  const fields = all.flatMap(({ name, beliefs }) =>
    beliefs.flatMap(({ row }) => row.map((field) => `${name}.${field.name}`)),
  )
  expect(Object.keys(PRESENT).filter((one) => !fields.includes(one))).toEqual([])
})

describe('planted faults', () => {
  const [of, other] = ['refunds_find', 'refunds_lock']
  const named = (name: string) => all.find((one) => one.name === name) as Asked
  /** The statement with one field of each belief declared in another way. */
  const declared = (field: string, change: Partial<Asked['beliefs'][number]['row'][number]>): Asked => ({
    ...named(of),
    beliefs: named(of).beliefs.map((belief) => ({
      ...belief,
      row: belief.row.map((one) => (one.name === field ? { ...one, ...change } : one)),
    })),
  })

  test('a renamed column is found in every statement that names it', async () => {
    await client.query('begin; alter table refunds rename column masked_pan to card')
    // A statement that cannot be parsed ends the transaction, so one is looked at after the other.
    await client.query('savepoint clean')
    for (const name of [of, other]) {
      expect(await faults(await describer(client), [named(name)])).toEqual([
        `${named(name).path} ${name}: column "masked_pan" does not exist`,
      ])
      await client.query('rollback to clean')
    }
    await client.query('rollback')
  })

  test.each([
    ['kobo', { bases: ['number'] }, 'kobo is declared number and comes as bigint'],
    ['created_at', { bases: ['string'] }, 'created_at is declared string and comes as Date'],
    ['bank_code', { nullable: false }, 'bank_code may be null and is declared without'],
    ['reason', { nullable: true }, 'reason is never null and is declared with it'],
    ['kobo', { name: 'naira' }, 'naira is not a column of it'],
  ] as const)('%s with %o: %s', async (field, change, fault) => {
    const found = await faults(await describer(client), [declared(field, change)])
    expect(new Set(found.map((one) => one.split(`${of}: `)[1]))).toEqual(new Set([fault]))
  })

  test('a column that becomes nullable is found in the rows that declare it without null', async () => {
    await client.query('begin; alter table refunds alter column reason drop not null')
    const found = await faults(await describer(client), [named(of)])
    await client.query('rollback')
    expect(found[0]).toMatch(/refunds_find: reason may be null and is declared without$/)
  })
})
