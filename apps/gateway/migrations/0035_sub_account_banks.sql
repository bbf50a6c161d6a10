-- Another bank account of a sub account takes effect a day after it was asked for, and a new sub account is settled only after a
-- waiting time: whoever finds a token cannot lead settlements elsewhere before the owner, who is mailed, can act.

create table sub_account_banks ( -- the accounts of a sub account that got another one: the first as it was, then each that was asked for
  id bigint constraint sub_account_banks_pkey primary key,
  sub_account_id bigint not null constraint sub_account_banks_sub_account_fkey references sub_accounts,
  merchant_id bigint not null constraint sub_account_banks_merchant_fkey references merchants,
  bank_code text not null,
  account_number text not null,
  account_name text not null,
  effective_at timestamptz not null, -- money earned from then on goes there, unless another account was asked for before then
  created_at timestamptz not null
);
create index sub_account_banks_sub_account on sub_account_banks (sub_account_id, id);

grant select, insert on sub_account_banks to cowrie_app, cowrie_engine;
alter table sub_account_banks enable row level security;
alter table sub_account_banks force row level security;
create policy own_rows on sub_account_banks to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on sub_account_banks to cowrie_engine using (true) with check (true);

alter table sub_accounts add column settled_from timestamptz; -- what it earned is settled to it not before; null: at once
alter table merchants add column new_sub_account_wait_hours integer not null default 24
  constraint merchants_new_sub_account_wait check (new_sub_account_wait_hours between 0 and 720);
