-- Account numbers that a bank issues (docs/decisions/0092-numbers-of-banks.md): kept in stock, given to payments one after the other.
create table bank_numbers (
  account_number text not null,
  bank_code text not null,
  connector smallint not null constraint bank_numbers_connector_fkey references connectors,
  valid_until timestamptz,  -- null: for good
  taken_at timestamptz,     -- when a process last took it to offer it; null: never
  constraint bank_numbers_pkey primary key (account_number, bank_code)
);
create index bank_numbers_next on bank_numbers (connector, taken_at nulls first);
grant select on bank_numbers to cowrie_app;
grant select, insert, update (taken_at) on bank_numbers to cowrie_engine;

-- What was ordered, under a reference that the bank answers again and again: an order whose answer was lost is repeated, and costs no numbers.
create table number_orders (
  reference text constraint number_orders_pkey primary key,
  connector smallint not null constraint number_orders_connector_fkey references connectors,
  count int not null constraint number_orders_count_positive check (count > 0),
  ordered_at timestamptz not null,
  done_at timestamptz
);
create unique index number_orders_open on number_orders (connector) where done_at is null;
grant select, insert, update (done_at) on number_orders to cowrie_engine;
