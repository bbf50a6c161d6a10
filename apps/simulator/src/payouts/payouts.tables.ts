// The tables of the payouts.

export const PAYOUT_TABLES = `
-- What became of every payout that was ordered or barred. turns_to is what it becomes at turns_at, sandbox time.
-- One that was barred before it arrived has no amount and no destination.
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

-- The book of payouts: a session is paid at most once and returned at most once, because the key says so.
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
`
