-- Cards and direct debit: other ways by which a transaction is paid.

-- No card number, code or PIN comes near the database: first six, last four, expiry.
create table card_charges (
  id bigint constraint card_charges_pkey primary key,
  merchant_id bigint not null,
  transaction_id bigint not null,
  reference text not null constraint card_charges_reference_key unique, -- what the issuer knows the charge by
  status text not null constraint card_charges_status_known
    check (status in ('SENT', 'OTP', 'CHALLENGE', 'APPROVED', 'DECLINED', 'REVERSING', 'REVERSED')),
  version integer not null default 1,
  channel text not null constraint card_charges_channel_known check (channel in ('API', 'CHECKOUT', 'TOKEN')),
  kobo bigint not null constraint card_charges_kobo_positive check (kobo > 0),
  bin text not null constraint card_charges_bin_short check (bin ~ '^\d{6}$'),
  last4 text not null constraint card_charges_last4_short check (last4 ~ '^\d{4}$'),
  exp_month text not null,
  exp_year text not null,
  scheme text,
  bank_code text,
  bank_name text,
  country_code text,
  token text,                            -- of the stored card it was made with, or that it made
  keep_card boolean not null default true, -- whether a payment with it gives a token
  code text,                             -- ISO 8583 field 39
  message text,
  never_reached boolean not null default false, -- the issuer says that it never received the charge
  otp_id text,
  codes_sent integer not null default 0, -- the payer's codes that were taken to the issuer and not found right
  codes_wrong integer not null default 0, -- of these, the ones that are known to be wrong, or were never answered for
  challenge_id text,
  challenge_page text,
  challenge_acs text,
  return_token text not null,            -- in the address the issuer's page comes back to
  connector smallint not null default 1, -- whom it was asked of, for ever
  waits_until timestamptz,               -- for the payer
  created_at timestamptz not null,
  closed_at timestamptz,
  constraint card_charges_codes_counted check (codes_wrong between 0 and codes_sent)
);
create index card_charges_transaction on card_charges (transaction_id);
-- One charge at a time: the second of two requests at once finds the first.
create unique index card_charges_one_open on card_charges (transaction_id) where status in ('SENT', 'OTP', 'CHALLENGE');
create unique index card_charges_one_approved on card_charges (transaction_id) where status = 'APPROVED';
call open_table('card_charges', 'select, insert, update', 'select, insert, update');

create table card_tokens ( -- a card that was charged once may be charged again, by this merchant, for this customer
  token text constraint card_tokens_pkey primary key,
  merchant_id bigint not null,
  charge_id bigint not null constraint card_tokens_charge_key unique, -- the first charge
  customer_email text not null,
  issuer_reference text not null,        -- the issuer's own name for the card
  bin text not null,
  last4 text not null,
  exp_month text not null,
  exp_year text not null,
  scheme text not null,
  bank_code text,
  bank_name text,
  country_code text,
  created_at timestamptz not null
);
call open_table('card_tokens', 'select, insert', 'select, insert');

-- Attempts with a card are counted: per transaction in its charges, per card and per caller's address here.
create table card_attempts ( -- for an hour; then its timer (cards.forget) deletes it
  charge_id bigint constraint card_attempts_pkey primary key,
  merchant_id bigint not null,
  card_digest bytea not null,            -- HMAC of the card number, under a key of its own
  address_digest bytea,                  -- of the payer's address, on the hosted page
  paid boolean not null default false,
  made_at timestamptz not null
);
create index card_attempts_card on card_attempts (card_digest, made_at);
create index card_attempts_address on card_attempts (address_digest, made_at) where address_digest is not null;
call open_table('card_attempts', 'select, update', 'select, insert, update, delete');

create table mandates ( -- what a payer allowed, and what was collected under it
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
  cancel_asked_at timestamptz,           -- when the merchant asked for its end
  connector smallint not null default 1, -- whom it was asked of, for ever
  created_at timestamptz not null,
  constraint mandates_reference_key unique (merchant_id, reference),
  constraint mandates_window check (ends_at > starts_at),
  constraint mandates_instruction_whole check ((authorization_message is null) = (authorization_link is null)),
  constraint mandates_within_its_amount check (debited_kobo >= 0 and (kobo is null or debited_kobo <= kobo))
) with (fillfactor = 80);
create index mandates_list on mandates (merchant_id, created_at, id);
create index mandates_of_customer on mandates (merchant_id, lower(customer_email), created_at);
call open_table('mandates', 'select, insert, update', 'select, insert, update');

create table debits ( -- a debit is a transaction; what is here is the bank's side of it
  id bigint constraint debits_pkey primary key, -- of its transaction
  merchant_id bigint not null constraint debits_merchant_fkey references merchants,
  mandate_id bigint not null constraint debits_mandate_fkey references mandates,
  kobo bigint not null constraint debits_kobo_positive check (kobo > 0),
  narration text not null,
  session_id text not null constraint debits_session_key unique, -- one for ever: the bank is asked about it, never sent it again under another
  connector smallint not null default 1, -- whom it was asked of, for ever
  message text not null,                 -- what the merchant reads of it
  sent_at timestamptz,                   -- when a worker set out to send it; null: it waits for one
  questions integer not null default 0,  -- how often the bank was asked for its outcome
  question_at timestamptz                -- when it is asked next
) with (fillfactor = 80);
create index debits_of_mandate on debits (mandate_id);
call open_table('debits', 'select, insert', 'select, insert, update');
