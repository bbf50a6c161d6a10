// A database of a test file.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'

async function onServer(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${inject('postgresUrl')}postgres` })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** Its address. Call once per test file. */
export function useExamDatabase(): () => string {
  const name = `exam_${randomUUID().replaceAll('-', '')}`
  beforeAll(() => onServer(`create database ${name}`))
  afterAll(() => onServer(`drop database if exists ${name} with (force)`))
  return () => inject('postgresUrl') + name
}
