// All that an adapter's tables hold, as text.
import pg from 'pg'

export async function rowsOf(databaseUrl: string, schema: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      'select tablename as name from pg_tables where schemaname = $1',
      [schema],
    )
    const texts: string[] = []
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(`select t::text as text from ${schema}.${name} t`)
      texts.push(...rows.map(({ text }) => text))
    }
    return texts.join('\n')
  } finally {
    await client.end()
  }
}
