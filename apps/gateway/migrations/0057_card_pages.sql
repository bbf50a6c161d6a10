-- A card that is typed on a page of its connector's own is not known here until it has paid.
alter table card_charges
  alter column bin drop not null,
  alter column last4 drop not null,
  alter column exp_month drop not null,
  alter column exp_year drop not null,
  add column connector_page boolean not null default false, -- typed on a page of the connector's own
  -- Every row there is has all four.
  add constraint card_charges_card_whole check (num_nulls(bin, last4, exp_month, exp_year) = 0
    or (connector_page and num_nulls(bin, last4, exp_month, exp_year) = 4)) not valid;
