// The books are asked after every test, on one snapshot, of a database that knows nothing of the code under
// test. What is asked is what production asks (src/core/books and each feature's .books.ts).
import pg from 'pg'
import { mergeBooks } from '#core/feature.ts'
import { FEATURES } from '../../src/feature-list.ts'

const { invariants: INVARIANTS } = mergeBooks(FEATURES)

export { ONCE_A_FILE } from '../../../../tools/check/books.ts'

export type Violation = { readonly invariant: string; readonly rows: number; readonly example: string }

/** What is wrong in the snapshot of a connection's transaction. */
export async function violationsIn(
  client: pg.Client,
  isAsked: (invariant: string) => boolean = () => true,
): Promise<Violation[]> {
  const violations: Violation[] = []
  for (const [invariant, query] of Object.entries(INVARIANTS)) {
    if (!isAsked(invariant)) continue
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

/** How many rows all of them find together: one question in place of many, since nearly always the answer is
 *  none. */
const ALL = `select ${Object.values(INVARIANTS)
  .map((query) => `(select count(*) from (${query}) x)`)
  .join(' + ')} as found`

const BEGIN = 'begin isolation level repeatable read read only'
/** Plans are made again when the database has grown by so much: they were made for fewer rows. */
const GROWN = 1.1

export type Books = { check(): Promise<Violation[]>; close(): Promise<void> }

/** For whoever asks again and again: planning a hundred questions about tables in partitions takes longer
 *  than answering them. */
export function keepBooks(url: string): Books {
  let kept: { readonly client: pg.Client; bytes: number } | null = null
  const connect = async (): Promise<NonNullable<typeof kept>> => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {
      kept = null // a test took its server down
    })
    await client.connect()
    return { client, bytes: 0 }
  }
  return {
    check: async () => {
      kept ??= await connect()
      const { client } = kept
      try {
        const { rows } = await client
          .query(`${BEGIN}; select pg_database_size(current_database()) as bytes`)
          .then(
            (results) =>
              (results as unknown as pg.QueryResult<{ bytes: string }>[])[1] as pg.QueryResult<{ bytes: string }>,
          )
        const bytes = Number(rows[0]?.bytes)
        if (kept && bytes > kept.bytes * GROWN) {
          kept.bytes = bytes
          await client.query('discard plans')
        }
        const [all] = (await client.query<{ found: string }>({ name: 'books', text: ALL })).rows
        const violations = all?.found === '0' ? [] : await violationsIn(client)
        await client.query('commit')
        return violations
      } catch (error) {
        kept = null
        await client.end()
        throw error
      }
    },
    close: async () => {
      await kept?.client.end()
      kept = null
    },
  }
}

/** `isAsked`: for who asks many times about a few of them. */
export async function checkBooks(url: string, isAsked?: (invariant: string) => boolean): Promise<Violation[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(BEGIN)
    return await violationsIn(client, isAsked)
  } finally {
    await client.end()
  }
}
