-- Bills: airtime, data, electricity and the like that merchants pay out of their wallets (docs/decisions/0036-bills.md). A shop sells
-- thousands a day, so they are partitioned by months, and their names have a table of their own.

create table bills (
  id bigint constraint bills_pkey primary key,
  merchant_id bigint not null,
  reference text not null,               -- the merchant's own, held by bill_references
  transaction_reference text not null,   -- ours; it says the second, so it is unique if it is within its month
  status text not null constraint bills_status_known check (status in ('IN_PROGRESS', 'SUCCESS', 'FAILED')),
  version integer not null default 1,
  kobo bigint not null constraint bills_kobo_positive check (kobo > 0), -- the price
  commission_kobo bigint not null constraint bills_commission check (commission_kobo >= 0 and commission_kobo < kobo), -- what the merchant keeps of it
  product_code text not null,
  product_name text not null,
  biller_code text not null,
  biller_name text not null,
  customer_id text not null,             -- phone number, meter number and the like
  token text,                            -- what the customer enters into a meter; it works in that meter alone
  description text not null,
  session_id text not null,              -- one for ever: the biller is asked about it, never sent it again under another
  connector smallint not null default 1, -- whom it was asked of, for ever
  questions integer not null default 0,  -- how often the biller was asked for its outcome
  question_at timestamptz,               -- when it is asked next
  created_at timestamptz not null,
  completed_at timestamptz,
  constraint bills_ended_when_said check ((completed_at is null) = (status = 'IN_PROGRESS')),
  constraint bills_asked_until_ended check ((question_at is not null) = (status = 'IN_PROGRESS')),
  constraint bills_token_of_a_success check (token is null or status = 'SUCCESS')
) partition by range (id);
call by_months('bills', 'fillfactor = 80', '{transaction_reference, session_id}');
call open_table('bills', 'select', 'select, insert, update');

create table bill_references ( -- a merchant's own names of its bills
  merchant_id bigint not null,
  reference text not null,
  bill_id bigint not null,
  constraint bill_references_pkey primary key (merchant_id, reference)
);
call open_table('bill_references', 'select', 'select, insert');

-- A cell that is in use has its months already.
do $$
declare
  part month_tables;
  one integer;
begin
  select * into part from month_tables where name = 'bills';
  for one in select month from months order by month loop
    call add_partition(part, one::text, (one * 1000000000000::bigint)::text,
      ((one + case when one % 100 = 12 then 89 else 1 end) * 1000000000000::bigint)::text);
  end loop;
end $$;

-- And the house has its accounts: what is owed to billers joins them. The policies of the table know the two roles only.
alter table accounts no force row level security;
insert into accounts (id, merchant_id, kind) select 4, 0, 'BILLERS' where exists (select from accounts where merchant_id = 0) on conflict do nothing;
alter table accounts force row level security;
