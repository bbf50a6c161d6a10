-- Finding a payment by its payer's account, and the figures of a day (docs/decisions/0055-figures-finding-and-exports.md).

-- A few pages of credits share one bloom filter of the accounts they came from: a credit costs next to nothing here, and whoever looks
-- for an account reads the filters and the few pages that may hold it. Pages that have no filter yet are read as they are.
create index inbound_credits_sender on inbound_credits using brin (sender_account_number text_bloom_ops) with (pages_per_range = 32);

-- Null: the block was sealed before this was kept, and its rows are summed.
alter table search_parts add column paid_kobo bigint; -- what was paid of the rows of the part, together

create index suspense_items_open on suspense_items (merchant_id, decide_by) where closed_at is null;
