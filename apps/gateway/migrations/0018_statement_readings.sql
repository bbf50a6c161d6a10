-- A reading of the bank's statement is one attempt with its own lines, so that nothing of a refused one counts; and the bank's balance.

alter table statement_days
  add column reading integer not null default 1,        -- the attempt under way, or the one that was taken
  add column said_lines integer,                        -- what the statement says of itself, on the first page of this reading
  add column said_in_kobo bigint,
  add column said_out_kobo bigint,
  add column own_lines integer not null default 0,      -- of those read so far: of this cell, kept in statement_lines
  add column own_in_kobo bigint not null default 0,
  add column own_out_kobo bigint not null default 0,
  add column opening_kobo bigint,                       -- null: the bank does not say
  add column closing_kobo bigint;
alter table statement_lines
  add column reading integer not null default 1,
  drop constraint statement_lines_pkey,
  add constraint statement_lines_pkey primary key (day, reading, line);
update statement_days d set said_lines = d.lines, said_in_kobo = d.in_kobo, said_out_kobo = d.out_kobo,
  own_lines = x.lines, own_in_kobo = x.in_kobo, own_out_kobo = x.out_kobo
from (select y.day, count(l.line) as lines, coalesce(sum(l.kobo) filter (where l.direction = 'IN'), 0) as in_kobo,
  coalesce(sum(l.kobo) filter (where l.direction = 'OUT'), 0) as out_kobo
  from statement_days y left join statement_lines l on l.day = y.day group by 1) as x where x.day = d.day;

-- What the bank has booked, by statements that were read to their end. Everything that is compared is compared with this.
create view statement_booked with (security_invoker = true) as
select l.* from statement_lines l -- a filter, not a join: the plans of what reads it must not change with the statistics of the days
where l.reading = (select d.reading from statement_days d where d.day = l.day and d.read_at is not null);

alter table recon_breaks drop constraint recon_breaks_class_known;
alter table recon_breaks add constraint recon_breaks_class_known
  check (class in ('MISSING_HERE', 'MISSING_THERE', 'AMOUNT', 'DUPLICATE', 'TIMING', 'REVERSAL', 'UNKNOWN_OWNER', 'BALANCE'));

-- Payouts are found by their session, which begins with their time; those few that ended late or came back, by when they did.
create index disbursements_reversed on disbursements (completed_at) where status = 'REVERSED';
create index disbursements_late on disbursements (completed_at) where completed_at - created_at > interval '48 hours';
create index bank_orders_reversed on bank_orders (completed_at) where status = 'REVERSED';
create index bank_orders_late on bank_orders (completed_at) where completed_at - created_at > interval '48 hours';
-- Money that a sandbox gave its merchants to begin with; no bank has it.
create index transfers_funding on transfers (id) where kind = 'FUNDING';

grant select on statement_booked to cowrie_engine;
grant delete on statement_lines to cowrie_engine; -- of refused readings
