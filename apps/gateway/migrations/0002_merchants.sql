-- Merchants: who they are, what is agreed with each, and who gets a share of their payments.

create table merchants (
  id bigint constraint merchants_pkey primary key,
  name text not null,
  email text not null,
  api_key text not null constraint merchants_api_key_key unique,
  secret_sealed text not null,          -- envelope-encrypted: it keys the signature of notifications
  secret_digest bytea not null,         -- keyed digest: what login compares
  credential integer not null default 1,-- a token names the credential it was issued for; a new one ends the old tokens
  next_secret_sealed text,              -- a second secret key beside the first, until the overlap ends
  next_secret_digest bytea,
  overlap_until timestamptz,
  allowed_addresses text[] not null,    -- CIDR; requests are honoured from these only
  requests_per_second integer not null constraint merchants_rate_positive check (requests_per_second > 0),
  wallet_number text not null constraint merchants_wallet_number_key unique,
  wallet_bank_code text not null,
  transfer_otp boolean not null default true,
  new_sub_account_wait_hours integer not null default 24
    constraint merchants_new_sub_account_wait check (new_sub_account_wait_hours between 0 and 720),
  created_at timestamptz not null,
  constraint merchants_next_secret_whole check (num_nulls(next_secret_sealed, next_secret_digest, overlap_until) in (0, 3))
);
call open_table('merchants', 'select', 'select, insert, update', owner => 'id');

create table contracts (
  code text constraint contracts_pkey primary key,
  merchant_id bigint not null constraint contracts_merchant_fkey references merchants,
  name text not null
);
call open_table('contracts', 'select', 'select, insert');

create table fee_schedules ( -- dated rows, never edited; every posting names the one it used
  id bigint constraint fee_schedules_pkey primary key,
  merchant_id bigint not null constraint fee_schedules_merchant_fkey references merchants,
  basis_points bigint not null constraint fee_schedules_rate check (basis_points between 0 and 10000),
  cap_kobo bigint not null constraint fee_schedules_cap check (cap_kobo >= 0),
  valid_from timestamptz not null,
  constraint fee_schedules_one_per_instant unique (merchant_id, valid_from)
);
call open_table('fee_schedules', 'select', 'select, insert');

create table payment_policies ( -- dated rows, never edited; the newest is in force
  id bigint constraint payment_policies_pkey primary key,
  merchant_id bigint not null constraint payment_policies_merchant_fkey references merchants,
  less text not null constraint payment_policies_less_known check (less in ('COMPLETE', 'TOP_UP', 'RETURN', 'HOLD')),
  more text not null constraint payment_policies_more_known check (more in ('COMPLETE', 'RETURN', 'HOLD')),
  extra text not null constraint payment_policies_extra_known check (extra in ('RETURN', 'HOLD')),
  tolerance_kobo bigint not null constraint payment_policies_tolerance check (tolerance_kobo between 0 and 100000),
  barred_payers text not null,
  valid_from timestamptz not null
);
create index payment_policies_merchant on payment_policies (merchant_id, valid_from);
call open_table('payment_policies', 'select, insert', 'select, insert');

create table disbursement_settings ( -- what a merchant may pay out; no row: nothing
  merchant_id bigint constraint disbursement_settings_pkey primary key constraint disbursement_settings_merchant_fkey references merchants,
  approved boolean not null,
  per_transfer_kobo bigint not null,
  per_day_kobo bigint not null,
  low_balance_kobo bigint                -- the merchant is notified when its wallet falls below it
);
call open_table('disbursement_settings', 'select', 'select, insert, update');

-- Raised by every change to what processes cache of merchants, so that they read it again.
create table merchant_revision (
  single boolean constraint merchant_revision_pkey primary key default true constraint merchant_revision_single check (single),
  revision bigint not null
);
insert into merchant_revision (revision) values (1);
grant select on merchant_revision to cowrie_app, cowrie_engine;
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
create trigger payment_policies_changed after insert or update or delete on payment_policies
  for each statement execute function raise_merchant_revision();
create trigger disbursement_settings_changed after insert or update or delete on disbursement_settings
  for each statement execute function raise_merchant_revision();

create table sub_accounts ( -- a deleted one stays: money may be owed to it
  id bigint constraint sub_accounts_pkey primary key, -- of the same sequence as merchants, so that its account is id * 16 + 11
  merchant_id bigint not null constraint sub_accounts_merchant_fkey references merchants,
  code text not null constraint sub_accounts_code_key unique,
  bank_code text not null,
  account_number text not null,
  account_name text not null,
  email text not null,
  default_split bigint not null constraint sub_accounts_default_split check (default_split between 0 and 1000000), -- of a million
  created_at timestamptz not null,
  changed_at timestamptz not null,
  deleted_at timestamptz,
  settled_from timestamptz               -- what it earned is settled to it not before; null: at once
);
create index sub_accounts_merchant on sub_accounts (merchant_id, id);
call open_table('sub_accounts', 'select, insert, update', 'select, insert, update');

-- Another bank account of a sub account takes effect a day after it was asked for: whoever finds a token cannot lead settlements
-- elsewhere before the owner, who is mailed, can act.
create table sub_account_banks ( -- the accounts of a sub account that got another one: the first as it was, then each that was asked for
  id bigint constraint sub_account_banks_pkey primary key,
  sub_account_id bigint not null constraint sub_account_banks_sub_account_fkey references sub_accounts,
  merchant_id bigint not null constraint sub_account_banks_merchant_fkey references merchants,
  bank_code text not null,
  account_number text not null,
  account_name text not null,
  effective_at timestamptz not null,     -- money earned from then on goes there, unless another account was asked for before then
  created_at timestamptz not null
);
create index sub_account_banks_sub_account on sub_account_banks (sub_account_id, id);
call open_table('sub_account_banks', 'select, insert', 'select, insert');

create table code_guards ( -- wrong authorisation codes of a merchant, whatever they were for; no row: none yet
  merchant_id bigint constraint code_guards_pkey primary key constraint code_guards_merchant_fkey references merchants,
  wrong_at timestamptz[] not null default '{}', -- since the last release, those of the last day
  locked_at timestamptz                  -- nothing is authorised until the secret key releases it
);
call open_table('code_guards', 'select, insert, update', 'select, insert, update');
