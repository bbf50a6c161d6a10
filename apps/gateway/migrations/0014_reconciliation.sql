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

create table statement_days ( -- the days of the bank's statement: how far each is read, and whether it was compared
  day date constraint statement_days_pkey primary key, -- West African
  after text,                  -- where the next page begins; null: at the beginning, or everything is read
  lines integer not null default 0,      -- read so far, also those of other cells; compared with what the statement says of itself
  in_kobo bigint not null default 0,
  out_kobo bigint not null default 0,
  read_at timestamptz,
  matched_at timestamptz,
  constraint statement_days_in_order check (matched_at is null or read_at is not null)
);
create table statement_lines ( -- what the bank has booked; each line of a day once
  day date not null constraint statement_lines_day_fkey references statement_days,
  line integer not null,
  kind text not null,
  direction text not null constraint statement_lines_direction_known check (direction in ('IN', 'OUT')),
  session_id text not null,
  of_session_id text,
  kobo bigint not null constraint statement_lines_kobo_positive check (kobo > 0),
  booked_at timestamptz not null,
  bank_code text,
  account_number text,
  sender_name text,
  sender_account_number text,
  sender_bank_code text,
  says text not null,
  constraint statement_lines_pkey primary key (day, line)
);
create index statement_lines_session on statement_lines (kind, session_id);
-- What we have booked on a day is looked for in the statement. Payouts are found by their session, which begins with their time.
create index inbound_credits_received on inbound_credits (received_at);
create index suspense_items_closed on suspense_items (closed_at) where closed_at is not null;
create index credit_reversals_heard on credit_reversals (heard_at);

grant select, insert, update on statement_days to cowrie_engine;
grant select, insert on statement_lines to cowrie_engine;
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
