-- Reserved accounts: numbers that stay with a customer, who the customer is, and who may pay in.

-- Numbers of payments are given again an hour after they closed; those of customers never. So each have their own part of the
-- seven digits of a bank's serials: payments the lower seven tenths, which they go through in a cycle, customers the rest.
do $$
begin
  if (select last_value from account_serials) > 6999000 then perform setval('account_serials', 0); end if;
end $$;
alter sequence account_serials maxvalue 6999000;
create sequence reserved_serials minvalue 7000000 maxvalue 9999900 start 7000000 increment 100 no cycle;
grant usage, select on sequence reserved_serials to cowrie_app, cowrie_engine;

create table reserved_accounts (
  id bigint constraint reserved_accounts_pkey primary key,
  merchant_id bigint not null constraint reserved_accounts_merchant_fkey references merchants,
  reference text not null,               -- the merchant's own; never used again, also when the account is given up
  reservation_reference text not null constraint reserved_accounts_reservation_key unique,
  type text not null constraint reserved_accounts_type_known check (type in ('GENERAL', 'INVOICE')),
  status text not null constraint reserved_accounts_status_known check (status in ('RESERVED', 'DEALLOCATED')),
  version integer not null default 1,
  serial text not null constraint reserved_accounts_serial_key unique, -- nine digits; a number at a bank is these and its check digit
  name text not null,
  contract_code text not null,
  customer_email text not null,
  customer_name text not null,
  bvn_sealed text,                       -- envelope-encrypted; the digest is keyed and finds the same person again
  bvn_digest bytea,
  bvn_tail text,                         -- the four digits that are shown
  nin_sealed text,
  nin_digest bytea,
  nin_tail text,
  split text,                            -- as transactions keep theirs
  split_shown text not null default '[]',-- as the merchant gave it
  split_code text not null,
  restricted boolean not null default false,
  allowed_bvns_sealed text,              -- those of payers, sealed together, and a keyed digest of each
  allowed_bvns bytea[] not null default '{}',
  allowed_accounts text not null default '[]',
  allowed_names text[] not null default '{}',
  invoice_id bigint,                     -- the transaction of the invoice it was attached to last; INVOICE type only
  created_at timestamptz not null,
  constraint reserved_accounts_reference_key unique (merchant_id, reference),
  constraint reserved_accounts_of_a_person check (bvn_digest is not null or nin_digest is not null),
  constraint reserved_accounts_bvn_whole check (num_nulls(bvn_sealed, bvn_digest, bvn_tail) in (0, 3)),
  constraint reserved_accounts_nin_whole check (num_nulls(nin_sealed, nin_digest, nin_tail) in (0, 3)),
  constraint reserved_accounts_invoice check (invoice_id is null or type = 'INVOICE')
);
grant select, insert, update on reserved_accounts to cowrie_app, cowrie_engine;
alter table reserved_accounts enable row level security;
alter table reserved_accounts force row level security;
create policy own_rows on reserved_accounts to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on reserved_accounts to cowrie_engine using (true) with check (true);

-- A number leads to a transaction, or to a reserved account.
alter table virtual_accounts alter transaction_id drop not null, add column reserved_id bigint,
  add constraint virtual_accounts_lead_somewhere check (num_nulls(transaction_id, reserved_id) = 1);
create index virtual_accounts_reserved on virtual_accounts (reserved_id) where reserved_id is not null;

-- The transactions of one account; other transactions do not pay for it.
create index transactions_of_reserved on transactions (merchant_id, product_reference, created_at, id)
  where product_type = 'RESERVED_ACCOUNT';

-- Money for a number that was never given out belongs to nobody we know: the house keeps it until it is back (merchant 0).
alter table suspense_items alter transaction_id drop not null;
alter table inbound_credits drop constraint inbound_credits_of_a_transaction,
  add constraint inbound_credits_of_a_transaction check (case outcome
    when 'COUNTED' then transaction_id is not null when 'TOPPED_UP' then transaction_id is null
    else transaction_id is not null or merchant_id = 0 end);
