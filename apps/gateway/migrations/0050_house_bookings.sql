-- What a bank books on our account for reasons of its own: its fees, taxes and levies, and what a card scheme settles. Each line of a
-- statement is booked once (docs/decisions/0086-connector-protocol-2.md).
create table house_bookings (
  kind text not null constraint house_bookings_kind_known check (kind in ('FEE', 'TAX', 'LEVY', 'CARD_SETTLEMENT')),
  session_id text not null,
  kobo bigint not null constraint house_bookings_kobo_positive check (kobo > 0),
  transfer_id bigint not null,
  booked_at timestamptz not null, -- by the bank
  constraint house_bookings_pkey primary key (kind, session_id),
  constraint house_bookings_transfer_key unique (transfer_id)
);
grant select, insert on house_bookings to cowrie_engine;
insert into accounts (id, merchant_id, kind) select 6, 0, 'BANK_COSTS' where exists (select from accounts where id = 0) on conflict do nothing;
