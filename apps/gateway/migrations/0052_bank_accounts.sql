-- One account of ours per bank, each with its own statement (docs/decisions/0091-an-account-per-bank.md). What there is so far is of the
-- connector at BANK_URL, whose number is 1.
alter table statement_days add column connector smallint not null default 1;
alter table statement_lines add column connector smallint not null default 1;
alter table statement_lines drop constraint statement_lines_day_fkey, drop constraint statement_lines_pkey;
alter table statement_days drop constraint statement_days_pkey;
alter table statement_days add constraint statement_days_pkey primary key (day, connector);
alter table statement_lines add constraint statement_lines_pkey primary key (day, connector, reading, line),
  add constraint statement_lines_day_fkey foreign key (day, connector) references statement_days;

create or replace view statement_booked with (security_invoker = true) as
select l.* from statement_lines l -- a filter, not a join: the plans of what reads it must not change with the statistics of the days
where l.reading = (select d.reading from statement_days d where d.day = l.day and d.connector = l.connector and d.read_at is not null);

-- Banks' own references may be the same at two banks.
alter table recon_breaks add column connector smallint not null default 1, drop constraint recon_breaks_once,
  add constraint recon_breaks_once unique (class, kind, session_id, connector);
alter table house_bookings add column connector smallint not null default 1, drop constraint house_bookings_pkey,
  add constraint house_bookings_pkey primary key (kind, session_id, connector);
