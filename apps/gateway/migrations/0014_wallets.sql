-- Wallets of customers, and the statements of all wallets: each movement is a line of its own with the balance after it, because the
-- entries of one account cannot be found among the postings (docs/decisions/0034-wallets.md).

create table customer_wallets ( -- what a customer of a merchant holds; the merchant pays out of it
  id bigint constraint customer_wallets_pkey primary key, -- owns its accounts in the ledger as a merchant owns its own: id * 16 + kind
  merchant_id bigint not null constraint customer_wallets_merchant_fkey references merchants,
  reference text not null,               -- the merchant's own
  name text not null,
  customer_name text not null,
  customer_email text not null,
  birth_date date,
  bvn_sealed text not null,              -- envelope-encrypted; the digest is keyed and finds the same person again
  bvn_digest bytea not null,
  bvn_tail text not null,                -- the four digits that are shown
  fee_owner bigint                       -- whose wallet bears the fees of its transfers: the merchant's; null: its own
    constraint customer_wallets_fee_owner check (fee_owner = merchant_id),
  account_number text not null constraint customer_wallets_number_key unique,
  top_up_number text not null constraint customer_wallets_top_up_key unique, -- what arrives there is credited to the wallet
  bank_code text not null,
  created_at timestamptz not null,
  constraint customer_wallets_reference_key unique (merchant_id, reference)
);
create index customer_wallets_newest on customer_wallets (merchant_id, id);
create index customer_wallets_email on customer_wallets (merchant_id, lower(customer_email));
call open_table('customer_wallets', 'select', 'select, insert, update');

-- The accounts of a customer's wallet name their merchant in their row, not in their number, as those of sub accounts do.
create or replace function acts_for_account(account bigint) returns boolean language sql stable parallel safe
  return case when account / 16 = 0 then false
    when account % 16 <> 11 and account / 16 = acting_merchant() then true
    else exists (select from accounts a where a.id = account and a.merchant_id = acting_merchant()) end;

alter table disbursements add column wallet_id bigint, -- the customer's wallet it is paid from; null: the merchant's own
  add column fee_owner bigint;           -- whose wallet the fee is taken from; null: the same
create index disbursements_of_wallet on disbursements (merchant_id, wallet_id, place) where wallet_id is not null;

-- Statements --------------------------------------------------------------------------------------------------------------

-- How many lines a wallet has, and the time and month of the last. They change with the balance, in the same row.
alter table accounts add column movements bigint not null default 0,
  add column moved_at timestamptz not null default '-infinity',
  add column moved_id bigint not null default 0;

create table wallet_movements ( -- insert-only
  account_id bigint not null,
  number bigint not null,                -- 1, 2, 3 … of the wallet, given under its lock
  -- The highest id among the postings of the wallet so far: the month the line lies in. So months follow each other as numbers do, and
  -- what has left lies before what is here.
  line_id bigint not null,
  merchant_id bigint not null,
  transfer_id bigint not null,           -- its posting, of the same month or an earlier one
  kobo bigint not null constraint wallet_movements_kobo check (kobo <> 0),
  balance_kobo bigint not null constraint wallet_movements_balance check (balance_kobo >= 0), -- after it
  at timestamptz not null,               -- never before the line before: a range of times is a range of numbers
  constraint wallet_movements_pkey primary key (account_id, number, line_id)
) partition by range (line_id);
call by_months('wallet_movements');
create index wallet_movements_time on wallet_movements (account_id, at, number);
call open_table('wallet_movements', 'select, insert', 'select, insert');

do $$
declare
  part month_tables;
  wanted integer;
begin
  if exists (select from departed_months) then
    raise exception 'take the months that have left back first: they have no statements of wallets';
  end if;
  select * into part from month_tables where name = 'wallet_movements';
  for wanted in select month from months loop
    call add_partition(part, wanted::text, (wanted * 1000000000000::bigint)::text,
      ((wanted + case when wanted % 100 = 12 then 89 else 1 end) * 1000000000000::bigint)::text);
  end loop;
end $$;

-- Before the first release a cell is small enough to be filled at once.
insert into wallet_movements (account_id, number, line_id, merchant_id, transfer_id, kobo, balance_kobo, at)
select e.account_id, row_number() over w, max(t.id) over w, t.merchant_id, t.id, e.kobo, sum(e.kobo) over w, max(t.at) over w
from transfers t cross join lateral unnest(t.accounts, t.amounts) as e(account_id, kobo) where e.account_id % 16 = 9
window w as (partition by e.account_id order by t.xid, t.id);
update accounts a set movements = m.number, moved_at = m.at, moved_id = m.line_id from (
  select distinct on (account_id) account_id, number, at, line_id from wallet_movements order by account_id, number desc
) m where m.account_id = a.id;
