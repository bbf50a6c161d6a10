-- Generated from apps/gateway/migrations by `npm run generate`; do not edit. The schema of a cell, as the migrations leave it.
-- Beside each table the part of the gateway that owns it.
-- cowrie_app works for one merchant at a time, under row-level security; cowrie_engine sees all of them.
-- Of views and functions only the outside is shown; their queries are in the migrations.
-- 03199e18fa7979eacbbaefd364dfe3963045c0e478a318e07b4c273da223f59e

-- ==== The cell

-- migrations (core): Which migrations were applied, with their digests.
create table migrations (
  name text not null,
  sha256 text not null,
  applied_at timestamptz not null,
  breaking boolean not null default false,
  constraint migrations_pkey primary key (name)
);
grant select on migrations to cowrie_app, cowrie_engine;

-- settings (core): What the database is for ever: live or sandbox.
create table settings (
  name text not null,
  value text not null,
  constraint settings_pkey primary key (name)
);
grant select on settings to cowrie_app;
grant select, insert on settings to cowrie_engine;

-- master_keys (core): The versions of the master key that sealed something here, by fingerprint; the keys that outlive them, sealed.
create table master_keys (
  version integer not null,
  fingerprint text not null,
  lasting text,
  statement_key_id text not null,
  statement_key text not null,
  known_at timestamptz not null,
  present_at timestamptz,
  retired_at timestamptz,
  constraint master_keys_pkey primary key (version),
  constraint master_keys_fingerprint_key unique (fingerprint),
  constraint master_keys_lasting_until_retired check ((lasting is null) = (retired_at is not null)),
  constraint master_keys_version_from_one check (version >= 1)
);
grant select, insert, update (lasting, present_at, retired_at) on master_keys to cowrie_engine;

-- payout_routes (core): Which connectors payouts of this cell go through, by bank and amount. A version for each change.
create table payout_routes (
  id bigint not null,
  bank_code text,
  above_kobo bigint not null,
  connectors text[] not null,
  valid_from timestamptz not null,
  created_at timestamptz not null,
  constraint payout_routes_pkey primary key (id),
  constraint payout_routes_one_per_instant unique nulls not distinct (bank_code, above_kobo, valid_from),
  constraint payout_routes_above_known check (above_kobo >= 0)
);
grant select, insert on payout_routes to cowrie_engine;

-- capability_routes (core): Which connectors this cell asks for account numbers, cards, mandates and identities. A version for each change.
create table capability_routes (
  id bigint not null,
  capability text not null,
  connectors text[] not null,
  valid_from timestamptz not null,
  created_at timestamptz not null,
  constraint capability_routes_pkey primary key (id),
  constraint capability_routes_one_per_instant unique (capability, valid_from),
  constraint capability_routes_capability_known check (capability in ('numbers', 'card', 'mandate', 'identity'))
);
grant select, insert on capability_routes to cowrie_engine;

-- cell_intake (access/placement): Whether this cell takes new merchants, and since when. One row.
create table cell_intake (
  single boolean not null default true,
  state text not null,
  since timestamptz,
  constraint cell_intake_pkey primary key (single),
  constraint cell_intake_decided check ((state = 'NEW') = (since is null)),
  constraint cell_intake_single check (single),
  constraint cell_intake_state_known check (state in ('NEW', 'OPEN', 'DRAINING', 'CLOSED'))
);
grant select, update on cell_intake to cowrie_engine;

-- connectors (core): Whom the gateway talks to: banks, acquirers, schemes.
create table connectors (
  id smallint not null,
  name text not null,
  constraint connectors_pkey primary key (id),
  constraint connectors_name_key unique (name)
);
create trigger connectors_receivable after insert on connectors for each row execute function open_receivable();
grant select on connectors to cowrie_app;
grant select, insert on connectors to cowrie_engine;

-- bank_numbers (core): Account numbers that a bank issued to this cell, in stock.
create table bank_numbers (
  account_number text not null,
  bank_code text not null,
  connector smallint not null,
  valid_until timestamptz,
  taken_at timestamptz,
  withdrawn_at timestamptz,
  constraint bank_numbers_pkey primary key (account_number, bank_code),
  constraint bank_numbers_connector_fkey foreign key (connector) references connectors(id)
);
create index bank_numbers_next on bank_numbers (connector, taken_at nulls first);
grant select on bank_numbers to cowrie_app;
grant select, insert, update (taken_at, withdrawn_at) on bank_numbers to cowrie_engine;

-- number_orders (bank/bank-numbers): What was ordered of them; an order is repeated until the bank has answered it.
create table number_orders (
  reference text not null,
  connector smallint not null,
  count integer not null,
  ordered_at timestamptz not null,
  done_at timestamptz,
  constraint number_orders_pkey primary key (reference),
  constraint number_orders_connector_fkey foreign key (connector) references connectors(id),
  constraint number_orders_count_positive check (count > 0)
);
create unique index number_orders_open on number_orders (connector) where (done_at is null);
grant select, insert, update (done_at) on number_orders to cowrie_engine;

-- sandbox_clock (core): How far the clock of the sandbox has been moved.
create table sandbox_clock (
  single boolean not null default true,
  offset_ms bigint not null,
  constraint sandbox_clock_pkey primary key (single),
  constraint sandbox_clock_single check (single)
);
grant select on sandbox_clock to cowrie_app;
grant select, insert, update on sandbox_clock to cowrie_engine;

-- month_tables (core): The tables that are partitioned by months, and how each partition is made.
create table month_tables (
  name text not null,
  options text not null,
  uniques text[] not null,
  constraint month_tables_pkey primary key (name)
);
grant select on month_tables to cowrie_app, cowrie_engine;

-- months (core): The months that have their partitions, and what of each has left.
create table months (
  month integer not null,
  attempts_forgotten boolean not null default false,
  bodies text not null default 'KEPT',
  constraint months_pkey primary key (month),
  constraint months_bodies_known check (bodies in ('KEPT', 'LEAVING', 'GONE')),
  constraint months_of_a_year check (month >= 200001 and month <= 999912 and (month % 100) >= 1 and (month % 100) <= 12)
);
grant select on months to cowrie_app;
grant select, update (bodies) on months to cowrie_engine;

-- departed_months (core): The months that have left. What has an id below the end of the last of them is not here.
create table departed_months (
  month integer not null,
  past_id bigint not null,
  past_day date not null,
  manifest text not null,
  attempts_forgotten boolean not null,
  bodies text not null,
  left_at timestamptz not null,
  constraint departed_months_pkey primary key (month)
);
grant select on departed_months to cowrie_app, cowrie_engine;

-- departed_numbers (core): The last numbers of a merchant's payouts, batches, invoices and events that left with a month.
create table departed_numbers (
  month integer not null,
  merchant_id bigint not null,
  transfers bigint not null,
  singles bigint not null,
  batches bigint not null,
  invoices bigint not null,
  events bigint not null,
  constraint departed_numbers_pkey primary key (merchant_id, month),
  constraint departed_numbers_month_fkey foreign key (month) references departed_months(month) on delete cascade
);
alter table departed_numbers enable row level security;
create policy own_rows on departed_numbers to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on departed_numbers to cowrie_engine using (true) with check (true);
grant select on departed_numbers to cowrie_app, cowrie_engine;

-- departed_settlements (core): What of the lines of a settlement left with a month.
create table departed_settlements (
  month integer not null,
  settlement_id bigint not null,
  merchant_id bigint not null,
  lines bigint not null,
  kobo bigint not null,
  amount_kobo bigint not null,
  fee_kobo bigint not null,
  constraint departed_settlements_pkey primary key (settlement_id, month),
  constraint departed_settlements_month_fkey foreign key (month) references departed_months(month) on delete cascade
);
alter table departed_settlements enable row level security;
create policy own_rows on departed_settlements to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on departed_settlements to cowrie_engine using (true) with check (true);
grant select on departed_settlements to cowrie_app, cowrie_engine;

-- month_changes (core): A month that was changed while it was about to leave.
create table month_changes (
  month integer not null,
  constraint month_changes_pkey primary key (month)
);
grant select on month_changes to cowrie_engine;

-- ==== Merchants

-- merchants (core): A merchant: credentials, allowed addresses, rate limit, wallet number.
create table merchants (
  id bigint not null,
  name text not null,
  email text not null,
  api_key text not null,
  secret_sealed text not null,
  secret_digest bytea not null,
  credential integer not null default 1,
  next_secret_sealed text,
  next_secret_digest bytea,
  overlap_until timestamptz,
  allowed_addresses text[] not null,
  requests_per_second integer not null,
  wallet_number text not null,
  wallet_bank_code text not null,
  transfer_otp boolean not null default true,
  new_sub_account_wait_hours integer not null default 24,
  created_at timestamptz not null,
  suspended boolean not null default false,
  people_addresses text[] not null default '{}'[],
  constraint merchants_pkey primary key (id),
  constraint merchants_api_key_key unique (api_key),
  constraint merchants_wallet_number_key unique (wallet_number),
  constraint merchants_new_sub_account_wait check (new_sub_account_wait_hours >= 0 and new_sub_account_wait_hours <= 720),
  constraint merchants_next_secret_whole check (num_nulls(next_secret_sealed, next_secret_digest, overlap_until) in (0, 3)),
  constraint merchants_rate_positive check (requests_per_second > 0)
);
create trigger merchants_changed after insert or delete or update on merchants for each statement execute function raise_merchant_revision();
create trigger merchants_sealed before insert or update of secret_sealed, next_secret_sealed on merchants for each row execute function refuse_retired_key();
alter table merchants enable row level security, force row level security;
create policy own_rows on merchants to cowrie_app using (id = acting_merchant()) with check (id = acting_merchant());
create policy all_rows on merchants to cowrie_engine using (true) with check (true);
grant select on merchants to cowrie_app;
grant select, insert, update on merchants to cowrie_engine;

-- feature_grants (core): Features that the operator granted or withdrew: who, when and why. Insert-only; the newest counts.
create table feature_grants (
  id bigint not null generated always as identity,
  merchant_id bigint not null,
  feature text not null,
  granted boolean not null,
  granted_by text not null,
  reason text not null,
  granted_at timestamptz not null,
  constraint feature_grants_pkey primary key (id),
  constraint feature_grants_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint feature_grants_by_somebody check (granted_by <> ''),
  constraint feature_grants_feature_known check (feature in ('TRANSFERS', 'SUB_ACCOUNTS', 'WALLETS', 'BILLS', 'VERIFICATION', 'INSTANT_SETTLEMENT', 'PAYCODE')),
  constraint feature_grants_for_a_reason check (reason <> '')
);
create index feature_grants_merchant on feature_grants (merchant_id, feature, id);
create trigger feature_grants_changed after insert or delete or update on feature_grants for each statement execute function raise_merchant_revision();
alter table feature_grants enable row level security, force row level security;
create policy own_rows on feature_grants to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on feature_grants to cowrie_engine using (true) with check (true);
grant select on feature_grants to cowrie_app;
grant select, insert on feature_grants to cowrie_engine;

-- merchant_files (access/merchants): The life of a merchant, from the application on: its state, and what is known of the business. Its id is the merchant's.
create table merchant_files (
  id bigint not null,
  merchant_id bigint not null,
  status text not null,
  version integer not null default 1,
  name text not null,
  email text not null,
  registration_number text,
  address text,
  website text,
  contact text,
  expected_monthly_naira bigint,
  created_by text not null,
  created_at timestamptz not null,
  constraint merchant_files_pkey primary key (id),
  constraint merchant_files_applied check ((status <> all (array['APPLIED', 'IN_SANDBOX', 'IN_REVIEW', 'REJECTED'])) or num_nulls(registration_number, address, contact, expected_monthly_naira) = 0),
  constraint merchant_files_own check (merchant_id = id),
  constraint merchant_files_status_known check (status in ('APPLIED', 'IN_SANDBOX', 'IN_REVIEW', 'LIVE', 'SUSPENDED', 'CLOSED', 'REJECTED'))
);
alter table merchant_files enable row level security, force row level security;
create policy own_rows on merchant_files to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on merchant_files to cowrie_engine using (true) with check (true);
grant select on merchant_files to cowrie_app;
grant select, insert, update on merchant_files to cowrie_engine;

-- merchant_documents (access/merchants): What was recorded of the documents of a merchant. Insert-only; the newest of a kind counts.
create table merchant_documents (
  id bigint not null,
  merchant_id bigint not null,
  kind text not null,
  state text not null,
  note text,
  digest text,
  recorded_by text not null,
  recorded_at timestamptz not null,
  constraint merchant_documents_pkey primary key (id),
  constraint merchant_documents_file_fkey foreign key (merchant_id) references merchant_files(id),
  constraint merchant_documents_state_known check (state in ('MISSING', 'RECEIVED', 'ACCEPTED', 'REFUSED'))
);
create index merchant_documents_merchant on merchant_documents (merchant_id, kind, id);
alter table merchant_documents enable row level security, force row level security;
create policy own_rows on merchant_documents to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on merchant_documents to cowrie_engine using (true) with check (true);
grant select on merchant_documents to cowrie_app;
grant select, insert on merchant_documents to cowrie_engine;

-- key_links (access/merchants): One-time links by which an owner gets a secret key; of the token only a keyed digest.
create table key_links (
  id bigint not null,
  merchant_id bigint not null,
  purpose text not null,
  digest bytea,
  expires_at timestamptz not null,
  mailed_at timestamptz,
  used_at timestamptz,
  ended_at timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  kept_keys text[] not null default '{}'[],
  constraint key_links_pkey primary key (id),
  constraint key_links_digest_key unique (digest),
  constraint key_links_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint key_links_purpose_known check (purpose in ('FIRST_KEY', 'LOST_KEY')),
  constraint key_links_used_once_in_time check (used_at is null or used_at < expires_at and ended_at is null and digest is not null)
);
create index key_links_merchant on key_links (merchant_id, id);
create unique index key_links_one_open on key_links (merchant_id) where ((used_at is null) and (ended_at is null));
alter table key_links enable row level security, force row level security;
create policy own_rows on key_links to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on key_links to cowrie_engine using (true) with check (true);
grant select on key_links to cowrie_app;
grant select, insert, update on key_links to cowrie_engine;

-- api_keys (core): Limited API keys of merchants: scope, contracts, networks. Never changed but for their end; raises the revision.
create table api_keys (
  id bigint not null,
  merchant_id bigint not null,
  number integer not null,
  api_key text not null,
  secret_digest bytea not null,
  name text not null,
  scope text not null,
  contracts text[],
  addresses text[],
  created_at timestamptz not null,
  created_by text not null,
  ended_at timestamptz,
  ended_by text,
  approved_by text,
  constraint api_keys_pkey primary key (id),
  constraint api_keys_api_key unique (api_key),
  constraint api_keys_number unique (merchant_id, number),
  constraint api_keys_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint api_keys_addresses_some check (cardinality(addresses) > 0),
  constraint api_keys_contracts_of_collections check (contracts is null or scope = 'COLLECTIONS'),
  constraint api_keys_contracts_some check (cardinality(contracts) > 0),
  constraint api_keys_end_whole check (num_nulls(ended_at, ended_by) in (0, 2)),
  constraint api_keys_number_positive check (number > 0),
  constraint api_keys_scope_known check (scope in ('READ', 'COLLECTIONS', 'PAYOUTS', 'AGENT'))
);
create trigger api_keys_changed after insert or delete or update on api_keys for each statement execute function raise_merchant_revision();
create trigger api_keys_only_end before update on api_keys for each row execute function api_keys_only_end();
alter table api_keys enable row level security, force row level security;
create policy own_rows on api_keys to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on api_keys to cowrie_engine using (true) with check (true);
grant select on api_keys to cowrie_app;
grant select, insert, update on api_keys to cowrie_engine;

-- view_grants (screens/viewing): One of the operator's people sees the merchant's screens, read only, for an hour; how often they looked is counted.
create table view_grants (
  id bigint not null,
  merchant_id bigint not null,
  person_id bigint not null,
  role text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  views integer not null default 0,
  constraint view_grants_pkey primary key (id),
  constraint view_grants_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint view_grants_an_hour check (expires_at > created_at and expires_at <= (created_at + '01:00:00'::interval)),
  constraint view_grants_views check (views >= 0)
);
create index view_grants_person on view_grants (merchant_id, person_id, id);
alter table view_grants enable row level security, force row level security;
create policy own_rows on view_grants to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on view_grants to cowrie_engine using (true) with check (true);
grant select on view_grants to cowrie_app;
grant select, insert, update on view_grants to cowrie_engine;

-- contracts (core): The contract codes of a merchant; every transaction names one.
create table contracts (
  code text not null,
  merchant_id bigint not null,
  name text not null,
  constraint contracts_pkey primary key (code),
  constraint contracts_merchant_fkey foreign key (merchant_id) references merchants(id)
);
create trigger contracts_changed after insert or delete or update on contracts for each statement execute function raise_merchant_revision();
alter table contracts enable row level security, force row level security;
create policy own_rows on contracts to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on contracts to cowrie_engine using (true) with check (true);
grant select on contracts to cowrie_app;
grant select, insert on contracts to cowrie_engine;

-- fee_schedules (core): Fees by method of payment, of payouts, refunds and verification. Dated rows, never edited; a posting names the one it used.
create table fee_schedules (
  id bigint not null,
  merchant_id bigint not null,
  basis_points bigint not null,
  cap_kobo bigint not null,
  valid_from timestamptz not null,
  method text not null default 'ANY',
  flat_kobo bigint not null default 0,
  bearer text not null default 'MERCHANT',
  created_at timestamptz,
  constraint fee_schedules_pkey primary key (id),
  constraint fee_schedules_one_per_instant unique (merchant_id, method, valid_from),
  constraint fee_schedules_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint fee_schedules_bearer_known check (bearer = 'MERCHANT' or bearer = 'CUSTOMER' and (method in ('ANY', 'ACCOUNT_TRANSFER', 'USSD', 'CARD'))),
  constraint fee_schedules_cap check (cap_kobo >= 0),
  constraint fee_schedules_flat check (flat_kobo >= 0),
  constraint fee_schedules_method_known check (method in ('ANY', 'ACCOUNT_TRANSFER', 'USSD', 'CARD', 'DIRECT_DEBIT', 'PAYOUT', 'REFUND', 'VERIFICATION')),
  constraint fee_schedules_not_in_the_past check (valid_from >= created_at),
  constraint fee_schedules_rate check (basis_points >= 0 and basis_points <= 10000)
);
create trigger fee_schedules_changed after insert or delete or update on fee_schedules for each statement execute function raise_merchant_revision();
alter table fee_schedules enable row level security, force row level security;
create policy own_rows on fee_schedules to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on fee_schedules to cowrie_engine using (true) with check (true);
grant select on fee_schedules to cowrie_app;
grant select, insert on fee_schedules to cowrie_engine;

-- merchant_limits (core): How much a merchant collects and pays out. Dated rows, never edited; the newest of a kind counts.
create table merchant_limits (
  id bigint not null,
  merchant_id bigint not null,
  kind text not null,
  per_payment_kobo bigint,
  per_day_kobo bigint,
  valid_from timestamptz not null,
  constraint merchant_limits_pkey primary key (id),
  constraint merchant_limits_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint merchant_limits_day check (per_day_kobo >= coalesce(per_payment_kobo, 1::bigint)),
  constraint merchant_limits_kind_known check (kind in ('COLLECTIONS', 'PAYOUTS')),
  constraint merchant_limits_payment check (per_payment_kobo > 0),
  constraint merchant_limits_payouts_whole check (kind <> 'PAYOUTS' or num_nulls(per_payment_kobo, per_day_kobo) = 0)
);
create index merchant_limits_merchant on merchant_limits (merchant_id, kind, valid_from);
create trigger merchant_limits_changed after insert or delete or update on merchant_limits for each statement execute function raise_merchant_revision();
alter table merchant_limits enable row level security, force row level security;
create policy own_rows on merchant_limits to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on merchant_limits to cowrie_engine using (true) with check (true);
grant select on merchant_limits to cowrie_app;
grant select, insert on merchant_limits to cowrie_engine;

-- payment_policies (core): What is done with money that does not match. Dated rows, never edited; the newest is in force.
create table payment_policies (
  id bigint not null,
  merchant_id bigint not null,
  less text not null,
  more text not null,
  extra text not null,
  tolerance_kobo bigint not null,
  barred_payers text not null,
  valid_from timestamptz not null,
  constraint payment_policies_pkey primary key (id),
  constraint payment_policies_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint payment_policies_extra_known check (extra in ('RETURN', 'HOLD')),
  constraint payment_policies_less_known check (less in ('COMPLETE', 'TOP_UP', 'RETURN', 'HOLD')),
  constraint payment_policies_more_known check (more in ('COMPLETE', 'RETURN', 'HOLD')),
  constraint payment_policies_tolerance check (tolerance_kobo >= 0 and tolerance_kobo <= 100000)
);
create index payment_policies_merchant on payment_policies (merchant_id, valid_from);
create trigger payment_policies_changed after insert or delete or update on payment_policies for each statement execute function raise_merchant_revision();
alter table payment_policies enable row level security, force row level security;
create policy own_rows on payment_policies to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on payment_policies to cowrie_engine using (true) with check (true);
grant select, insert on payment_policies to cowrie_app, cowrie_engine;

-- brandings (core): What customers of a merchant see beside its name: logo, colour, whom to ask. No row: nothing.
create table brandings (
  merchant_id bigint not null,
  colour text,
  support_email text,
  support_phone text,
  logo bytea,
  logo_type text,
  logo_digest text,
  changed_at timestamptz not null,
  constraint brandings_pkey primary key (merchant_id),
  constraint brandings_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint brandings_colour_form check (colour ~ '^#[0-9a-f]{6}$'),
  constraint brandings_logo_small check (octet_length(logo) <= 65536),
  constraint brandings_logo_type_known check (logo_type in ('png', 'jpeg')),
  constraint brandings_logo_whole check (num_nulls(logo, logo_type, logo_digest) in (0, 3))
);
create index brandings_logo on brandings (logo_digest) where (logo_digest is not null);
create trigger brandings_changed after insert or delete or update on brandings for each statement execute function raise_merchant_revision();
alter table brandings enable row level security, force row level security;
create policy own_rows on brandings to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on brandings to cowrie_engine using (true) with check (true);
grant select on brandings to cowrie_app;
grant select, insert, update on brandings to cowrie_engine;

-- merchant_revision (core): Raised by every change to what processes cache of merchants, so that they read it again.
create table merchant_revision (
  single boolean not null default true,
  revision bigint not null,
  constraint merchant_revision_pkey primary key (single),
  constraint merchant_revision_single check (single)
);
grant select on merchant_revision to cowrie_app, cowrie_engine;

-- sub_accounts (collections/sub-accounts): Who gets a share of a merchant's payments. A deleted one stays: money may be owed to it.
create table sub_accounts (
  id bigint not null,
  merchant_id bigint not null,
  code text not null,
  bank_code text not null,
  account_number text not null,
  account_name text not null,
  email text not null,
  default_split bigint not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  deleted_at timestamptz,
  settled_from timestamptz,
  default_split_rest smallint not null default 0,
  constraint sub_accounts_pkey primary key (id),
  constraint sub_accounts_code_key unique (code),
  constraint sub_accounts_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint sub_accounts_default_split check (default_split >= 0 and default_split <= 1000000),
  constraint sub_accounts_default_split_rest check (default_split_rest >= 0 and default_split_rest <= 99 and (default_split_rest = 0 or default_split < 1000000))
);
create index sub_accounts_merchant on sub_accounts (merchant_id, id);
alter table sub_accounts enable row level security, force row level security;
create policy own_rows on sub_accounts to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on sub_accounts to cowrie_engine using (true) with check (true);
grant select, insert, update on sub_accounts to cowrie_app, cowrie_engine;

-- sub_account_banks (collections/sub-accounts): Every bank account that a sub account has had or has asked for.
create table sub_account_banks (
  id bigint not null,
  sub_account_id bigint not null,
  merchant_id bigint not null,
  bank_code text not null,
  account_number text not null,
  account_name text not null,
  effective_at timestamptz not null,
  created_at timestamptz not null,
  constraint sub_account_banks_pkey primary key (id),
  constraint sub_account_banks_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint sub_account_banks_sub_account_fkey foreign key (sub_account_id) references sub_accounts(id)
);
create index sub_account_banks_sub_account on sub_account_banks (sub_account_id, id);
alter table sub_account_banks enable row level security, force row level security;
create policy own_rows on sub_account_banks to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on sub_account_banks to cowrie_engine using (true) with check (true);
grant select, insert on sub_account_banks to cowrie_app, cowrie_engine;

-- destinations (wallets/destinations): Accounts that receive a merchant's money without a further act: who added each, from when on it receives, who confirmed or stopped it.
create table destinations (
  id bigint not null,
  merchant_id bigint not null,
  kind text not null,
  subject bigint not null,
  bank_code text not null,
  account_number text not null,
  account_name text not null,
  added_by text not null,
  added_at timestamptz not null,
  in_force_from timestamptz not null,
  needs_person boolean not null,
  confirmed_by text,
  confirmed_at timestamptz,
  digest bytea,
  mailed_at timestamptz,
  stopped_by text,
  stopped_at timestamptz,
  constraint destinations_pkey primary key (id),
  constraint destinations_digest unique (digest),
  constraint destinations_subject unique (kind, subject),
  constraint destinations_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint destinations_confirmed_whole check (num_nulls(confirmed_by, confirmed_at) in (0, 2)),
  constraint destinations_kind_known check (kind in ('SETTLEMENT_RULE', 'SUB_ACCOUNT', 'SUB_ACCOUNT_BANK')),
  constraint destinations_stopped_whole check (num_nulls(stopped_by, stopped_at) in (0, 2)),
  constraint destinations_two_people check (confirmed_by is null or lower(confirmed_by) <> lower(added_by))
);
create index destinations_of_merchant on destinations (merchant_id, account_number);
alter table destinations enable row level security, force row level security;
create policy own_rows on destinations to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on destinations to cowrie_engine using (true) with check (true);
grant select, insert on destinations to cowrie_app;
grant select, insert, update on destinations to cowrie_engine;

-- code_guards (wallets/authorisation): Wrong authorisation codes per merchant, and whether they are locked.
create table code_guards (
  merchant_id bigint not null,
  wrong_at timestamptz[] not null default '{}'::timestamptz[],
  locked_at timestamptz,
  constraint code_guards_pkey primary key (merchant_id),
  constraint code_guards_merchant_fkey foreign key (merchant_id) references merchants(id)
);
alter table code_guards enable row level security, force row level security;
create policy own_rows on code_guards to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on code_guards to cowrie_engine using (true) with check (true);
grant select, insert, update on code_guards to cowrie_app, cowrie_engine;

-- erasures (screens/persons): That personal data of a payer was erased: when, and how many rows. Insert-only.
create table erasures (
  id bigint not null,
  merchant_id bigint not null,
  digest bytea not null,
  counts text not null,
  at timestamptz not null,
  constraint erasures_pkey primary key (id),
  constraint erasures_merchant_fkey foreign key (merchant_id) references merchants(id)
);
create index erasures_merchant on erasures (merchant_id);
alter table erasures enable row level security, force row level security;
create policy own_rows on erasures to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on erasures to cowrie_engine using (true) with check (true);
grant select on erasures to cowrie_app;
grant select, insert on erasures to cowrie_engine;

-- ==== People (in the database of identities; empty in other cells)

-- people (access/people): A person: address, name, password digest, seed of the authenticator app (sealed).
create table people (
  id bigint not null,
  email text not null,
  name text not null,
  password_digest text,
  totp_sealed text,
  totp_last_step bigint,
  totp_next_sealed text,
  has_passkey boolean not null default false,
  created_at timestamptz not null,
  wrong_factors integer not null default 0,
  constraint people_pkey primary key (id),
  constraint people_email_key unique (email),
  constraint people_email_lower check (email = lower(email)),
  constraint people_totp_whole check (num_nulls(totp_sealed, totp_last_step) in (0, 2)),
  constraint people_wrong_factors_counted check (wrong_factors >= 0)
);
create trigger people_sealed before insert or update of totp_sealed, totp_next_sealed on people for each row execute function refuse_retired_key();
grant select, insert, update on people to cowrie_engine;

-- memberships (access/people): Whom a person belongs to, a merchant or the operator, and with which role.
create table memberships (
  id bigint not null,
  person_id bigint not null,
  merchant_cell text,
  member_of bigint,
  role text not null,
  created_at timestamptz not null,
  created_by text not null,
  ended_at timestamptz,
  managed boolean not null default false,
  approves_from timestamptz,
  constraint memberships_pkey primary key (id),
  constraint memberships_person_fkey foreign key (person_id) references people(id),
  constraint memberships_merchant_whole check (num_nulls(merchant_cell, member_of) in (0, 2))
);
create index memberships_of_merchant on memberships (member_of, merchant_cell) where (ended_at is null);
create unique index memberships_open on memberships (person_id, coalesce(merchant_cell, ''), coalesce(member_of, (0)::bigint)) where (ended_at is null);
grant select, insert, update on memberships to cowrie_engine;

-- sessions (access/people): Where people are logged in; the token is there as a digest.
create table sessions (
  id bigint not null,
  person_id bigint not null,
  membership_id bigint not null,
  side text not null,
  digest bytea not null,
  half boolean not null,
  created_at timestamptz not null,
  used_at timestamptz not null,
  proved_at timestamptz,
  ends_at timestamptz not null,
  device text not null,
  address text not null,
  ended_at timestamptz,
  constraint sessions_pkey primary key (id),
  constraint sessions_digest_key unique (digest),
  constraint sessions_membership_fkey foreign key (membership_id) references memberships(id),
  constraint sessions_person_fkey foreign key (person_id) references people(id),
  constraint sessions_side_known check (side in ('merchant', 'operator'))
);
create index sessions_by_end on sessions (ends_at);
create index sessions_of_person on sessions (person_id) where (ended_at is null);
grant select, insert, update, delete on sessions to cowrie_engine;

-- invitations (access/people): Invitations by mail, and links that reset a password; each is good once.
create table invitations (
  id bigint not null,
  email text not null,
  name text not null,
  merchant_cell text,
  member_of bigint,
  role text not null,
  resets boolean not null,
  digest bytea not null,
  invited_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  opens_at timestamptz,
  constraint invitations_pkey primary key (id),
  constraint invitations_digest_key unique (digest),
  constraint invitations_email_lower check (email = lower(email)),
  constraint invitations_merchant_whole check (num_nulls(merchant_cell, member_of) in (0, 2))
);
create index invitations_by_email on invitations (email) where (used_at is null);
create index invitations_by_end on invitations (expires_at);
grant select, insert, update, delete on invitations to cowrie_engine;

-- recovery_codes (access/people): Codes in place of an authenticator app, as keyed digests; each good once.
create table recovery_codes (
  person_id bigint not null,
  digest bytea not null,
  used_at timestamptz,
  constraint recovery_codes_pkey primary key (person_id, digest),
  constraint recovery_codes_person_fkey foreign key (person_id) references people(id)
);
grant select, insert, update, delete on recovery_codes to cowrie_engine;

-- former_passwords (access/people): The last passwords of a person, as digests: none is taken again.
create table former_passwords (
  person_id bigint not null,
  number integer not null,
  digest text not null,
  constraint former_passwords_pkey primary key (person_id, number),
  constraint former_passwords_person_fkey foreign key (person_id) references people(id)
);
grant select, insert, delete on former_passwords to cowrie_engine;

-- devices (access/people): The browsers and command lines that a person has come in from.
create table devices (
  person_id bigint not null,
  digest bytea not null,
  name text not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  trusted boolean not null,
  constraint devices_pkey primary key (person_id, digest),
  constraint devices_person_fkey foreign key (person_id) references people(id)
);
create index devices_by_use on devices (last_seen);
grant select, insert, update, delete on devices to cowrie_engine;

-- people_mails (access/people): Mails to people, sealed until they are sent.
create table people_mails (
  id bigint not null,
  recipient text not null,
  subject text not null,
  text_sealed text not null,
  created_at timestamptz not null,
  try_at timestamptz not null,
  sent_at timestamptz,
  refused_at timestamptz,
  constraint people_mails_pkey primary key (id)
);
create index people_mails_unsent on people_mails (try_at) where ((sent_at is null) and (refused_at is null));
create trigger people_mails_sealed before insert or update of text_sealed on people_mails for each row execute function refuse_retired_key();
grant select, insert, update, delete on people_mails to cowrie_engine;

-- ==== What people do

-- approvals (core): Acts that one person asked for and another must approve: what exactly, who asked, who decided.
create table approvals (
  id bigint not null,
  merchant_id bigint not null,
  concerns text,
  side text not null,
  act text not null,
  input text not null,
  digest bytea not null,
  status text not null,
  version integer not null default 1,
  requester_kind text not null,
  requester_id bigint,
  requester_name text not null,
  requester_role text,
  reason text not null,
  request_proof text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decider_kind text,
  decider_id bigint,
  decider_name text,
  decided_at timestamptz,
  decision_reason text,
  decision_proof text,
  requester_makers text[],
  constraint approvals_pkey primary key (id),
  constraint approvals_decided_by_somebody check ((status in ('EXECUTED', 'REJECTED')) = (decider_name is not null) and (decider_name is null) = (decider_kind is null) and (decider_kind <> 'person' or decider_id is not null)),
  constraint approvals_digest_whole check (octet_length(digest) = 32),
  constraint approvals_ended check ((status = 'WAITING') = (decided_at is null)),
  constraint approvals_executed_in_time check (status <> 'EXECUTED' or decided_at < expires_at),
  constraint approvals_requester_is_somebody check (requester_kind <> 'person' or requester_id is not null),
  constraint approvals_requester_known check (requester_kind in ('person', 'key', 'command', 'timer')),
  constraint approvals_side_known check (side in ('merchant', 'operator')),
  constraint approvals_status_known check (status in ('WAITING', 'EXECUTED', 'REJECTED', 'EXPIRED')),
  constraint approvals_two_people check (status <> 'EXECUTED' or decider_id is not null and decider_id is distinct from requester_id and lower(decider_name) <> lower(requester_name) and (lower(decider_name) <> all (coalesce(requester_makers, '{}'[]))))
);
create index approvals_of_merchant on approvals (merchant_id, id);
create index approvals_waiting on approvals (id) where (status = 'WAITING');
alter table approvals enable row level security, force row level security;
create policy own_rows on approvals to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on approvals to cowrie_engine using (true) with check (true);
grant select, insert on approvals to cowrie_app;
grant select, insert, update on approvals to cowrie_engine;

-- trail (core): The audit trail: who did what, from where and why; one hash chain per merchant. Insert-only.
create table trail (
  merchant_id bigint not null,
  number bigint not null,
  at timestamptz not null,
  actor_kind text not null,
  actor_side text not null,
  actor_id bigint,
  actor_name text not null,
  actor_role text,
  what text not null,
  reason text not null,
  before text,
  after text,
  address text,
  request_id text,
  approval_id bigint,
  concerns text,
  previous bytea not null,
  hash bytea not null,
  constraint trail_pkey primary key (merchant_id, number),
  constraint trail_actor_known check (actor_kind in ('person', 'key', 'command', 'timer')),
  constraint trail_hash_whole check (octet_length(hash) = 32),
  constraint trail_number_from_one check (number > 0),
  constraint trail_side_known check (actor_side in ('merchant', 'operator'))
);
create index trail_concerns on trail (concerns, number) where (concerns is not null);
create index trail_done on trail (merchant_id, number) where ((actor_role is distinct from 'AGENT') or (approval_id is not null));
create index trail_of_agents on trail (merchant_id, number) where (actor_role = 'AGENT');
create index trail_of_approval on trail (approval_id) where (approval_id is not null);
alter table trail enable row level security, force row level security;
create policy own_rows on trail to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on trail to cowrie_engine using (true) with check (true);
grant select, insert on trail to cowrie_app, cowrie_engine;

-- trail_heads (core): The last line of each chain of the audit trail.
create table trail_heads (
  merchant_id bigint not null,
  number bigint not null,
  hash bytea not null,
  constraint trail_heads_pkey primary key (merchant_id)
);
alter table trail_heads enable row level security, force row level security;
create policy own_rows on trail_heads to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on trail_heads to cowrie_engine using (true) with check (true);
grant select, insert, update on trail_heads to cowrie_app, cowrie_engine;

-- security_events (core): What happened to people, rights, keys and destinations. Insert-only.
create table security_events (
  id bigint not null generated always as identity,
  merchant_id bigint not null,
  concerns text,
  at timestamptz not null,
  kind text not null,
  severity smallint not null,
  person text,
  actor_kind text not null,
  actor_side text not null,
  actor_name text not null,
  address text,
  request_id text,
  details text,
  constraint security_events_pkey primary key (id),
  constraint security_events_actor_known check (actor_kind in ('person', 'key', 'command', 'timer', 'nobody')),
  constraint security_events_severity_known check (severity >= 1 and severity <= 5),
  constraint security_events_side_known check (actor_side in ('merchant', 'operator'))
);
create index security_events_actor on security_events (actor_name, id) where (actor_kind = 'person');
create index security_events_concerns on security_events (concerns, id) where (concerns is not null);
create index security_events_of_merchant on security_events (merchant_id, id);
create index security_events_person on security_events (person, id) where (person is not null);
alter table security_events enable row level security, force row level security;
create policy own_rows on security_events to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on security_events to cowrie_engine using (true) with check (true);
grant select, insert on security_events to cowrie_app, cowrie_engine;

-- security_outbox (core): Who is still to be told of a security event: by mail, file or post.
create table security_outbox (
  event_id bigint not null,
  sink text not null,
  merchant_id bigint not null,
  at timestamptz not null,
  try_at timestamptz not null,
  constraint security_outbox_pkey primary key (event_id, sink),
  constraint security_outbox_event_fkey foreign key (event_id) references security_events(id),
  constraint security_outbox_sink_known check (sink in ('MAIL', 'FILE', 'POST'))
);
create index security_outbox_due on security_outbox (sink, try_at);
alter table security_outbox enable row level security, force row level security;
create policy own_rows on security_outbox to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on security_outbox to cowrie_engine using (true) with check (true);
grant select, insert on security_outbox to cowrie_app;
grant select, insert, update, delete on security_outbox to cowrie_engine;

-- trail_signatures (access/trail-signing): The heads of those chains, signed by a key of no database.
create table trail_signatures (
  number bigint not null,
  at timestamptz not null,
  document text not null,
  published_at timestamptz,
  constraint trail_signatures_pkey primary key (number),
  constraint trail_signatures_from_one check (number > 0)
);
create index trail_signatures_unpublished on trail_signatures (number) where (published_at is null);
grant select, insert, update on trail_signatures to cowrie_engine;

-- passkeys (access/people): The passkeys of people: public keys and counters. Ended, never deleted. Used in the database of identities.
create table passkeys (
  id bigint not null,
  person_id bigint not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  name text not null,
  transports text[] not null,
  created_at timestamptz not null,
  used_at timestamptz,
  ended_at timestamptz,
  constraint passkeys_pkey primary key (id),
  constraint passkeys_credential_key unique (credential_id),
  constraint passkeys_person_fkey foreign key (person_id) references people(id),
  constraint passkeys_counter_positive check (counter >= 0)
);
create index passkeys_of_person on passkeys (person_id) where (ended_at is null);
grant select, insert, update on passkeys to cowrie_engine;

-- challenges (access/people): What passkeys and the identity provider have answered already, until it expires: no answer counts twice.
create table challenges (
  digest bytea not null,
  purpose text not null,
  person_id bigint,
  expires_at timestamptz not null,
  constraint challenges_pkey primary key (digest),
  constraint challenges_person_fkey foreign key (person_id) references people(id),
  constraint challenges_purpose_known check (purpose in ('register', 'log-in', 'step-up', 'act', 'oidc'))
);
create index challenges_by_expiry on challenges (expires_at);
grant select, insert, delete on challenges to cowrie_engine;

-- exports (screens/exports): Files of payments that somebody asked for, and how far a worker has come with each. Deleted after a week.
create table exports (
  id bigint not null,
  merchant_id bigint not null,
  asked_by text not null,
  query text not null,
  masked boolean not null,
  file_name text not null,
  rows_expected bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  attempt integer not null default 0,
  lease_until timestamptz,
  rows_written bigint not null default 0,
  bytes bigint not null default 0,
  pieces integer,
  ready_at timestamptz,
  failed_at timestamptz,
  constraint exports_pkey primary key (id),
  constraint exports_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint exports_one_end check (num_nonnulls(ready_at, failed_at) <= 1),
  constraint exports_whole check ((ready_at is null) = (pieces is null))
) with (fillfactor=50);
create index exports_by_end on exports (expires_at);
create index exports_by_merchant on exports (merchant_id, id);
alter table exports enable row level security, force row level security;
create policy own_rows on exports to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on exports to cowrie_engine using (true) with check (true);
grant select on exports to cowrie_app;
grant select, insert, update, delete on exports to cowrie_engine;

-- export_pieces (screens/exports): The bytes of such a file: one gzip stream in pieces.
create table export_pieces (
  export_id bigint not null,
  attempt integer not null,
  number integer not null,
  merchant_id bigint not null,
  bytes bytea not null,
  constraint export_pieces_pkey primary key (export_id, attempt, number),
  constraint export_pieces_export_fkey foreign key (export_id) references exports(id) on delete cascade
);
alter table export_pieces enable row level security, force row level security;
create policy own_rows on export_pieces to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on export_pieces to cowrie_engine using (true) with check (true);
grant select on export_pieces to cowrie_app;
grant select, insert, delete on export_pieces to cowrie_engine;

-- saved_views (screens/saved-views): Filters of lists under a name, one person's or everybody's at a merchant.
create table saved_views (
  merchant_id bigint not null,
  owner_id bigint not null,
  list text not null,
  title text not null,
  filter text not null,
  saved_by_id bigint not null,
  saved_by text not null,
  saved_at timestamptz not null,
  constraint saved_views_pkey primary key (merchant_id, owner_id, list, title),
  constraint saved_views_merchant_fkey foreign key (merchant_id) references merchants(id)
);
alter table saved_views enable row level security, force row level security;
create policy own_rows on saved_views to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on saved_views to cowrie_engine using (true) with check (true);
grant select on saved_views to cowrie_app;
grant select, insert, update, delete on saved_views to cowrie_engine;

-- oidc_links (access/people): Who a person is at the identity provider. Insert-only.
create table oidc_links (
  person_id bigint not null,
  issuer text not null,
  subject text not null,
  created_at timestamptz not null,
  constraint oidc_links_pkey primary key (issuer, subject),
  constraint oidc_links_person_key unique (person_id, issuer),
  constraint oidc_links_person_fkey foreign key (person_id) references people(id)
);
grant select, insert on oidc_links to cowrie_engine;

-- ==== The ledger

-- accounts (core): The ledger accounts: id = owner * 16 + kind (core/chart.ts). A balance is kept only where it must not be overdrawn.
create table accounts (
  id bigint not null,
  merchant_id bigint not null,
  kind text not null,
  currency text not null default 'NGN',
  balance_kobo bigint,
  movements bigint not null default 0,
  moved_at timestamptz not null default '-infinity'::timestamptz,
  moved_id bigint not null default 0,
  constraint accounts_pkey primary key (id),
  constraint balance_not_negative check (balance_kobo >= 0 or kind = 'RECEIVABLE'),
  constraint receivable_not_positive check (kind <> 'RECEIVABLE' or balance_kobo <= 0)
);
alter table accounts enable row level security, force row level security;
create policy shares_only on accounts as restrictive for insert to cowrie_app with check (kind = 'SHARE' and (id % 16::bigint) = 11);
create policy own_rows on accounts to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on accounts to cowrie_engine using (true) with check (true);
grant select, insert, update on accounts to cowrie_app, cowrie_engine;

-- transfers (core): One balanced posting, with its entries: positive is a credit, negative a debit; they sum to zero. Insert-only.
create table transfers (
  id bigint not null,
  merchant_id bigint not null,
  object_id bigint not null,
  fee_schedule_id bigint,
  xid bigint not null default (((pg_current_xact_id())::text)::bigint + ledger_offset()),
  at timestamptz not null,
  kind text not null,
  object text not null,
  accounts bigint[] not null,
  amounts bigint[] not null,
  constraint transfers_pkey primary key (id),
  constraint transfers_entries_whole check (cardinality(accounts) = cardinality(amounts))
) partition by range (id);
create index transfers_funding on transfers (id) where (kind = 'FUNDING');
create index transfers_xid on transfers (xid);
create trigger transfers_of_acquirers before insert on transfers for each row when ((new.kind in ('COLLECTION', 'REFUND', 'REFUND_REVERSAL')) and (1 = any (new.accounts))) execute function post_to_acquirer();
alter table transfers enable row level security, force row level security;
create policy own_rows on transfers to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy own_postings on transfers as restrictive for insert to cowrie_app with check (acts_for_accounts(accounts));
create policy all_rows on transfers to cowrie_engine using (true) with check (true);
grant select, insert on transfers to cowrie_app, cowrie_engine;

-- entries (core): The entries of transfers, a row each.
create view entries with (security_invoker=true) as select
  account_id bigint,
  transfer_id bigint,
  kobo bigint;
grant select on entries to cowrie_app, cowrie_engine;

-- wallet_movements (core): The statements of wallets: every entry of one, numbered, with the balance after it. Insert-only.
create table wallet_movements (
  account_id bigint not null,
  number bigint not null,
  line_id bigint not null,
  merchant_id bigint not null,
  transfer_id bigint not null,
  kobo bigint not null,
  balance_kobo bigint not null,
  at timestamptz not null,
  constraint wallet_movements_pkey primary key (account_id, number, line_id),
  constraint wallet_movements_balance check (balance_kobo >= 0),
  constraint wallet_movements_kobo check (kobo <> 0)
) partition by range (line_id);
create index wallet_movements_time on wallet_movements (account_id, at, number);
alter table wallet_movements enable row level security, force row level security;
create policy own_rows on wallet_movements to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on wallet_movements to cowrie_engine using (true) with check (true);
grant select, insert on wallet_movements to cowrie_app, cowrie_engine;

-- rollups (core): The balance, up to the horizon, of accounts that keep no running balance.
create table rollups (
  account_id bigint not null,
  kobo bigint not null,
  constraint rollups_pkey primary key (account_id)
);
alter table rollups enable row level security, force row level security;
create policy own_rows on rollups for select to cowrie_app using (acts_for_account(account_id));
create policy all_rows on rollups to cowrie_engine using (true) with check (true);
grant select on rollups to cowrie_app;
grant select, insert, update on rollups to cowrie_engine;

-- rollup_horizon (core): The database transaction number up to which entries are in rollups.
create table rollup_horizon (
  single boolean not null default true,
  upto_xid bigint not null,
  constraint rollup_horizon_pkey primary key (single),
  constraint rollup_horizon_single check (single)
);
grant select on rollup_horizon to cowrie_app;
grant select, update on rollup_horizon to cowrie_engine;

-- receivable_moves (wallets/receivables): Every change of what a merchant owes after reversals and corrections. Insert-only.
create table receivable_moves (
  id bigint not null,
  merchant_id bigint not null,
  number bigint not null,
  account_id bigint not null,
  kobo bigint not null,
  owed_kobo bigint not null,
  reversal_reference text,
  at timestamptz not null,
  later_share boolean not null default false,
  break_id bigint,
  constraint receivable_moves_pkey primary key (id),
  constraint receivable_moves_in_order unique (merchant_id, number),
  constraint receivable_moves_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint receivable_moves_kobo check (kobo <> 0),
  constraint receivable_moves_of_a_correction check (kobo > 0 or break_id is null),
  constraint receivable_moves_of_a_later_share check (not later_share or kobo < 0 and (account_id % 16::bigint) = 11),
  constraint receivable_moves_of_a_reversal check (kobo > 0 or reversal_reference is null),
  constraint receivable_moves_of_one_cause check (break_id is null or reversal_reference is null),
  constraint receivable_moves_owed check (owed_kobo >= 0)
);
create index receivable_moves_account on receivable_moves (account_id);
alter table receivable_moves enable row level security, force row level security;
create policy own_rows on receivable_moves to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on receivable_moves to cowrie_engine using (true) with check (true);
grant select on receivable_moves to cowrie_app;
grant select, insert on receivable_moves to cowrie_engine;

-- books_runs (settlements/books): The nightly runs of the invariants.
create table books_runs (
  day date not null,
  started_at timestamptz,
  finished_at timestamptz,
  constraint books_runs_pkey primary key (day),
  constraint books_runs_in_order check (finished_at is null or started_at is not null)
);
create unique index books_runs_open on books_runs ((true)) where (finished_at is null);
grant select, insert, update, delete on books_runs to cowrie_engine;

-- books_results (settlements/books): What each invariant found in a run.
create table books_results (
  day date not null,
  invariant text not null,
  state text not null,
  steps integer not null,
  position text[],
  violations bigint not null,
  examples text[] not null,
  ms bigint not null,
  checked_at timestamptz not null,
  constraint books_results_pkey primary key (day, invariant),
  constraint books_results_day_fkey foreign key (day) references books_runs(day) on delete cascade,
  constraint books_results_state_known check (state in ('RUNNING', 'DONE', 'UNFINISHED'))
);
grant select, insert, update, delete on books_results to cowrie_engine;

-- ==== Collecting

-- transactions (collections/transactions): A merchant's request for money, and what was paid of it.
create table transactions (
  id bigint not null,
  merchant_id bigint not null,
  kobo bigint not null,
  paid_kobo bigint not null default 0,
  fee_kobo bigint not null default 0,
  tolerance_kobo bigint not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  email_key bigint not null,
  name_key bigint not null,
  closed_at timestamptz,
  version integer not null default 1,
  flagged boolean not null default false,
  on_page boolean not null default false,
  reference text not null,
  payment_reference text not null,
  contract_code text not null,
  status text not null,
  customer_name text not null,
  customer_email text not null,
  description text not null,
  methods text not null,
  payment_method text,
  redirect_url text,
  meta_data text not null,
  split text,
  product_type text,
  product_reference text,
  quoted_fee_kobo bigint,
  quoted_schedule_id bigint,
  constraint transactions_pkey primary key (id),
  constraint transactions_fee_fits check (fee_kobo >= 0 and fee_kobo <= paid_kobo),
  constraint transactions_kobo_positive check (kobo > 0),
  constraint transactions_product_known check (product_type in ('RESERVED_ACCOUNT', 'INVOICE', 'DIRECT_DEBIT', 'API_NOTIFICATION')),
  constraint transactions_product_named check ((product_type is null) = (product_reference is null)),
  constraint transactions_quote_whole check (num_nulls(quoted_fee_kobo, quoted_schedule_id) = 2 or num_nulls(quoted_fee_kobo, quoted_schedule_id) = 0 and product_type is null and quoted_fee_kobo >= 0 and quoted_fee_kobo <= kobo),
  constraint transactions_status_fits_amount check (
case status
    when 'PAID' then abs(paid_kobo - kobo - coalesce(quoted_fee_kobo, 0::bigint)) <= tolerance_kobo
    when 'OVERPAID' then paid_kobo > (kobo + coalesce(quoted_fee_kobo, 0::bigint))
    when 'PARTIALLY_PAID' then paid_kobo > 0 and paid_kobo < (kobo + coalesce(quoted_fee_kobo, 0::bigint))
    else paid_kobo = 0
end),
  constraint transactions_status_known check (status in ('PENDING', 'PAID', 'PARTIALLY_PAID', 'OVERPAID', 'EXPIRED', 'FAILED', 'CANCELLED')),
  constraint transactions_tolerance_small check (tolerance_kobo >= 0 and tolerance_kobo <= (kobo / 10))
) partition by range (id);
create index transactions_by_email on transactions (merchant_id, email_key, created_at, id);
create index transactions_by_name on transactions (merchant_id, name_key, created_at, id);
create index transactions_newest on transactions (merchant_id, created_at, id);
create index transactions_of_reserved on transactions (merchant_id, product_reference, created_at, id) where (product_type = 'RESERVED_ACCOUNT');
alter table transactions enable row level security, force row level security;
create policy own_rows on transactions to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on transactions to cowrie_engine using (true) with check (true);
grant select, insert, update on transactions to cowrie_app, cowrie_engine;

-- payment_references (collections/transactions): A merchant's own names of its transactions: each is used once.
create table payment_references (
  merchant_id bigint not null,
  payment_reference text not null,
  transaction_id bigint not null,
  constraint payment_references_pkey primary key (merchant_id, payment_reference)
);
alter table payment_references enable row level security, force row level security;
create policy own_rows on payment_references to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on payment_references to cowrie_engine using (true) with check (true);
grant select, insert on payment_references to cowrie_app, cowrie_engine;

-- virtual_accounts (core): Which account number belongs to which transaction or reserved account, and until when.
create table virtual_accounts (
  account_number text not null,
  bank_code text not null,
  merchant_id bigint not null,
  transaction_id bigint,
  reserved_id bigint,
  opened_at timestamptz not null,
  expires_at timestamptz not null,
  on_page boolean not null default false,
  connector smallint not null default 1,
  constraint virtual_accounts_pkey primary key (account_number, bank_code),
  constraint virtual_accounts_transaction_key unique (transaction_id),
  constraint virtual_accounts_lead_somewhere check (num_nulls(transaction_id, reserved_id) = 1)
);
create index virtual_accounts_reserved on virtual_accounts (reserved_id) where (reserved_id is not null);
alter table virtual_accounts enable row level security, force row level security;
create policy own_rows on virtual_accounts to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on virtual_accounts to cowrie_engine using (true) with check (true);
grant select, insert on virtual_accounts to cowrie_app;
grant select, insert, delete on virtual_accounts to cowrie_engine;

-- number_ranges (core): Account numbers that a cell may give out: from, to, bank, purpose.
create table number_ranges (
  id integer not null generated always as identity,
  bank_code text not null,
  first_serial bigint not null,
  last_serial bigint not null,
  cell text not null,
  purpose text not null,
  next_serial bigint not null,
  cycles integer not null default 0,
  constraint number_ranges_pkey primary key (id),
  constraint number_ranges_in_order check (first_serial >= 0 and first_serial <= last_serial and last_serial <= 999999999 and next_serial >= first_serial and next_serial <= (last_serial + 1)),
  constraint number_ranges_purpose_known check (purpose in ('PAYMENT', 'RESERVED'))
);
grant select on number_ranges to cowrie_app;
grant select, insert, update on number_ranges to cowrie_engine;

-- former_holders (core): Who had an account number before its present holder: a late payer means them.
create table former_holders (
  account_number text not null,
  bank_code text not null,
  merchant_id bigint not null,
  transaction_id bigint not null,
  opened_at timestamptz not null,
  expires_at timestamptz not null,
  unpaid boolean not null default false,
  constraint former_holders_pkey primary key (account_number, bank_code)
);
alter table former_holders enable row level security, force row level security;
create policy own_rows on former_holders to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on former_holders to cowrie_engine using (true) with check (true);
grant select on former_holders to cowrie_app;
grant select, insert, update on former_holders to cowrie_engine;

-- reserved_accounts (collections/reserved-accounts): Account numbers that belong to one customer of a merchant permanently.
create table reserved_accounts (
  id bigint not null,
  merchant_id bigint not null,
  reference text not null,
  reservation_reference text not null,
  type text not null,
  status text not null,
  version integer not null default 1,
  serial text not null,
  name text not null,
  contract_code text not null,
  customer_email text not null,
  customer_name text not null,
  bvn_sealed text,
  bvn_digest bytea,
  bvn_tail text,
  nin_sealed text,
  nin_digest bytea,
  nin_tail text,
  split text,
  split_shown text not null default '[]',
  split_code text not null,
  restricted boolean not null default false,
  allowed_bvns_sealed text,
  allowed_bvns bytea[] not null default '{}'::bytea[],
  allowed_accounts text not null default '[]',
  allowed_names text[] not null default '{}'[],
  invoice_id bigint,
  created_at timestamptz not null,
  limit_profile_id bigint,
  constraint reserved_accounts_pkey primary key (id),
  constraint reserved_accounts_reference_key unique (merchant_id, reference),
  constraint reserved_accounts_reservation_key unique (reservation_reference),
  constraint reserved_accounts_serial_key unique (serial),
  constraint reserved_accounts_limit_profile_fkey foreign key (merchant_id, limit_profile_id) references limit_profiles(merchant_id, id),
  constraint reserved_accounts_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint reserved_accounts_bvn_whole check (num_nulls(bvn_sealed, bvn_digest, bvn_tail) in (0, 3)),
  constraint reserved_accounts_invoice check (invoice_id is null or type = 'INVOICE'),
  constraint reserved_accounts_nin_whole check (num_nulls(nin_sealed, nin_digest, nin_tail) in (0, 3)),
  constraint reserved_accounts_of_a_person check (bvn_digest is not null or nin_digest is not null),
  constraint reserved_accounts_status_known check (status in ('RESERVED', 'DEALLOCATED')),
  constraint reserved_accounts_type_known check (type in ('GENERAL', 'INVOICE'))
);
create index reserved_accounts_newest on reserved_accounts (merchant_id, id) where (status = 'RESERVED');
create index reserved_accounts_of_customer on reserved_accounts (merchant_id, search_key(customer_email), created_at);
create trigger reserved_accounts_sealed before insert or update of bvn_sealed, nin_sealed, allowed_bvns_sealed on reserved_accounts for each row execute function refuse_retired_key();
alter table reserved_accounts enable row level security, force row level security;
create policy own_rows on reserved_accounts to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on reserved_accounts to cowrie_engine using (true) with check (true);
grant select, insert, update on reserved_accounts to cowrie_app, cowrie_engine;

-- limit_profiles (collections/limit-profiles): How much a reserved account under it takes, in one transfer and in a day.
create table limit_profiles (
  id bigint not null,
  merchant_id bigint not null,
  code text not null,
  name text not null,
  single_kobo bigint not null,
  day_payments integer not null,
  day_kobo bigint not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  constraint limit_profiles_pkey primary key (id),
  constraint limit_profiles_code_key unique (merchant_id, code),
  constraint limit_profiles_name_key unique (merchant_id, name),
  constraint limit_profiles_of_merchant unique (merchant_id, id),
  constraint limit_profiles_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint limit_profiles_day check (day_kobo >= single_kobo),
  constraint limit_profiles_payments check (day_payments > 0),
  constraint limit_profiles_single check (single_kobo >= 0)
);
alter table limit_profiles enable row level security, force row level security;
create policy own_rows on limit_profiles to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on limit_profiles to cowrie_engine using (true) with check (true);
grant select, insert, update on limit_profiles to cowrie_app;
grant select on limit_profiles to cowrie_engine;

-- limit_uses (collections/limit-profiles): What a reserved account under a limit profile took today. One row each, begun anew every day.
create table limit_uses (
  reserved_id bigint not null,
  merchant_id bigint not null,
  day date not null,
  payments integer not null,
  kobo bigint not null,
  constraint limit_uses_pkey primary key (reserved_id),
  constraint limit_uses_kobo check (kobo >= 0),
  constraint limit_uses_payments check (payments >= 0)
) with (fillfactor=50);
alter table limit_uses enable row level security, force row level security;
create policy own_rows on limit_uses to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on limit_uses to cowrie_engine using (true) with check (true);
grant select, insert on limit_uses to cowrie_app;
grant select, insert, update on limit_uses to cowrie_engine;

-- invoices (collections/invoices): An invoice beside its transaction.
create table invoices (
  id bigint not null,
  merchant_id bigint not null,
  reference text not null,
  place bigint not null,
  created_by text not null,
  split_shown text not null,
  reserved_id bigint,
  account_number text,
  bank_code text,
  account_name text,
  cancelled_at timestamptz,
  created_at timestamptz not null,
  lines text not null default '[]',
  vat_kobo bigint,
  customer_address text,
  merchant_address text,
  tax_number text,
  constraint invoices_pkey primary key (id),
  constraint invoices_reference_key unique (merchant_id, reference),
  constraint invoices_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint invoices_account_whole check (num_nulls(account_number, bank_code, account_name) in (0, 3)),
  constraint invoices_attached_to_a_number check (reserved_id is null or account_number is not null),
  constraint invoices_vat check (vat_kobo >= 0)
);
create unique index invoices_place on invoices (merchant_id, place);
create index invoices_reserved on invoices (reserved_id) where (reserved_id is not null);
alter table invoices enable row level security, force row level security;
create policy own_rows on invoices to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on invoices to cowrie_engine using (true) with check (true);
grant select, insert, update on invoices to cowrie_app, cowrie_engine;

-- invoice_counters (collections/invoices): How many invoices a merchant has made.
create table invoice_counters (
  merchant_id bigint not null,
  invoices bigint not null,
  constraint invoice_counters_pkey primary key (merchant_id),
  constraint invoice_counters_merchant_fkey foreign key (merchant_id) references merchants(id)
);
alter table invoice_counters enable row level security, force row level security;
create policy own_rows on invoice_counters to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on invoice_counters to cowrie_engine using (true) with check (true);
grant select, insert, update on invoice_counters to cowrie_app, cowrie_engine;

-- stranger_payments (collections/transactions): Open payments of strangers, with what each counts for.
create table stranger_payments (
  transaction_id bigint not null,
  merchant_id bigint not null,
  keys text[] not null,
  puzzle bytea,
  expires_at timestamptz not null,
  constraint stranger_payments_pkey primary key (transaction_id),
  constraint stranger_payments_puzzle unique (puzzle),
  constraint stranger_payments_merchant_fkey foreign key (merchant_id) references merchants(id)
);
alter table stranger_payments enable row level security, force row level security;
create policy own_rows on stranger_payments to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on stranger_payments to cowrie_engine using (true) with check (true);
grant select, insert on stranger_payments to cowrie_app;
grant select, update, delete on stranger_payments to cowrie_engine;

-- stranger_counts (collections/transactions): How many of those a payment link, a merchant or a network has.
create table stranger_counts (
  key text not null,
  open integer not null,
  constraint stranger_counts_pkey primary key (key),
  constraint stranger_counts_open_not_negative check (open >= 0)
) with (fillfactor=50);
grant select, insert, update on stranger_counts to cowrie_app;
grant select, update, delete on stranger_counts to cowrie_engine;

-- payment_links (collections/payment-links): Addresses that a merchant hands out to be paid at.
create table payment_links (
  id bigint not null,
  merchant_id bigint not null,
  code text not null,
  contract_code text not null,
  title text not null,
  description text not null,
  kobo bigint,
  min_kobo bigint,
  max_kobo bigint,
  single_use boolean not null,
  methods text not null,
  redirect_url text,
  expires_at timestamptz,
  paused_at timestamptz,
  transactions bigint not null default 0,
  created_by text not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  constraint payment_links_pkey primary key (id),
  constraint payment_links_code_key unique (code),
  constraint payment_links_of_merchant unique (merchant_id, id),
  constraint payment_links_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint payment_links_kobo check (kobo > 0),
  constraint payment_links_max check (max_kobo >= min_kobo),
  constraint payment_links_min check (min_kobo > 0),
  constraint payment_links_one_kind check ((kobo is null) = (min_kobo is not null) and (kobo is null or max_kobo is null))
) with (fillfactor=70);
create index payment_links_by_age on payment_links (merchant_id, created_at, id);
alter table payment_links enable row level security, force row level security;
create policy own_rows on payment_links to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on payment_links to cowrie_engine using (true) with check (true);
grant select, insert, update on payment_links to cowrie_app;
grant select on payment_links to cowrie_engine;

-- payment_link_uses (collections/payment-links): Transactions started at a payment link, numbered.
create table payment_link_uses (
  link_id bigint not null,
  number bigint not null,
  merchant_id bigint not null,
  transaction_id bigint not null,
  constraint payment_link_uses_pkey primary key (link_id, number),
  constraint payment_link_uses_transaction_key unique (transaction_id),
  constraint payment_link_uses_link_fkey foreign key (merchant_id, link_id) references payment_links(merchant_id, id),
  constraint payment_link_uses_number check (number > 0)
);
alter table payment_link_uses enable row level security, force row level security;
create policy own_rows on payment_link_uses to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on payment_link_uses to cowrie_engine using (true) with check (true);
grant select, insert on payment_link_uses to cowrie_app;
grant select on payment_link_uses to cowrie_engine;

-- page_settings (collections/in-page): Whose web pages may open the checkout, and what those may do.
create table page_settings (
  merchant_id bigint not null,
  origins text[] not null,
  page_splits boolean not null,
  changed_at timestamptz not null,
  constraint page_settings_pkey primary key (merchant_id),
  constraint page_settings_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint page_settings_origins_few check (cardinality(origins) <= 20)
);
alter table page_settings enable row level security, force row level security;
create policy own_rows on page_settings to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on page_settings to cowrie_engine using (true) with check (true);
grant select on page_settings to cowrie_app;
grant select, insert, update on page_settings to cowrie_engine;

-- page_openings (collections/in-page): Transactions that a page opened: from where, and who named the amount.
create table page_openings (
  transaction_id bigint not null,
  merchant_id bigint not null,
  origin text not null,
  path text not null,
  by_page boolean not null,
  opened_at timestamptz not null,
  constraint page_openings_pkey primary key (transaction_id),
  constraint page_openings_merchant_fkey foreign key (merchant_id) references merchants(id)
);
alter table page_openings enable row level security, force row level security;
create policy own_rows on page_openings to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on page_openings to cowrie_engine using (true) with check (true);
grant select, insert on page_openings to cowrie_app;
grant select on page_openings to cowrie_engine;

-- inbound_credits (collections/credits): Every credit that the bank reported, once.
create table inbound_credits (
  bank_reference text not null,
  merchant_id bigint not null,
  transaction_id bigint,
  transfer_id bigint not null,
  outcome text not null,
  kobo bigint not null,
  account_number text not null,
  bank_code text not null,
  sender_name text not null,
  sender_account_number text not null,
  sender_bank_code text not null,
  received_at timestamptz not null,
  constraint inbound_credits_pkey primary key (transfer_id),
  constraint inbound_credits_kobo_positive check (kobo > 0),
  constraint inbound_credits_of_a_transaction check (
case outcome
    when 'COUNTED' then transaction_id is not null
    when 'TOPPED_UP' then transaction_id is null
    else transaction_id is not null or merchant_id = 0
end),
  constraint inbound_credits_outcome_known check (outcome in ('COUNTED', 'SUSPENDED', 'TOPPED_UP'))
) partition by range (transfer_id);
create index inbound_credits_received on inbound_credits using brin (received_at) with (pages_per_range='32');
create index inbound_credits_sender on inbound_credits using brin (sender_account_number text_bloom_ops) with (pages_per_range='32');
create index inbound_credits_transaction on inbound_credits (transaction_id);
create trigger inbound_credits_erased before update of sender_name on inbound_credits for each row execute function refuse_all_but_erasing('sender_name');
alter table inbound_credits enable row level security, force row level security;
create policy own_rows on inbound_credits to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on inbound_credits to cowrie_engine using (true) with check (true);
grant select, insert on inbound_credits to cowrie_app;
grant select, insert, update (sender_name) on inbound_credits to cowrie_engine;

-- bank_sessions (collections/credits): The bank's own names of credits: each is taken once.
create table bank_sessions (
  bank_reference text not null,
  merchant_id bigint not null,
  transfer_id bigint not null,
  constraint bank_sessions_pkey primary key (bank_reference)
);
alter table bank_sessions enable row level security, force row level security;
create policy own_rows on bank_sessions to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on bank_sessions to cowrie_engine using (true) with check (true);
grant select, insert on bank_sessions to cowrie_app, cowrie_engine;

-- credit_reversals (collections/credits): Every reversal of a credit that the bank reported, once.
create table credit_reversals (
  reversal_reference text not null,
  bank_reference text not null,
  merchant_id bigint not null,
  transaction_id bigint,
  transfer_id bigint,
  outcome text not null,
  kobo bigint not null,
  fee_kobo bigint not null,
  reason text not null,
  taken_at timestamptz not null,
  heard_at timestamptz not null,
  constraint credit_reversals_pkey primary key (reversal_reference),
  constraint credit_reversals_credit_key unique (bank_reference),
  constraint credit_reversals_fee check (fee_kobo >= 0 and fee_kobo <= kobo),
  constraint credit_reversals_kobo_positive check (kobo > 0),
  constraint credit_reversals_of_a_transaction check (
case outcome
    when 'COUNTED' then transaction_id is not null
    when 'TOPPED_UP' then transaction_id is null
    when 'REASSIGNED' then merchant_id <> 0
    else transaction_id is not null or merchant_id = 0
end),
  constraint credit_reversals_outcome_known check (outcome in ('COUNTED', 'SUSPENDED', 'TOPPED_UP', 'REASSIGNED')),
  constraint credit_reversals_posted check (transfer_id is not null)
);
create index credit_reversals_heard on credit_reversals (heard_at);
create index credit_reversals_transaction on credit_reversals (transaction_id);
alter table credit_reversals enable row level security, force row level security;
create policy own_rows on credit_reversals to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on credit_reversals to cowrie_engine using (true) with check (true);
grant select on credit_reversals to cowrie_app;
grant select, insert on credit_reversals to cowrie_engine;

-- suspense_items (collections/credits): Money that was not counted: whose it may be, why, and by when it is decided.
create table suspense_items (
  id bigint not null,
  merchant_id bigint not null,
  transaction_id bigint,
  bank_reference text not null,
  status text not null default 'HELD',
  version integer not null default 1,
  kobo bigint not null,
  reason text not null,
  owner text not null,
  decide_by timestamptz not null,
  attempts integer not null default 0,
  refusal text,
  return_session_id text,
  connector smallint not null default 1,
  created_at timestamptz not null,
  closed_at timestamptz,
  reassign_transfer_id bigint,
  constraint suspense_items_pkey primary key (id),
  constraint suspense_items_bank_reference_key unique (bank_reference),
  constraint suspense_items_kobo_positive check (kobo > 0),
  constraint suspense_items_reassigned check (reassign_transfer_id is null or status = 'REASSIGNED'),
  constraint suspense_items_returned check ((status = 'RETURNED') = (return_session_id is not null) and (status in ('RETURNED', 'REASSIGNED')) = (closed_at is not null)),
  constraint suspense_items_status_known check (status in ('HELD', 'RETURNING', 'RETURNED', 'REASSIGNED'))
);
create index suspense_items_closed on suspense_items (closed_at) where (closed_at is not null);
create index suspense_items_open on suspense_items (merchant_id, decide_by) where (closed_at is null);
create index suspense_items_transaction on suspense_items (transaction_id);
alter table suspense_items enable row level security, force row level security;
create policy own_rows on suspense_items to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on suspense_items to cowrie_engine using (true) with check (true);
grant select, insert on suspense_items to cowrie_app;
grant select, insert, update on suspense_items to cowrie_engine;

-- card_charges (collections/cards): Attempts to charge a card. No card number is stored.
create table card_charges (
  id bigint not null,
  merchant_id bigint not null,
  transaction_id bigint not null,
  reference text not null,
  status text not null,
  version integer not null default 1,
  channel text not null,
  kobo bigint not null,
  bin text,
  last4 text,
  exp_month text,
  exp_year text,
  scheme text,
  bank_code text,
  bank_name text,
  country_code text,
  token text,
  keep_card boolean not null default true,
  code text,
  message text,
  never_reached boolean not null default false,
  otp_id text,
  codes_sent integer not null default 0,
  codes_wrong integer not null default 0,
  challenge_id text,
  challenge_page text,
  challenge_acs text,
  return_token text not null,
  connector smallint not null default 1,
  waits_until timestamptz,
  created_at timestamptz not null,
  closed_at timestamptz,
  quoted_fee_kobo bigint,
  quoted_schedule_id bigint,
  protocol smallint not null default 1,
  input_id text,
  input_kind text,
  input_wrong boolean not null default false,
  connector_page boolean not null default false,
  asking_ended_at timestamptz,
  constraint card_charges_pkey primary key (id),
  constraint card_charges_reference_key unique (reference),
  constraint card_charges_bin_short check (bin ~ '^\d{6}$'),
  constraint card_charges_card_whole check (num_nulls(bin, last4, exp_month, exp_year) = 0 or connector_page and num_nulls(bin, last4, exp_month, exp_year) = 4) not valid,
  constraint card_charges_channel_known check (channel in ('API', 'CHECKOUT', 'TOKEN')),
  constraint card_charges_codes_counted check (codes_wrong >= 0 and codes_wrong <= codes_sent),
  constraint card_charges_input_known check (input_kind in ('PIN', 'PHONE', 'BIRTHDAY', 'ADDRESS')),
  constraint card_charges_kobo_positive check (kobo > 0),
  constraint card_charges_last4_short check (last4 ~ '^\d{4}$'),
  constraint card_charges_quote_whole check (num_nulls(quoted_fee_kobo, quoted_schedule_id) = 2 or num_nulls(quoted_fee_kobo, quoted_schedule_id) = 0 and quoted_fee_kobo >= 0 and quoted_fee_kobo < kobo),
  constraint card_charges_status_known check (status in ('SENT', 'OTP', 'CHALLENGE', 'INPUT', 'APPROVED', 'DECLINED', 'REVERSING', 'REVERSED'))
);
create index card_charges_left_to_people on card_charges (id) where ((asking_ended_at is not null) and (closed_at is null));
create unique index card_charges_one_approved on card_charges (transaction_id) where (status = 'APPROVED');
create unique index card_charges_one_open on card_charges (transaction_id) where (status in ('SENT', 'OTP', 'CHALLENGE', 'INPUT'));
create index card_charges_transaction on card_charges (transaction_id);
alter table card_charges enable row level security, force row level security;
create policy own_rows on card_charges to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on card_charges to cowrie_engine using (true) with check (true);
grant select, insert, update on card_charges to cowrie_app, cowrie_engine;

-- card_disputes (collections/disputes): Disputes of card charges, as connectors report them.
create table card_disputes (
  connector smallint not null,
  reference text not null,
  merchant_id bigint not null,
  transaction_id bigint not null,
  charge_reference text not null,
  kobo bigint not null,
  state text not null,
  reason_code text,
  reason text,
  due_at timestamptz,
  said_at timestamptz not null,
  reported_at timestamptz not null,
  changed_at timestamptz not null,
  constraint card_disputes_pkey primary key (connector, reference),
  constraint card_disputes_connector_fkey foreign key (connector) references connectors(id),
  constraint card_disputes_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint card_disputes_kobo_known check (kobo >= 0),
  constraint card_disputes_reference_length check (length(reference) >= 1 and length(reference) <= 60),
  constraint card_disputes_state_known check (state in ('OPENED', 'ANSWERED', 'WON', 'LOST', 'CLOSED'))
);
create index card_disputes_open on card_disputes (reported_at) where (state in ('OPENED', 'ANSWERED'));
create index card_disputes_transaction on card_disputes (transaction_id);
alter table card_disputes enable row level security, force row level security;
create policy own_rows on card_disputes to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on card_disputes to cowrie_engine using (true) with check (true);
grant select on card_disputes to cowrie_app;
grant select, insert, update on card_disputes to cowrie_engine;

-- card_tokens (collections/cards): Stored cards that a merchant may charge again.
create table card_tokens (
  token text not null,
  merchant_id bigint not null,
  charge_id bigint not null,
  customer_email text not null,
  issuer_reference text not null,
  bin text not null,
  last4 text not null,
  exp_month text not null,
  exp_year text not null,
  scheme text not null,
  bank_code text,
  bank_name text,
  country_code text,
  created_at timestamptz not null,
  connector smallint not null default 1,
  constraint card_tokens_pkey primary key (token),
  constraint card_tokens_charge_key unique (charge_id)
);
create index card_tokens_of_customer on card_tokens (merchant_id, search_key(customer_email), created_at);
alter table card_tokens enable row level security, force row level security;
create policy own_rows on card_tokens to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on card_tokens to cowrie_engine using (true) with check (true);
grant select, insert on card_tokens to cowrie_app;
grant select, insert, delete on card_tokens to cowrie_engine;

-- card_attempts (collections/cards): Recent attempts per card, for the limit; deleted after an hour.
create table card_attempts (
  charge_id bigint not null,
  merchant_id bigint not null,
  card_digest bytea not null,
  address_digest bytea,
  paid boolean not null default false,
  made_at timestamptz not null,
  constraint card_attempts_pkey primary key (charge_id)
);
create index card_attempts_address on card_attempts (address_digest, made_at) where (address_digest is not null);
create index card_attempts_card on card_attempts (card_digest, made_at);
alter table card_attempts enable row level security, force row level security;
create policy own_rows on card_attempts to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on card_attempts to cowrie_engine using (true) with check (true);
grant select, update on card_attempts to cowrie_app;
grant select, insert, update, delete on card_attempts to cowrie_engine;

-- mandates (collections/direct-debit): Direct debit mandates: what a payer allowed, and what was collected under it.
create table mandates (
  id bigint not null,
  merchant_id bigint not null,
  code text not null,
  reference text not null,
  contract_code text not null,
  status text not null,
  version integer not null default 1,
  customer_name text not null,
  customer_email text not null,
  customer_phone text not null,
  customer_address text not null,
  account_number text not null,
  bank_code text not null,
  account_name text not null,
  description text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  kobo bigint,
  debit_kobo bigint,
  debited_kobo bigint not null default 0,
  auto_renew boolean not null,
  customer_cancels boolean not null,
  authorize_by timestamptz not null,
  authorization_message text,
  authorization_link text,
  cancel_asked_at timestamptz,
  connector smallint not null default 1,
  created_at timestamptz not null,
  constraint mandates_pkey primary key (id),
  constraint mandates_code_key unique (code),
  constraint mandates_reference_key unique (merchant_id, reference),
  constraint mandates_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint mandates_debit_kobo_positive check (debit_kobo > 0),
  constraint mandates_instruction_whole check ((authorization_message is null) = (authorization_link is null)),
  constraint mandates_kobo_positive check (kobo > 0),
  constraint mandates_status_known check (status in ('INITIATED', 'ACTIVE', 'FAILED', 'EXPIRED', 'CANCELLED')),
  constraint mandates_window check (ends_at > starts_at),
  constraint mandates_within_its_amount check (debited_kobo >= 0 and (kobo is null or debited_kobo <= kobo))
) with (fillfactor=80);
create index mandates_list on mandates (merchant_id, created_at, id);
create index mandates_of_customer on mandates (merchant_id, lower(customer_email), created_at);
alter table mandates enable row level security, force row level security;
create policy own_rows on mandates to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on mandates to cowrie_engine using (true) with check (true);
grant select, insert, update on mandates to cowrie_app, cowrie_engine;

-- debits (collections/direct-debit): One collection under a mandate, beside its transaction.
create table debits (
  id bigint not null,
  merchant_id bigint not null,
  mandate_id bigint not null,
  kobo bigint not null,
  narration text not null,
  session_id text not null,
  connector smallint not null default 1,
  message text not null,
  sent_at timestamptz,
  questions integer not null default 0,
  question_at timestamptz,
  constraint debits_pkey primary key (id),
  constraint debits_session_key unique (session_id),
  constraint debits_mandate_fkey foreign key (mandate_id) references mandates(id),
  constraint debits_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint debits_kobo_positive check (kobo > 0)
) with (fillfactor=80);
create index debits_of_mandate on debits (mandate_id);
alter table debits enable row level security, force row level security;
create policy own_rows on debits to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on debits to cowrie_engine using (true) with check (true);
grant select, insert on debits to cowrie_app;
grant select, insert, update on debits to cowrie_engine;

-- ==== Searching

-- search_blocks (collections/transactions): Runs of a merchant's older transactions, for searches that count.
create table search_blocks (
  merchant_id bigint not null,
  number integer not null,
  after_at timestamptz not null,
  after_id bigint not null,
  last_at timestamptz not null,
  last_id bigint not null,
  sealed boolean not null default false,
  rows integer not null default 0,
  constraint search_blocks_pkey primary key (merchant_id, number),
  constraint search_blocks_run_forward check ((row(after_at, after_id) < row(last_at, last_id)))
);
create index search_blocks_newest on search_blocks (last_at);
create index search_blocks_unsealed on search_blocks (merchant_id, number) where (not sealed);
alter table search_blocks enable row level security;
create policy own_rows on search_blocks to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on search_blocks to cowrie_engine using (true) with check (true);
grant select, update (sealed) on search_blocks to cowrie_app;
grant select, insert, update on search_blocks to cowrie_engine;

-- search_parts (collections/transactions): The transactions of a block in one state, by amount.
create table search_parts (
  merchant_id bigint not null,
  number integer not null,
  status text not null,
  rows integer not null,
  amounts bigint[] not null,
  ids bigint[] not null,
  places integer[] not null,
  paid_kobo bigint,
  constraint search_parts_pkey primary key (merchant_id, number, status),
  constraint search_parts_block_fkey foreign key (merchant_id, number) references search_blocks(merchant_id, number),
  constraint search_parts_of_one_length check (cardinality(amounts) = rows and cardinality(ids) = rows and cardinality(places) = rows)
);
alter table search_parts enable row level security, force row level security;
create policy own_rows on search_parts to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on search_parts to cowrie_engine using (true) with check (true);
grant select on search_parts to cowrie_app;
grant select, insert, delete on search_parts to cowrie_engine;

-- search_values (collections/transactions): E-mail addresses and names that many transactions of a block share.
create table search_values (
  merchant_id bigint not null,
  kind text not null,
  key bigint not null,
  number integer not null,
  rows integer not null,
  paid_rows integer,
  paid_kobo bigint,
  constraint search_values_pkey primary key (merchant_id, kind, key, number),
  constraint search_values_block_fkey foreign key (merchant_id, number) references search_blocks(merchant_id, number),
  constraint search_values_kind_known check (kind in ('email', 'name')),
  constraint search_values_paid_whole check ((paid_rows is null) = (paid_kobo is null))
);
alter table search_values enable row level security, force row level security;
create policy own_rows on search_values to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on search_values to cowrie_engine using (true) with check (true);
grant select on search_values to cowrie_app;
grant select, insert, delete on search_values to cowrie_engine;

-- transfer_counters (payouts/disbursements): How many disbursements a merchant has made: the last list number.
create table transfer_counters (
  merchant_id bigint not null,
  transfers bigint not null default 0,
  singles bigint not null default 0,
  batches bigint not null default 0,
  last_at timestamptz not null default '-infinity'::timestamptz,
  constraint transfer_counters_pkey primary key (merchant_id),
  constraint transfer_counters_merchant_fkey foreign key (merchant_id) references merchants(id)
);
alter table transfer_counters enable row level security, force row level security;
create policy own_rows on transfer_counters to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on transfer_counters to cowrie_engine using (true) with check (true);
grant select on transfer_counters to cowrie_app;
grant select, insert, update on transfer_counters to cowrie_engine;

-- transfer_blocks (payouts/disbursements): Runs of 4,096 of a merchant's disbursements, by amount.
create table transfer_blocks (
  merchant_id bigint not null,
  number bigint not null,
  first_id bigint not null,
  last_id bigint not null,
  amounts bigint[] not null,
  places smallint[] not null,
  constraint transfer_blocks_pkey primary key (merchant_id, number),
  constraint transfer_blocks_whole check (cardinality(amounts) = 4096 and cardinality(places) = 4096)
);
alter table transfer_blocks enable row level security, force row level security;
create policy own_rows on transfer_blocks to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on transfer_blocks to cowrie_engine using (true) with check (true);
grant select on transfer_blocks to cowrie_app;
grant select, insert on transfer_blocks to cowrie_engine;

-- ==== Paying out

-- disbursements (payouts/disbursements): A payout from a wallet to a bank account.
create table disbursements (
  id bigint not null,
  merchant_id bigint not null,
  reference text not null,
  transaction_reference text not null,
  place bigint not null,
  single_place bigint,
  batch_id bigint,
  batch_row integer,
  status text not null,
  version integer not null default 1,
  kobo bigint not null,
  fee_kobo bigint not null,
  held boolean not null,
  narration text not null,
  source_account text not null,
  bank_code text not null,
  account_number text not null,
  account_name text,
  given_name text,
  name_score integer,
  two_fa boolean not null,
  sender_info text,
  description text not null,
  session_id text,
  connector smallint not null default 1,
  questions integer not null default 0,
  question_at timestamptz,
  created_at timestamptz not null,
  completed_at timestamptz,
  wallet_id bigint,
  fee_owner bigint,
  approval text,
  fee_schedule_id bigint,
  constraint disbursements_pkey primary key (id),
  constraint disbursements_approval_known check (approval in ('ASKED', 'GIVEN', 'REFUSED', 'PERSON')),
  constraint disbursements_fee check (fee_kobo >= 0),
  constraint disbursements_kobo_positive check (kobo > 0),
  constraint disbursements_row_of_batch check ((batch_id is null) = (batch_row is null)),
  constraint disbursements_sent_under_a_session check ((status <> all (array['PENDING', 'SUCCESS', 'REVERSED'])) or session_id is not null or status = 'PENDING' and approval is not null),
  constraint disbursements_sent_with_approval check (session_id is null or approval is null or approval = 'GIVEN'),
  constraint disbursements_single_has_its_place check ((single_place is null) = (batch_id is not null)),
  constraint disbursements_status_known check (status in ('AWAITING_PROCESSING', 'PENDING', 'PENDING_AUTHORIZATION', 'PENDING_BATCH_AUTHORIZATION', 'OTP_EMAIL_DISPATCH_FAILED', 'SUCCESS', 'FAILED', 'REVERSED', 'EXPIRED'))
) partition by range (id);
create index disbursements_batch on disbursements (merchant_id, batch_id, batch_row) where (batch_id is not null);
create index disbursements_late on disbursements (completed_at) where ((completed_at - created_at) > '48:00:00'::interval);
create index disbursements_likeness on disbursements (merchant_id, account_number, kobo, created_at) where (batch_id is null);
create index disbursements_of_wallet on disbursements (merchant_id, wallet_id, place) where (wallet_id is not null);
create index disbursements_place on disbursements (merchant_id, place);
create index disbursements_reversed on disbursements (completed_at) where (status = 'REVERSED');
create index disbursements_single_place on disbursements (merchant_id, single_place) where (single_place is not null);
create index disbursements_time on disbursements (merchant_id, created_at, place);
alter table disbursements enable row level security, force row level security;
create policy own_rows on disbursements to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on disbursements to cowrie_engine using (true) with check (true);
grant select, insert, update on disbursements to cowrie_app, cowrie_engine;

-- payout_references (payouts/disbursements): A merchant's own names of its disbursements: each is used once.
create table payout_references (
  merchant_id bigint not null,
  reference text not null,
  disbursement_id bigint not null,
  constraint payout_references_pkey primary key (merchant_id, reference)
);
alter table payout_references enable row level security, force row level security;
create policy own_rows on payout_references to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on payout_references to cowrie_engine using (true) with check (true);
grant select, insert on payout_references to cowrie_app, cowrie_engine;

-- batches (payouts/disbursements): Many disbursements in one request.
create table batches (
  id bigint not null,
  merchant_id bigint not null,
  reference text not null,
  transaction_reference text not null,
  place bigint not null,
  title text not null,
  narration text not null,
  source_account text not null,
  status text not null,
  version integer not null default 1,
  two_fa boolean not null,
  rows integer not null,
  open_rows integer not null,
  kobo bigint not null,
  fee_kobo bigint not null,
  notify_percent integer,
  told_percent integer not null default 0,
  created_at timestamptz not null,
  needs_person boolean not null default false,
  constraint batches_pkey primary key (id),
  constraint batches_reference_key unique (merchant_id, reference),
  constraint batches_transaction_reference_key unique (transaction_reference),
  constraint batches_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint batches_open_rows check (open_rows >= 0 and open_rows <= rows),
  constraint batches_rows_positive check (rows > 0),
  constraint batches_status_known check (status in ('PENDING_AUTHORIZATION', 'OTP_EMAIL_DISPATCH_FAILED', 'AWAITING_PROCESSING', 'COMPLETED', 'EXPIRED'))
);
create unique index batches_place on batches (merchant_id, place);
alter table batches enable row level security, force row level security;
create policy own_rows on batches to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on batches to cowrie_engine using (true) with check (true);
grant select, insert, update on batches to cowrie_app, cowrie_engine;

-- authorizations (wallets/authorisation): The code that authorises a disbursement, batch or refund, as a keyed digest.
create table authorizations (
  subject bigint not null,
  merchant_id bigint not null,
  digest bytea not null,
  expires_at timestamptz not null,
  tries integer not null default 0,
  codes integer not null default 1,
  used_at timestamptz,
  constraint authorizations_pkey primary key (subject),
  constraint authorizations_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint authorizations_tries check (tries >= 0 and tries <= 5)
);
alter table authorizations enable row level security, force row level security;
create policy own_rows on authorizations to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on authorizations to cowrie_engine using (true) with check (true);
grant select, insert, update on authorizations to cowrie_app, cowrie_engine;

-- customer_wallets (wallets/wallets): The wallets of a merchant's customers: their numbers, and who they are for.
create table customer_wallets (
  id bigint not null,
  merchant_id bigint not null,
  reference text not null,
  name text not null,
  customer_name text not null,
  customer_email text not null,
  birth_date date,
  bvn_sealed text not null,
  bvn_digest bytea not null,
  bvn_tail text not null,
  fee_owner bigint,
  account_number text not null,
  top_up_number text not null,
  bank_code text not null,
  created_at timestamptz not null,
  constraint customer_wallets_pkey primary key (id),
  constraint customer_wallets_number_key unique (account_number),
  constraint customer_wallets_reference_key unique (merchant_id, reference),
  constraint customer_wallets_top_up_key unique (top_up_number),
  constraint customer_wallets_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint customer_wallets_fee_owner check (fee_owner = merchant_id)
);
create index customer_wallets_email on customer_wallets (merchant_id, lower(customer_email));
create index customer_wallets_newest on customer_wallets (merchant_id, id);
create trigger customer_wallets_sealed before insert or update of bvn_sealed on customer_wallets for each row execute function refuse_retired_key();
alter table customer_wallets enable row level security, force row level security;
create policy own_rows on customer_wallets to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on customer_wallets to cowrie_engine using (true) with check (true);
grant select on customer_wallets to cowrie_app;
grant select, insert, update on customer_wallets to cowrie_engine;

-- disbursement_settings (core): What a merchant may pay out, and its limits. No row: nothing.
create table disbursement_settings (
  merchant_id bigint not null,
  approved boolean not null,
  per_transfer_kobo bigint not null,
  per_day_kobo bigint not null,
  low_balance_kobo bigint,
  approval_url text,
  approval_above_kobo bigint,
  above_day_kobo bigint,
  above_new_kobo bigint,
  constraint disbursement_settings_pkey primary key (merchant_id),
  constraint disbursement_settings_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint disbursement_settings_above_day check (above_day_kobo >= 0),
  constraint disbursement_settings_above_new check (above_new_kobo >= 0),
  constraint disbursement_settings_approval_above check (approval_above_kobo >= 0)
);
create trigger disbursement_settings_changed after insert or delete or update on disbursement_settings for each statement execute function raise_merchant_revision();
alter table disbursement_settings enable row level security, force row level security;
create policy own_rows on disbursement_settings to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on disbursement_settings to cowrie_engine using (true) with check (true);
grant select on disbursement_settings to cowrie_app;
grant select, insert, update on disbursement_settings to cowrie_engine;

-- disbursement_days (wallets/wallets): What was accepted per day of West Africa Time, for the daily limit.
create table disbursement_days (
  merchant_id bigint not null,
  day date not null,
  kobo bigint not null,
  alone_kobo bigint not null default 0,
  constraint disbursement_days_pkey primary key (merchant_id, day),
  constraint disbursement_days_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint disbursement_days_alone check (alone_kobo >= 0)
);
alter table disbursement_days enable row level security, force row level security;
create policy own_rows on disbursement_days to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on disbursement_days to cowrie_engine using (true) with check (true);
grant select on disbursement_days to cowrie_app;
grant select, insert, update on disbursement_days to cowrie_engine;

-- payees (wallets/wallets): Accounts that a merchant paid while it has an amount for new ones.
create table payees (
  merchant_id bigint not null,
  bank_code text not null,
  account_number text not null,
  first_at timestamptz not null,
  alone_kobo bigint not null,
  confirmed_at timestamptz,
  constraint payees_pkey primary key (merchant_id, bank_code, account_number),
  constraint payees_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint payees_alone check (alone_kobo >= 0)
);
alter table payees enable row level security, force row level security;
create policy own_rows on payees to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on payees to cowrie_engine using (true) with check (true);
grant select on payees to cowrie_app;
grant select, insert, update on payees to cowrie_engine;

-- refunds (payouts/refunds): Money returned to a payer.
create table refunds (
  id bigint not null,
  merchant_id bigint not null,
  reference text not null,
  refund_reference text not null,
  transaction_id bigint not null,
  transaction_reference text not null,
  status text not null,
  version integer not null default 1,
  kobo bigint not null,
  fee_kobo bigint not null,
  type text not null,
  strategy text not null,
  reason text not null,
  customer_note text not null,
  bank_code text,
  account_number text,
  account_name text,
  elsewhere boolean not null default false,
  authorize_by timestamptz,
  comment text not null,
  created_at timestamptz not null,
  completed_at timestamptz,
  charge_reference text,
  masked_pan text,
  approval text,
  fee_schedule_id bigint,
  constraint refunds_pkey primary key (id),
  constraint refunds_reference_key unique (reference),
  constraint refunds_refund_reference_key unique (merchant_id, refund_reference),
  constraint refunds_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint refunds_approval_known check (approval in ('ASKED', 'GIVEN', 'REFUSED', 'PERSON')),
  constraint refunds_card_gets_its_own check (charge_reference is null or strategy = 'ORIGINAL_PAYMENT_SOURCE' and not elsewhere),
  constraint refunds_completed_with_approval check (status <> 'COMPLETED' or approval is null or approval = 'GIVEN'),
  constraint refunds_fee check (fee_kobo >= 0),
  constraint refunds_kobo_least check (kobo >= 10000),
  constraint refunds_note_length check (char_length(customer_note) <= 16),
  constraint refunds_one_destination check (num_nonnulls(bank_code, account_number, account_name) =
case
    when charge_reference is null then 3
    else 0
end and (charge_reference is null) = (masked_pan is null)),
  constraint refunds_pan_masked check (masked_pan ~ '^\d{6}\*{6}\d{4}$'),
  constraint refunds_person_has_a_day check (approval is distinct from 'PERSON' or (authorize_by is not null) = (status = 'PENDING')),
  constraint refunds_reason_length check (char_length(reason) <= 64),
  constraint refunds_status_known check (status in ('PENDING', 'COMPLETED', 'FAILED')),
  constraint refunds_strategy_known check (strategy in ('MERCHANT_WALLET', 'ORIGINAL_PAYMENT_SOURCE')),
  constraint refunds_type_known check (type in ('FULL_REFUND', 'PARTIAL_REFUND')),
  constraint refunds_waits_while_pending check (authorize_by is null or status = 'PENDING')
) with (fillfactor=80);
create index refunds_time on refunds (merchant_id, created_at desc, id desc);
create index refunds_transaction on refunds (transaction_id);
alter table refunds enable row level security, force row level security;
create policy own_rows on refunds to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on refunds to cowrie_engine using (true) with check (true);
grant select, insert on refunds to cowrie_app;
grant select, insert, update on refunds to cowrie_engine;

-- payout_details (core): What a bank says of a payout beside its outcome: its name in the network, its charge.
create table payout_details (
  session_id text not null,
  merchant_id bigint not null,
  connector smallint not null,
  network_reference text,
  fee_kobo bigint,
  reported_at timestamptz not null,
  constraint payout_details_pkey primary key (session_id),
  constraint payout_details_connector_fkey foreign key (connector) references connectors(id),
  constraint payout_details_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint payout_details_fee_known check (fee_kobo >= 0),
  constraint payout_details_network_length check (length(network_reference) >= 1 and length(network_reference) <= 60),
  constraint payout_details_say_something check (num_nonnulls(network_reference, fee_kobo) > 0)
);
create index payout_details_network on payout_details (network_reference, connector) where (network_reference is not null);
alter table payout_details enable row level security, force row level security;
create policy own_rows on payout_details to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on payout_details to cowrie_engine using (true) with check (true);
grant select on payout_details to cowrie_app;
grant select, insert, update on payout_details to cowrie_engine;

-- bank_orders (bank/bank-orders): One instruction to a bank, or to the issuer of a card, to pay a refund or a settlement.
create table bank_orders (
  id bigint not null,
  merchant_id bigint not null,
  purpose text not null,
  subject bigint not null,
  status text not null,
  version integer not null default 1,
  kobo bigint not null,
  bank_code text,
  account_number text,
  account_name text,
  narration text not null,
  session_id text,
  connector smallint not null default 1,
  questions integer not null default 0,
  question_at timestamptz,
  description text not null,
  created_at timestamptz not null,
  completed_at timestamptz,
  charge_reference text,
  constraint bank_orders_pkey primary key (id),
  constraint bank_orders_session_key unique (session_id),
  constraint bank_orders_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint bank_orders_card_is_refund check (charge_reference is null or purpose = 'REFUND'),
  constraint bank_orders_kobo_positive check (kobo > 0),
  constraint bank_orders_one_destination check (num_nonnulls(bank_code, account_number, account_name) =
case
    when charge_reference is null then 3
    else 0
end),
  constraint bank_orders_purpose_known check (purpose in ('REFUND', 'SETTLEMENT')),
  constraint bank_orders_sent_under_a_session check ((status = 'AWAITING') = (session_id is null)),
  constraint bank_orders_status_known check (status in ('AWAITING', 'SENT', 'PAID', 'FAILED', 'REVERSED'))
) with (fillfactor=80);
create index bank_orders_late on bank_orders (completed_at) where ((completed_at - created_at) > '48:00:00'::interval);
create index bank_orders_reversed on bank_orders (completed_at) where (status = 'REVERSED');
create index bank_orders_subject on bank_orders (purpose, subject);
alter table bank_orders enable row level security, force row level security;
create policy own_rows on bank_orders to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on bank_orders to cowrie_engine using (true) with check (true);
grant select, insert on bank_orders to cowrie_app;
grant select, insert, update on bank_orders to cowrie_engine;

-- bills (payouts/bills): Airtime, data, electricity and the like, paid to a biller out of a wallet.
create table bills (
  id bigint not null,
  merchant_id bigint not null,
  reference text not null,
  transaction_reference text not null,
  status text not null,
  version integer not null default 1,
  kobo bigint not null,
  commission_kobo bigint not null,
  product_code text not null,
  product_name text not null,
  biller_code text not null,
  biller_name text not null,
  customer_id text not null,
  token text,
  description text not null,
  session_id text not null,
  connector smallint not null default 1,
  questions integer not null default 0,
  question_at timestamptz,
  created_at timestamptz not null,
  completed_at timestamptz,
  constraint bills_pkey primary key (id),
  constraint bills_asked_until_ended check ((question_at is not null) = (status = 'IN_PROGRESS')),
  constraint bills_commission check (commission_kobo >= 0 and commission_kobo < kobo),
  constraint bills_ended_when_said check ((completed_at is null) = (status = 'IN_PROGRESS')),
  constraint bills_kobo_positive check (kobo > 0),
  constraint bills_status_known check (status in ('IN_PROGRESS', 'SUCCESS', 'FAILED')),
  constraint bills_token_of_a_success check (token is null or status = 'SUCCESS')
) partition by range (id);
alter table bills enable row level security, force row level security;
create policy own_rows on bills to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on bills to cowrie_engine using (true) with check (true);
grant select on bills to cowrie_app;
grant select, insert, update on bills to cowrie_engine;

-- bill_references (payouts/bills): A merchant's own names of its bills: each is used once.
create table bill_references (
  merchant_id bigint not null,
  reference text not null,
  bill_id bigint not null,
  constraint bill_references_pkey primary key (merchant_id, reference)
);
alter table bill_references enable row level security, force row level security;
create policy own_rows on bill_references to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on bill_references to cowrie_engine using (true) with check (true);
grant select on bill_references to cowrie_app;
grant select, insert on bill_references to cowrie_engine;

-- paycodes (payouts/paycodes): A code with which a beneficiary takes cash at an agent.
create table paycodes (
  id bigint not null,
  merchant_id bigint not null,
  reference text not null,
  paycode_reference text not null,
  status text not null,
  version integer not null default 1,
  kobo bigint not null,
  fee_kobo bigint not null,
  beneficiary_name text not null,
  code_sealed text,
  code_digest bytea not null,
  code_tail text not null,
  expires_at timestamptz not null,
  created_by text not null,
  modified_by text not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  session_id text,
  agent_id text,
  fee_schedule_id bigint,
  constraint paycodes_pkey primary key (id),
  constraint paycodes_code_key unique (code_digest),
  constraint paycodes_paycode_reference_key unique (merchant_id, paycode_reference),
  constraint paycodes_reference_key unique (reference),
  constraint paycodes_session_key unique (session_id),
  constraint paycodes_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint paycodes_code_while_pending check ((status = 'PENDING') = (code_sealed is not null)),
  constraint paycodes_ended check ((status = 'PENDING') = (ended_at is null)),
  constraint paycodes_fee check (fee_kobo >= 0),
  constraint paycodes_kobo_least check (kobo >= 100),
  constraint paycodes_redeemed_in_time check (status <> 'COMPLETED' or ended_at < expires_at),
  constraint paycodes_redeemed_under_a_session check ((status = 'COMPLETED') = (session_id is not null) and (session_id is null) = (agent_id is null)),
  constraint paycodes_status_known check (status in ('PENDING', 'COMPLETED', 'EXPIRED', 'CANCELLED')),
  constraint paycodes_tail check (code_tail ~ '^\d\d$')
) with (fillfactor=80);
create index paycodes_time on paycodes (merchant_id, created_at desc, id desc);
create trigger paycodes_sealed before insert or update of code_sealed on paycodes for each row execute function refuse_retired_key();
alter table paycodes enable row level security, force row level security;
create policy own_rows on paycodes to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on paycodes to cowrie_engine using (true) with check (true);
grant select on paycodes to cowrie_app;
grant select, insert, update on paycodes to cowrie_engine;

-- paycode_guards (payouts/paycodes): Wrong paycodes per agent, for the limit.
create table paycode_guards (
  agent_id text not null,
  wrong_at timestamptz[] not null default '{}'::timestamptz[],
  constraint paycode_guards_pkey primary key (agent_id)
);
grant select, insert, update on paycode_guards to cowrie_engine;

-- ==== Verifying

-- verifications (collections/verification): What the registers of people were asked for a merchant, and what it cost. Insert-only.
create table verifications (
  id bigint not null,
  merchant_id bigint not null,
  product text not null,
  outcome text not null,
  subject_digest bytea not null,
  consent_reference text,
  matches text,
  fee_kobo bigint not null,
  created_at timestamptz not null,
  constraint verifications_pkey primary key (id),
  constraint verifications_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint verifications_answers_are_charged check (outcome = 'ANSWERED' or fee_kobo = 0),
  constraint verifications_digest check (octet_length(subject_digest) = 32),
  constraint verifications_fee check (fee_kobo >= 0),
  constraint verifications_outcome_known check (outcome in ('ANSWERED', 'NOT_FOUND')),
  constraint verifications_product_known check (product in ('BVN_DETAILS', 'BVN_ACCOUNT', 'NIN_DETAILS'))
);
create index verifications_newest on verifications (merchant_id, created_at, id);
alter table verifications enable row level security, force row level security;
create policy own_rows on verifications to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on verifications to cowrie_engine using (true) with check (true);
grant select, insert on verifications to cowrie_app;
grant select on verifications to cowrie_engine;

-- ==== Settling

-- settlement_rules (settlements/settlements): When and where a merchant is settled. Dated rows, never edited.
create table settlement_rules (
  id bigint not null,
  merchant_id bigint not null,
  destination text not null,
  schedule text not null,
  bank_code text,
  account_number text,
  account_name text,
  valid_from timestamptz not null,
  constraint settlement_rules_pkey primary key (id),
  constraint settlement_rules_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint settlement_rules_account_of_a_bank check ((destination = 'BANK') = (bank_code is not null) and (bank_code is null) = (account_number is null) and (bank_code is null) = (account_name is null)),
  constraint settlement_rules_destination_known check (destination in ('WALLET', 'BANK')),
  constraint settlement_rules_schedule_known check (schedule in ('SAME_DAY', 'INSTANT', 'T_PLUS_1'))
);
create index settlement_rules_latest on settlement_rules (merchant_id, valid_from desc, id desc);
alter table settlement_rules enable row level security, force row level security;
create policy own_rows on settlement_rules to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on settlement_rules to cowrie_engine using (true) with check (true);
grant select on settlement_rules to cowrie_app;
grant select, insert on settlement_rules to cowrie_engine;

-- settlement_holds (settlements/settlements): Merchants whose settlements the operator has stopped.
create table settlement_holds (
  merchant_id bigint not null,
  reason text not null,
  since timestamptz not null,
  constraint settlement_holds_pkey primary key (merchant_id),
  constraint settlement_holds_merchant_fkey foreign key (merchant_id) references merchants(id)
);
alter table settlement_holds enable row level security, force row level security;
create policy own_rows on settlement_holds to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on settlement_holds to cowrie_engine using (true) with check (true);
grant select on settlement_holds to cowrie_app;
grant select, insert, delete on settlement_holds to cowrie_engine;

-- holidays (settlements/settlements): Days on which next-day settlements are not paid, besides weekends.
create table holidays (
  day date not null,
  name text not null,
  constraint holidays_pkey primary key (day)
);
grant select on holidays to cowrie_app;
grant select, insert on holidays to cowrie_engine;

-- settlement_horizon (core): The database transaction number up to which postings have become settlement lines.
create table settlement_horizon (
  single boolean not null default true,
  upto_xid bigint not null,
  run_at timestamptz,
  constraint settlement_horizon_pkey primary key (single),
  constraint settlement_horizon_single check (single)
);
grant select on settlement_horizon to cowrie_app;
grant select, update on settlement_horizon to cowrie_engine;

-- settlement_lines (settlements/settlements): What is owed to a merchant or sub account by one posting, and which settlement paid it.
create table settlement_lines (
  transfer_id bigint not null,
  account_id bigint not null,
  merchant_id bigint not null,
  object_id bigint not null,
  at timestamptz not null,
  kobo bigint not null,
  amount_kobo bigint not null,
  fee_kobo bigint not null,
  settlement_id bigint,
  object text not null,
  shares text,
  constraint settlement_lines_pkey primary key (transfer_id, account_id)
) partition by range (transfer_id);
create index settlement_lines_free on settlement_lines (merchant_id, account_id, at) where (settlement_id is null);
create index settlement_lines_object on settlement_lines (object_id);
create index settlement_lines_settled on settlement_lines (settlement_id, transfer_id) where (settlement_id is not null);
alter table settlement_lines enable row level security, force row level security;
create policy own_rows on settlement_lines to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on settlement_lines to cowrie_engine using (true) with check (true);
grant select on settlement_lines to cowrie_app;
grant select, insert, update on settlement_lines to cowrie_engine;

-- settlements (settlements/settlements): What was paid to a merchant or sub account at once, with the hash of its statement.
create table settlements (
  id bigint not null,
  merchant_id bigint not null,
  number bigint not null,
  reference text not null,
  sub_account_id bigint,
  status text not null,
  version integer not null default 1,
  kobo bigint not null,
  amount_kobo bigint not null,
  fee_kobo bigint not null,
  shares_kobo bigint not null,
  lines integer not null,
  transactions integer not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  destination text not null,
  bank_code text not null,
  account_number text not null,
  account_name text not null,
  previous_hash text not null,
  hash text not null,
  signature text not null,
  key_id text not null,
  created_at timestamptz not null,
  completed_at timestamptz,
  constraint settlements_pkey primary key (id),
  constraint settlements_place_in_the_chain unique (merchant_id, number),
  constraint settlements_reference_key unique (reference),
  constraint settlements_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint settlements_destination_known check (destination in ('WALLET', 'BANK')),
  constraint settlements_kobo_positive check (kobo > 0),
  constraint settlements_lines_positive check (lines > 0),
  constraint settlements_status_known check (status in ('PAYING', 'COMPLETED', 'RETURNED'))
);
alter table settlements enable row level security, force row level security;
create policy own_rows on settlements to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on settlements to cowrie_engine using (true) with check (true);
grant select on settlements to cowrie_app;
grant select, insert, update on settlements to cowrie_engine;

-- settlement_heads (core): The end of each merchant's chain of statements.
create table settlement_heads (
  merchant_id bigint not null,
  number bigint not null,
  hash text not null,
  constraint settlement_heads_pkey primary key (merchant_id),
  constraint settlement_heads_merchant_fkey foreign key (merchant_id) references merchants(id)
);
alter table settlement_heads enable row level security, force row level security;
create policy own_rows on settlement_heads to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on settlement_heads to cowrie_engine using (true) with check (true);
grant select on settlement_heads to cowrie_app;
grant select, insert, update on settlement_heads to cowrie_engine;

-- returned_lines (settlements/settlements): The lines of a settlement that was returned; they are settled again.
create table returned_lines (
  settlement_id bigint not null,
  transfer_id bigint not null,
  account_id bigint not null,
  merchant_id bigint not null,
  constraint returned_lines_pkey primary key (transfer_id, account_id, settlement_id)
);
create index returned_lines_settlement on returned_lines (settlement_id, transfer_id);
alter table returned_lines enable row level security, force row level security;
create policy own_rows on returned_lines to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on returned_lines to cowrie_engine using (true) with check (true);
grant select on returned_lines to cowrie_app;
grant select, insert on returned_lines to cowrie_engine;

-- ==== Reconciling

-- statement_days (core): The days of the bank's statement: how far each was read, and whether it was compared.
create table statement_days (
  day date not null,
  reading integer not null default 1,
  after text,
  lines integer not null default 0,
  in_kobo bigint not null default 0,
  out_kobo bigint not null default 0,
  said_lines integer,
  said_in_kobo bigint,
  said_out_kobo bigint,
  own_lines integer not null default 0,
  own_in_kobo bigint not null default 0,
  own_out_kobo bigint not null default 0,
  opening_kobo bigint,
  closing_kobo bigint,
  read_at timestamptz,
  matched_at timestamptz,
  connector smallint not null default 1,
  constraint statement_days_pkey primary key (day, connector),
  constraint statement_days_in_order check (matched_at is null or read_at is not null)
);
grant select, insert, update on statement_days to cowrie_engine;

-- house_bookings (settlements/house-bookings): What banks charged us, acquirers paid us and we moved between banks, each line of a statement once.
create table house_bookings (
  kind text not null,
  session_id text not null,
  kobo bigint not null,
  transfer_id bigint not null,
  booked_at timestamptz not null,
  connector smallint not null default 1,
  acquirer smallint,
  other_side bigint,
  constraint house_bookings_pkey primary key (kind, session_id, connector),
  constraint house_bookings_transfer_key unique (transfer_id),
  constraint house_bookings_kind_known check (kind in ('FEE', 'TAX', 'LEVY', 'CARD_SETTLEMENT', 'SWEEP_OUT', 'SWEEP_IN')) not valid,
  constraint house_bookings_kobo_positive check (kobo > 0)
);
grant select, insert, update (other_side) on house_bookings to cowrie_engine;

-- statement_lines (settlements/reconciliation): What the bank booked, line by line, for each reading of a day.
create table statement_lines (
  day date not null,
  reading integer not null default 1,
  line integer not null,
  kind text not null,
  direction text not null,
  session_id text not null,
  of_session_id text,
  kobo bigint not null,
  booked_at timestamptz not null,
  bank_code text,
  account_number text,
  sender_name text,
  sender_account_number text,
  sender_bank_code text,
  says text not null,
  connector smallint not null default 1,
  acquirer text,
  day_only boolean not null default false,
  constraint statement_lines_pkey primary key (day, connector, reading, line),
  constraint statement_lines_day_fkey foreign key (day, connector) references statement_days(day, connector),
  constraint statement_lines_direction_known check (direction in ('IN', 'OUT')),
  constraint statement_lines_kobo_positive check (kobo > 0)
);
create index statement_lines_session on statement_lines (kind, session_id);
create trigger statement_lines_erased before update of sender_name, says on statement_lines for each row execute function refuse_all_but_erasing('sender_name', 'says');
grant select, insert, update (sender_name, says), delete on statement_lines to cowrie_engine;

-- statement_booked (settlements/reconciliation): The lines of the readings that were completed: what our books are compared with.
create view statement_booked with (security_invoker=true) as select
  day date,
  reading integer,
  line integer,
  kind text,
  direction text,
  session_id text,
  of_session_id text,
  kobo bigint,
  booked_at timestamptz,
  bank_code text,
  account_number text,
  sender_name text,
  sender_account_number text,
  sender_bank_code text,
  says text,
  connector smallint,
  acquirer text,
  day_only boolean;
grant select on statement_booked to cowrie_engine;

-- approved_postings (core): Postings that two people decided on, each with its approval.
create table approved_postings (
  transfer_id bigint not null,
  merchant_id bigint not null,
  approval_id bigint not null,
  constraint approved_postings_pkey primary key (transfer_id),
  constraint approved_postings_approval_fkey foreign key (approval_id) references approvals(id)
);
alter table approved_postings enable row level security, force row level security;
create policy own_rows on approved_postings to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on approved_postings to cowrie_engine using (true) with check (true);
grant select on approved_postings to cowrie_app;
grant select, insert on approved_postings to cowrie_engine;

-- corrections_undone (settlements/corrections): Corrections that two people undid, each with the posting that did. Insert-only.
create table corrections_undone (
  correction_id bigint not null,
  transfer_id bigint not null,
  merchant_id bigint not null,
  break_id bigint not null,
  constraint corrections_undone_pkey primary key (correction_id),
  constraint corrections_undone_transfer_key unique (transfer_id)
);
alter table corrections_undone enable row level security, force row level security;
create policy own_rows on corrections_undone to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on corrections_undone to cowrie_engine using (true) with check (true);
grant select on corrections_undone to cowrie_app;
grant select, insert on corrections_undone to cowrie_engine;

-- recon_breaks (bank/breaks): Differences between the bank's books and ours, until they are closed.
create table recon_breaks (
  id bigint not null,
  merchant_id bigint not null,
  class text not null,
  status text not null default 'OPEN',
  version integer not null default 1,
  kind text not null,
  session_id text not null,
  day date not null,
  bank_kobo bigint,
  our_kobo bigint,
  says text not null,
  done text,
  opened_at timestamptz not null,
  resolved_at timestamptz,
  assigned_to text,
  approval_id bigint,
  connector smallint not null default 1,
  place smallint not null default 1,
  constraint recon_breaks_pkey primary key (id),
  constraint recon_breaks_once unique (class, kind, session_id, connector, place),
  constraint recon_breaks_class_known check (class in ('MISSING_HERE', 'MISSING_THERE', 'AMOUNT', 'DUPLICATE', 'TIMING', 'REVERSAL', 'UNKNOWN_OWNER', 'BALANCE', 'TRANSIT')) not valid,
  constraint recon_breaks_resolved check ((status = 'RESOLVED') = (resolved_at is not null) and (status = 'RESOLVED') = (done is not null)),
  constraint recon_breaks_status_known check (status in ('OPEN', 'RESOLVED'))
);
create index recon_breaks_open on recon_breaks (opened_at) where (status = 'OPEN');
create index recon_breaks_session on recon_breaks (session_id);
alter table recon_breaks enable row level security, force row level security;
create policy own_rows on recon_breaks to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on recon_breaks to cowrie_engine using (true) with check (true);
grant select on recon_breaks to cowrie_app;
grant select, insert, update on recon_breaks to cowrie_engine;

-- ==== History, events and work

-- state_changes (core): Every move of every object through its state machine. Insert-only.
create table state_changes (
  object_id bigint not null,
  merchant_id bigint not null,
  transfer_id bigint,
  at timestamptz not null,
  version integer not null,
  object text not null,
  action text not null,
  from_state text not null,
  to_state text not null,
  constraint state_changes_pkey primary key (object_id, object, version)
) partition by range (object_id);
alter table state_changes enable row level security, force row level security;
create policy own_rows on state_changes to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on state_changes to cowrie_engine using (true) with check (true);
grant select, insert on state_changes to cowrie_app, cowrie_engine;

-- events (core): What happened to objects of merchants, with the exact bytes that are sent. Insert-only; values can be erased.
create table events (
  id bigint not null,
  merchant_id bigint not null,
  object_id bigint not null,
  at timestamptz not null,
  object_version integer not null,
  shape smallint,
  type text not null,
  object text not null,
  body text not null,
  constraint events_pkey primary key (id)
) partition by range (id);
create trigger events_erased before update of shape, body on events for each row execute function refuse_all_but_erasing_values();
alter table events enable row level security, force row level security;
create policy own_rows on events to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on events to cowrie_engine using (true) with check (true);
grant select, insert on events to cowrie_app;
grant select, insert, update (shape, body) on events to cowrie_engine;

-- event_shapes (core): What bodies of events have in common; an event keeps what varies.
create table event_shapes (
  id smallint not null generated always as identity,
  shape text not null,
  constraint event_shapes_pkey primary key (id)
);
create unique index event_shapes_once on event_shapes (md5(shape));
grant select on event_shapes to cowrie_app;
grant select, insert on event_shapes to cowrie_engine;

-- event_traces (core): The trace that the request named which caused an event. Unlogged; leaves with the attempts.
create table event_traces (
  event_id bigint not null,
  merchant_id bigint not null,
  traceparent text not null,
  constraint event_traces_pkey primary key (event_id)
);
alter table event_traces enable row level security, force row level security;
create policy own_rows on event_traces to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on event_traces to cowrie_engine using (true) with check (true);
grant select, insert on event_traces to cowrie_app;
grant select, insert, delete on event_traces to cowrie_engine;

-- outbox (core): Events that have no number and no deliveries yet.
create table outbox (
  id bigint not null generated always as identity,
  event_id bigint not null,
  merchant_id bigint not null,
  constraint outbox_pkey primary key (id)
);
alter table outbox enable row level security, force row level security;
create policy own_rows on outbox to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on outbox to cowrie_engine using (true) with check (true);
grant select, insert on outbox to cowrie_app;
grant select, insert, delete on outbox to cowrie_engine;

-- event_numbers (core): The number of each event: 1, 2, 3 … per merchant, without gaps.
create table event_numbers (
  merchant_id bigint not null,
  number bigint not null,
  event_id bigint not null,
  constraint event_numbers_pkey primary key (event_id)
) partition by range (event_id);
create index event_numbers_in_order on event_numbers (merchant_id, number);
alter table event_numbers enable row level security, force row level security;
create policy own_rows on event_numbers to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on event_numbers to cowrie_engine using (true) with check (true);
grant select on event_numbers to cowrie_app;
grant select, insert on event_numbers to cowrie_engine;

-- event_counters (core): The last event number of each merchant.
create table event_counters (
  merchant_id bigint not null,
  last_number bigint not null,
  constraint event_counters_pkey primary key (merchant_id)
);
alter table event_counters enable row level security, force row level security;
create policy own_rows on event_counters to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on event_counters to cowrie_engine using (true) with check (true);
grant select on event_counters to cowrie_app;
grant select, insert, update on event_counters to cowrie_engine;

-- endpoints (core): Where events are sent, and how healthy the receiver is.
create table endpoints (
  id bigint not null,
  merchant_id bigint not null,
  url text not null,
  activities text[] not null,
  event_types text[] not null,
  description text not null,
  status text not null default 'ENABLED',
  version integer not null default 1,
  disabled_reason text,
  answered boolean not null default false,
  failing_since timestamptz,
  window_from timestamptz,
  window_tries integer not null default 0,
  window_failures integer not null default 0,
  rest_until timestamptz,
  rests integer not null default 0,
  created_at timestamptz not null,
  constraint endpoints_pkey primary key (id),
  constraint endpoints_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint endpoints_disabled_for_a_reason check ((status = 'DISABLED') = (disabled_reason is not null)),
  constraint endpoints_reason_known check (disabled_reason in ('GONE', 'FAILING', 'BY_MERCHANT')),
  constraint endpoints_status_known check (status in ('ENABLED', 'DISABLED', 'REMOVED'))
);
create unique index endpoints_address on endpoints (merchant_id, url) where (status <> 'REMOVED');
alter table endpoints enable row level security, force row level security;
create policy own_rows on endpoints to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on endpoints to cowrie_engine using (true) with check (true);
grant select, insert, update on endpoints to cowrie_app, cowrie_engine;

-- deliveries (core): One event for one endpoint, and whether it was delivered.
create table deliveries (
  merchant_id bigint not null,
  event_id bigint not null,
  endpoint_id bigint not null,
  number bigint not null,
  object_id bigint not null,
  state text not null,
  attempts integer not null default 0,
  tries integer not null default 0,
  round integer not null default 0,
  due_at timestamptz not null,
  constraint deliveries_pkey primary key (event_id, endpoint_id),
  constraint deliveries_state_known check (state in ('PENDING', 'DELIVERED', 'GIVEN_UP'))
) partition by range (event_id);
create index deliveries_due on deliveries (endpoint_id, due_at, number) where (state = 'PENDING');
create index deliveries_given_up on deliveries (merchant_id, number) where (state = 'GIVEN_UP');
create index deliveries_object on deliveries (endpoint_id, object_id, number) where (state = 'PENDING');
create index deliveries_tried on deliveries (endpoint_id, due_at) where ((state = 'PENDING') and (tries > 0));
alter table deliveries enable row level security, force row level security;
create policy own_rows on deliveries to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on deliveries to cowrie_engine using (true) with check (true);
grant select, insert, update on deliveries to cowrie_app, cowrie_engine;

-- delivery_attempts (core): Every attempt of a delivery. Insert-only.
create table delivery_attempts (
  event_id bigint not null,
  endpoint_id bigint not null,
  attempt integer not null,
  merchant_id bigint not null,
  at timestamptz not null,
  url text not null,
  status integer,
  duration_ms integer not null,
  error text,
  answer text,
  constraint delivery_attempts_pkey primary key (event_id, endpoint_id, attempt)
) partition by range (event_id);
create trigger delivery_attempts_erased before update of answer on delivery_attempts for each row execute function refuse_all_but_erasing('answer');
alter table delivery_attempts enable row level security, force row level security;
create policy own_rows on delivery_attempts to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on delivery_attempts to cowrie_engine using (true) with check (true);
grant select on delivery_attempts to cowrie_app;
grant select, insert, update (answer) on delivery_attempts to cowrie_engine;

-- agenda (core): Work that is due later: kind, subject, time, lease.
create table agenda (
  id bigint not null generated always as identity,
  kind text not null,
  merchant_id bigint not null,
  subject bigint not null,
  due_at timestamptz not null,
  lease_until timestamptz,
  attempts integer not null default 0,
  constraint agenda_pkey primary key (id)
);
create index agenda_due on agenda (due_at, id);
alter table agenda enable row level security, force row level security;
create policy own_rows on agenda to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on agenda to cowrie_engine using (true) with check (true);
grant select, insert, update on agenda to cowrie_app;
grant select, insert, update, delete on agenda to cowrie_engine;

-- requests (core): Idempotency keys, with the response that a repeat gets.
create table requests (
  merchant_id bigint not null,
  key text not null,
  method text not null,
  path text not null,
  fields text not null,
  status integer,
  answer text,
  created_at timestamptz not null,
  completed_at timestamptz,
  constraint requests_pkey primary key (merchant_id, key)
);
create index requests_age on requests (created_at);
create trigger requests_sealed before insert or update of answer on requests for each row when (new.answer ~~ 'v1.%') execute function refuse_retired_key();
alter table requests enable row level security, force row level security;
create policy own_rows on requests to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on requests to cowrie_engine using (true) with check (true);
grant select, insert, update, delete on requests to cowrie_app, cowrie_engine;

-- request_log (access/request-log): One line per request of a merchant or a person; no body, no header. Unlogged; deleted after some days.
create table request_log (
  id bigint not null,
  merchant_id bigint not null,
  at timestamptz not null,
  method text not null,
  path text not null,
  route text not null,
  status integer not null,
  ms integer not null,
  key text,
  request_id uuid not null,
  caller text not null,
  code text,
  constraint request_log_pkey primary key (merchant_id, id)
);
create index request_log_by_age on request_log using brin (id) with (pages_per_range='64', autosummarize='on');
create index request_log_by_request on request_log (request_id);
alter table request_log enable row level security, force row level security;
create policy own_rows on request_log to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on request_log to cowrie_engine using (true) with check (true);
grant select on request_log to cowrie_app;
grant select, insert, delete on request_log to cowrie_engine;

-- mails (events/mails): Mails to send, and sent.
create table mails (
  id bigint not null,
  merchant_id bigint not null,
  recipient text not null,
  subject text not null,
  text text not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  refused_at timestamptz,
  sheet text,
  constraint mails_pkey primary key (id)
);
create index mails_by_day on mails (merchant_id, created_at);
create index mails_by_recipient on mails (merchant_id, lower(recipient), created_at);
alter table mails enable row level security, force row level security;
create policy own_rows on mails to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on mails to cowrie_engine using (true) with check (true);
grant select, insert, update on mails to cowrie_app, cowrie_engine;

-- receipt_settings (screens/receipts): Which receipts a merchant has sent, and up to which event they were looked at. No row: none.
create table receipt_settings (
  merchant_id bigint not null,
  payments boolean not null,
  refunds boolean not null,
  payouts boolean not null,
  looked_at bigint not null,
  constraint receipt_settings_pkey primary key (merchant_id),
  constraint receipt_settings_merchant_fkey foreign key (merchant_id) references merchants(id),
  constraint receipt_settings_looked_at_from_zero check (looked_at >= 0)
);
alter table receipt_settings enable row level security, force row level security;
create policy own_rows on receipt_settings to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on receipt_settings to cowrie_engine using (true) with check (true);
grant select on receipt_settings to cowrie_app;
grant select, insert, update on receipt_settings to cowrie_engine;

-- receipts (screens/receipts): Receipts to send, and sent; what stands on one is in its event. Deleted after a week.
create table receipts (
  event_id bigint not null,
  merchant_id bigint not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  refused_at timestamptz,
  constraint receipts_pkey primary key (event_id)
);
create index receipts_by_age on receipts (created_at);
alter table receipts enable row level security, force row level security;
create policy own_rows on receipts to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on receipts to cowrie_engine using (true) with check (true);
grant select on receipts to cowrie_app;
grant select, insert, update, delete on receipts to cowrie_engine;

-- ==== Sequences

-- ids: Ids of all objects; a process takes them in blocks.
create sequence ids as bigint minvalue 10000 maxvalue 999999990000 start 10000 increment 10000 cycle;
grant select, usage on sequence ids to cowrie_app, cowrie_engine;

-- ==== Functions

-- acting_merchant: The merchant that the row-level policies of this database transaction are for.
create function acting_merchant() returns bigint language sql stable;

-- acts_for_account: Whether a ledger account belongs to that merchant or to one of its sub accounts.
create function acts_for_account(account bigint) returns boolean language sql stable;

-- acts_for_accounts: Whether each account is one that the merchant this database transaction acts for may post to.
create function acts_for_accounts(accounts bigint[]) returns boolean language sql stable;

-- add_partition: Makes one partition of one table and attaches it.
create procedure add_partition(in part month_tables, in suffix text, in first_id text, in past_id text) language plpgsql;

-- api_keys_only_end: Refuses any change of a limited key but its end.
create function api_keys_only_end() returns trigger language plpgsql;

-- attach_month: Takes the month that left last back.
create procedure attach_month(in wanted integer) language plpgsql;

-- by_months: Has a table partitioned by months; for migrations.
create procedure by_months(in name text, in options text default '', in uniques text[] default '{}'[]) language plpgsql;

-- detach_month: Lets a month leave.
create procedure detach_month(in wanted integer, in staying text[], in manifest text, in at timestamptz) language plpgsql;

-- erased: What stands in place of a value that was erased.
create function erased(value text) returns text language sql immutable strict;

-- event_body: The exact bytes of the body of an event, as they are sent and signed.
create function event_body(shape_id smallint, body text) returns text language sql stable;

-- forget_attempts: Deletes the attempts to deliver the events of a month.
create function forget_attempts(wanted integer) returns void language plpgsql security definer set search_path=public set lock_timeout=2s;
grant execute on function forget_attempts to cowrie_engine;

-- guard_month: Has changes of a month noted.
create procedure guard_month(in wanted integer, in staying text[]) language plpgsql;

-- horizon_holder: The session or prepared transaction that holds the horizon back.
create function horizon_holder(out who text, out database text, out since timestamptz) returns setof record language sql stable security definer set search_path=pg_catalog;
grant execute on function horizon_holder to cowrie_engine;

-- leaving_order: The tables of months, in the order in which they are locked when one leaves.
create function leaving_order() returns setof month_tables language sql stable;

-- ledger_offset: Added to database transaction numbers, so that they count on after a logical restore.
create function ledger_offset() returns bigint language sql immutable;

-- nobody_paid: Whether a payment that had an account number is over, and no money ever came for it.
create function nobody_paid(payment bigint, holder bigint) returns boolean language sql stable;
grant execute on function nobody_paid to cowrie_engine;

-- note_month_change: Notes that a month was changed while it was about to leave.
create function note_month_change() returns trigger language plpgsql security definer set search_path=public;

-- open_month: Makes the partitions of a month, unless they are there.
create function open_month(wanted integer) returns void language plpgsql security definer set search_path=public;
grant execute on function open_month to cowrie_engine;

-- open_receivable: Opens the account of what a new connector owes us, for the same version.
create function open_receivable() returns trigger language plpgsql;

-- open_table: Opens a new table to the two roles, with its policies and grants; for migrations.
create procedure open_table(in name text, in app text, in engine text, in owner text default 'merchant_id') language plpgsql;

-- post_to_acquirer: Puts the account of its acquirer in place of the first one, in card postings of the version before migration 0056.
create function post_to_acquirer() returns trigger language plpgsql;

-- prepare_leaving: Computes ahead what is written when a month leaves.
create procedure prepare_leaving(in wanted integer, in staying text[], in merchants bigint[], in batches bigint[], in invoices bigint[]) language plpgsql;

-- prepare_return: Proves ahead that the rows of a month that left are of that month.
create procedure prepare_return(in wanted integer, in staying text[]) language plpgsql;

-- raise_merchant_revision: Raises merchant_revision.
create function raise_merchant_revision() returns trigger language plpgsql security definer set search_path=public;

-- refuse_all_but_erasing: Lets columns of a row be erased, and not changed.
create function refuse_all_but_erasing() returns trigger language plpgsql;

-- refuse_all_but_erasing_values: The same for the values of an event.
create function refuse_all_but_erasing_values() returns trigger language plpgsql;

-- refuse_retired_key: Refuses what a retired version of the master key has sealed.
create function refuse_retired_key() returns trigger language plpgsql security definer set search_path=public;

-- search_key: The key under which an e-mail address or a name is searched.
create function search_key(value text) returns bigint language sql immutable strict;

-- span_month: When the first and the last of each merchant's transactions of a month were made.
create procedure span_month(in wanted integer) language plpgsql;

-- unguard_month: Has them noted no more.
create procedure unguard_month(in wanted integer) language plpgsql;
