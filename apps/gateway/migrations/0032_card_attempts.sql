-- Attempts with a card are counted: per transaction in its charges, per card and per caller's address for an hour; and a card is kept only by its owner's will.

alter table card_charges
  add column codes_sent integer not null default 0,  -- the payer's codes that were taken to the issuer and not found right
  add column codes_wrong integer not null default 0, -- of these, the ones that are known to be wrong, or were never answered for
  add column never_reached boolean not null default false, -- the issuer says that it never heard of the charge
  add column keep_card boolean not null default true; -- whether a payment with it gives a token
alter table card_charges add constraint card_charges_codes_counted check (codes_wrong between 0 and codes_sent);

create table card_attempts ( -- for an hour; then its timer (cards.forget) deletes it
  charge_id bigint constraint card_attempts_pkey primary key,
  merchant_id bigint not null,
  card_digest bytea not null,  -- HMAC of the card number, under a key of its own
  address_digest bytea,        -- of the payer's address, on the hosted page
  paid boolean not null default false,
  made_at timestamptz not null
);
create index card_attempts_card on card_attempts (card_digest, made_at);
create index card_attempts_address on card_attempts (address_digest, made_at) where address_digest is not null;

grant select, update on card_attempts to cowrie_app;
grant select, insert, update, delete on card_attempts to cowrie_engine;
alter table card_attempts enable row level security;
alter table card_attempts force row level security;
create policy own_rows on card_attempts to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on card_attempts to cowrie_engine using (true) with check (true);
