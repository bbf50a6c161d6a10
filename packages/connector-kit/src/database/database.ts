// The adapter brings a pool and the name of a schema, the kit its tables.
import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Clock } from '../kit/clock.ts'
import { database, migrations } from './migrations.sql.ts'

export type Store = { readonly pool: pg.Pool; readonly schema: string; readonly clock: Clock }
export type Queryable = Pick<pg.ClientBase, 'query'>

/** It becomes part of SQL texts. */
export function checkSchema(schema: string): string {
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(schema))
    throw new Error('The schema of an adapter is a short name of lower-case letters, digits and _')
  return schema
}

export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken = true
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    broken = false
    return result
  } finally {
    // A connection whose database transaction did not end well is closed, and the transaction with it.
    client.release(broken)
  }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Brings the schema up to date. Any number of processes may call it at once; a schema of a newer kit is
 *  refused. */
export async function migrate({ pool, schema, clock }: Store): Promise<void> {
  const sql = database(checkSchema(schema))
  const wanted = migrations(schema)
  await inTransaction(pool, async (client) => {
    await client.query(sql.turn)
    await client.query(sql.prepare)
    const { rows } = await client.query<{ number: number; digest: string }>(sql.applied)
    for (const { number, digest } of rows) {
      const text = wanted[number - 1]
      if (text === undefined) throw new Error(`The schema ${schema} was made by a newer version of the kit`)
      if (digestOf(text) !== digest) throw new Error(`Migration ${number} of the schema ${schema} has been edited`)
    }
    for (const [at, text] of wanted.entries()) {
      if (at < rows.length) continue
      await client.query(text)
      await client.query(sql.note, [at + 1, digestOf(text), clock.now()])
    }
  })
}

/** Whether the database answers and has every table that this kit needs. */
export async function isReady({ pool, schema }: Store): Promise<boolean> {
  try {
    const { rows } = await pool.query<{ applied: number }>(database(checkSchema(schema)).ready)
    return (rows[0]?.applied ?? 0) >= migrations(schema).length
  } catch {
    return false
  }
}
