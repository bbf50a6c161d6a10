-- Direct debit: mandates that customers give, and the debits on them. A debit is a transaction; what is here is the bank's side of it.

create table mandates (
  id bigint constraint mandates_pkey primary key,
  merchant_id bigint not null constraint mandates_merchant_fkey references merchants,
  code text not null constraint mandates_code_key unique,
  reference text not null,               -- the merchant's own
  contract_code text not null,
  status text not null constraint mandates_status_known check (status in ('INITIATED', 'ACTIVE', 'FAILED', 'EXPIRED', 'CANCELLED')),
  version integer not null default 1,
  customer_name text not null,
  customer_email text not null,
  customer_phone text not null,
  customer_address text not null,
  account_number text not null,
  bank_code text not null,
  account_name text not null,            -- what the bank holds
  description text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  kobo bigint constraint mandates_kobo_positive check (kobo > 0), -- the most that all debits may come to; null: no such limit
  debit_kobo bigint constraint mandates_debit_kobo_positive check (debit_kobo > 0), -- of every debit; null: any amount
  debited_kobo bigint not null default 0, -- debits that are paid or under way
  auto_renew boolean not null,
  customer_cancels boolean not null,
  authorize_by timestamptz not null,
  authorization_message text,            -- of the scheme; null until it has answered
  authorization_link text,
  cancel_asked_at timestamptz,           -- the merchant's wish to end it
  created_at timestamptz not null,
  constraint mandates_reference_key unique (merchant_id, reference),
  constraint mandates_window check (ends_at > starts_at),
  constraint mandates_instruction_whole check ((authorization_message is null) = (authorization_link is null)),
  constraint mandates_within_its_amount check (debited_kobo >= 0 and (kobo is null or debited_kobo <= kobo))
) with (fillfactor = 80);
create index mandates_list on mandates (merchant_id, created_at, id);
create index mandates_of_customer on mandates (merchant_id, lower(customer_email), created_at);

create table debits (
  id bigint constraint debits_pkey primary key, -- of its transaction
  merchant_id bigint not null constraint debits_merchant_fkey references merchants,
  mandate_id bigint not null constraint debits_mandate_fkey references mandates,
  kobo bigint not null constraint debits_kobo_positive check (kobo > 0),
  narration text not null,
  session_id text not null constraint debits_session_key unique, -- one for ever: the bank is asked about it, never sent it again under another
  message text not null,                 -- what the merchant reads of it
  sent_at timestamptz,                   -- when a worker set out to send it; null: it waits for one
  questions integer not null default 0,  -- how often the bank was asked what became of it
  question_at timestamptz                -- when it is asked next
) with (fillfactor = 80);
create index debits_of_mandate on debits (mandate_id);

grant select, insert, update on mandates to cowrie_app, cowrie_engine;
grant select, insert on debits to cowrie_app, cowrie_engine;
grant update on debits to cowrie_engine;
do $$
declare merchant_table text;
begin
  foreach merchant_table in array array['mandates', 'debits'] loop
    execute format('alter table %I enable row level security', merchant_table);
    execute format('alter table %I force row level security', merchant_table);
    execute format('create policy own_rows on %I to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant())', merchant_table);
    execute format('create policy all_rows on %I to cowrie_engine using (true) with check (true)', merchant_table);
  end loop;
end $$;
