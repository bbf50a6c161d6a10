// The bank's own small database. Its tables are made at start, because a sandbox bank has nothing worth migrating.
import pg from 'pg'

const INT8 = 20

const TABLES = `
create table if not exists state (
  only_row boolean primary key default true check (only_row),
  offset_ms int8 not null default 0
);
insert into state default values on conflict do nothing;

create table if not exists transfers (
  session_id text primary key,
  bank_code text not null,
  account_number text not null,
  kobo int8 not null constraint transfer_positive check (kobo > 0),
  sender_name text not null,
  sender_account_number text not null,
  sender_bank_code text not null,
  narration text,
  paid_at timestamptz not null
);
create index if not exists transfers_by_day on transfers (paid_at, session_id);

-- One row per message the gateway is owed. due_at is sandbox time; leased_until and next_try_at are real time.
create table if not exists notices (
  id int8 generated always as identity primary key,
  session_id text not null references transfers,
  due_at timestamptz not null,
  leased_until timestamptz not null,
  next_try_at timestamptz not null default now(),
  tried_at timestamptz,
  attempts int not null default 0,
  taken_at timestamptz
);
create index if not exists notices_due on notices (due_at, id) where taken_at is null;

create table if not exists mails (
  id int8 generated always as identity primary key,
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null,
  sent_at timestamptz not null
);
create index if not exists mails_by_recipient on mails (lower(recipient), id);
`

export async function openDatabase(url: string, onIdleError: (error: Error) => void): Promise<pg.Pool> {
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
  await pool.query(TABLES)
  return pool
}

export async function loadOffset(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ offset_ms: bigint }>('select offset_ms from state')
  return Number(rows[0]?.offset_ms ?? 0n)
}

export async function saveOffset(pool: pg.Pool, offsetMs: number): Promise<void> {
  await pool.query('update state set offset_ms = greatest(offset_ms, $1)', [offsetMs])
}
