-- Payments that strangers opened and that wait to be paid, counted per payment link, merchant and network (docs/decisions/0057-payment-links.md).
create table stranger_payments (
  transaction_id bigint constraint stranger_payments_pkey primary key,
  merchant_id bigint not null constraint stranger_payments_merchant_fkey references merchants,
  keys text[] not null,                -- what it counts for: L and a link, M and a merchant, N and the digest of a network, W and who waited instead of answering
  puzzle bytea,                        -- the challenge that was answered for it, so that no answer counts twice
  expires_at timestamptz not null,
  constraint stranger_payments_puzzle unique (puzzle)
);
call open_table('stranger_payments', 'select, insert', 'select, delete, update');

-- How many each has. A payment counts from the transaction that opens it until a worker has seen that it is over.
create table stranger_counts (
  key text constraint stranger_counts_pkey primary key,
  open integer not null constraint stranger_counts_open_not_negative check (open >= 0)
) with (fillfactor = 50);
grant select, insert, update on stranger_counts to cowrie_app;
grant select, update, delete on stranger_counts to cowrie_engine;
