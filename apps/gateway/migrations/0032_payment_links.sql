-- Payment links: an address with a fixed or an open amount, for one payment or many (docs/decisions/0057-payment-links.md).

create table payment_links (
  id bigint constraint payment_links_pkey primary key,
  merchant_id bigint not null constraint payment_links_merchant_fkey references merchants,
  code text not null constraint payment_links_code_key unique, -- in the address
  contract_code text not null,
  title text not null,
  description text not null,
  kobo bigint constraint payment_links_kobo check (kobo > 0), -- null: the payer chooses
  min_kobo bigint constraint payment_links_min check (min_kobo > 0),
  max_kobo bigint constraint payment_links_max check (max_kobo >= min_kobo), -- null: as much as the merchant may collect
  single_use boolean not null,
  methods text not null,                 -- letters; empty: all
  redirect_url text,
  expires_at timestamptz,                -- null: never
  paused_at timestamptz,
  transactions bigint not null default 0, -- how many were started; whoever starts one holds this row
  created_by text not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  constraint payment_links_of_merchant unique (merchant_id, id),
  constraint payment_links_one_kind check ((kobo is null) = (min_kobo is not null) and (kobo is null or max_kobo is null))
) with (fillfactor = 70);
create index payment_links_by_age on payment_links (merchant_id, created_at, id);
call open_table('payment_links', 'select, insert, update', 'select');

-- Insert-only. It stays when the month of the transaction leaves, so that a link of single use is never paid a second time.
create table payment_link_uses (
  link_id bigint not null,
  number bigint not null constraint payment_link_uses_number check (number > 0),
  merchant_id bigint not null,
  transaction_id bigint not null constraint payment_link_uses_transaction_key unique,
  constraint payment_link_uses_pkey primary key (link_id, number),
  constraint payment_link_uses_link_fkey foreign key (merchant_id, link_id) references payment_links (merchant_id, id)
);
call open_table('payment_link_uses', 'select, insert', 'select');
