-- A bank withdraws an account number that it has issued, or knows nothing of it any more: it is given to nobody from then on.
alter table bank_numbers add column withdrawn_at timestamptz;
grant update (withdrawn_at) on bank_numbers to cowrie_engine;
