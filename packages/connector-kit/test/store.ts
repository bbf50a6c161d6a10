// A database of a test file, and an empty schema in it for every test.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest'
import { migrate, type Store } from '../src/database/database.ts'
import type { Clock } from '../src/kit/clock.ts'

export type Json = Record<string, unknown>

/** Real time, and what a test adds to it. */
export function movingClock(): Clock & { move(ms: number): void } {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    move: (ms) => {
      ahead += ms
    },
  }
}

export async function onServer(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${inject('postgresUrl')}postgres` })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** Call once per test file. */
export function useStore() {
  const database = `kit_${randomUUID().replaceAll('-', '')}`
  const pools: pg.Pool[] = []
  const open = (): pg.Pool => {
    const pool = new pg.Pool({ connectionString: inject('postgresUrl') + database, max: 20 })
    pool.on('error', () => undefined)
    pools.push(pool)
    return pool
  }
  let turn = 0
  let store: Store & { clock: ReturnType<typeof movingClock> }
  const used = {
    url: () => inject('postgresUrl') + database,
    store: () => store,
    /** As another process has it: with connections of its own. */
    another: (): typeof store => ({ ...store, pool: open() }),
    query: async (text: string): Promise<Json[]> => (await store.pool.query<Json>(text)).rows,
  }
  beforeAll(() => onServer(`create database ${database}`))
  beforeEach(async () => {
    turn += 1
    store = { pool: open(), schema: `adapter_${turn}`, clock: movingClock() }
    await migrate(store)
  })
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.end()))
  })
  afterAll(() => onServer(`drop database if exists ${database} with (force)`))
  return used
}
