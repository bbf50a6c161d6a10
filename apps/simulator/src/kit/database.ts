// The bank's own small database. Its tables are created at start, because a sandbox bank has nothing worth
// migrating.
import pg from 'pg'

const INT8 = 20

/** The clock's offset and the mailbox. */
const TABLES = `
create table if not exists state (
  only_row boolean primary key default true check (only_row),
  offset_ms int8 not null default 0
);
insert into state default values on conflict do nothing;

create table if not exists mails (
  id int8 generated always as identity primary key,
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null,
  sent_at timestamptz not null
);
-- Whose mail it is, as its header says; '' when it says nothing.
alter table mails add column if not exists merchant text not null default '';
create index if not exists mails_by_recipient on mails (lower(recipient), id);
create index if not exists mails_by_merchant on mails (merchant, id);
`

/** `tables` are the statements that create what the parts need, in the order of their references. */
export async function openDatabase(
  url: string,
  tables: readonly string[],
  onIdleError: (error: Error) => void,
): Promise<pg.Pool> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 16,
    types: {
      // Kobo never become a floating-point number; this parser belongs to this pool alone.
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8 && format !== 'binary'
          ? BigInt
          : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
  })
  pool.on('error', onIdleError)
  await pool.query([TABLES, ...tables].join(''))
  return pool
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
    // A connection whose transaction did not end well is thrown away, and the transaction with it.
    client.release(broken)
  }
}

export async function loadOffset(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ offset_ms: bigint }>('select offset_ms from state')
  return Number(rows[0]?.offset_ms ?? 0n)
}

export async function saveOffset(pool: pg.Pool, offsetMs: number): Promise<void> {
  await pool.query('update state set offset_ms = greatest(offset_ms, $1)', [offsetMs])
}
