-- Collecting: requests for money, the account numbers that lead to them, and what came of each.

create table transactions ( -- wide columns first: a row has no gaps between them
  id bigint constraint transactions_pkey primary key,
  merchant_id bigint not null,
  kobo bigint not null constraint transactions_kobo_positive check (kobo > 0),
  paid_kobo bigint not null default 0,
  fee_kobo bigint not null default 0,
  tolerance_kobo bigint not null default 0, -- the difference that was forgiven is within what was in force then
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Whole values are searched regardless of case, by these keys. Written by the statement that inserts: generated columns would be the
  -- same for the reader, but PostgreSQL unfolds their expressions anew for every statement (100 µs, measured). The books hold the
  -- keys against their values.
  email_key bigint not null,
  name_key bigint not null,
  closed_at timestamptz,
  version integer not null default 1,
  flagged boolean not null default false, -- a bank reversed all or part of it
  on_page boolean not null default false, -- paid on the hosted page
  reference text not null,               -- ours; it says the second, so it is unique if it is within its month
  payment_reference text not null,       -- the merchant's own; held by payment_references
  contract_code text not null,
  status text not null constraint transactions_status_known
    check (status in ('PENDING', 'PAID', 'PARTIALLY_PAID', 'OVERPAID', 'EXPIRED', 'FAILED', 'CANCELLED')),
  customer_name text not null,
  customer_email text not null,
  description text not null,
  methods text not null,                 -- a letter each, in the merchant's order
  payment_method text,
  redirect_url text,
  meta_data text not null,
  split text,                            -- who gets which part; null for nearly all
  product_type text constraint transactions_product_known
    check (product_type in ('RESERVED_ACCOUNT', 'INVOICE', 'DIRECT_DEBIT', 'API_NOTIFICATION')), -- null: asked for by the merchant
  product_reference text,
  constraint transactions_status_fits_amount check (case status
    when 'PAID' then abs(paid_kobo - kobo) <= tolerance_kobo
    when 'OVERPAID' then paid_kobo > kobo
    when 'PARTIALLY_PAID' then paid_kobo > 0 and paid_kobo < kobo
    else paid_kobo = 0 end),
  constraint transactions_fee_fits check (fee_kobo >= 0 and fee_kobo <= paid_kobo),
  constraint transactions_tolerance_small check (tolerance_kobo >= 0 and tolerance_kobo <= kobo / 10),
  constraint transactions_product_named check ((product_type is null) = (product_reference is null))
) partition by range (id);
-- Room for the one update of a payment on its own page: no index is touched by it. Counting within an index needs its pages known to
-- be visible, so a page is vacuumed soon after it is full.
call by_months('transactions', 'fillfactor = 65, autovacuum_vacuum_insert_scale_factor = 0.02', '{reference}');
-- Only columns that never change: the one update of a payment still touches no index. Keys are columns because an index on an
-- expression cannot answer without the table.
create index transactions_newest on transactions (merchant_id, created_at, id);
create index transactions_by_email on transactions (merchant_id, email_key, created_at, id);
create index transactions_by_name on transactions (merchant_id, name_key, created_at, id);
-- The transactions of one reserved account; other transactions do not pay for it.
create index transactions_of_reserved on transactions (merchant_id, product_reference, created_at, id)
  where product_type = 'RESERVED_ACCOUNT';
call open_table('transactions', 'select, insert, update', 'select, insert, update');

-- Names that are not ids are held by tables of their own: a key of a table in partitions would hold within a month only. Each row is
-- written by the statement that makes what it names.
create table payment_references ( -- a merchant's own names of its transactions
  merchant_id bigint not null,
  payment_reference text not null,
  transaction_id bigint not null,
  constraint payment_references_pkey primary key (merchant_id, payment_reference)
);
call open_table('payment_references', 'select, insert', 'select, insert');

-- Numbers ---------------------------------------------------------------------------------------------------------------

-- Ranges of serials: nine digits, to which a bank adds its check digit. Whose cell a number is, its range says (core/cells/ranges.ts).
-- Numbers of payments are given again, after a quarantine; those of customers never. So each have ranges of their own.
create table number_ranges (
  id integer generated always as identity constraint number_ranges_pkey primary key,
  bank_code text not null,               -- '*': at every issuing bank
  first_serial bigint not null,
  last_serial bigint not null,
  cell text not null,                    -- ours: whoever reads it elsewhere has the wrong database
  purpose text not null constraint number_ranges_purpose_known check (purpose in ('PAYMENT', 'RESERVED')),
  next_serial bigint not null,           -- the first that no process was given in this cycle
  cycles integer not null default 0,     -- how often it was gone through
  constraint number_ranges_in_order check (first_serial >= 0 and first_serial <= last_serial and last_serial <= 999999999
    and next_serial >= first_serial and next_serial <= last_serial + 1)
);
grant select on number_ranges to cowrie_app;
grant select, insert, update on number_ranges to cowrie_engine;

-- Whose each number is: it leads to a transaction, or to a reserved account. A wallet's own number is taken for ever, or one day a
-- payment would be given it; it leads to no transaction: the merchant's id stands in its place, and ids are never given twice.
create table virtual_accounts (
  account_number text not null,
  bank_code text not null,
  merchant_id bigint not null,
  transaction_id bigint constraint virtual_accounts_transaction_key unique,
  reserved_id bigint,
  opened_at timestamptz not null,
  expires_at timestamptz not null,
  on_page boolean not null default false, -- issued on the hosted page
  connector smallint not null default 1, -- whom it was asked of, for ever
  constraint virtual_accounts_pkey primary key (account_number, bank_code),
  constraint virtual_accounts_lead_somewhere check (num_nulls(transaction_id, reserved_id) = 1)
);
create index virtual_accounts_reserved on virtual_accounts (reserved_id) where reserved_id is not null;
call open_table('virtual_accounts', 'select, insert', 'select, insert, delete');

create table former_holders ( -- who had a number before its present holder: a late payer means them
  account_number text not null,
  bank_code text not null,
  merchant_id bigint not null,
  transaction_id bigint not null,
  opened_at timestamptz not null,
  expires_at timestamptz not null,
  constraint former_holders_pkey primary key (account_number, bank_code)
);
call open_table('former_holders', 'select', 'select, insert, update');

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
call open_table('reserved_accounts', 'select, insert, update', 'select, insert, update');

-- Invoices --------------------------------------------------------------------------------------------------------------

-- A transaction with a customer, a due date and an account written on it. The state is the transaction's; only that a merchant
-- cancelled an invoice is kept here.
create table invoices (
  id bigint constraint invoices_pkey primary key, -- that of its transaction
  merchant_id bigint not null constraint invoices_merchant_fkey references merchants,
  reference text not null,               -- the merchant's own
  place bigint not null,                 -- 1, 2, 3 per merchant, without gaps: a page of the list is a range of them
  created_by text not null,              -- the API key
  split_shown text not null,             -- as the merchant gave it
  reserved_id bigint,                    -- the reserved account it is attached to; null: the number was issued for it alone
  account_number text,                   -- kept here: a number that was issued is given to others when the invoice is long over
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
call open_table('invoices', 'select, insert, update', 'select, insert, update');

create table invoice_counters ( -- how many a merchant has made
  merchant_id bigint constraint invoice_counters_pkey primary key constraint invoice_counters_merchant_fkey references merchants,
  invoices bigint not null
);
call open_table('invoice_counters', 'select, insert, update', 'select, insert, update');

-- Credits ---------------------------------------------------------------------------------------------------------------

create table inbound_credits ( -- every credit that the bank reported, once
  bank_reference text not null,          -- held by bank_sessions
  merchant_id bigint not null,
  transaction_id bigint,                 -- null: money that came to a wallet's own number, or to a number that was never given out
  transfer_id bigint constraint inbound_credits_pkey primary key,
  outcome text not null constraint inbound_credits_outcome_known check (outcome in ('COUNTED', 'SUSPENDED', 'TOPPED_UP')),
  kobo bigint not null constraint inbound_credits_kobo_positive check (kobo > 0),
  account_number text not null,
  bank_code text not null,
  sender_name text not null,
  sender_account_number text not null,
  sender_bank_code text not null,
  received_at timestamptz not null,
  -- Money for a number that was never given out belongs to nobody we know: the house keeps it until it is returned (merchant 0).
  constraint inbound_credits_of_a_transaction check (case outcome
    when 'COUNTED' then transaction_id is not null when 'TOPPED_UP' then transaction_id is null
    else transaction_id is not null or merchant_id = 0 end)
) partition by range (transfer_id);
call by_months('inbound_credits');
create index inbound_credits_transaction on inbound_credits (transaction_id);
-- What we have booked on a day is looked for in the statement. Credits lie in the order they came, so the first and last moment of
-- every few pages are enough.
create index inbound_credits_received on inbound_credits using brin (received_at) with (pages_per_range = 32);
call open_table('inbound_credits', 'select, insert', 'select, insert');

create table bank_sessions ( -- the bank's own names of credits: each is taken once
  bank_reference text constraint bank_sessions_pkey primary key,
  merchant_id bigint not null,
  transfer_id bigint not null            -- that of the credit
);
call open_table('bank_sessions', 'select, insert', 'select, insert');

create table credit_reversals ( -- every reversal of a credit that the bank reported, once
  reversal_reference text constraint credit_reversals_pkey primary key, -- the bank's reference of the reversal
  bank_reference text not null constraint credit_reversals_credit_key unique, -- of the money: a credit, or a debit of a mandate
  merchant_id bigint not null,
  transaction_id bigint,                 -- null: it was a top-up of a wallet, or came for a number that was never given out
  transfer_id bigint constraint credit_reversals_posted check (transfer_id is not null),
  outcome text not null constraint credit_reversals_outcome_known check (outcome in ('COUNTED', 'SUSPENDED', 'TOPPED_UP')), -- what the money was
  kobo bigint not null constraint credit_reversals_kobo_positive check (kobo > 0),
  fee_kobo bigint not null constraint credit_reversals_fee check (fee_kobo >= 0 and fee_kobo <= kobo), -- returned with it
  reason text not null,                  -- the bank's
  taken_at timestamptz not null,         -- at the bank
  heard_at timestamptz not null,
  constraint credit_reversals_of_a_transaction check (case outcome
    when 'COUNTED' then transaction_id is not null when 'TOPPED_UP' then transaction_id is null
    else transaction_id is not null or merchant_id = 0 end)
);
create index credit_reversals_transaction on credit_reversals (transaction_id);
create index credit_reversals_heard on credit_reversals (heard_at);
call open_table('credit_reversals', 'select', 'select, insert');

create table suspense_items ( -- money that was not counted: whose it may be, why, and by when somebody must decide
  id bigint constraint suspense_items_pkey primary key,
  merchant_id bigint not null,
  transaction_id bigint,
  bank_reference text not null constraint suspense_items_bank_reference_key unique,
  status text not null default 'HELD' constraint suspense_items_status_known check (status in ('HELD', 'RETURNING', 'RETURNED')),
  version integer not null default 1,
  kobo bigint not null constraint suspense_items_kobo_positive check (kobo > 0),
  reason text not null,
  owner text not null,
  decide_by timestamptz not null,
  attempts integer not null default 0,   -- at returning it
  refusal text,                          -- why the bank would not take it back
  return_session_id text,                -- the bank's reference of the return
  connector smallint not null default 1, -- whom it was asked of, for ever
  created_at timestamptz not null,
  closed_at timestamptz,
  constraint suspense_items_returned check ((status = 'RETURNED') = (return_session_id is not null)
    and (status = 'RETURNED') = (closed_at is not null))
);
create index suspense_items_transaction on suspense_items (transaction_id);
create index suspense_items_closed on suspense_items (closed_at) where closed_at is not null;
call open_table('suspense_items', 'select, insert', 'select, insert, update');
