-- Where a payer paid, on the hosted page or by API, and which transactions a stored card made: clients read both from the record.

alter table virtual_accounts add column on_page boolean not null default false; -- drawn by the payer, on the hosted page
alter table transactions add column on_page boolean not null default false;     -- paid on the hosted page
alter table transactions drop constraint transactions_product_known,
  add constraint transactions_product_known
    check (product_type in ('RESERVED_ACCOUNT', 'INVOICE', 'DIRECT_DEBIT', 'API_NOTIFICATION')) not valid;
