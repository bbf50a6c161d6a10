-- Fees that payers bear on top of the amount, as they were quoted to them (docs/decisions/0053-fees-that-payers-bear.md).

alter table fee_schedules
  drop constraint fee_schedules_bearer_known,
  add constraint fee_schedules_bearer_known check (bearer = 'MERCHANT'
    or (bearer = 'CUSTOMER' and method in ('ANY', 'ACCOUNT_TRANSFER', 'USSD', 'CARD')));

-- What the payer was quoted, and by which schedule; null: the merchant bears the fee. A month that has left gets the same, or it could not
-- be attached again.
do $$
declare
  part text;
begin
  for part in select 'transactions' union all select 'transactions_' || month from departed_months loop
    if to_regclass(part) is null then continue; end if;
    execute format($alter$
      alter table %I
        add column quoted_fee_kobo bigint,
        add column quoted_schedule_id bigint,
        drop constraint transactions_status_fits_amount,
        add constraint transactions_status_fits_amount check (case status
          when 'PAID' then abs(paid_kobo - kobo - coalesce(quoted_fee_kobo, 0)) <= tolerance_kobo
          when 'OVERPAID' then paid_kobo > kobo + coalesce(quoted_fee_kobo, 0)
          when 'PARTIALLY_PAID' then paid_kobo > 0 and paid_kobo < kobo + coalesce(quoted_fee_kobo, 0)
          else paid_kobo = 0 end),
        -- Only a payer who chooses how to pay can be asked for more than the amount.
        add constraint transactions_quote_whole check (num_nulls(quoted_fee_kobo, quoted_schedule_id) = 2
          or (num_nulls(quoted_fee_kobo, quoted_schedule_id) = 0 and product_type is null and quoted_fee_kobo between 0 and kobo))
    $alter$, part);
  end loop;
end $$;

-- The same of one charge: its amount is what the card is charged, with the fee.
alter table card_charges
  add column quoted_fee_kobo bigint,
  add column quoted_schedule_id bigint,
  add constraint card_charges_quote_whole check (num_nulls(quoted_fee_kobo, quoted_schedule_id) = 2
    or (num_nulls(quoted_fee_kobo, quoted_schedule_id) = 0 and quoted_fee_kobo >= 0 and quoted_fee_kobo < kobo));
