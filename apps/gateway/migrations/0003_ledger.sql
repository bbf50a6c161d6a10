-- The ledger: accounts, transfers and their entries, and what the books found in them.

create table accounts (
  id bigint constraint accounts_pkey primary key, -- owner * 16 + kind (core/ledger/chart.ts); the house is owner 0
  merchant_id bigint not null,
  kind text not null,
  currency text not null default 'NGN',
  balance_kobo bigint,                   -- null: no running balance, see rollups
  constraint balance_not_negative check (balance_kobo >= 0 or kind = 'RECEIVABLE'),
  constraint receivable_not_positive check (kind <> 'RECEIVABLE' or balance_kobo <= 0) -- the house is owed
);
call open_table('accounts', 'select, insert, update', 'select, insert, update');
-- A merchant opens the accounts of its sub accounts, and no others.
create policy shares_only on accounts as restrictive for insert to cowrie_app with check (kind = 'SHARE' and id % 16 = 11);

-- Added to the numbers of database transactions, so that they count on after a logical restore: a dump that is restored in another
-- cluster keeps its numbers, while that cluster counts from anew; the operator's command (npm run horizons) then replaces this
-- function. Replaced, not stored: a constant costs a payment nothing (docs/decisions/0021-horizons.md).
create function ledger_offset() returns bigint language sql immutable parallel safe return 0::bigint;

create table transfers (
  id bigint constraint transfers_pkey primary key,
  merchant_id bigint not null,
  object_id bigint not null,
  fee_schedule_id bigint,
  xid bigint not null default pg_current_xact_id()::text::bigint + ledger_offset(), -- for the horizons of roll-ups and settlements
  at timestamptz not null,
  kind text not null,
  object text not null,                  -- what it is about, and by object_id which
  -- Its entries: the accounts, and in the same order what each is given. Rows of their own took three times the bytes.
  accounts bigint[] not null,
  amounts bigint[] not null,             -- kobo; positive: credit to the account; negative: debit. They sum to zero
  constraint transfers_entries_whole check (cardinality(accounts) = cardinality(amounts))
) partition by range (id);
call by_months('transfers');
create index transfers_xid on transfers (xid);
create index transfers_funding on transfers (id) where kind = 'FUNDING'; -- money that a sandbox gave its merchants; no bank has it
call open_table('transfers', 'select, insert', 'select, insert');

-- An account names its merchant: sixteen kinds of account per owner. The account of a sub account names its merchant in its row, not in
-- its number. A posting made for a merchant also touches the house, so the house's entries may be written, never read, on a
-- merchant's behalf.
create function acts_for_account(account bigint) returns boolean language sql stable parallel safe
  return case when account % 16 = 11
    then exists (select from accounts a where a.id = account and a.merchant_id = acting_merchant())
    else account / 16 = acting_merchant() end;
create function acts_for_accounts(accounts bigint[]) returns boolean language sql stable parallel safe
  return not exists (select from unnest(accounts) account where account / 16 <> 0 and not acts_for_account(account));
create policy own_postings on transfers as restrictive for insert to cowrie_app with check (acts_for_accounts(accounts));

create view entries with (security_invoker = true) as
  select e.account_id, t.id as transfer_id, e.kobo from transfers t cross join lateral unnest(t.accounts, t.amounts) as e(account_id, kobo)
  where acting_merchant() is null or acts_for_account(e.account_id);
grant select on entries to cowrie_app, cowrie_engine;

create table rollups ( -- what an account without running balance held at the horizon
  account_id bigint constraint rollups_pkey primary key,
  kobo bigint not null
);
alter table rollups enable row level security;
alter table rollups force row level security;
create policy own_rows on rollups for select to cowrie_app using (acts_for_account(account_id));
create policy all_rows on rollups to cowrie_engine using (true) with check (true);
grant select on rollups to cowrie_app;
grant select, insert, update on rollups to cowrie_engine;

create table rollup_horizon ( -- entries of database transactions below it are in rollups; no open one can add to them
  single boolean constraint rollup_horizon_pkey primary key default true constraint rollup_horizon_single check (single),
  upto_xid bigint not null
);
insert into rollup_horizon (upto_xid) values (0);
grant select on rollup_horizon to cowrie_app;
grant select, update on rollup_horizon to cowrie_engine;

-- Who holds a horizon back. The engine may not look at everybody's sessions; this much of one it may, as far as the owner of this
-- function may. What it cannot see is missing in a warning, and nothing else.
create function horizon_holder(out who text, out database text, out since timestamptz) returns setof record
language sql stable security definer set search_path = pg_catalog as $$
  with oldest as (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint % 4294967296 as xid)
  select 'process ' || a.pid || ' of ' || coalesce(a.usename, '?') || coalesce(' (' || nullif(a.application_name, '') || ')', ''),
    a.datname::text, a.xact_start
  from pg_stat_activity a, oldest where a.backend_xid::text::bigint = oldest.xid and a.pid <> pg_backend_pid()
  union all
  select 'prepared transaction ' || p.gid || ' of ' || p.owner, p.database::text, p.prepared
  from pg_prepared_xacts p, oldest where p.transaction::text::bigint = oldest.xid
  limit 1
$$;
revoke execute on function horizon_holder() from public;
grant execute on function horizon_holder() to cowrie_engine;

create table receivable_moves ( -- every change of what a merchant owes because a bank reversed money that was gone; insert-only
  id bigint constraint receivable_moves_pkey primary key, -- of its transfer too
  merchant_id bigint not null constraint receivable_moves_merchant_fkey references merchants,
  number bigint not null,                -- 1, 2, 3 … of the merchant: their order
  account_id bigint not null,            -- what was short, or what it was collected from: WALLET, PENDING, or SHARE of a sub account
  kobo bigint not null constraint receivable_moves_kobo check (kobo <> 0), -- above zero: became owed; below zero: collected
  owed_kobo bigint not null constraint receivable_moves_owed check (owed_kobo >= 0), -- by the merchant, after it
  reversal_reference text,               -- the bank's, of the reversal it became owed by; null: collected, or found short by a settlement
  at timestamptz not null,
  constraint receivable_moves_in_order unique (merchant_id, number),
  constraint receivable_moves_of_a_reversal check (kobo > 0 or reversal_reference is null)
);
create index receivable_moves_account on receivable_moves (account_id); -- what was carried for a sub account
call open_table('receivable_moves', 'select', 'select, insert');

create table books_runs ( -- the nightly runs of the invariants
  day date constraint books_runs_pkey primary key, -- the West African day on whose morning it runs
  started_at timestamptz,
  finished_at timestamptz,
  constraint books_runs_in_order check (finished_at is null or started_at is not null)
);
create unique index books_runs_open on books_runs ((true)) where finished_at is null; -- one at a time

create table books_results (
  day date not null constraint books_results_day_fkey references books_runs on delete cascade,
  invariant text not null,
  state text not null constraint books_results_state_known check (state in ('RUNNING', 'DONE', 'UNFINISHED')), -- UNFINISHED: it took longer than it may
  steps integer not null,                -- statements it took so far
  position text[],                       -- the key that the next slice begins after
  violations bigint not null,
  examples text[] not null,
  ms bigint not null,
  checked_at timestamptz not null,
  constraint books_results_pkey primary key (day, invariant)
);
grant select, insert, update, delete on books_runs, books_results to cowrie_engine;
