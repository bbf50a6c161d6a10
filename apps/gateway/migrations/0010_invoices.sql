-- Invoices: a transaction with a customer, a due date and an account written on it. The state is the transaction's; only that
-- a merchant took an invoice back is kept here.

create table invoices (
  id bigint constraint invoices_pkey primary key, -- that of its transaction
  merchant_id bigint not null constraint invoices_merchant_fkey references merchants,
  reference text not null,               -- the merchant's own
  place bigint not null,                 -- 1, 2, 3 per merchant, without gaps: a page of the list is a range of them
  created_by text not null,              -- the API key
  split_shown text not null,             -- as the merchant gave it
  reserved_id bigint,                    -- the reserved account it is attached to; null: the number was drawn for it alone
  account_number text,                   -- kept here: a number that was drawn is given to others when the invoice is long over
  bank_code text,
  account_name text,
  cancelled_at timestamptz,
  created_at timestamptz not null,
  constraint invoices_reference_key unique (merchant_id, reference),
  constraint invoices_account_whole check (num_nulls(account_number, bank_code, account_name) in (0, 3)),
  constraint invoices_attached_to_a_number check (reserved_id is null or account_number is not null)
);
create unique index invoices_place on invoices (merchant_id, place);
create index invoices_reserved on invoices (reserved_id) where reserved_id is not null;

create table invoice_counters (          -- how many a merchant has made
  merchant_id bigint constraint invoice_counters_pkey primary key constraint invoice_counters_merchant_fkey references merchants,
  invoices bigint not null
);

grant select, insert, update on invoices, invoice_counters to cowrie_app, cowrie_engine;
do $$
declare merchant_table text;
begin
  foreach merchant_table in array array['invoices', 'invoice_counters'] loop
    execute format('alter table %I enable row level security', merchant_table);
    execute format('alter table %I force row level security', merchant_table);
    execute format('create policy own_rows on %I to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant())', merchant_table);
    execute format('create policy all_rows on %I to cowrie_engine using (true) with check (true)', merchant_table);
  end loop;
end $$;

-- Customers' addresses are not ours to trust: a mail that its server refuses for good is not sent again.
alter table mails add column refused_at timestamptz;
