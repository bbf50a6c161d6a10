-- What a merchant owes because a bank reversed money that was gone already: an account of its own, and every change of it.

-- The house is owed: its balance is a debit, never a credit. All other running balances are what they were.
alter table accounts drop constraint balance_not_negative;
alter table accounts add constraint balance_not_negative check (balance_kobo >= 0 or kind = 'RECEIVABLE');
alter table accounts add constraint receivable_not_positive check (kind <> 'RECEIVABLE' or balance_kobo <= 0);
insert into accounts (id, merchant_id, kind, balance_kobo) select id * 16 + 13, id, 'RECEIVABLE', 0 from merchants where id <> 0;

create table receivable_moves ( -- insert-only
  id bigint constraint receivable_moves_pkey primary key, -- of its transfer too
  merchant_id bigint not null constraint receivable_moves_merchant_fkey references merchants,
  number bigint not null,                -- 1, 2, 3 … of the merchant: their order
  account_id bigint not null,            -- what was short, or what it was collected from: WALLET, PENDING, or SHARE of a sub account
  kobo bigint not null constraint receivable_moves_kobo check (kobo <> 0), -- above zero: became owed; below zero: collected
  owed_kobo bigint not null constraint receivable_moves_owed check (owed_kobo >= 0), -- by the merchant, after it
  reversal_reference text,               -- the bank's, of the reversal it became owed by; null: collected, or found short by a settlement
  at timestamptz not null,
  constraint receivable_moves_in_order unique (merchant_id, number),
  constraint receivable_moves_of_a_reversal check (kobo > 0 or reversal_reference is null)
);
create index receivable_moves_account on receivable_moves (account_id); -- what was carried for a sub account

-- From now on every reversal is posted: what the wallet cannot give is owed. Rows from before keep their break.
alter table credit_reversals drop constraint credit_reversals_posted;
alter table credit_reversals add constraint credit_reversals_posted check (transfer_id is not null) not valid;

grant select on receivable_moves to cowrie_app, cowrie_engine;
grant insert on receivable_moves to cowrie_engine;
alter table receivable_moves enable row level security;
alter table receivable_moves force row level security;
create policy own_rows on receivable_moves to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on receivable_moves to cowrie_engine using (true) with check (true);
