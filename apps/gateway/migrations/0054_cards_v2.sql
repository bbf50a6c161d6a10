-- Cards of version 2 of the connector protocol, and of several connectors (docs/decisions/0093-cards-of-version-2.md).
alter table card_charges
  add column protocol smallint not null default 1, -- the version in which the connector was asked
  add column input_id text,                        -- what the payer's next answer goes to, an OTP too
  add column input_kind text constraint card_charges_input_known check (input_kind in ('PIN', 'PHONE', 'BIRTHDAY', 'ADDRESS')),
  add column input_wrong boolean not null default false, -- the payer's last answer was not accepted
  drop constraint card_charges_status_known,
  add constraint card_charges_status_known
    check (status in ('SENT', 'OTP', 'CHALLENGE', 'INPUT', 'APPROVED', 'DECLINED', 'REVERSING', 'REVERSED'));
drop index card_charges_one_open;
create unique index card_charges_one_open on card_charges (transaction_id) where status in ('SENT', 'OTP', 'CHALLENGE', 'INPUT');

alter table card_tokens add column connector smallint not null default 1; -- who knows the card by issuer_reference
