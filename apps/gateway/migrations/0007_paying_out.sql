-- Paying out: transfers out of wallets, batches of them, the codes that authorise them, refunds, and orders to a bank.

create table batches (
  id bigint constraint batches_pkey primary key,
  merchant_id bigint not null constraint batches_merchant_fkey references merchants,
  reference text not null,               -- the merchant's own
  transaction_reference text not null constraint batches_transaction_reference_key unique,
  place bigint not null,                 -- 1, 2, 3 per merchant, in the order of acceptance
  title text not null,
  narration text not null,
  source_account text not null,
  status text not null constraint batches_status_known
    check (status in ('PENDING_AUTHORIZATION', 'OTP_EMAIL_DISPATCH_FAILED', 'AWAITING_PROCESSING', 'COMPLETED', 'EXPIRED')),
  version integer not null default 1,
  two_fa boolean not null,
  rows integer not null constraint batches_rows_positive check (rows > 0),
  open_rows integer not null constraint batches_open_rows check (open_rows between 0 and rows), -- rows that have not come to their end
  kobo bigint not null,                  -- of all rows, also those that failed validation
  fee_kobo bigint not null,
  notify_percent integer,                -- the merchant is notified at every so many percent of the rows
  told_percent integer not null default 0,
  created_at timestamptz not null,
  constraint batches_reference_key unique (merchant_id, reference)
);
create unique index batches_place on batches (merchant_id, place);
call open_table('batches', 'select, insert, update', 'select, insert, update');

create table disbursements (
  id bigint constraint disbursements_pkey primary key,
  merchant_id bigint not null,
  reference text not null,               -- the merchant's own, held by payout_references
  transaction_reference text not null,   -- ours; it says the second, so it is unique if it is within its month
  -- Numbered under the lock of their wallet, in the order of acceptance, and their times never go back: so a page of a list is a range
  -- of numbers, and so is a time. How many there are is the last number.
  place bigint not null,
  single_place bigint,                   -- among those that are not a row of a batch
  batch_id bigint,
  batch_row integer,
  status text not null constraint disbursements_status_known check (status in ('AWAITING_PROCESSING', 'PENDING', 'PENDING_AUTHORIZATION',
    'PENDING_BATCH_AUTHORIZATION', 'OTP_EMAIL_DISPATCH_FAILED', 'SUCCESS', 'FAILED', 'REVERSED', 'EXPIRED')),
  version integer not null default 1,
  kobo bigint not null constraint disbursements_kobo_positive check (kobo > 0),
  fee_kobo bigint not null constraint disbursements_fee check (fee_kobo >= 0),
  held boolean not null,                 -- money was held for it; not for a row that failed validation
  narration text not null,
  source_account text not null,
  bank_code text not null,
  account_number text not null,
  account_name text,                     -- what the bank holds; null when the account could not be validated
  given_name text,
  name_score integer,
  two_fa boolean not null,
  sender_info text,
  description text not null,
  session_id text,                       -- one for ever: the bank is asked about it, never sent it again under another; it says second and id
  connector smallint not null default 1, -- whom it was asked of, for ever
  questions integer not null default 0,  -- how often the bank was asked for its outcome
  question_at timestamptz,               -- when it is asked next
  created_at timestamptz not null,
  completed_at timestamptz,
  constraint disbursements_row_of_batch check ((batch_id is null) = (batch_row is null)),
  constraint disbursements_single_has_its_place check ((single_place is null) = (batch_id is not null)),
  constraint disbursements_sent_under_a_session check (status not in ('PENDING', 'SUCCESS', 'REVERSED') or session_id is not null)
) partition by range (id);
call by_months('disbursements', 'fillfactor = 80', '{transaction_reference, session_id}');
-- With the merchant in front: or a plan finds the rows of a batch among all that the merchant has in the month.
create index disbursements_batch on disbursements (merchant_id, batch_id, batch_row) where batch_id is not null;
create index disbursements_likeness on disbursements (merchant_id, account_number, kobo, created_at) where batch_id is null;
create index disbursements_place on disbursements (merchant_id, place);
create index disbursements_single_place on disbursements (merchant_id, single_place) where single_place is not null;
create index disbursements_time on disbursements (merchant_id, created_at, place);
-- In a statement payouts are found by their session, which begins with their time; those few that ended late or were returned, by
-- when they did.
create index disbursements_reversed on disbursements (completed_at) where status = 'REVERSED';
create index disbursements_late on disbursements (completed_at) where completed_at - created_at > interval '48 hours';
call open_table('disbursements', 'select, insert, update', 'select, insert, update');

create table payout_references ( -- a merchant's own names of its payouts; one name space for single transfers and rows of batches
  merchant_id bigint not null,
  reference text not null,
  disbursement_id bigint not null,
  constraint payout_references_pkey primary key (merchant_id, reference)
);
call open_table('payout_references', 'select, insert', 'select, insert');

create table transfer_counters ( -- the last numbers of a merchant's payouts and batches
  merchant_id bigint constraint transfer_counters_pkey primary key constraint transfer_counters_merchant_fkey references merchants,
  transfers bigint not null default 0,
  singles bigint not null default 0,     -- those that are not a row of a batch
  batches bigint not null default 0,
  last_at timestamptz not null default '-infinity'
);
call open_table('transfer_counters', 'select', 'select, insert, update');

create table transfer_blocks ( -- 4,096 payouts of a merchant by amount; made with the last of them, and true for ever: an amount never changes
  merchant_id bigint not null,
  number bigint not null,                -- from 0: the payout at `place` is in block (place - 1) / 4096
  first_id bigint not null,              -- the least id of its payouts and the greatest: they say in which months to look
  last_id bigint not null,
  amounts bigint[] not null,             -- kobo, ascending: a binary search counts a range
  places smallint[] not null,            -- in the same order: the place within the block, from 1
  constraint transfer_blocks_pkey primary key (merchant_id, number),
  constraint transfer_blocks_whole check (cardinality(amounts) = 4096 and cardinality(places) = 4096)
);
-- Compressing saves a third and costs every count the reading.
alter table transfer_blocks alter amounts set storage external, alter places set storage external;
call open_table('transfer_blocks', 'select', 'select, insert');

create table authorizations ( -- the code that authorises a payout, a batch or a refund; only a keyed digest of it is here
  subject bigint constraint authorizations_pkey primary key, -- what it authorises
  merchant_id bigint not null constraint authorizations_merchant_fkey references merchants,
  digest bytea not null,                 -- of code, amount and account: a code is valid for nothing else
  expires_at timestamptz not null,
  tries integer not null default 0 constraint authorizations_tries check (tries between 0 and 5),
  codes integer not null default 1,      -- how many were mailed
  used_at timestamptz
);
call open_table('authorizations', 'select, insert, update', 'select, insert, update');

create table disbursement_days ( -- what was accepted on a day of West Africa Time, for the daily limit
  merchant_id bigint not null constraint disbursement_days_merchant_fkey references merchants,
  day date not null,
  kobo bigint not null,
  constraint disbursement_days_pkey primary key (merchant_id, day)
);
call open_table('disbursement_days', 'select', 'select, insert, update');

create table bank_orders ( -- money that leaves to a bank account because of something else
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
  connector smallint not null default 1, -- whom it was asked of, for ever
  questions integer not null default 0,  -- how often the bank was asked for its outcome
  question_at timestamptz,               -- when it is asked next
  description text not null,
  created_at timestamptz not null,
  completed_at timestamptz,
  constraint bank_orders_sent_under_a_session check ((status = 'AWAITING') = (session_id is null))
) with (fillfactor = 80);
create index bank_orders_subject on bank_orders (purpose, subject);
create index bank_orders_reversed on bank_orders (completed_at) where status = 'REVERSED';
create index bank_orders_late on bank_orders (completed_at) where completed_at - created_at > interval '48 hours';
call open_table('bank_orders', 'select, insert', 'select, insert, update');

create table refunds ( -- money returned to a payer
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
  elsewhere boolean not null default false, -- to an account that did not pay: counted as a payout is
  authorize_by timestamptz,              -- it waits for its code until then; null: nothing to authorise
  comment text not null,
  created_at timestamptz not null,
  completed_at timestamptz,
  constraint refunds_refund_reference_key unique (merchant_id, refund_reference),
  constraint refunds_waits_while_pending check (authorize_by is null or status = 'PENDING')
) with (fillfactor = 80);
create index refunds_transaction on refunds (transaction_id); -- what of it was refunded
create index refunds_time on refunds (merchant_id, created_at desc, id desc);
call open_table('refunds', 'select, insert', 'select, insert, update');
