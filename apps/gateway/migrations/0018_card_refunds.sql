-- Refunds of card payments: the money goes back to the card through its issuer, and no bank account is named.

alter table refunds
  alter bank_code drop not null,
  alter account_number drop not null,
  alter account_name drop not null,
  add column charge_reference text,      -- the charge whose card gets the money; null: it goes to an account
  add column masked_pan text constraint refunds_pan_masked check (masked_pan ~ '^\d{6}\*{6}\d{4}$'),
  add constraint refunds_one_destination check (
    num_nonnulls(bank_code, account_number, account_name) = case when charge_reference is null then 3 else 0 end
    and (charge_reference is null) = (masked_pan is null)
  ),
  add constraint refunds_card_gets_its_own check (charge_reference is null or (strategy = 'ORIGINAL_PAYMENT_SOURCE' and not elsewhere));

alter table bank_orders
  alter bank_code drop not null,
  alter account_number drop not null,
  alter account_name drop not null,
  add column charge_reference text,      -- the charge whose card gets the money, through its issuer; null: a bank pays an account
  add constraint bank_orders_one_destination check (
    num_nonnulls(bank_code, account_number, account_name) = case when charge_reference is null then 3 else 0 end
  ),
  add constraint bank_orders_card_is_refund check (charge_reference is null or purpose = 'REFUND');
