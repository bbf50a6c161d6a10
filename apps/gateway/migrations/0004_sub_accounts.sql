-- Sub accounts: who gets a part of a merchant's payments, and an account of the ledger for what each is owed.

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
  deleted_at timestamptz
);
create index sub_accounts_merchant on sub_accounts (merchant_id, id);

grant select, insert, update on sub_accounts to cowrie_app, cowrie_engine;
alter table sub_accounts enable row level security;
alter table sub_accounts force row level security;
create policy own_rows on sub_accounts to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on sub_accounts to cowrie_engine using (true) with check (true);

-- A merchant opens the accounts of its sub accounts, and no others.
grant insert on accounts to cowrie_app;
create policy shares_only on accounts as restrictive for insert to cowrie_app with check (kind = 'SHARE' and id % 16 = 11);

-- The account of a sub account names its merchant in its row, not in its number.
create function acts_for_account(account bigint) returns boolean language sql stable parallel safe
  return case when account % 16 = 11
    then exists (select from accounts a where a.id = account and a.merchant_id = acting_merchant())
    else account / 16 = acting_merchant() end;
drop policy own_rows on entries;
drop policy own_postings on entries;
create policy own_rows on entries for select to cowrie_app using (acts_for_account(account_id));
create policy own_postings on entries for insert to cowrie_app with check (account_id / 16 = 0 or acts_for_account(account_id));
drop policy own_rows on rollups;
create policy own_rows on rollups for select to cowrie_app using (acts_for_account(account_id));
