// The tables of the card issuer.

export const ISSUER_TABLES = `
-- What the issuer knows of a charge. A card is its first six, last four and expiry; no number, code or PIN comes here.
-- A charge that was reversed before it arrived has no amount and no card.
create table if not exists card_charges (
  charge_reference text primary key,
  state text not null constraint card_state_known
    check (state in ('APPROVED', 'DECLINED', 'OTP', 'CHALLENGE', 'REVERSED')),
  code text not null,
  kobo int8 constraint card_charge_positive check (kobo > 0),
  merchant_name text,
  return_url text,
  bin text constraint card_bin_short check (bin ~ '^\\d{6}$'),
  last4 text constraint card_last4_short check (last4 ~ '^\\d{4}$'),
  expiry_month text,
  expiry_year text,
  behaviour text,
  step text constraint card_step_known check (step in ('OTP', 'CHALLENGE')),
  step_id text constraint card_step_once unique,
  tries_left int not null,
  waits_until timestamptz,
  card_reference text,
  asked_at timestamptz not null,
  changed_at timestamptz not null
);
create index if not exists card_charges_by_time on card_charges (asked_at);

-- The issuer's book: a charge takes its money at most once and returns it at most once, because the key says so.
create table if not exists card_money (
  charge_reference text not null references card_charges,
  kind text not null constraint card_money_kind_known check (kind in ('TAKEN', 'RETURNED')),
  kobo int8 not null constraint card_money_positive check (kobo > 0),
  booked_at timestamptz not null,
  primary key (charge_reference, kind)
);

create table if not exists stored_cards (
  card_reference text primary key,
  bin text not null,
  last4 text not null,
  expiry_month text not null,
  expiry_year text not null,
  behaviour text not null
);
`
