// The tables of transfers to virtual accounts, their notices, returns and reversals.

export const TRANSFER_TABLES = `
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

-- The key is the credit: however often it is ordered, it is returned once.
create table if not exists returns (
  session_id text primary key references transfers,
  return_session_id text not null constraint return_session_once unique,
  reason text not null,
  returned_at timestamptz not null
);

-- Credits that the bank reverses, each at its time by the sandbox's clock.
create table if not exists credit_reversals (
  session_id text primary key references transfers,
  reversal_session_id text not null constraint reversal_session_once unique,
  reason text not null,
  reversed_at timestamptz not null
);
alter table transfers add column if not exists channel text;
alter table notices add column if not exists reversal boolean not null default false;
`
