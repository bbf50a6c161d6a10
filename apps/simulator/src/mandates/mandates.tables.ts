// The tables of the mandate scheme and its debits.

export const MANDATE_TABLES = `
-- What customers were asked for, and what they decided. One that was ended before it was registered has a code and nothing else.
create table if not exists mandates (
  mandate_code text primary key,
  status text not null constraint mandate_status_known check (status in ('WAITING', 'ACTIVE', 'DECLINED', 'CANCELLED')),
  merchant_name text,
  customer_name text,
  bank_code text,
  account_number text,
  account_name text,
  description text,
  starts_at timestamptz,
  ends_at timestamptz,
  auto_renew boolean,
  kobo int8 constraint mandate_positive check (kobo > 0),
  debit_kobo int8 constraint mandate_debit_positive check (debit_kobo > 0),
  customer_cancels boolean,
  authorize_by timestamptz,
  asked int not null,
  changed_at timestamptz not null,
  constraint mandate_known_or_over check (account_number is not null or status = 'CANCELLED')
);

-- What became of every debit that was ordered or barred; as the payouts.
create table if not exists debits (
  session_id text primary key constraint debit_session_form check (session_id ~ '^\\d{30}$'),
  mandate_code text references mandates,
  status text not null constraint debit_status_known check (status in ('SUCCESS', 'FAILED', 'PENDING', 'REVERSED')),
  response_code text not null,
  kobo int8 constraint debit_positive check (kobo > 0),
  narration text,
  asked int not null,
  ordered_at timestamptz,
  changed_at timestamptz not null,
  barred_at timestamptz,
  turns_to text constraint debit_turn_known check (turns_to in ('SUCCESS', 'FAILED', 'REVERSED')),
  turns_at timestamptz,
  constraint debit_turn_whole check ((turns_to is null) = (turns_at is null)),
  constraint debit_barred_for_ever check (barred_at is null or (status = 'FAILED' and turns_to is null)),
  constraint debit_ordered_whole check ((kobo is null) = (mandate_code is null))
);
create index if not exists debits_by_time on debits (ordered_at);
create index if not exists debits_by_mandate on debits (mandate_code);

-- The book of debits: a session takes its money at most once and returns it at most once, because the key says so.
create table if not exists debit_money (
  session_id text not null references debits,
  kind text not null constraint debit_money_kind_known check (kind in ('TAKEN', 'RETURNED')),
  kobo int8 not null constraint debit_money_positive check (kobo > 0),
  booked_at timestamptz not null,
  primary key (session_id, kind)
);

alter table state add column if not exists debit_faults jsonb;
-- A notice is of a credit, a payout, a debit or a mandate; \`said\` is the status it reports for the last two.
alter table notices add column if not exists debit_session_id text references debits;
alter table notices add column if not exists mandate_code text references mandates;
alter table notices add column if not exists said text;
alter table notices drop constraint if exists notice_of_one_thing; -- issuer/refunds.tables.ts has the one of all kinds
create index if not exists notices_of_debit on notices (debit_session_id);
create index if not exists notices_of_mandate on notices (mandate_code);
`
