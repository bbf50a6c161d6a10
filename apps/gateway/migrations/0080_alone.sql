-- What may leave a merchant's wallets without a second person on a day, and to an account that is new to it; and what did.
alter table disbursement_settings
  add column above_day_kobo bigint constraint disbursement_settings_above_day check (above_day_kobo >= 0), -- null: no such amount
  add column above_new_kobo bigint constraint disbursement_settings_above_new check (above_new_kobo >= 0); -- null: no such amount
alter table disbursement_days
  add column alone_kobo bigint not null default 0 constraint disbursement_days_alone check (alone_kobo >= 0); -- of it and of refunds, while the merchant has such an amount
create table payees ( -- accounts that a merchant paid while it has an amount for new ones
  merchant_id bigint not null constraint payees_merchant_fkey references merchants,
  bank_code text not null,
  account_number text not null,
  first_at timestamptz not null,
  alone_kobo bigint not null constraint payees_alone check (alone_kobo >= 0), -- what it got without a second person
  confirmed_at timestamptz, -- when a second person let money go there
  constraint payees_pkey primary key (merchant_id, bank_code, account_number)
);
call open_table('payees', 'select', 'select, insert, update');
