-- What a transaction was made for when nobody asked for it by init-transaction: a credit to a reserved account, an invoice, a
-- debit of a mandate. And a place for money that is on its way to a bank account outside the wallet's own transfers.

alter table transactions add column product_type text, add column product_reference text, -- null: asked for by the merchant
  add constraint transactions_product_known check (product_type in ('RESERVED_ACCOUNT', 'INVOICE', 'DIRECT_DEBIT')),
  add constraint transactions_product_named check ((product_type is null) = (product_reference is null));

-- Refunds and settlements that a bank has not confirmed (core/chart.ts, CLEARING).
insert into accounts (id, merchant_id, kind, balance_kobo) select id * 16 + 12, id, 'CLEARING', 0 from merchants;
drop index entries_by_account;
create index entries_by_account on entries (account_id, transfer_id) where account_id % 16 in (9, 10, 12);
