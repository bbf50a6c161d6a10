// The tables of the end-of-day statement.

export const STATEMENT_TABLES = `
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
alter table statement_lines add column if not exists acquirer text;
alter table statement_lines add column if not exists day_only boolean not null default false;
create table if not exists statement_faults (
  id int8 generated always as identity primary key,
  fault text not null,
  spec jsonb not null
);
`
