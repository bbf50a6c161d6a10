-- Settling: what was collected is paid to merchants and their sub accounts, once, with a statement that proves itself. Reconciling:
-- the bank's statement of each day, and where it does not agree with our books.

create table settlement_rules ( -- dated rows, never edited; no row: to the wallet, at 22:00 of the same day
  id bigint constraint settlement_rules_pkey primary key,
  merchant_id bigint not null constraint settlement_rules_merchant_fkey references merchants,
  destination text not null constraint settlement_rules_destination_known check (destination in ('WALLET', 'BANK')),
  schedule text not null constraint settlement_rules_schedule_known check (schedule in ('SAME_DAY', 'INSTANT', 'T_PLUS_1')),
  bank_code text,
  account_number text,
  account_name text,
  valid_from timestamptz not null,
  constraint settlement_rules_account_of_a_bank check ((destination = 'BANK') = (bank_code is not null)
    and (bank_code is null) = (account_number is null) and (bank_code is null) = (account_name is null))
);
create index settlement_rules_latest on settlement_rules (merchant_id, valid_from desc, id desc);
call open_table('settlement_rules', 'select', 'select, insert');

create table settlement_holds ( -- the operator's: nothing is paid to a merchant that has a row
  merchant_id bigint constraint settlement_holds_pkey primary key constraint settlement_holds_merchant_fkey references merchants,
  reason text not null,
  since timestamptz not null
);
call open_table('settlement_holds', 'select', 'select, insert, delete');

create table holidays ( -- days on which T+1 does not pay, besides Saturdays and Sundays; the operator adds those that are announced
  day date constraint holidays_pkey primary key,
  name text not null
);
insert into holidays (day, name)
  select (y || f.month_and_day)::date, f.name from generate_series(2026, 2030) as y, (values
    ('-01-01', 'New Year''s Day'), ('-05-01', 'Workers'' Day'), ('-06-12', 'Democracy Day'),
    ('-10-01', 'Independence Day'), ('-12-25', 'Christmas Day'), ('-12-26', 'Boxing Day')) as f(month_and_day, name)
  union all values
    ('2026-04-03'::date, 'Good Friday'), ('2026-04-06', 'Easter Monday'), ('2027-03-26', 'Good Friday'), ('2027-03-29', 'Easter Monday'),
    ('2028-04-14', 'Good Friday'), ('2028-04-17', 'Easter Monday'), ('2029-03-30', 'Good Friday'), ('2029-04-02', 'Easter Monday'),
    ('2030-04-19', 'Good Friday'), ('2030-04-22', 'Easter Monday');
grant select on holidays to cowrie_app;
grant select, insert on holidays to cowrie_engine;

-- Entries on what merchants and sub accounts are owed, taken from the ledger below a horizon that no open transaction can cross
-- (as roll-ups are): exactly once, because the horizon moves in the same statement, and without an index on the hot tables.
create table settlement_horizon (
  single boolean constraint settlement_horizon_pkey primary key default true constraint settlement_horizon_single check (single),
  upto_xid bigint not null,
  run_at timestamptz                     -- when the next daily run is on the agenda; null: nothing waits to be paid
);
insert into settlement_horizon (upto_xid) values (0);
grant select on settlement_horizon to cowrie_app;
grant select, update on settlement_horizon to cowrie_engine;

create table settlement_lines ( -- what a line and its transfer have in common and nobody searches for, the transfer alone has
  transfer_id bigint not null,
  account_id bigint not null,            -- PENDING of a merchant, or SHARE of a sub account
  merchant_id bigint not null,
  object_id bigint not null,
  at timestamptz not null,
  kobo bigint not null,                  -- what the account is owed by it; below zero for a correction
  amount_kobo bigint not null,           -- of the whole transfer: the fee and all that is owed to anybody
  fee_kobo bigint not null,
  settlement_id bigint,                  -- null: not paid yet, or free again
  object text not null,
  shares text,                           -- JSON: what sub accounts get of the transfer, by code; null: nothing
  constraint settlement_lines_pkey primary key (transfer_id, account_id)
) partition by range (transfer_id);
call by_months('settlement_lines');
create index settlement_lines_free on settlement_lines (merchant_id, account_id, at) where settlement_id is null;
create index settlement_lines_settled on settlement_lines (settlement_id, transfer_id) where settlement_id is not null;
create index settlement_lines_object on settlement_lines (object_id);
call open_table('settlement_lines', 'select', 'select, insert, update');

create table settlements (
  id bigint constraint settlements_pkey primary key,
  merchant_id bigint not null constraint settlements_merchant_fkey references merchants,
  number bigint not null,                -- 1, 2, 3 … of the merchant: the order of the chain
  reference text not null constraint settlements_reference_key unique,
  sub_account_id bigint,                 -- null: the merchant itself
  status text not null constraint settlements_status_known check (status in ('PAYING', 'COMPLETED', 'RETURNED')),
  version integer not null default 1,
  kobo bigint not null constraint settlements_kobo_positive check (kobo > 0),
  amount_kobo bigint not null,
  fee_kobo bigint not null,
  shares_kobo bigint not null,
  lines integer not null constraint settlements_lines_positive check (lines > 0),
  transactions integer not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  destination text not null constraint settlements_destination_known check (destination in ('WALLET', 'BANK')),
  bank_code text not null,
  account_number text not null,
  account_name text not null,
  previous_hash text not null,
  hash text not null,
  signature text not null,
  key_id text not null,
  created_at timestamptz not null,
  completed_at timestamptz,
  constraint settlements_place_in_the_chain unique (merchant_id, number)
);
call open_table('settlements', 'select', 'select, insert, update');

create table settlement_heads ( -- the end of each merchant's chain; its lock lets one settlement of a merchant be made at a time
  merchant_id bigint constraint settlement_heads_pkey primary key constraint settlement_heads_merchant_fkey references merchants,
  number bigint not null,
  hash text not null
);
call open_table('settlement_heads', 'select', 'select, insert, update');

create table returned_lines ( -- what a settlement that was returned was made of; the lines themselves are free again
  settlement_id bigint not null,
  transfer_id bigint not null,
  account_id bigint not null,
  merchant_id bigint not null,
  constraint returned_lines_pkey primary key (transfer_id, account_id, settlement_id)
);
create index returned_lines_settlement on returned_lines (settlement_id, transfer_id);
call open_table('returned_lines', 'select', 'select, insert');

-- Reconciling -----------------------------------------------------------------------------------------------------------

-- The days of the bank's statement. A reading is one attempt with its own lines, so that nothing of a refused one counts.
create table statement_days (
  day date constraint statement_days_pkey primary key, -- West African
  reading integer not null default 1,    -- the attempt under way, or the one that was taken
  after text,                            -- where the next page begins; null: at the beginning, or everything is read
  lines integer not null default 0,      -- read so far, also those of other cells; compared with what the statement says of itself
  in_kobo bigint not null default 0,
  out_kobo bigint not null default 0,
  said_lines integer,                    -- what the statement says of itself, on the first page of this reading
  said_in_kobo bigint,
  said_out_kobo bigint,
  own_lines integer not null default 0,  -- of those read so far: of this cell, kept in statement_lines
  own_in_kobo bigint not null default 0,
  own_out_kobo bigint not null default 0,
  opening_kobo bigint,                   -- null: the bank does not say
  closing_kobo bigint,
  read_at timestamptz,
  matched_at timestamptz,
  constraint statement_days_in_order check (matched_at is null or read_at is not null)
);
create table statement_lines ( -- what the bank has booked; each line of a reading once
  day date not null constraint statement_lines_day_fkey references statement_days,
  reading integer not null default 1,
  line integer not null,
  kind text not null,
  direction text not null constraint statement_lines_direction_known check (direction in ('IN', 'OUT')),
  session_id text not null,
  of_session_id text,
  kobo bigint not null constraint statement_lines_kobo_positive check (kobo > 0),
  booked_at timestamptz not null,
  bank_code text,
  account_number text,
  sender_name text,
  sender_account_number text,
  sender_bank_code text,
  says text not null,
  constraint statement_lines_pkey primary key (day, reading, line)
);
create index statement_lines_session on statement_lines (kind, session_id);
grant select, insert, update on statement_days to cowrie_engine;
grant select, insert, delete on statement_lines to cowrie_engine; -- deleted: those of refused readings

-- What the bank has booked, by statements that were read to their end. Everything that is compared is compared with this.
create view statement_booked with (security_invoker = true) as
select l.* from statement_lines l -- a filter, not a join: the plans of what reads it must not change with the statistics of the days
where l.reading = (select d.reading from statement_days d where d.day = l.day and d.read_at is not null);
grant select on statement_booked to cowrie_engine;

create table recon_breaks ( -- where a bank and we do not agree, until somebody or something has ended it
  id bigint constraint recon_breaks_pkey primary key,
  merchant_id bigint not null,           -- whose money it is about; 0: not known
  class text not null constraint recon_breaks_class_known
    check (class in ('MISSING_HERE', 'MISSING_THERE', 'AMOUNT', 'DUPLICATE', 'TIMING', 'REVERSAL', 'UNKNOWN_OWNER', 'BALANCE')),
  status text not null default 'OPEN' constraint recon_breaks_status_known check (status in ('OPEN', 'RESOLVED')),
  version integer not null default 1,
  kind text not null,                    -- of the line: CREDIT, RETURN, REVERSAL, PAYOUT …
  session_id text not null,
  day date not null,                     -- the West African day it was found on
  bank_kobo bigint,                      -- null: the bank has no such line
  our_kobo bigint,                       -- null: we have no such money
  says text not null,
  done text,                             -- what ended it
  opened_at timestamptz not null,
  resolved_at timestamptz,
  constraint recon_breaks_once unique (class, kind, session_id),
  constraint recon_breaks_resolved check ((status = 'RESOLVED') = (resolved_at is not null) and (status = 'RESOLVED') = (done is not null))
);
create index recon_breaks_open on recon_breaks (opened_at) where status = 'OPEN';
call open_table('recon_breaks', 'select', 'select, insert, update');
