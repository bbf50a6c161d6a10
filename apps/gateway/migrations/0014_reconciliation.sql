-- Money that a bank takes back; the bank's statement of each day, and where it does not agree with our books.

alter table transactions add column flagged boolean not null default false; -- a bank took money of it back

create table credit_reversals ( -- every taking back that was heard of, once
  reversal_reference text constraint credit_reversals_pkey primary key, -- the bank's reference of the taking back
  bank_reference text not null constraint credit_reversals_credit_key unique, -- of the money: a credit, or a debit of a mandate
  merchant_id bigint not null,
  transaction_id bigint,  -- null: it was a top-up of a wallet
  transfer_id bigint,     -- null: the wallet holds too little, nothing is posted and a person decides
  outcome text not null constraint credit_reversals_outcome_known check (outcome in ('COUNTED', 'SUSPENDED', 'TOPPED_UP')), -- what the money was
  kobo bigint not null constraint credit_reversals_kobo_positive check (kobo > 0),
  fee_kobo bigint not null constraint credit_reversals_fee check (fee_kobo >= 0 and fee_kobo <= kobo), -- given back with it
  reason text not null,   -- the bank's
  taken_at timestamptz not null, -- at the bank
  heard_at timestamptz not null,
  constraint credit_reversals_of_a_transaction check ((outcome = 'TOPPED_UP') = (transaction_id is null)),
  constraint credit_reversals_posted check (transfer_id is not null or outcome = 'TOPPED_UP')
);
create index credit_reversals_transaction on credit_reversals (transaction_id);

create table recon_breaks ( -- where a bank and we do not agree, until somebody or something has ended it
  id bigint constraint recon_breaks_pkey primary key,
  merchant_id bigint not null, -- whose money it is about; 0: not known
  class text not null constraint recon_breaks_class_known
    check (class in ('MISSING_HERE', 'MISSING_THERE', 'AMOUNT', 'DUPLICATE', 'TIMING', 'REVERSAL', 'UNKNOWN_OWNER')),
  status text not null default 'OPEN' constraint recon_breaks_status_known check (status in ('OPEN', 'RESOLVED')),
  version integer not null default 1,
  kind text not null,          -- of the line: CREDIT, RETURN, REVERSAL, PAYOUT …
  session_id text not null,
  day date not null,           -- the West African day it was found on
  bank_kobo bigint,            -- null: the bank has no such line
  our_kobo bigint,             -- null: we have no such money
  says text not null,
  done text,                   -- what ended it
  opened_at timestamptz not null,
  resolved_at timestamptz,
  constraint recon_breaks_once unique (class, kind, session_id),
  constraint recon_breaks_resolved check ((status = 'RESOLVED') = (resolved_at is not null) and (status = 'RESOLVED') = (done is not null))
);
create index recon_breaks_open on recon_breaks (opened_at) where status = 'OPEN';

grant select on credit_reversals, recon_breaks to cowrie_app, cowrie_engine;
grant insert on credit_reversals to cowrie_engine;
grant insert, update on recon_breaks to cowrie_engine;

do $$
declare merchant_table text;
begin
  foreach merchant_table in array array['credit_reversals', 'recon_breaks'] loop
    execute format('alter table %I enable row level security', merchant_table);
    execute format('alter table %I force row level security', merchant_table);
    execute format('create policy own_rows on %I to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant())', merchant_table);
    execute format('create policy all_rows on %I to cowrie_engine using (true) with check (true)', merchant_table);
  end loop;
end $$;
