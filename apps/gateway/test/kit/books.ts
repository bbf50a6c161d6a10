// The books are asked after every test, on one snapshot, of a database that knows nothing of the code under test. What is asked
// is what production asks (src/core/books and each feature's .books.ts).
import pg from 'pg'
import { FEATURES } from '../../src/app.ts'
import { booksOf } from '../../src/core/feature.ts'

const { invariants: INVARIANTS } = booksOf(FEATURES)

export type Violation = { readonly invariant: string; readonly rows: number; readonly example: string }

/** What is wrong in the snapshot of a connection's transaction. */
export async function violationsIn(client: pg.Client): Promise<Violation[]> {
  const violations: Violation[] = []
  for (const [invariant, query] of Object.entries(INVARIANTS)) {
    const { rows } = await client.query({ text: query, rowMode: 'array' })
    if (rows.length > 0)
      violations.push({
        invariant,
        rows: rows.length,
        example: JSON.stringify(rows[0], (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v)),
      })
  }
  return violations
}

export async function checkBooks(url: string): Promise<Violation[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    return await violationsIn(client)
  } finally {
    await client.end()
  }
}
