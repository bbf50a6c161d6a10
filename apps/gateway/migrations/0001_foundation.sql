-- The foundation: who the merchants are, one payment end to end, the ledger, the agenda, events and their deliveries.
--
-- Two roles use the tables (docs/decisions/0005-two-roles.md): cowrie_app acts for one merchant and sees that merchant's
-- rows only; cowrie_engine runs batches and timers across merchants. Neither may change what is insert-only.
--
-- Tables on the path of a payment carry no foreign keys: a key check locks the parent row, and every payment would queue
-- for the same merchant and account rows. test/books.ts checks what the keys would have held.

do $$
begin
  if not exists (select from pg_roles where rolname = 'cowrie_app') then create role cowrie_app nologin; end if;
  if not exists (select from pg_roles where rolname = 'cowrie_engine') then create role cowrie_engine nologin; end if;
exception when duplicate_object or unique_violation then null; -- another database of the cluster made them just now
end $$;

-- Ids are drawn in blocks of ten thousand by each process, so that an answer is known before its commit.
create sequence ids minvalue 10000 start 10000 increment 10000;
-- Seven digits of account serial per issuing bank; drawn in a cycle.
create sequence account_serials minvalue 0 maxvalue 9999000 start 0 increment 1000 cycle;

create table settings (
  name text constraint settings_pkey primary key,
  value text not null
);

create table merchants (
  id bigint constraint merchants_pkey primary key,
  name text not null,
  email text not null,
  api_key text not null constraint merchants_api_key_key unique,
  secret_sealed text not null,          -- envelope-encrypted: it keys the signature of notifications
  secret_digest bytea not null,         -- keyed digest: what login compares
  credential integer not null default 1,-- a token names the credential it was issued for; a new one ends the old tokens
  allowed_addresses text[] not null,    -- CIDR; requests are honoured from these only
  requests_per_second integer not null constraint merchants_rate_positive check (requests_per_second > 0),
  wallet_number text not null constraint merchants_wallet_number_key unique,
  wallet_bank_code text not null,
  transfer_otp boolean not null default true,
  created_at timestamptz not null
);

create table contracts (
  code text constraint contracts_pkey primary key,
  merchant_id bigint not null constraint contracts_merchant_fkey references merchants,
  name text not null
);

create table fee_schedules ( -- dated rows, never edited; every posting names the one it used
  id bigint constraint fee_schedules_pkey primary key,
  merchant_id bigint not null constraint fee_schedules_merchant_fkey references merchants,
  basis_points bigint not null constraint fee_schedules_rate check (basis_points between 0 and 10000),
  cap_kobo bigint not null constraint fee_schedules_cap check (cap_kobo >= 0),
  valid_from timestamptz not null,
  constraint fee_schedules_one_per_instant unique (merchant_id, valid_from)
);

create table merchant_revision ( -- raised by every change to what the request path remembers of merchants
  single boolean constraint merchant_revision_pkey primary key default true constraint merchant_revision_single check (single),
  revision bigint not null
);
insert into merchant_revision (revision) values (1);
create function raise_merchant_revision() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update merchant_revision set revision = revision + 1;
  return null;
end $$;
create trigger merchants_changed after insert or update or delete on merchants
  for each statement execute function raise_merchant_revision();
create trigger contracts_changed after insert or update or delete on contracts
  for each statement execute function raise_merchant_revision();
create trigger fee_schedules_changed after insert or update or delete on fee_schedules
  for each statement execute function raise_merchant_revision();

create table webhook_urls (
  merchant_id bigint not null constraint webhook_urls_merchant_fkey references merchants,
  kind text not null,
  url text not null,
  constraint webhook_urls_pkey primary key (merchant_id, kind)
);

-- Collections ------------------------------------------------------------------------------------------------------

create table transactions (
  id bigint constraint transactions_pkey primary key,
  merchant_id bigint not null,
  reference text not null constraint transactions_reference_key unique,
  payment_reference text not null,
  contract_code text not null,
  status text not null constraint transactions_status_known
    check (status in ('PENDING', 'PAID', 'PARTIALLY_PAID', 'OVERPAID', 'EXPIRED', 'FAILED', 'CANCELLED')),
  version integer not null default 1,
  kobo bigint not null constraint transactions_kobo_positive check (kobo > 0),
  customer_name text not null,
  customer_email text not null,
  description text not null,
  methods text[] not null,
  redirect_url text,
  meta_data text not null,
  checkout_token text not null,
  payment_method text,
  paid_kobo bigint not null default 0,
  fee_kobo bigint not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz,
  constraint transactions_payment_reference_key unique (merchant_id, payment_reference),
  constraint transactions_status_fits_amount check (case status
    when 'PAID' then paid_kobo = kobo
    when 'OVERPAID' then paid_kobo > kobo
    when 'PARTIALLY_PAID' then paid_kobo > 0 and paid_kobo < kobo
    else paid_kobo = 0 end),
  constraint transactions_fee_fits check (fee_kobo >= 0 and fee_kobo <= paid_kobo)
) with (fillfactor = 70); -- room for the one update of a payment on its own page: no index is touched by it

create table virtual_accounts ( -- whose each number is; a number is given again only long after it closed
  account_number text not null,
  bank_code text not null,
  merchant_id bigint not null,
  transaction_id bigint not null constraint virtual_accounts_transaction_key unique,
  opened_at timestamptz not null,
  expires_at timestamptz not null,
  constraint virtual_accounts_pkey primary key (account_number, bank_code)
);

create table inbound_credits ( -- every notice of the bank that was taken, once
  bank_reference text constraint inbound_credits_pkey primary key,
  merchant_id bigint not null,
  transaction_id bigint not null,
  transfer_id bigint not null,
  outcome text not null constraint inbound_credits_outcome_known check (outcome in ('COUNTED', 'SUSPENDED')),
  kobo bigint not null constraint inbound_credits_kobo_positive check (kobo > 0),
  account_number text not null,
  bank_code text not null,
  sender_name text not null,
  sender_account_number text not null,
  sender_bank_code text not null,
  received_at timestamptz not null
);
create index inbound_credits_transaction on inbound_credits (transaction_id);

create table suspense_items ( -- money that fits nothing: whose it may be, why, and by when somebody must decide
  id bigint constraint suspense_items_pkey primary key,
  merchant_id bigint not null,
  transaction_id bigint not null,
  bank_reference text not null constraint suspense_items_bank_reference_key unique,
  kobo bigint not null constraint suspense_items_kobo_positive check (kobo > 0),
  reason text not null,
  owner text not null,
  decide_by timestamptz not null,
  created_at timestamptz not null
);

-- Ledger -----------------------------------------------------------------------------------------------------------

create table accounts (
  id bigint constraint accounts_pkey primary key, -- merchant * 16 + kind (core/chart.ts); the house is merchant 0
  merchant_id bigint not null,
  kind text not null,
  currency text not null default 'NGN',
  balance_kobo bigint constraint balance_not_negative check (balance_kobo >= 0) -- null: no running balance, see rollups
);

create table transfers (
  id bigint constraint transfers_pkey primary key,
  merchant_id bigint not null,
  kind text not null,
  object text not null,
  object_id bigint not null,
  fee_schedule_id bigint,
  xid bigint not null default pg_current_xact_id()::text::bigint, -- for the roll-up's horizon
  at timestamptz not null
);
create index transfers_xid on transfers (xid);

create table entries ( -- positive: credit to the account; negative: debit. Those of a transfer sum to zero
  account_id bigint not null,
  transfer_id bigint not null,
  kobo bigint not null constraint entries_not_zero check (kobo <> 0),
  constraint entries_pkey primary key (transfer_id, account_id) -- grows with time, so inserts stay on the last page
);
-- Statements are asked of wallets and holds only; the accounts of every payment stay out of it. (Two BRIN indexes in
-- place of these were measured: they cost 20 µs an entry, half of the whole credit.)
create index entries_by_account on entries (account_id, transfer_id) where account_id % 16 in (9, 10);

create table rollups ( -- what an account without running balance held at the horizon
  account_id bigint constraint rollups_pkey primary key,
  kobo bigint not null
);
create table rollup_horizon ( -- entries of transactions below it are in rollups; no open transaction can add to them
  single boolean constraint rollup_horizon_pkey primary key default true constraint rollup_horizon_single check (single),
  upto_xid bigint not null
);
insert into rollup_horizon (upto_xid) values (0);

create table state_changes ( -- the path every object took through its machine
  object text not null,
  object_id bigint not null,
  version integer not null,
  merchant_id bigint not null,
  action text not null,
  from_state text not null,
  to_state text not null,
  transfer_id bigint,
  at timestamptz not null,
  constraint state_changes_pkey primary key (object, object_id, version)
);

-- Events, timers, deliveries ---------------------------------------------------------------------------------------

create table events (
  id bigint constraint events_pkey primary key,
  merchant_id bigint not null,
  type text not null,
  object text not null,       -- the reference a person knows it by
  object_id bigint not null,
  object_version integer not null,
  body text not null,         -- the exact bytes that are sent and signed
  at timestamptz not null
);

create table outbox ( -- events that have no number and no deliveries yet, in the order they came about
  id bigint generated always as identity constraint outbox_pkey primary key,
  event_id bigint not null,
  merchant_id bigint not null
);

create table event_numbers ( -- given after the commit: per merchant 1, 2, 3 … without gaps
  merchant_id bigint not null,
  number bigint not null,
  event_id bigint not null constraint event_numbers_event_key unique,
  constraint event_numbers_pkey primary key (merchant_id, number)
);
create table event_counters (
  merchant_id bigint constraint event_counters_pkey primary key,
  last_number bigint not null
);

create table agenda ( -- what is to be done, and when
  id bigint generated always as identity constraint agenda_pkey primary key,
  kind text not null,
  merchant_id bigint not null,
  subject bigint not null,
  due_at timestamptz not null,
  lease_until timestamptz,
  attempts integer not null default 0
);
create index agenda_due on agenda (due_at, id);

create table deliveries (
  id bigint constraint deliveries_pkey primary key,
  merchant_id bigint not null,
  event_id bigint not null,
  number bigint not null,
  object_id bigint not null,
  url text not null,
  endpoint bigint not null, -- hash of merchant and address: what the in-flight limit counts
  state text not null constraint deliveries_state_known check (state in ('PENDING', 'DELIVERED', 'GIVEN_UP')),
  attempts integer not null default 0,
  due_at timestamptz not null,
  lease_until timestamptz,
  constraint deliveries_one_per_event_and_address unique (event_id, endpoint)
);
create index deliveries_due on deliveries (endpoint, due_at) where state = 'PENDING';
create index deliveries_object on deliveries (merchant_id, object_id) where state = 'PENDING';

create table delivery_attempts (
  delivery_id bigint not null,
  attempt integer not null,
  merchant_id bigint not null,
  at timestamptz not null,
  url text not null,
  status integer,
  duration_ms integer not null,
  error text,
  answer text, -- the first kB
  constraint delivery_attempts_pkey primary key (delivery_id, attempt)
);

-- Requests, mails, the sandbox --------------------------------------------------------------------------------------

create table requests ( -- what became of each Idempotency-Key
  merchant_id bigint not null,
  key text not null,
  method text not null,
  path text not null,
  fields text not null,  -- a keyed digest per top-level field: enough to name what differs, nothing to read
  status integer,
  answer text,
  created_at timestamptz not null,
  completed_at timestamptz,
  constraint requests_pkey primary key (merchant_id, key)
);
create index requests_age on requests (created_at); -- keys are forgotten by age

create table mails (
  id bigint constraint mails_pkey primary key,
  merchant_id bigint not null,
  recipient text not null,
  subject text not null,
  text text not null,
  created_at timestamptz not null,
  sent_at timestamptz
);

create table sandbox_clock (
  single boolean constraint sandbox_clock_pkey primary key default true constraint sandbox_clock_single check (single),
  offset_ms bigint not null
);

-- Who may do what --------------------------------------------------------------------------------------------------

grant usage on schema public to cowrie_app, cowrie_engine;
grant usage, select on all sequences in schema public to cowrie_app, cowrie_engine;
grant select on all tables in schema public to cowrie_app, cowrie_engine;
grant insert on transactions, virtual_accounts, inbound_credits, suspense_items, transfers, entries, state_changes,
  events, outbox, agenda, requests, mails, webhook_urls to cowrie_app, cowrie_engine;
grant insert on event_numbers, event_counters, deliveries, delivery_attempts, rollups, sandbox_clock, accounts,
  merchants, contracts, fee_schedules, settings to cowrie_engine;
grant update on transactions, accounts, requests, mails, webhook_urls, agenda to cowrie_app, cowrie_engine;
grant update on event_counters, deliveries, rollups, rollup_horizon, sandbox_clock, merchants to cowrie_engine;
grant delete on requests, webhook_urls to cowrie_app, cowrie_engine;
grant delete on agenda, outbox, virtual_accounts to cowrie_engine;

create function acting_merchant() returns bigint language sql stable parallel safe
  return nullif(current_setting('cowrie.merchant', true), '')::bigint;

do $$
declare merchant_table text;
begin
  foreach merchant_table in array array['contracts', 'fee_schedules', 'webhook_urls', 'transactions', 'virtual_accounts',
    'inbound_credits', 'suspense_items', 'accounts', 'transfers', 'state_changes', 'events', 'outbox', 'event_numbers',
    'event_counters', 'agenda', 'deliveries', 'delivery_attempts', 'requests', 'mails']
  loop
    execute format('alter table %I enable row level security', merchant_table);
    execute format('alter table %I force row level security', merchant_table);
    execute format('create policy own_rows on %I to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant())', merchant_table);
    execute format('create policy all_rows on %I to cowrie_engine using (true) with check (true)', merchant_table);
  end loop;
end $$;
alter table merchants enable row level security;
alter table merchants force row level security;
create policy own_rows on merchants to cowrie_app using (id = acting_merchant()) with check (id = acting_merchant());
create policy all_rows on merchants to cowrie_engine using (true) with check (true);
-- Entries name no merchant; their account does. Sixteen kinds of account per merchant (core/chart.ts). A posting made
-- for a merchant also touches the house, so the house's rows may be written, never read, on a merchant's behalf.
alter table entries enable row level security;
alter table entries force row level security;
create policy own_rows on entries for select to cowrie_app using (account_id / 16 = acting_merchant());
create policy own_postings on entries for insert to cowrie_app with check (account_id / 16 in (0, acting_merchant()));
create policy all_rows on entries to cowrie_engine using (true) with check (true);
alter table rollups enable row level security;
alter table rollups force row level security;
create policy own_rows on rollups for select to cowrie_app using (account_id / 16 = acting_merchant());
create policy all_rows on rollups to cowrie_engine using (true) with check (true);
