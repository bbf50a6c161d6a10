-- Bank orders: money that leaves to a bank account because of something else. And refunds: money that goes back to a payer.

create table bank_orders (
  id bigint constraint bank_orders_pkey primary key,
  merchant_id bigint not null constraint bank_orders_merchant_fkey references merchants,
  purpose text not null constraint bank_orders_purpose_known check (purpose in ('REFUND', 'SETTLEMENT')),
  subject bigint not null,               -- the refund or settlement it pays
  status text not null constraint bank_orders_status_known check (status in ('AWAITING', 'SENT', 'PAID', 'FAILED', 'REVERSED')),
  version integer not null default 1,
  kobo bigint not null constraint bank_orders_kobo_positive check (kobo > 0),
  bank_code text not null,
  account_number text not null,
  account_name text not null,
  narration text not null,
  session_id text constraint bank_orders_session_key unique, -- one for ever: the bank is asked about it, never sent it again under another
  questions integer not null default 0,  -- how often the bank was asked what became of it
  question_at timestamptz,               -- when it is asked next
  description text not null,
  created_at timestamptz not null,
  completed_at timestamptz,
  constraint bank_orders_sent_under_a_session check ((status = 'AWAITING') = (session_id is null))
) with (fillfactor = 80);
create index bank_orders_subject on bank_orders (purpose, subject);

grant select, insert on bank_orders to cowrie_app;
grant select, insert, update on bank_orders to cowrie_engine;
alter table bank_orders enable row level security;
alter table bank_orders force row level security;
create policy own_rows on bank_orders to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on bank_orders to cowrie_engine using (true) with check (true);

create table refunds (
  id bigint constraint refunds_pkey primary key,
  merchant_id bigint not null constraint refunds_merchant_fkey references merchants,
  reference text not null constraint refunds_reference_key unique,
  refund_reference text not null,        -- the merchant's own
  transaction_id bigint not null,
  transaction_reference text not null,
  status text not null constraint refunds_status_known check (status in ('PENDING', 'COMPLETED', 'FAILED')),
  version integer not null default 1,
  kobo bigint not null constraint refunds_kobo_least check (kobo >= 10000),
  fee_kobo bigint not null constraint refunds_fee check (fee_kobo >= 0),
  type text not null constraint refunds_type_known check (type in ('FULL_REFUND', 'PARTIAL_REFUND')),
  strategy text not null constraint refunds_strategy_known check (strategy in ('MERCHANT_WALLET', 'ORIGINAL_PAYMENT_SOURCE')),
  reason text not null constraint refunds_reason_length check (char_length(reason) <= 64),
  customer_note text not null constraint refunds_note_length check (char_length(customer_note) <= 16),
  bank_code text not null,
  account_number text not null,
  account_name text not null,
  comment text not null,
  created_at timestamptz not null,
  completed_at timestamptz,
  constraint refunds_refund_reference_key unique (merchant_id, refund_reference)
) with (fillfactor = 80);
create index refunds_transaction on refunds (transaction_id); -- what of it was refunded
create index refunds_time on refunds (merchant_id, created_at desc, id desc);

grant select, insert on refunds to cowrie_app;
grant select, insert, update on refunds to cowrie_engine;
alter table refunds enable row level security;
alter table refunds force row level security;
create policy own_rows on refunds to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on refunds to cowrie_engine using (true) with check (true);
