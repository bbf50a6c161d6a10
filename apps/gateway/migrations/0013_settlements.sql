-- Settlements: what was collected is paid to merchants and their sub accounts, once, with a statement that proves itself.

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

create table settlement_holds ( -- the operator's: nothing is paid to a merchant that has a row
  merchant_id bigint constraint settlement_holds_pkey primary key constraint settlement_holds_merchant_fkey references merchants,
  reason text not null,
  since timestamptz not null
);

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

-- Entries on what merchants and sub accounts are owed, taken from the ledger below a horizon that no open transaction can cross
-- (as roll-ups are): exactly once, because the horizon moves in the same statement, and without an index on the hot tables.
create table settlement_horizon (
  single boolean constraint settlement_horizon_pkey primary key default true constraint settlement_horizon_single check (single),
  upto_xid bigint not null,
  run_at timestamptz                     -- when the next daily run is on the agenda; null: nothing waits to be paid
);
insert into settlement_horizon (upto_xid) values (0);

create table settlement_lines (
  transfer_id bigint not null,
  account_id bigint not null,            -- PENDING of a merchant, or SHARE of a sub account
  merchant_id bigint not null,
  object text not null,
  object_id bigint not null,
  kind text not null,
  at timestamptz not null,
  kobo bigint not null,                  -- what the account is owed by it; below zero for a correction
  amount_kobo bigint not null,           -- of the whole transfer: the fee and all that is owed to anybody
  fee_kobo bigint not null,
  fee_schedule_id bigint,
  shares text,                           -- JSON: what sub accounts get of the transfer, by code; null: nothing
  settlement_id bigint,                  -- null: not paid yet, or free again
  constraint settlement_lines_pkey primary key (transfer_id, account_id)
);
create index settlement_lines_free on settlement_lines (merchant_id, account_id, at) where settlement_id is null;
create index settlement_lines_settled on settlement_lines (settlement_id, transfer_id) where settlement_id is not null;
create index settlement_lines_object on settlement_lines (object_id);

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

create table settlement_heads ( -- the end of each merchant's chain; its lock lets one settlement of a merchant be made at a time
  merchant_id bigint constraint settlement_heads_pkey primary key constraint settlement_heads_merchant_fkey references merchants,
  number bigint not null,
  hash text not null
);

create table returned_lines ( -- what a settlement that came back was made of; the lines themselves are free again
  settlement_id bigint not null,
  transfer_id bigint not null,
  account_id bigint not null,
  merchant_id bigint not null,
  constraint returned_lines_pkey primary key (transfer_id, account_id, settlement_id)
);
create index returned_lines_settlement on returned_lines (settlement_id, transfer_id);

grant select on settlement_rules, settlement_holds, holidays, settlement_horizon, settlement_lines, settlements, settlement_heads,
  returned_lines to cowrie_app, cowrie_engine;
grant insert on settlement_rules, settlement_holds, holidays, settlement_lines, settlements, settlement_heads, returned_lines to cowrie_engine;
grant update on settlement_horizon, settlement_lines, settlements, settlement_heads to cowrie_engine;
grant delete on settlement_holds to cowrie_engine;
do $$
declare merchant_table text;
begin
  foreach merchant_table in array array['settlement_rules', 'settlement_holds', 'settlement_lines', 'settlements', 'settlement_heads', 'returned_lines'] loop
    execute format('alter table %I enable row level security', merchant_table);
    execute format('alter table %I force row level security', merchant_table);
    execute format('create policy own_rows on %I to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant())', merchant_table);
    execute format('create policy all_rows on %I to cowrie_engine using (true) with check (true)', merchant_table);
  end loop;
end $$;
