// The bank's own small database. Its tables are made at start, because a sandbox bank has nothing worth migrating.
import pg from 'pg'
import { MANDATE_TABLES } from './mandate-tables.ts'

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
  paid_at timestamptz not null,
  sender_bvn text
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
-- Whose mail it is, as its header says; '' when it says nothing.
alter table mails add column if not exists merchant text not null default '';
create index if not exists mails_by_recipient on mails (lower(recipient), id);
create index if not exists mails_by_merchant on mails (merchant, id);

-- The key is the credit: whatever is repeated, it goes back once.
create table if not exists returns (
  session_id text primary key references transfers,
  return_session_id text not null constraint return_session_once unique,
  reason text not null,
  returned_at timestamptz not null
);

-- What the issuer knows of a charge. A card is its first six, last four and expiry; no number, code or PIN comes here.
-- A charge that was reversed before it was heard of has no amount and no card.
create table if not exists card_charges (
  charge_reference text primary key,
  state text not null constraint card_state_known
    check (state in ('APPROVED', 'DECLINED', 'OTP', 'CHALLENGE', 'REVERSED')),
  code text not null,
  kobo int8 constraint card_charge_positive check (kobo > 0),
  merchant_name text,
  return_url text,
  bin text constraint card_bin_short check (bin ~ '^\\d{6}$'),
  last4 text constraint card_last4_short check (last4 ~ '^\\d{4}$'),
  expiry_month text,
  expiry_year text,
  behaviour text,
  step text constraint card_step_known check (step in ('OTP', 'CHALLENGE')),
  step_id text constraint card_step_once unique,
  tries_left int not null,
  waits_until timestamptz,
  card_reference text,
  asked_at timestamptz not null,
  changed_at timestamptz not null
);
create index if not exists card_charges_by_time on card_charges (asked_at);

-- The issuer's book: a charge takes its money at most once and gives it back at most once, because the key says so.
create table if not exists card_money (
  charge_reference text not null references card_charges,
  kind text not null constraint card_money_kind_known check (kind in ('TAKEN', 'RETURNED')),
  kobo int8 not null constraint card_money_positive check (kobo > 0),
  booked_at timestamptz not null,
  primary key (charge_reference, kind)
);

-- What became of every payout that was ordered or barred. turns_to is what it becomes by itself at turns_at, sandbox time.
-- One that was barred before it was heard of has no amount and no destination.
create table if not exists payouts (
  session_id text primary key constraint payout_session_form check (session_id ~ '^\\d{30}$'),
  status text not null constraint payout_status_known check (status in ('SUCCESS', 'FAILED', 'PENDING', 'REVERSED')),
  response_code text not null,
  kobo int8 constraint payout_positive check (kobo > 0),
  destination_bank_code text,
  destination_account_number text,
  destination_account_name text,
  narration text,
  sender_name text,
  sender_account_number text,
  asked int not null,
  ordered_at timestamptz,
  changed_at timestamptz not null,
  paid_at timestamptz,
  reversed_at timestamptz,
  barred_at timestamptz,
  turns_to text constraint payout_turn_known check (turns_to in ('SUCCESS', 'FAILED', 'REVERSED')),
  turns_at timestamptz,
  constraint payout_turn_whole check ((turns_to is null) = (turns_at is null)),
  constraint payout_paid_when_said check ((paid_at is not null) = (status in ('SUCCESS', 'REVERSED'))),
  constraint payout_reversed_when_said check ((reversed_at is not null) = (status = 'REVERSED')),
  constraint payout_barred_for_ever check (barred_at is null or (status = 'FAILED' and turns_to is null)),
  constraint payout_paid_is_ordered check (paid_at is null or kobo is not null)
);
create index if not exists payouts_by_time on payouts (ordered_at);

-- The book of payouts: a session is paid at most once and comes back at most once, because the key says so.
create table if not exists payout_money (
  session_id text not null references payouts,
  kind text not null constraint payout_money_kind_known check (kind in ('PAID', 'RETURNED')),
  kobo int8 not null constraint payout_money_positive check (kobo > 0),
  booked_at timestamptz not null,
  primary key (session_id, kind)
);

-- A sandbox from before there were payouts keeps its tables, so what payouts add to them is added here. A notice is of a
-- credit or of a payout.
alter table state add column if not exists payout_faults jsonb;
alter table notices alter column session_id drop not null;
alter table notices add column if not exists payout_session_id text references payouts
  constraint notice_of_one_thing check ((session_id is null) <> (payout_session_id is null));
alter table notices add column if not exists payout_status text
  constraint notice_says_what check ((payout_session_id is null) = (payout_status is null));
create index if not exists notices_of_payout on notices (payout_session_id);

-- Credits that the bank takes back, each at its hour by the sandbox's clock.
create table if not exists credit_reversals (
  session_id text primary key references transfers,
  reversal_session_id text not null constraint reversal_session_once unique,
  reason text not null,
  reversed_at timestamptz not null
);
alter table notices add column if not exists reversal boolean not null default false;

-- The statement of a day, printed when it is first asked for after its end, and never changed. What is printed wrong on purpose
-- stands in statement_faults.
create table if not exists statement_days (
  day date primary key,
  printed_at timestamptz not null
);
alter table statement_days add column if not exists opening_kobo int8 not null default 0;
alter table statement_days add column if not exists closing_kobo int8 not null default 0;
create table if not exists statement_lines (
  day date not null references statement_days,
  line int not null,
  kind text not null,
  direction text not null,
  session_id text not null,
  of_session_id text,
  kobo int8 not null,
  booked_at timestamptz not null,
  bank_code text,
  account_number text,
  sender_name text,
  sender_account_number text,
  sender_bank_code text,
  says text not null,
  primary key (day, line)
);
create table if not exists statement_faults (
  id int8 generated always as identity primary key,
  fault text not null,
  spec jsonb not null
);

create table if not exists stored_cards (
  card_reference text primary key,
  bin text not null,
  last4 text not null,
  expiry_month text not null,
  expiry_year text not null,
  behaviour text not null
);
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
  await pool.query(TABLES + MANDATE_TABLES)
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
