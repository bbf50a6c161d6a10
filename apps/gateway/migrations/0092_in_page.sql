-- The checkout on the shop's own page: which origins may open it, and what a page has opened.

create table page_settings ( -- no row: the defaults of the environment
  merchant_id bigint constraint page_settings_pkey primary key constraint page_settings_merchant_fkey references merchants,
  origins text[] not null constraint page_settings_origins_few check (cardinality(origins) <= 20),
  page_splits boolean not null,          -- a page may name who gets a share
  changed_at timestamptz not null
);
call open_table('page_settings', 'select', 'select, insert, update');

-- Insert-only, and it stays when the month of the transaction leaves: it is small, and says who named the amount.
create table page_openings (
  transaction_id bigint constraint page_openings_pkey primary key,
  merchant_id bigint not null constraint page_openings_merchant_fkey references merchants,
  origin text not null,                  -- alone may frame the checkout; 'null' where the page has none
  path text not null,                    -- of the page, to go back to; without its query, which may hold anything
  by_page boolean not null,              -- the page made the transaction, so it named the amount; else the merchant's server did
  opened_at timestamptz not null
);
call open_table('page_openings', 'select, insert', 'select');
