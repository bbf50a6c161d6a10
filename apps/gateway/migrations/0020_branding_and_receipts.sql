-- What merchants look like to their customers, receipts by mail, and invoices with lines, addresses and tax numbers.

create table brandings ( -- what customers of a merchant see beside its name; no row: nothing
  merchant_id bigint constraint brandings_pkey primary key constraint brandings_merchant_fkey references merchants,
  colour text constraint brandings_colour_form check (colour ~ '^#[0-9a-f]{6}$'),
  support_email text,
  support_phone text,
  logo bytea constraint brandings_logo_small check (octet_length(logo) <= 65536),
  logo_type text constraint brandings_logo_type_known check (logo_type in ('png', 'jpeg')),
  logo_digest text,                      -- its address ends in it
  changed_at timestamptz not null,
  constraint brandings_logo_whole check (num_nulls(logo, logo_type, logo_digest) in (0, 3))
);
create index brandings_logo on brandings (logo_digest) where logo_digest is not null;
call open_table('brandings', 'select', 'select, insert, update');
create trigger brandings_changed after insert or update or delete on brandings
  for each statement execute function raise_merchant_revision();

-- Which receipts a merchant has sent, and up to which of its events they were looked at. Apart from what is cached of merchants: it moves
-- with every payment. No row: none are sent.
create table receipt_settings (
  merchant_id bigint constraint receipt_settings_pkey primary key constraint receipt_settings_merchant_fkey references merchants,
  payments boolean not null,
  refunds boolean not null,
  payouts boolean not null,
  looked_at bigint not null constraint receipt_settings_looked_at_from_zero check (looked_at >= 0) -- the number of the last event
);
call open_table('receipt_settings', 'select', 'select, insert, update');
-- A receipt that is due, or was sent. What stands on it is in its event; here is nothing about anybody. Deleted after some days.
create table receipts (
  event_id bigint constraint receipts_pkey primary key,
  merchant_id bigint not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  refused_at timestamptz                 -- by its server for good, or nobody to send it to any more
);
create index receipts_by_age on receipts (created_at);
call open_table('receipts', 'select', 'select, insert, update, delete');

-- What the HTML part of a mail is made of when it is sent; null: of its text.
alter table mails add column sheet text;

alter table invoices
  add column lines text not null default '[]',  -- JSON: description, quantity, unitKobo, kobo; they and the VAT add up to the amount
  add column vat_kobo bigint constraint invoices_vat check (vat_kobo >= 0),
  add column customer_address text,
  add column merchant_address text,
  add column tax_number text;            -- the merchant's
