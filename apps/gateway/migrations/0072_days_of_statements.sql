-- A bank may say of a line only the day: what was paid in time on that day is then counted.
alter table statement_lines add column day_only boolean not null default false;
create or replace view statement_booked with (security_invoker = true) as
select l.* from statement_lines l -- a filter, not a join: the plans of what reads it must not change with the statistics of the days
where l.reading = (select d.reading from statement_days d where d.day = l.day and d.connector = l.connector and d.read_at is not null);
