-- Customers are read by their e-mail address: stored cards and reserved accounts get an index by it, and blocks count what a frequent one paid.

create index card_tokens_of_customer on card_tokens (merchant_id, search_key(customer_email), created_at);
create index reserved_accounts_of_customer on reserved_accounts (merchant_id, search_key(customer_email), created_at);

-- Null: sealed before this was counted; the rows of such a block are read.
alter table search_values add column paid_rows integer, add column paid_kobo bigint,
  add constraint search_values_paid_whole check ((paid_rows is null) = (paid_kobo is null));
