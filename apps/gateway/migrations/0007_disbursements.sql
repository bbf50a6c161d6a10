-- Disbursements: transfers out of wallets, batches of them, the codes that authorise them, and what a merchant may send.

create table batches (
  id bigint constraint batches_pkey primary key,
  merchant_id bigint not null constraint batches_merchant_fkey references merchants,
  reference text not null,               -- the merchant's own
  transaction_reference text not null constraint batches_transaction_reference_key unique,
  title text not null,
  narration text not null,
  source_account text not null,
  status text not null constraint batches_status_known
    check (status in ('PENDING_AUTHORIZATION', 'OTP_EMAIL_DISPATCH_FAILED', 'AWAITING_PROCESSING', 'COMPLETED', 'EXPIRED')),
  version integer not null default 1,
  two_fa boolean not null,
  rows integer not null constraint batches_rows_positive check (rows > 0),
  open_rows integer not null constraint batches_open_rows check (open_rows between 0 and rows), -- rows that have not come to their end
  kobo bigint not null,                  -- of all rows, also those that failed validation
  fee_kobo bigint not null,
  notify_percent integer,                -- told at every so many percent of the rows
  told_percent integer not null default 0,
  created_at timestamptz not null,
  constraint batches_reference_key unique (merchant_id, reference)
);

create table disbursements (
  id bigint constraint disbursements_pkey primary key,
  merchant_id bigint not null constraint disbursements_merchant_fkey references merchants,
  reference text not null,               -- the merchant's own; one name space for single transfers and rows of batches
  transaction_reference text not null constraint disbursements_transaction_reference_key unique,
  batch_id bigint,
  batch_row integer,
  status text not null constraint disbursements_status_known check (status in ('AWAITING_PROCESSING', 'PENDING', 'PENDING_AUTHORIZATION',
    'PENDING_BATCH_AUTHORIZATION', 'OTP_EMAIL_DISPATCH_FAILED', 'SUCCESS', 'FAILED', 'REVERSED', 'EXPIRED')),
  version integer not null default 1,
  kobo bigint not null constraint disbursements_kobo_positive check (kobo > 0),
  fee_kobo bigint not null constraint disbursements_fee check (fee_kobo >= 0),
  held boolean not null,                 -- money was set aside for it; not for a row that failed validation
  narration text not null,
  source_account text not null,
  bank_code text not null,
  account_number text not null,
  account_name text,                     -- what the bank holds; null when the account could not be validated
  given_name text,
  name_score integer,
  two_fa boolean not null,
  sender_info text,
  description text not null,
  session_id text constraint disbursements_session_key unique, -- one for ever: the bank is asked about it, never sent it again under another
  questions integer not null default 0,  -- how often the bank was asked what became of it
  question_at timestamptz,               -- when it is asked next
  created_at timestamptz not null,
  completed_at timestamptz,
  constraint disbursements_reference_key unique (merchant_id, reference),
  constraint disbursements_row_of_batch check ((batch_id is null) = (batch_row is null)),
  constraint disbursements_sent_under_a_session check (status not in ('PENDING', 'SUCCESS', 'REVERSED') or session_id is not null)
) with (fillfactor = 80);
create index disbursements_batch on disbursements (batch_id, batch_row) where batch_id is not null;
create index disbursements_likeness on disbursements (merchant_id, account_number, kobo, created_at) where batch_id is null;

create table authorizations ( -- the code that authorises a transfer or a batch; only a keyed digest of it is here
  subject bigint constraint authorizations_pkey primary key, -- disbursement or batch
  merchant_id bigint not null constraint authorizations_merchant_fkey references merchants,
  digest bytea not null,                 -- of code, amount and account: a code fits nothing else
  expires_at timestamptz not null,
  tries integer not null default 0 constraint authorizations_tries check (tries between 0 and 5),
  codes integer not null default 1,      -- how many were mailed
  used_at timestamptz
);

create table disbursement_settings ( -- what a merchant may send; no row: nothing
  merchant_id bigint constraint disbursement_settings_pkey primary key constraint disbursement_settings_merchant_fkey references merchants,
  approved boolean not null,
  per_transfer_kobo bigint not null,
  per_day_kobo bigint not null,
  low_balance_kobo bigint                -- told when the wallet falls below it
);
insert into disbursement_settings (merchant_id, approved, per_transfer_kobo, per_day_kobo)
  select id, true, 1000000000, 50000000000 from merchants;

create table disbursement_days ( -- what was accepted on a day of West Africa Time, for the daily limit
  merchant_id bigint not null constraint disbursement_days_merchant_fkey references merchants,
  day date not null,
  kobo bigint not null,
  constraint disbursement_days_pkey primary key (merchant_id, day)
);

grant select, insert, update on disbursement_days to cowrie_engine;
grant select on disbursement_days to cowrie_app;
grant select, insert, update on batches, disbursements, authorizations to cowrie_app, cowrie_engine;
grant select on disbursement_settings to cowrie_app, cowrie_engine;
grant insert, update on disbursement_settings to cowrie_engine;
do $$
declare merchant_table text;
begin
  foreach merchant_table in array array['batches', 'disbursements', 'authorizations', 'disbursement_settings', 'disbursement_days'] loop
    execute format('alter table %I enable row level security', merchant_table);
    execute format('alter table %I force row level security', merchant_table);
    execute format('create policy own_rows on %I to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant())', merchant_table);
    execute format('create policy all_rows on %I to cowrie_engine using (true) with check (true)', merchant_table);
  end loop;
end $$;
create trigger disbursement_settings_changed after insert or update or delete on disbursement_settings
  for each statement execute function raise_merchant_revision();

-- The wallet's other side: money that comes to a wallet's own number. It belongs to no transaction.
alter table inbound_credits alter transaction_id drop not null, drop constraint inbound_credits_outcome_known,
  add constraint inbound_credits_outcome_known check (outcome in ('COUNTED', 'SUSPENDED', 'TOPPED_UP')),
  add constraint inbound_credits_of_a_transaction check ((outcome = 'TOPPED_UP') = (transaction_id is null));
-- Wallets and payments have numbers from one range. A wallet's own is taken for ever, or one day a payment would be given it;
-- it leads to no transaction: the merchant's id stands in its place, and ids are never given twice.
insert into virtual_accounts (account_number, bank_code, merchant_id, transaction_id, opened_at, expires_at)
  select wallet_number, wallet_bank_code, id, id, created_at, 'infinity' from merchants;

-- Lists and search. Transfers are numbered under the lock of their wallet, in the order of acceptance, and their times never go
-- back: so a page is a range of numbers, and so is a time. How many there are is the last number.
create table transfer_counters (
  merchant_id bigint constraint transfer_counters_pkey primary key constraint transfer_counters_merchant_fkey references merchants,
  transfers bigint not null default 0,
  singles bigint not null default 0,     -- those that are no row of a batch
  batches bigint not null default 0,
  last_at timestamptz not null default '-infinity'
);
alter table disbursements add column place bigint not null, add column single_place bigint,
  add constraint disbursements_single_has_its_place check ((single_place is null) = (batch_id is not null));
create unique index disbursements_place on disbursements (merchant_id, place);
create unique index disbursements_single_place on disbursements (merchant_id, single_place) where single_place is not null;
create index disbursements_time on disbursements (merchant_id, created_at, place);
alter table batches add column place bigint not null;
create unique index batches_place on batches (merchant_id, place);

create table transfer_blocks ( -- 4,096 transfers of a merchant by amount; made with the last of them, and true for ever: an amount never changes
  merchant_id bigint not null,
  number bigint not null,                -- from 0: transfer `place` is in block (place - 1) / 4096
  amounts bigint[] not null,             -- kobo, ascending: a binary search counts a range
  places bigint[] not null,              -- in the same order
  constraint transfer_blocks_pkey primary key (merchant_id, number),
  constraint transfer_blocks_whole check (cardinality(amounts) = 4096 and cardinality(places) = 4096)
);
-- Compressing saves a third and costs every count the reading.
alter table transfer_blocks alter amounts set storage external, alter places set storage external;

grant select on transfer_counters, transfer_blocks to cowrie_app, cowrie_engine;
grant insert on transfer_blocks to cowrie_engine;
grant insert, update on transfer_counters to cowrie_engine;
do $$
declare merchant_table text;
begin
  foreach merchant_table in array array['transfer_counters', 'transfer_blocks'] loop
    execute format('alter table %I enable row level security', merchant_table);
    execute format('alter table %I force row level security', merchant_table);
    execute format('create policy own_rows on %I to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant())', merchant_table);
    execute format('create policy all_rows on %I to cowrie_engine using (true) with check (true)', merchant_table);
  end loop;
end $$;
