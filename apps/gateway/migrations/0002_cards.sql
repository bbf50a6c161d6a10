-- Cards: charges and what is kept of a card. No number, code or PIN comes near the database: first six, last four, expiry.

alter table transactions add column split text; -- who gets which part; null for nearly all

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
  code text,              -- ISO 8583 field 39
  message text,
  otp_id text,
  challenge_id text,
  challenge_page text,
  challenge_acs text,
  return_token text not null, -- in the address the issuer's page comes back to
  waits_until timestamptz,    -- for the payer
  created_at timestamptz not null,
  closed_at timestamptz
);
create index card_charges_transaction on card_charges (transaction_id);
-- One charge at a time: the second of two requests at once finds the first.
create unique index card_charges_one_open on card_charges (transaction_id) where status in ('SENT', 'OTP', 'CHALLENGE');
create unique index card_charges_one_approved on card_charges (transaction_id) where status = 'APPROVED';

create table card_tokens ( -- a card that was charged once may be charged again, by this merchant, for this customer
  token text constraint card_tokens_pkey primary key,
  merchant_id bigint not null,
  charge_id bigint not null constraint card_tokens_charge_key unique, -- the first charge
  customer_email text not null,
  issuer_reference text not null, -- the issuer's own name for the card
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
alter table card_charges add column token text; -- of the stored card it was made with, or that it made

grant select, insert on card_charges, card_tokens to cowrie_app, cowrie_engine;
grant update on card_charges to cowrie_app, cowrie_engine;

do $$
declare merchant_table text;
begin
  foreach merchant_table in array array['card_charges', 'card_tokens']
  loop
    execute format('alter table %I enable row level security', merchant_table);
    execute format('alter table %I force row level security', merchant_table);
    execute format('create policy own_rows on %I to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant())', merchant_table);
    execute format('create policy all_rows on %I to cowrie_engine using (true) with check (true)', merchant_table);
  end loop;
end $$;
